// The id of an event contains the instant of the event, so events between two instants are a range of the primary key.
import { v7 } from 'uuid'

const SEQUENCE = 2n ** 32n

/** The id that a request gives to its event is slightly older than the event. */
export const EVENT_ID_SKEW_MS = 1_000

/** Creates a UUIDv7; of two that this process creates for one instant the later one sorts later. */
export function newEventId(now: Date) {
  const seq = Number((process.hrtime.bigint() / 1_000n) % SEQUENCE)
  return v7({ msecs: now.getTime(), seq })
}
