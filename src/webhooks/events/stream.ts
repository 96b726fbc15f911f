// One client's event stream, as text that is made when the client takes it, so a client that does not read occupies
// only the buffer of its connection. The last message says why the stream ends.
import { Readable } from 'node:stream'
import type { EventType } from '../../database/enums.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { webhookTexts } from '../texts.ts'
import type { EventFeed, EventPlace } from './feed.ts'

/** The headers for event streams in the HTML standard. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would otherwise hold messages back until its buffer is full.
  'x-accel-buffering': 'no',
  // The connection ends with the stream, since an idle one would delay a process that closes.
  connection: 'close',
}

/** Proxies close connections that are silent for longer, some after 30 s. */
const HEARTBEAT_MS = 15 * SECOND_MS
const RECONNECT_MS = 2 * SECOND_MS
const BUFFER_BYTES = 16_384

type StreamOptions = {
  feed: EventFeed
  companyId: string
  after: EventPlace
  /** When absent, all types. */
  types: readonly EventType[] | undefined
  /** Whether the client may continue; asked at every heartbeat and before events are sent. */
  isAllowed: () => Promise<boolean>
  heartbeatMs?: number
}

export function openEventStream(options: StreamOptions): Readable {
  return Readable.from(generateText(options), { objectMode: false, highWaterMark: BUFFER_BYTES })
}

async function* generateText(options: StreamOptions): AsyncGenerator<string | Buffer, void> {
  const { feed, companyId, after, types, isAllowed, heartbeatMs = HEARTBEAT_MS } = options
  // A client that is disconnected before the first event continues after this one.
  yield `retry: ${RECONNECT_MS}\nid: ${after.id}\n\n`
  let idleAt = performance.now() + heartbeatMs
  for await (const events of feed.follow(companyId, { after, types })) {
    if (events.length === 0 && performance.now() < idleAt) continue
    // If the check fails now, it is repeated at the next heartbeat.
    if (!(await isAllowed().catch(() => true))) return yield formatEnd('unauthorized')
    if (events.length === 0) yield ':\n\n'
    for (const { message } of events) yield message
    idleAt = performance.now() + heartbeatMs
  }
  yield formatEnd('closing')
}

/** Without an id, so that the client still continues after the last event. */
function formatEnd(reason: keyof typeof webhookTexts.streamEnds) {
  const data = { reason, message: webhookTexts.streamEnds[reason] }
  return `event: stream.closed\ndata: ${JSON.stringify(data)}\n\n`
}
