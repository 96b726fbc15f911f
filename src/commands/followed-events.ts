// A company's events as the API's stream brings them: each once, in their order. A connection that ends is made again
// and goes on after the last event; only a refusal that trying again cannot change ends it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { EventType } from '../database/enums.ts'
import { MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { toRecord } from '../http/fields.ts'
import { CommandError } from './command.ts'
import { getErrorReason } from './failure.ts'

const FIRST_DELAY_MS = SECOND_MS / 2
const MAX_DELAY_MS = MINUTE_MS / 2
/** Three of the server's heartbeats. */
const SILENCE_TIMEOUT_MS = 45 * SECOND_MS
const FINAL_STATUSES = [400, 401, 403, 404, 405, 422]

/** `body` is what a webhook of the event would have. */
export type FollowedEvent = { id: string; type: string; body: string }

export type Followed =
  /** From here on nothing is missed. */
  | { kind: 'open' }
  | { kind: 'event'; event: FollowedEvent }
  /** Nothing can be heard for now, for this reason; it goes on by itself. */
  | { kind: 'waiting'; reason: string }

/** Until the signal is aborted. */
export async function* followEvents(
  access: { server: string; key: string },
  { types, signal }: { types: readonly EventType[]; signal: AbortSignal },
): AsyncGenerator<Followed> {
  const url = `${access.server}/api/events/stream?types=${types.join(',')}`
  const target = {
    url,
    key: access.key,
    dispatcher: new Agent({ bodyTimeout: SILENCE_TIMEOUT_MS }),
  }
  const place: StreamPlace = { lastId: undefined, delayMs: FIRST_DELAY_MS }
  while (!signal.aborted) {
    try {
      yield* followConnection(target, place, signal)
    } catch (error) {
      if (error instanceof CommandError) throw error
      if (!signal.aborted) yield { kind: 'waiting', reason: getErrorReason(error) }
    }
    await sleep(place.delayMs, undefined, { signal }).catch(() => {})
    place.delayMs = Math.min(2 * place.delayMs, MAX_DELAY_MS)
  }
}

type StreamTarget = { url: string; key: string; dispatcher: Agent }

/** What the next connection goes on from. */
type StreamPlace = { lastId: string | undefined; delayMs: number }

async function* followConnection(
  { url, key, dispatcher }: StreamTarget,
  place: StreamPlace,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const { statusCode, body } = await request(url, {
    method: 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      ...(place.lastId && { 'last-event-id': place.lastId }),
    },
    dispatcher,
    signal,
  })
  if (statusCode !== 200) throw buildRefusalError(statusCode, await body.json().catch(() => ({})))
  for await (const message of parseStream(body.setEncoding('utf8'))) {
    yield toFollowed(message)
    // Only now: it is another's by then.
    place.lastId = message.id ?? place.lastId
    place.delayMs = FIRST_DELAY_MS
  }
  throw new Error('the connection ended')
}

function buildRefusalError(statusCode: number, answer: unknown) {
  const { message = `HTTP ${statusCode}` } = toRecord(answer)
  const said = `The service says: ${message}`
  return FINAL_STATUSES.includes(statusCode) ? new CommandError(said) : new Error(said)
}

/** Its last message names no event, and says why it ends. */
function toFollowed({ id, event, data = '{}' }: StreamMessage): Followed {
  if (!event) return { kind: 'open' }
  if (!id) throw new Error(String(toRecord(JSON.parse(data)).message))
  return { kind: 'event', event: { id, type: event, body: data } }
}

type StreamMessage = { id?: string; event?: string; data?: string }

/** The messages as our server writes them: each field on one line, comments aside. */
async function* parseStream(text: AsyncIterable<string>): AsyncGenerator<StreamMessage> {
  let rest = ''
  for await (const chunk of text) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (!block.startsWith(':')) yield parseMessage(block)
  }
}

function parseMessage(block: string): StreamMessage {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      return [name, value]
    }),
  )
}
