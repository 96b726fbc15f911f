// Computes when a failed attempt is repeated, from a list of delays.

/** Null when `attempt`, counted from 1, was the last. `jitter` is the share that a delay may be off by. */
export function getNextAttemptAt(delaysMs: number[], attempt: number, now: Date, jitter = 0) {
  const delayMs = delaysMs[attempt - 1]
  if (delayMs === undefined) return null
  const factor = 1 - jitter + 2 * jitter * Math.random()
  return new Date(now.getTime() + Math.round(delayMs * factor))
}
