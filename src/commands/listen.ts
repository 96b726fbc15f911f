// `listen`: forwards a company's events to a developer's address as they happen, through the API with a key, from any
// machine, without an endpoint or a public address. Each event is posted once, as a signed webhook.

import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { isWellFormedApiKey } from '../api/key-text.ts'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { toRecord } from '../http/fields.ts'
import { checkPublicUrl, createGuardedAgent } from '../http/outbound.ts'
import { toError } from '../system-error.ts'
import { postWebhook } from '../webhooks/deliveries/attempt.ts'
import { newWebhookSecret, signWebhook } from '../webhooks/signature.ts'
import { CommandError, createCommand, printing, printResult, UsageError } from './command.ts'
import { findServiceUrl } from './context.ts'
import { getErrorReason } from './failure.ts'
import { eventsOption, parseAs } from './options.ts'

const MAX_UNDER_WAY = 20
const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

const FIRST_DELAY_MS = SECOND_MS / 2
const MAX_DELAY_MS = MINUTE_MS / 2
/** Three heartbeats of the server. */
const SILENCE_TIMEOUT_MS = 45 * SECOND_MS
/** A server that connects but sends nothing counts as unreachable. */
const ANSWER_TIMEOUT_MS = 10 * SECOND_MS
const FINAL_STATUSES = [400, 401, 403, 404, 405, 422]

const parseUrl = parseAs(
  z.preprocess((text) => addScheme(String(text)), z.url({ protocol: /^https?$/ })),
  'an address such as http://localhost:4000/hook',
)

export const command = createCommand('listen')
  .description(
    'Forwards events to an address as they happen and prints its answers, until Ctrl-C. Nothing is sent twice. With --json each line is a document.',
  )
  .requiredOption('--url <URL>', 'The address, such as localhost:4000/hook.', parseUrl)
  .requiredOption('--key <sk_live_…>', 'The API key of the company and environment.')
  .option(
    '--server <URL>',
    'The address of the service (default: BASE_URL, else the service beside this command).',
    parseUrl,
  )
  .addOption(
    eventsOption('all; transaction.created is written only while an endpoint subscribes to it'),
  )
  .option(
    '--secret <whsec_…>',
    'The secret to sign with, such as that of an earlier run (default: a new one).',
  )
  .action(printing(listen))

type ListenOptions = {
  url: string
  key: string
  server?: string
  events?: EventType[]
  secret?: string
}

async function listen({
  url,
  key,
  server: given,
  events: types = [...EVENT_TYPES],
  secret = newWebhookSecret(),
}: ListenOptions) {
  await checkTarget({ url, key, secret })
  const server = (given ?? (await findServiceUrl())).replace(/\/+$/, '')
  const signal = abortBySignals()
  const agent = createGuardedAgent({ allowPrivate: true })
  const underWay = new Set<Promise<void>>()
  let isOpen = false
  let forwarded = 0
  await followEvents(
    { server, key, types, signal },
    {
      onOpen() {
        if (isOpen) return
        isOpen = true
        printResult({
          json: { listening: true, server, forwardTo: url, secret },
          text: `Events of ${server} are forwarded to ${url}; Ctrl-C ends this.\nVerify them with this secret (shown only once): ${secret}`,
        })
      },
      onWaiting: (reason) =>
        printResult({ json: { waiting: reason }, text: `Waiting (${reason}).` }),
      async onEvent(event) {
        const going: Promise<void> = forward(event).finally(() => underWay.delete(going))
        underWay.add(going)
        if (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay)
      },
    },
  )
  await Promise.all(underWay)
  await agent.close()
  return { json: { ended: true, forwarded }, text: `Events forwarded: ${forwarded}.` }

  async function forward({ id, type, body }: FollowedEvent) {
    const startedAt = new Date()
    const headers = signWebhook([secret], id, startedAt, body)
    const posted = await postWebhook({ url, headers, body }, { agent, signal })
    if (posted.kind === 'interrupted') return
    forwarded++
    const { outcome, statusCode } = posted
    const at = startedAt.toISOString()
    const ms = Date.now() - startedAt.getTime()
    printResult({
      json: { id, type, outcome, statusCode, ms, at },
      text: `${at}  ${type}  ${id}  ${statusCode ?? outcome}  ${ms} ms`,
    })
  }
}

/** Adds http for this machine and https for all others, so that the key is never sent unencrypted. */
function addScheme(text: string) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  const isThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(text)
  return `${isThisMachine ? 'http' : 'https'}://${text}`
}

/** Secrets are checked here, since commander would print a wrong value. */
async function checkTarget({ url, key, secret }: Record<'url' | 'key' | 'secret', string>) {
  if (!isWellFormedApiKey(key)) {
    throw new UsageError('--key must be a complete API key without a typing error.')
  }
  if (!SECRET_PATTERN.test(secret)) {
    throw new UsageError('--secret must be whsec_ and at least 24 bytes in base64.')
  }
  if (await checkPublicUrl(url, true)) {
    throw new CommandError('--url must not contain a user or a password.')
  }
}

/** Aborts at Ctrl-C and other signals; a second signal ends the process. */
function abortBySignals() {
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interruption.abort())
  }
  return interruption.signal
}

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

/**
 * Follows a company's events through the API's stream, each once, in order, until the signal is aborted. After a lost
 * connection it continues behind the last event; only a refusal that a retry cannot change ends it. Throws when the
 * first connection fails.
 */
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
