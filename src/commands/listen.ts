// Brings a company's events to an address of the developer's as they happen: from any machine by the API and a
// key, or beside the service from its database. No endpoint is needed, and no address that the internet sees.

import { z } from 'zod'
import { isWellFormedApiKey } from '../api/key-text.ts'
import { readConfig } from '../config.ts'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { checkPublicUrl } from '../http/outbound.ts'
import { newWebhookSecret } from '../webhooks/signature.ts'
import {
  CommandError,
  type Commands,
  defineCommand,
  type Option,
  type RunContext,
  requireOption,
  UsageError,
} from './command.ts'
import { chooseEnvironment, type EnvironmentFlags, findCompanyOrOnly } from './company.ts'
import { withContext } from './context.ts'
import { followDatabase } from './listen/database.ts'
import { forwardEvents } from './listen/forward.ts'
import { followServer } from './listen/server.ts'
import {
  companyOrOnlyOption,
  createOptionParser,
  environmentOptions,
  eventsOption,
} from './options.ts'

const secretOption: Option<string> = {
  value: 'whsec_…',
  about: 'The secret to sign with, such as that of an earlier run (default: a new one).',
  parse: createOptionParser(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)),
  mustBe: 'whsec_ and at least 24 bytes in base64',
}

const keyOption: Option<string> = {
  value: 'sk_live_…',
  about: 'An API key: events come by the API, of its company and its environment.',
  parse: (text) => (isWellFormedApiKey(text) ? text : undefined),
  mustBe: 'a whole API key, sk_live_ and 38 letters and digits, of which none is mistyped',
}

const serverOption: Option<string> = {
  value: 'URL',
  about: 'With --key: where the service is (default: BASE_URL, else this machine).',
  parse: createOptionParser(z.url({ protocol: /^https?$/ })),
  mustBe: 'an address such as https://pagamentos.example.com',
}

export const commands: Commands = {
  '': defineCommand({
    about:
      'Forwards events to an address as they happen and prints what it answers, until Ctrl-C. Nothing is sent twice. With --key from any machine, else from the database beside the service.',
    endless: true,
    options: {
      url: requireOption({
        value: 'URL',
        about: 'Where to, such as http://localhost:4000/hook.',
        parse: createOptionParser(z.url({ protocol: /^https?$/ })),
        mustBe: 'an address such as http://localhost:4000/hook',
      }),
      key: keyOption,
      server: serverOption,
      company: companyOrOnlyOption,
      ...environmentOptions,
      events: eventsOption('all of them'),
      secret: secretOption,
    },
    run: async ({ url, key, server, events, secret, ...chosen }, running) => {
      if (await checkPublicUrl(url, true)) {
        throw new CommandError('--url can be no such address: leave out user and password.')
      }
      const wanted = {
        url,
        events: events ?? [...EVENT_TYPES],
        secret: secret ?? newWebhookSecret(),
      }
      if (server && !key) throw new UsageError('Give --key with --server.')
      if (key && Object.values(chosen).some((value) => value !== undefined)) {
        throw new UsageError(
          'Give either --key or --company, --test and --live: a key says them all.',
        )
      }
      const forwarded = key
        ? await listenToServer({ key, server: server ?? readConfig().baseUrl }, wanted, running)
        : await listenToDatabase(chosen, wanted, running)
      return { json: { ended: true, forwarded }, text: `Events forwarded: ${forwarded}.` }
    },
  }),
}

type Wanted = { url: string; events: EventType[]; secret: string }

function listenToServer(
  { key, server }: { key: string; server: string },
  { url, events, secret }: Wanted,
  running: RunContext,
) {
  const access = { key, server: server.replace(/\/+$/, '') }
  const heard = followServer(access, { types: events, signal: running.signal })
  const opening = formatListening({ server: access.server }, access.server, { url, secret })
  return forwardEvents(heard, { url, secret, opening }, running)
}

function listenToDatabase(
  { company, ...flags }: { company?: string | undefined } & EnvironmentFlags,
  { url, events, secret }: Wanted,
  running: RunContext,
) {
  return withContext(async ({ db }) => {
    const { id, name } = chooseEnvironment(await findCompanyOrOnly(db, company), flags)
    const heard = followDatabase(db, id, { types: events, signal: running.signal })
    const opening = formatListening({ companyId: id }, `"${name}"`, { url, secret })
    return forwardEvents(heard, { url, secret, opening }, running)
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
