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
