// Deadlines of calls to a fake that end when it goes silent, and not before: no test waits for one.

export function openDeadlines() {
  const open = new Set<AbortController>()

  function createDeadline() {
    const ending = new AbortController()
    open.add(ending)
    return ending.signal
  }

  /** Ends the deadlines of all calls under way. */
  function endDeadlines() {
    for (const ending of open) ending.abort(new DOMException('The deadline came', 'TimeoutError'))
    open.clear()
  }

  return { createDeadline, endDeadlines }
}

export type Deadlines = ReturnType<typeof openDeadlines>
