// One client's event stream, as text that is made when the client takes it: a client that does not read holds what
// lies in its connection and no more, and is cut off. Why a stream ends is its last message.
import { Readable } from 'node:stream'
import type { EventType } from '../../database/enums.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { webhookTexts } from '../texts.ts'
import type { EventFeed, EventPlace, FollowedEvent } from './feed.ts'

/** As the HTML standard has them. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would keep what it has until there is more of it.
  'x-accel-buffering': 'no',
  // When it ends, so does the connection: an idle one would hold up a process that closes.
  connection: 'close',
}

/** Proxies end what is silent for longer, some after 30 s. */
const HEARTBEAT_MS = 15 * SECOND_MS
const RECONNECT_MS = 2 * SECOND_MS
const STALL_LIMIT_MS = 20 * SECOND_MS
/** Then the last message may be read still. */
const STALL_GRACE_MS = 10 * SECOND_MS
const BUFFER_BYTES = 16_384

type StreamEnd = keyof typeof webhookTexts.streamEnds

type StreamOptions = {
  feed: EventFeed
  companyId: string
  after: EventPlace
  /** Absent: all of them. */
  types: readonly EventType[] | undefined
  /** Whether the client may go on; asked with every heartbeat and before events are sent. */
  isAllowed: () => Promise<boolean>
  heartbeatMs?: number
  stallLimitMs?: number
}

export function openEventStream(options: StreamOptions): Readable {
  const { feed, companyId, after, types, isAllowed } = options
  const { heartbeatMs: idleMs = HEARTBEAT_MS, stallLimitMs = STALL_LIMIT_MS } = options
  const ending = new AbortController()
  /** Since when what the client was given last is not taken. */
  let givenAt: number | undefined
  const body = Readable.from(generateText(), { objectMode: false, highWaterMark: BUFFER_BYTES })
  const checking = setInterval(check, Math.min(idleMs, stallLimitMs / 2))
  body.once('close', () => {
    clearInterval(checking)
    ending.abort()
  })
  return body

  async function* generateText() {
    yield* give(formatStart(after.id))
    const { signal } = ending
    let idleAt = performance.now() + idleMs
    for await (const events of feed.follow(companyId, { after, types, signal })) {
      if (events.length > 0) yield* giveEvents(events)
      else if (performance.now() >= idleAt) yield* give(':\n\n')
      else continue
      idleAt = performance.now() + idleMs
    }
    yield* give(formatEnd(signal.aborted ? signal.reason : 'closing'))
  }

  async function* giveEvents(events: FollowedEvent[]) {
    await checkAllowed()
    for (const { message } of events) {
      if (!ending.signal.aborted) yield* give(message)
    }
  }

  /** Goes on once the text is taken. */
  function* give(text: string | Buffer) {
    givenAt = performance.now()
    yield text
    givenAt = undefined
  }

  function check() {
    const stalledMs = performance.now() - (givenAt ?? performance.now())
    if (stalledMs > stallLimitMs) endStream('too_slow')
    if (stalledMs > stallLimitMs + STALL_GRACE_MS) body.destroy()
    void checkAllowed()
  }

  async function checkAllowed() {
    // What cannot be asked for now is asked again with the next heartbeat.
    const allowed = await isAllowed().catch(() => true)
    if (!allowed) endStream('unauthorized')
  }

  function endStream(reason: StreamEnd) {
    ending.abort(reason)
  }
}

/** A client that is cut off before any event came goes on after this one all the same. */
function formatStart(id: string) {
  return `retry: ${RECONNECT_MS}\nid: ${id}\n\n`
}

/** Without an id: the last event stays the one to go on after. */
function formatEnd(reason: StreamEnd) {
  const data = { reason, message: webhookTexts.streamEnds[reason] }
  return `event: stream.closed\ndata: ${JSON.stringify(data)}\n\n`
}
