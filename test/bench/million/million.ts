// npm run bench:million: a million payments and 100,000 links of one company, and how long each list, search, page,
// report and table takes over HTTP, one request at a time.
//   -- --payments N      another number, with a tenth as many links and customers
//   -- --only busca      those with this in their path
//   -- --postgres URL    on a server that runs already: there the database `vintem_million` stays, and is measured as it
//      stands when it is there already
import { parseArgs } from 'node:util'
import { issueApiKey } from '../../../src/api/api-key.ts'
import { createCompany } from '../../../src/companies/company.ts'
import { connectDatabase, type Database } from '../../../src/database/connect.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { newId } from '../../../src/database/id.ts'
import { migrateDatabase } from '../../../src/database/migrations/run.ts'
import { createSession, switchEnvironment } from '../../../src/users/session.ts'
import { insertUser } from '../../../src/users/user.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { runStatement } from '../../support/postgres/statement.ts'
import { startService } from '../programs.ts'
import { buildDatabaseUrl, createDatabase, openServer } from '../server.ts'
import { fillDatabase } from './fill.ts'
import { listPaths } from './paths.ts'

const DATABASE = 'vintem_million'
/** The same for each run, since a database that is found again was filled under it. */
const SECRET_KEY = Buffer.alloc(32, 'vintem million')
const TIMES = 7
/** What an answer may take at the median, and any of them at all. */
const LIMIT_MS = { api: 100, page: 500, worst: 1_000 }

const { values: flags } = parseArgs({
  options: {
    payments: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    postgres: { type: 'string' },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)

const server = await openServer(flags.postgres)
const url = buildDatabaseUrl(server.url, DATABASE)
const lookUp = `select from pg_database where datname = '${DATABASE}'`
if ((await runStatement(server.url, lookUp)).length === 0) await prepareDatabase(server.url)
const db = connectDatabase(url)
const [company] = await runStatement(
  url,
  `select * from companies where name = 'Padaria Sol' and test_of is not null`,
)
// Each may be used 100 times in a minute, and is used once for each path.
const keys = await Promise.all(
  Array.from({ length: TIMES + 1 }, () => issueApiKey(db, company.id, 'Million')),
)
const cookie = `painel=${await signIn(db, company.id, company.test_of)}`
await db.$client.end()
const service = await startService(url, SECRET_KEY)
const paths = await listPaths(url, company.id)

print('worst and median of seven, in ms')
for (const path of paths.filter((one) => one.includes(flags.only))) print(await measurePath(path))
await service.stop()
await server.stop()

/** The first is left out: it finds nothing in Postgres's memory. */
async function measurePath(path: string) {
  const tries: number[] = []
  for (const { key } of keys) {
    tries.push(await timeRequest(service.url + path, { authorization: `Bearer ${key}`, cookie }))
  }
  const sorted = tries.slice(1).toSorted((a, b) => a - b)
  const [median, worst] = [sorted[Math.floor(TIMES / 2)]!, sorted.at(-1)!]
  const limit = path.startsWith('/api/') ? LIMIT_MS.api : LIMIT_MS.page
  const isOver = median > limit || worst > LIMIT_MS.worst
  const figures = [worst, median].map((ms) => ms.toFixed(1).padStart(8)).join('')
  return `${figures}  ${decodeURIComponent(path)}${isOver ? '  TOO SLOW' : ''}`
}

/** Until its end; of a table until its first bytes. */
async function timeRequest(url: string, headers: Record<string, string>) {
  const startedAt = performance.now()
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  if (!url.includes('.csv')) {
    await response.arrayBuffer()
    return performance.now() - startedAt
  }
  const reader = response.body!.getReader()
  await reader.read()
  const tookMs = performance.now() - startedAt
  // Only a few tables of a company are sent at once.
  await reader.cancel()
  return tookMs
}

async function prepareDatabase(serverUrl: string) {
  await migrateDatabase(await createDatabase(serverUrl, DATABASE))
  const db = connectDatabase(url)
  const cipher = createCipher(SECRET_KEY)
  const { test } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  const endpoint = { companyId: test.id, url: 'http://127.0.0.1:9/avisos', allowPrivate: true }
  await createEndpoint(db, cipher, endpoint)
  await db.$client.end()
  const startedAt = performance.now()
  await fillDatabase(url, test.id, Number(flags.payments))
  print(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

/** An owner's cookie, in the test environment, where all of it is. */
async function signIn(db: Database, companyId: string, realId: string) {
  const email = `${newId()}@example.com`
  const user = { companyId: realId, email, role: 'owner', passwordHash: 'none' } as const
  const made = await insertUser(db, user)
  if (made.kind !== 'created') throw new Error(`${companyId} has that person already`)
  const seat = { userId: made.id, address: '127.0.0.1', userAgent: 'bench', now: new Date() }
  const { id, token } = await createSession(db, seat)
  await switchEnvironment(db, id, true)
  return token
}
