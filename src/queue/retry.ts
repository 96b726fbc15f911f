/** Returns null when `attempt`, counted from 1, was the last one. `jitter` is the share by which a delay may vary. */
export function getNextAttemptAt(delaysMs: number[], attempt: number, now: Date, jitter = 0) {
  const delayMs = delaysMs[attempt - 1]
  if (delayMs === undefined) return null
  const factor = 1 - jitter + 2 * jitter * Math.random()
  return new Date(now.getTime() + Math.round(delayMs * factor))
}
