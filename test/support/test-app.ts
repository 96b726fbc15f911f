// The real app on a database of its own, with companies and keys: made once in a worker and handed from test file to
// test file, emptied in between. Nothing runs in the background: a test delivers, reconciles and moves the clock by
// itself.
import { randomBytes } from 'node:crypto'
import { afterAll, onTestFinished } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { hashApiKey, newApiKey } from '../../src/api/key-text.ts'
import { type AppNeeds, buildApp } from '../../src/app.ts'
import { CHALLENGE_PATH } from '../../src/checkout/payment/sandbox-routes.ts'
import { encryptNewRedirectSecret } from '../../src/companies/redirect-secret.ts'
import { readConfig } from '../../src/config.ts'
import { connectDatabase, type Database } from '../../src/database/connect.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import type { ProviderName } from '../../src/database/enums.ts'
import { newId } from '../../src/database/id.ts'
import { openListener } from '../../src/database/listen.ts'
import type { Lifecycle } from '../../src/http/lifecycle.ts'
import { createLogger } from '../../src/http/log.ts'
import { createGuardedAgent } from '../../src/http/outbound.ts'
import { createMemoryLimiter } from '../../src/http/rate-limit-store.ts'
import { openAccounts } from '../../src/providers/open-accounts.ts'
import type { Provider, Providers } from '../../src/providers/provider.ts'
import { createSandboxProvider } from '../../src/providers/sandbox/sandbox.ts'
import {
  createDatabase,
  emptyDatabase,
  type OpenDatabase,
  openDatabase,
} from './postgres/database.ts'

export const BASE_URL = 'http://localhost:3000'
export const CHECKOUT_URL = `${BASE_URL}/pagar`

/** The four fields of the specification that are enough to create a link. */
export const MINIMAL_LINK = {
  title: 'Bolo de cenoura',
  priceMode: 'fixed',
  amountCents: 1990,
  methods: ['pix'],
}

const KEY_NAME = 'Testes'

const NEW_COMPANY = `
  with real as (insert into companies (id, name, redirect_secret) values ($1, $3, $4)),
    test as (
      insert into companies (id, test_of, name, redirect_secret, pix_provider, card_provider)
      values ($2, $1, $3, $5, 'sandbox', 'sandbox')
    )
  insert into api_keys (id, company_id, name, secret_hash, last_four) values ($6, $2, $7, $8, $9)`

type TestAppOptions = {
  /** What there is to tell is written to the outbox; nothing sends it. */
  mail?: boolean
  /** Webhooks may go to this machine, and accounts at providers may be saved with addresses here. */
  local?: boolean
  /** With one of https, cookies are as they are there. */
  baseUrl?: string
  /** How often the events that are followed are read. */
  pollMs?: number
}

/** Apps that no test file uses at the moment, by their options. */
const idleApps = new Map<string, TestApp[]>()

/** The app of this test file alone, on an empty database. A file that closes it or changes tables calls `startTestApp`. */
export async function openTestApp({
  mail = false,
  local = false,
  baseUrl = BASE_URL,
}: TestAppOptions = {}) {
  const options = { mail, local, baseUrl }
  const name = JSON.stringify(options)
  const idle = idleApps.get(name) ?? []
  idleApps.set(name, idle)
  const reused = idle.pop()
  if (reused) await resetTestApp(reused)
  const testApp = reused ?? (await buildTestApp(options, await createDatabase()))
  afterAll(() => void idle.push(testApp))
  return testApp
}

/** A new app for this test file alone, which ends with it. */
export async function startTestApp(options: TestAppOptions = {}) {
  const testApp = await buildTestApp(options, await openDatabase())
  const { app, needs, listener, accounts } = testApp
  afterAll(async () => {
    await app.close()
    await accounts.close()
    await needs.agent.destroy()
    await listener.close()
  })
  return testApp
}

/** As if it had just been made, for tests that each need an empty database. */
export async function resetTestApp({ db, needs, clock, logged, sandbox }: TestApp) {
  await emptyDatabase(db)
  Object.assign(
    needs.limiter,
    createMemoryLimiter(() => clock.now().getTime()),
  )
  Object.assign(needs.providers, { sandbox, standIns: {} })
  needs.lifecycle.phase = 'ready'
  clock.offsetMs = 0
  logged.length = 0
}

