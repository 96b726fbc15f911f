// Follows a company's events through the API's stream: each once, in order. After a lost connection it continues behind
// the last event; only a refusal that a retry cannot change ends it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { EventType } from '../database/enums.ts'
import { MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { toRecord } from '../http/fields.ts'
import { toError } from '../system-error.ts'
import { CommandError } from './command.ts'
import { getErrorReason } from './failure.ts'

const FIRST_DELAY_MS = SECOND_MS / 2
const MAX_DELAY_MS = MINUTE_MS / 2
/** Three heartbeats of the server. */
const SILENCE_TIMEOUT_MS = 45 * SECOND_MS
/** A server that connects but sends nothing counts as unreachable. */
const ANSWER_TIMEOUT_MS = 10 * SECOND_MS
const FINAL_STATUSES = [400, 401, 403, 404, 405, 422]

/** `body` is the body of the event's webhook. */
export type FollowedEvent = { id: string; type: string; body: string }

type EventSource = { server: string; key: string; types: readonly EventType[]; signal: AbortSignal }

type EventListener = {
  /** Called when the stream is open: from here on no event is missed. */
  onOpen(): void
  /** Called when the connection is lost, with the reason; it is opened again automatically. */
  onWaiting(reason: string): void
  /** The next event waits until this promise resolves. */
  onEvent(event: FollowedEvent): Promise<void>
}

/** The state from which the next connection continues. */
type Progress = {
  lastId?: string | undefined
  delayMs: number
  isWaiting: boolean
  /** Whether the server has ever answered; before that, its address may be wrong. */
  isKnown: boolean
}

/** Runs until the signal is aborted. Throws when the first connection fails. */
export async function followEvents(source: EventSource, listener: EventListener) {
  const { signal } = source
  const dispatcher = new Agent({
    connect: { timeout: ANSWER_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
  })
  const progress: Progress = { delayMs: FIRST_DELAY_MS, isWaiting: false, isKnown: false }
  while (!signal.aborted) {
    const error = await followConnection(source, dispatcher, listener, progress).catch(toError)
    if (error instanceof CommandError) throw error
    if (signal.aborted) return
    if (!progress.isKnown) throw buildAbsenceError(source, error)
    if (!progress.isWaiting) listener.onWaiting(getErrorReason(error))
    progress.isWaiting = true
    await sleep(progress.delayMs, undefined, { signal }).catch(() => {})
    progress.delayMs = Math.min(2 * progress.delayMs, MAX_DELAY_MS)
  }
}

/** Returns or throws the reason why the connection ended. */
async function followConnection(
  source: EventSource,
  dispatcher: Agent,
  listener: EventListener,
  progress: Progress,
) {
  for await (const message of openStream(source, dispatcher, progress)) {
    if (message.event) await listener.onEvent(toEvent(message))
    else listener.onOpen()
    progress.lastId = message.id ?? progress.lastId
    progress.delayMs = FIRST_DELAY_MS
    progress.isWaiting = false
  }
  return new Error('the connection ended')
}

type StreamMessage = { id?: string; event?: string; data?: string }

/** The last message has no id and names the reason why the stream ends. */
function toEvent({ id, event = '', data = '{}' }: StreamMessage): FollowedEvent {
  if (!id) throw new Error(String(toRecord(JSON.parse(data)).message))
  return { id, type: event, body: data }
}

/** Reads the messages of one connection as our server writes them: one line for each field, and comments. */
async function* openStream(
  { server, key, types, signal }: EventSource,
  dispatcher: Agent,
  progress: Progress,
): AsyncGenerator<StreamMessage> {
  const { lastId } = progress
  const url = `${server}/api/events/stream?types=${types.join(',')}`
  const { statusCode, headers, body } = await request(url, {
    method: 'GET',
    headers: { authorization: `Bearer ${key}`, ...(lastId && { 'last-event-id': lastId }) },
    dispatcher,
    signal,
  })
  progress.isKnown = true
  if (statusCode !== 200) throw buildRefusalError(statusCode, await body.json().catch(() => ({})))
  if (!String(headers['content-type']).startsWith('text/event-stream')) {
    throw new CommandError(`The server at ${server} is not this service: check --server.`)
  }
  let rest = ''
  for await (const chunk of body.setEncoding('utf8')) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (!block.startsWith(':')) yield parseMessage(block)
  }
}

function buildAbsenceError({ server }: EventSource, error: Error) {
  const reason = getErrorReason(error)
  return new CommandError(
    `No answer from ${server} (${reason}): check --server, and that the service is running.`,
  )
}

function buildRefusalError(statusCode: number, answer: unknown) {
  const { message = `HTTP ${statusCode}` } = toRecord(answer)
  const said = `The service says: ${message}`
  return FINAL_STATUSES.includes(statusCode) ? new CommandError(said) : new Error(said)
}

function parseMessage(block: string): StreamMessage {
  const fields = block.split('\n').map((line) => line.split(/: (.*)/s))
  return Object.fromEntries(fields.map(([name = '', value = '']) => [name, value]))
}
