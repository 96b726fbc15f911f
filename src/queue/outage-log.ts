// Reports an outage once at its start and once at its end, however many attempts fail in between.

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