async function buildTestApp(
  { mail = false, local = false, baseUrl = BASE_URL, pollMs }: TestAppOptions,
  { db, url }: OpenDatabase,
) {
  const logged: string[] = []
  const log = createLogger('debug', { write: (line) => logged.push(line) })
  const listener = openListener(url)
  const key = randomBytes(32)
  const [cipher, secretKey] = [createCipher(key), key.toString('base64')]
  const challengeUrl = (reference: string) => `${CHECKOUT_URL}${CHALLENGE_PATH}/${reference}`
  const lifecycle: Lifecycle = { phase: 'ready' }
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  const sandbox = createSandboxProvider({ db, challengeUrl })
  const shared = { db, listener, cipher, log, baseUrl, now: clock.now, allowPrivate: true }
  const accounts = openAccounts({ ...shared, sandbox })
  const needs = {
    ...shared,
    limiter: createMemoryLimiter(() => clock.now().getTime()),
    providers: withStandIns(accounts, sandbox),
    mail: mail ? { cipher } : null,
    ...{ agent: createGuardedAgent({ allowPrivate: local }), allowPrivate: local },
    retention: readConfig({}).retention,
    ...{ lifecycle, checkoutUrl: CHECKOUT_URL, trustProxy: false, retryDelaysMs: [0, 0] },
    startPatienceMs: 0,
    ...(pollMs && { pollMs }),
  }
  const app = await buildApp(needs)

  /** Its test environment, with a key; written at once, as createCompany and issueApiKey do it one after the other. */
  async function newCompany(name = 'Padaria Sol') {
    const [realId, id, keyId] = [newId(), newId(), newId()]
    const [real, test] = [realId, id].map((one) => encryptNewRedirectSecret(cipher, one))
    const key = newApiKey(true)
    await db.$client.query(NEW_COMPANY, [
      ...[realId, id, name, real, test],
      ...[keyId, KEY_NAME, hashApiKey(key), key.slice(-4)],
    ])
    return { ...withKey({ id, keyId, key }), realId }
  }

  /** The real environment of a company, by its `realId`. It cannot be paid yet. */
  async function openReal({ realId }: { realId: string }) {
    const { id: keyId, key } = await issueApiKey(db, realId, KEY_NAME)
    return { ...withKey({ id: realId, keyId, key }), realId }
  }

  function withKey(made: { id: string; keyId: string; key: string }) {
    const headers = { authorization: `Bearer ${made.key}` }
    return {
      ...made,
      get: (path: string) => app.inject({ url: path, headers }),
      post: (path: string, payload: object) =>
        app.inject({ method: 'POST', url: path, headers, payload }),
      raw: (path: string, payload: string, type = 'application/json') =>
        app.inject({
          method: 'POST',
          url: path,
          headers: { ...headers, 'content-type': type },
          payload,
        }),
    }
  }

  /** Another process on this database: connections, memories and counts of its own; until the test is over, or the file. */
  async function anotherProcess(more: Partial<AppNeeds> = {}, atTheEnd = onTestFinished) {
    const ownDb = connectDatabase(url)
    const own = { db: ownDb, listener: openListener(url), limiter: createMemoryLimiter() }
    const other = await buildApp({ ...needs, ...own, ...more })
    atTheEnd(async () => {
      await other.close()
      await own.listener.close()
      await own.db.$client.end()
    })
    return other
  }

  const process = { anotherProcess, stored: () => readEverything(db) }
  const keys = { cipher, secretKey }
  const parts = { app, db, url, needs, ...keys, clock, logged, listener, accounts, sandbox }
  return { ...parts, newCompany, openReal, ...process }
}

/**
 * All that the database holds, as text; bytes as hexadecimal. What is written behind the requests is left
 * out: when a key was last used, calls that failed, and how often links were opened.
 */
async function readEverything(db: Database) {
  const tables = await db.$client.query<{ all: string }>(`
    select string_agg(
        format('select (to_jsonb(t) - ''last_used_at'')::text as row from %I t', tablename),
        ' union all '
      ) || ' order by 1' as all
    from pg_tables where schemaname = 'public'
      and tablename not in ('failed_calls', 'link_visits')`)
  const { rows } = await db.$client.query(tables.rows[0]!.all)
  return JSON.stringify(rows)
}

/** The companies' accounts; a stand-in goes before those of its name. */
function withStandIns(accounts: Providers, sandbox: Provider) {
  const providers = {
    sandbox,
    standIns: {} as Partial<Record<ProviderName, Provider>>,
    async open(companyId: string, name: ProviderName): Promise<Provider> {
      const standIn = name === 'sandbox' ? providers.sandbox : providers.standIns[name]
      return standIn ?? accounts.open(companyId, name)
    },
  }
  return providers
}

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>
export type TestCompany = Awaited<ReturnType<TestApp['newCompany']>>
