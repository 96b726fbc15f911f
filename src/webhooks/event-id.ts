// The ids of events carry the very instant of the event: what was made between two instants is a range
// of the index that pages are read from.
import { v7 } from 'uuid'

const SEQUENCE = 2n ** 32n

/** The id of an event that a request names is a moment older than the event. */
export const EVENT_ID_SKEW_MS = 1_000

/** A UUIDv7; of two that this process makes for one instant the later one sorts later. */
export function newEventId(now: Date) {
  const seq = Number((process.hrtime.bigint() / 1_000n) % SEQUENCE)
  return v7({ msecs: now.getTime(), seq })
}

/** No UUIDv7 of `instant` or later sorts before it. */
export function firstIdAt(instant: Date) {
  const ms = Math.max(0, instant.getTime())
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
