// Brings a company's events to an address of the developer's as they happen: from any machine by the API and a
// key, or beside the service from its database. No endpoint is needed, and no address that the internet sees.

import { z } from 'zod'
import { isWellFormedApiKey } from '../api/key-text.ts'
import { readConfig } from '../config.ts'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { checkPublicUrl } from '../http/outbound.ts'
import { newWebhookSecret } from '../webhooks/signature.ts'
import { CommandError, createCommand, printing, UsageError } from './command.ts'
import { chooseEnvironment, type EnvironmentFlags, findCompanyOrOnly } from './company.ts'
import { withContext } from './context.ts'
import { followDatabase } from './listen/database.ts'
import { forwardEvents } from './listen/forward.ts'
import { followServer } from './listen/server.ts'
import { companyOrOnlyOption, eventsOption, liveOption, parseAs, testOption } from './options.ts'

const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

const parseUrl = parseAs(
  z.url({ protocol: /^https?$/ }),
  'an address such as http://localhost:4000/hook',
)

export const command = createCommand('listen')
  .description(
    'Forwards events to an address as they happen and prints what it answers, until Ctrl-C. Nothing is sent twice. With --key from any machine, else from the database beside the service. With --json each line is a document.',
  )
  .requiredOption('--url <URL>', 'Where to, such as http://localhost:4000/hook.', parseUrl)
  .option(
    '--key <sk_live_…>',
    'An API key: events come by the API, of its company and its environment.',
  )
  .option(
    '--server <URL>',
    'With --key: where the service is (default: BASE_URL, else this machine).',
    parseUrl,
  )
  .addOption(companyOrOnlyOption())
  .addOption(testOption())
  .addOption(liveOption())
  .addOption(eventsOption('all of them'))
  .option(
    '--secret <whsec_…>',
    'The secret to sign with, such as that of an earlier run (default: a new one).',
  )
  .action(printing(listen))

type ListenOptions = {
  url: string
  key?: string
  server?: string
  company?: string
  events?: EventType[]
  secret?: string
} & EnvironmentFlags

async function listen(options: ListenOptions) {
  const { url, key, server, events, secret, ...chosen } = options
  await checkOptions(options)
  const wanted = { url, events: events ?? [...EVENT_TYPES], secret: secret ?? newWebhookSecret() }
  const forwarded = key
    ? await listenToServer({ key, server: server ?? readConfig().baseUrl }, wanted)
    : await listenToDatabase(chosen, wanted)
  return { json: { ended: true, forwarded }, text: `Events forwarded: ${forwarded}.` }
}

/** What is wrong with a secret is not said by commander, which repeats it. */
async function checkOptions({ url, events, secret, key, server, ...chosen }: ListenOptions) {
  if (await checkPublicUrl(url, true)) {
    throw new CommandError('--url can be no such address: leave out user and password.')
  }
  if (key && !isWellFormedApiKey(key)) {
    throw new UsageError('--key must be a whole API key, of which no letter is mistyped.')
  }
  if (secret && !SECRET_PATTERN.test(secret)) {
    throw new UsageError('--secret must be whsec_ and at least 24 bytes in base64.')
  }
  if (server && !key) throw new UsageError('Give --key with --server.')
  if (key && Object.values(chosen).some((value) => value !== undefined)) {
    throw new UsageError('Give either --key or --company, --test and --live: a key says them all.')
  }
}

type Wanted = { url: string; events: EventType[]; secret: string }

/** Aborted by Ctrl-C and the like; a second one ends the process. */
function abortBySignals() {
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.removeAllListeners(name).once(name, () => interruption.abort())
  }
  return interruption.signal
}

function listenToServer(
  { key, server }: { key: string; server: string },
  { url, events, secret }: Wanted,
) {
  const signal = abortBySignals()
  const access = { key, server: server.replace(/\/+$/, '') }
  const heard = followServer(access, { types: events, signal })
  const opening = formatListening({ server: access.server }, access.server, { url, secret })
  return forwardEvents(heard, { url, secret, opening, signal })
}

function listenToDatabase(
  { company, ...flags }: { company?: string | undefined } & EnvironmentFlags,
  { url, events, secret }: Wanted,
) {
  return withContext(async ({ db }) => {
    const signal = abortBySignals()
    const { id, name } = chooseEnvironment(await findCompanyOrOnly(db, company), flags)
    const heard = followDatabase(db, id, { types: events, signal })
    const opening = formatListening({ companyId: id }, `"${name}"`, { url, secret })
    return forwardEvents(heard, { url, secret, opening, signal })
  })
}

function formatListening(
  source: Record<string, string>,
  name: string,
  { url, secret }: Pick<Wanted, 'url' | 'secret'>,
) {
  return {
    json: { listening: true, ...source, forwardTo: url, secret },
    text: [
      `Events of ${name} go to ${url}; Ctrl-C ends this.`,
      `Verify them with this secret (shown only now): ${secret}`,
    ].join('\n'),
  }
}
