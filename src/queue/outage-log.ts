// Reports an outage once when it begins and once when it ends, not at each failed attempt.

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
