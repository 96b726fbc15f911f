// npm run bench:million: a million payments and 100,000 links of one company, and how long each list,
// search, page, report and table takes over HTTP, one request at a time.
//   -- --transactions N --links N --customers N
//   -- --only busca               those whose path has this: with `--transactions 250000 --links 50000` sooner filled
//   -- --postgres URL   on a server that runs already: there the database `vintem_million` stays, and is measured as it
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
import { at, createDatabase, hasDatabase, openServer, runToTheEnd } from '../server.ts'
import { fillDatabase, type Size } from './fill.ts'
import { listPaths } from './paths.ts'

const DATABASE = 'vintem_million'
/** The same for each run, since a database that is found again was filled under it. */
const SECRET_KEY = Buffer.alloc(32, 'vintem million')
/** Each may be used 100 times in a minute. */
const KEYS = 20
const TIMES = 7
/** What an answer may take at the median, and any of them at all. */
const LIMIT_MS = { api: 100, page: 500, worst: 1_000 }

const { values: flags } = parseArgs({
  options: {
    transactions: { type: 'string', default: '1000000' },
    links: { type: 'string', default: '100000' },
    customers: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    postgres: { type: 'string' },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)

await runToTheEnd(measureMillion)

async function measureMillion(cleanUp: AsyncDisposableStack) {
  const server = await openServer(flags.postgres, cleanUp)
  const url = at(server, DATABASE)
  if (!(await hasDatabase(server, DATABASE))) await prepareDatabase(server)
  const db = connectDatabase(url)
  cleanUp.defer(() => db.$client.end())
  const [company] = await runStatement(
    url,
    `select * from companies where name = 'Padaria Sol' and test_of is not null`,
  )
  const keys = await Promise.all(
    Array.from({ length: KEYS }, () => issueApiKey(db, company.id, 'Million')),
  )
  const cookie = `painel=${await signIn(db, company.id, company.test_of)}`
  const service = await startService({ serviceUrl: url, secretKey: SECRET_KEY })
  cleanUp.defer(service.stop)
  const paths = (await listPaths(url, company.id)).filter((path) => path.includes(flags.only))

  print('worst and median of seven, in ms')
  for (const path of paths) {
    const headersOf = (turn: number) => ({
      authorization: `Bearer ${keys[turn % KEYS]?.key}`,
      cookie,
    })
    print(await measurePath(service.url, path, headersOf))
  }
}

/** The first is left out: it finds nothing in Postgres's memory. */
async function measurePath(
  baseUrl: string,
  path: string,
  headersOf: (turn: number) => Record<string, string>,
) {
  const tries: number[] = []
  for (let turn = 0; turn <= TIMES; turn++)
    tries.push(await timeRequest(baseUrl + path, headersOf(turn)))
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
  if (url.includes('.csv')) await response.body?.getReader().read()
  else await response.arrayBuffer()
  return performance.now() - startedAt
}

async function prepareDatabase(server: string) {
  const url = await createDatabase(server, DATABASE)
  // Less often a checkpoint while gigabytes come in; on a server of one's own that is one's own matter.
  if (!flags.postgres) {
    await runStatement(server, `alter system set max_wal_size = '16GB'`)
    await runStatement(server, 'select pg_reload_conf()')
  }
  await migrateDatabase(url)
  const db = connectDatabase(url)
  const cipher = createCipher(SECRET_KEY)
  const { test } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  await createEndpoint(db, cipher, {
    companyId: test.id,
    url: 'http://127.0.0.1:9/avisos',
    allowPrivate: true,
  })
  await db.$client.end()
  const size: Size = {
    transactions: Number(flags.transactions),
    links: Number(flags.links),
    customers: Number(flags.customers),
  }
  await fillDatabase(url, { companyId: test.id, size, print })
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
