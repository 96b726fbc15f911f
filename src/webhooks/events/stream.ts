// One client's event stream, as text that is made when the client takes it: a client that does not read holds what
// lies in its connection and no more, and is cut off. Why a stream ends is its last message.
import { Readable } from 'node:stream'
import type { EventType } from '../../database/enums.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { webhookTexts } from '../texts.ts'
import type { EventFollower, FollowResult } from './feed.ts'
import type { EventRow } from './log.ts'

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
  follower: EventFollower
  /** Absent: all of them. */
  types: readonly EventType[] | undefined
  /** Whether the client may go on; asked with every heartbeat and before events are sent. */
  isAllowed: () => Promise<boolean>
  heartbeatMs?: number
  stallLimitMs?: number
}

type StreamState = {
  end?: StreamEnd
  /** Since when what it was given last is not taken. */
  givenAt?: number | undefined
  heartbeatMs: number
  heartbeatAt: number
}

export function openEventStream(options: StreamOptions): Readable {
  const { follower, heartbeatMs, stallLimitMs } = { ...DEFAULTS, ...options }
  const state: StreamState = { heartbeatMs, heartbeatAt: performance.now() + heartbeatMs }
  const body = Readable.from(generateText(options, state, recheck), {
    objectMode: false,
    highWaterMark: BUFFER_BYTES,
  })
  const checking = setInterval(check, Math.min(heartbeatMs, stallLimitMs / 2))
  body.once('close', () => {
    clearInterval(checking)
    follower.stop()
  })
  return body

  function check() {
    const stalledMs = performance.now() - (state.givenAt ?? performance.now())
    if (stalledMs > stallLimitMs) endStream('too_slow')
    if (stalledMs > stallLimitMs + STALL_GRACE_MS) body.destroy()
    void recheck()
  }

  async function recheck() {
    // What cannot be asked for now is asked again with the next heartbeat.
    const allowed = await options.isAllowed().catch(() => true)
    if (!allowed) endStream('unauthorized')
  }

  function endStream(reason: StreamEnd) {
    state.end ??= reason
    follower.stop()
  }
}

const DEFAULTS = { heartbeatMs: HEARTBEAT_MS, stallLimitMs: STALL_LIMIT_MS }

async function* generateText(
  { follower, types }: StreamOptions,
  state: StreamState,
  recheck: () => Promise<void>,
) {
  yield* writeText(state, formatStart(follower.startId))
  while (!state.end) {
    const next = await follower.next(Math.max(0, state.heartbeatAt - performance.now()))
    if (next.kind === 'ended') break
    const events = selectEvents(next, types)
    if (events.length > 0) await recheck()
    for (const event of events) yield* writeUnlessOver(state, formatEvent(event))
    if (performance.now() >= state.heartbeatAt) yield* writeText(state, ':\n\n')
  }
  yield* writeText(state, formatEnd(state.end ?? 'closing'))
}

function selectEvents(next: FollowResult, types: StreamOptions['types']) {
  const events = next.kind === 'events' ? next.events : []
  return types ? events.filter(({ type }) => types.includes(type)) : events
}

function* writeUnlessOver(state: StreamState, text: Buffer) {
  if (!state.end) yield* writeText(state, text)
}

/** Goes on once the text is taken. */
function* writeText(state: StreamState, text: string | Buffer) {
  state.givenAt = performance.now()
  yield text
  state.givenAt = undefined
  state.heartbeatAt = performance.now() + state.heartbeatMs
}

/** A client that is cut off before any event came goes on after this one all the same. */
function formatStart(id: string) {
  return `retry: ${RECONNECT_MS}\nid: ${id}\n\n`
}

/** Bytes of an event that several follow, made once: a copy for each of a thousand is hundreds of megabytes. */
const eventBytes = new WeakMap<EventRow, Buffer>()

/** The very body of the webhook, which is one line. */
function formatEvent(event: EventRow) {
  const { id, type, body } = event
  const known = eventBytes.get(event)
  if (known) return known
  const bytes = Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${body}\n\n`)
  eventBytes.set(event, bytes)
  return bytes
}

/** Without an id: the last event stays the one to go on after. */
function formatEnd(reason: StreamEnd) {
  const data = { reason, message: webhookTexts.streamEnds[reason] }
  return `event: stream.closed\ndata: ${JSON.stringify(data)}\n\n`
}
