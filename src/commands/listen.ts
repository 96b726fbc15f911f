// `listen`: forwards a company's events to a developer's address as they happen, through the API with a key, from any
// machine, without an endpoint or a public address. Each event is posted once, as a signed webhook.

import { z } from 'zod'
import { isWellFormedApiKey } from '../api/key-text.ts'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { checkPublicUrl, createGuardedAgent } from '../http/outbound.ts'
import { postWebhook } from '../webhooks/deliveries/attempt.ts'
import { newWebhookSecret, signWebhook } from '../webhooks/signature.ts'
import { CommandError, createCommand, printing, printResult, UsageError } from './command.ts'
import { findServiceUrl } from './context.ts'
import { type FollowedEvent, followEvents } from './followed-events.ts'
import { eventsOption, parseAs } from './options.ts'

const MAX_UNDER_WAY = 20
const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

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
