// One line when something begins to fail and one when it is over, however long that lasts and however
// often it is tried in between.

export function trackOutage(onStart: (error: unknown) => void, onEnd = () => {}) {
  let isFailing = false

  return { noteSuccess, noteFailure }

  function noteSuccess<Result>(result?: Result) {
    if (isFailing) onEnd()
    isFailing = false
    return result
  }

  function noteFailure(error: unknown) {
    if (!isFailing) onStart(error)
    isFailing = true
  }
}
