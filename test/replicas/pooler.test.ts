// Two processes behind a PgBouncer in transaction mode, which keeps no prepared statement: all is as without it.
// `PGBOUNCER` names another than the machine's own.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestCard } from '../support/payer.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { requirePooler } from '../support/processes/installation.ts'
import { findPoolers, startPooler } from '../support/processes/pooler.ts'
import { runProgram } from '../support/processes/program.ts'
import { SECRET_KEY, type Service, startService } from '../support/processes/service.ts'
import {
  createTestMerchant,
  fillCheckoutForm,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'

const { db, url } = await openDatabase()
const poolers = findPoolers()
const good = requirePooler()

const services: Service[] = []
const running: { end(): Promise<void> }[] = []
let pooled = ''

beforeEach(async () => {
  await resetRoleSettings()
  pooled = await openPooledUrl()
})

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')))
  await Promise.all(running.splice(0).map((pooler) => pooler.end()))
  await db.$client.query('truncate sandbox_charges, companies cascade')
})

/** What another test's processes left. */
async function resetRoleSettings() {
  const { pathname, username } = new URL(url)
  await db.$client.query(`alter role ${username} in database ${pathname.slice(1)} reset all`)
}

async function openPooledUrl(program = good, options: Parameters<typeof startPooler>[2] = {}) {
  const pooler = await startPooler(program, url, options)
  running.push(pooler)
  return pooler.url
}

async function start(environment: Record<string, string> = {}) {
  const service = await startService(pooled, { ...TRUSTING_ENVIRONMENT, ...environment })
  services.push(service)
  return service
}

async function startTwo() {
  const pair = await Promise.all([start(), start()])
  return pair.map(({ baseUrl }) => baseUrl) as [string, string]
}

type Check = { status: string; what: string; advice?: string }

/** What it says of the pooler. */
async function runDoctor() {
  const env = { DATABASE_URL: pooled, SECRET_KEY }
  const { stdout } = await runProgram(['doctor', '--json'], { env })
  const { checks }: { checks: Check[] } = JSON.parse(stdout)
  const ours = checks.filter(({ what }) => what.startsWith('pooler: '))
  return ours.map(({ status, what, advice }) => [status, what, advice])
}

test.each(poolers)(
  'behind PgBouncer 1.$version an archived link, a changed price and a revoked key are so at once',
  async (pooler) => {
    pooled = await openPooledUrl(pooler)
    const bases = await startTwo()
    const [base] = bases
    const [shop, sold] = [await createTestMerchant(db, base), await createTestMerchant(db, base)]
    const ask = (path: string, headers = {}) =>
      Promise.all(bases.map((at) => fetch(`${at}${path}`, { headers })))
    const statusesOf = async (path: string, headers = {}) =>
      (await ask(path, headers)).map(({ status }) => status)
    const pricesOf = async (slug: string) => {
      const pages = await Promise.all((await ask(`/pagar/${slug}`)).map((page) => page.text()))
      return pages.map((page) => page.includes('123,45'))
    }
    // So many at once that every connection is lent to somebody.
    for (let i = 0; i < 4; i++) {
      const crowd = Array.from({ length: 12 }, () => [
        expect(statusesOf(`/pagar/${sold.slug}`)).resolves.toEqual([200, 200]),
        expect(pricesOf(shop.slug)).resolves.toEqual([false, false]),
      ])
      await Promise.all(crowd.flat())
      expect(await statusesOf('/api/payment-links', sold.headers)).toEqual([200, 200])
    }
    const forms = await Promise.all(
      bases.map((at) => fillCheckoutForm(at, shop.slug, buildTestCard('ok'))),
    )

    const link = (id: string) => `${base}/api/payment-links/${id}`
    const { authorization } = sold.headers
    await fetch(link(sold.linkId), { method: 'DELETE', headers: { authorization } })
    const body = JSON.stringify({ amountCents: 12_345 })
    await fetch(link(shop.linkId), { method: 'PATCH', headers: shop.headers, body })
    await db.$client.query('update api_keys set revoked_at = now() where company_id = $1', [
      sold.companyId,
    ])

    expect(await statusesOf(`/pagar/${sold.slug}`)).toEqual([410, 410])
    expect(await pricesOf(shop.slug)).toEqual([true, true])
    expect(await statusesOf('/api/payment-links', sold.headers)).toEqual([401, 401])
    await Promise.all(forms.map((submit, i) => submit(bases[i])))
    expect((await db.$client.query('select from transactions')).rows).toEqual([])
  },
)

test('what our statements need is a setting of our role, and no session is set', async () => {
  const first = await start()
  await first.end()
  pooled = await openPooledUrl()
  const { baseUrl } = await start()
  const { slug } = await createTestMerchant(db, baseUrl)
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${baseUrl}/pagar/${slug}`)))

  const settings = `select name, setting, source from pg_settings
    where name in ('jit', 'enable_seqscan', 'statement_timeout') order by name`
  const seen = await Promise.all(Array.from({ length: 20 }, () => runStatement(pooled, settings)))

  const source = 'database user'
  for (const rows of seen) {
    expect(rows).toEqual([
      { name: 'enable_seqscan', setting: 'off', source },
      { name: 'jit', setting: 'off', source },
      { name: 'statement_timeout', setting: '5000', source },
    ])
  }
})

test('a pooler is named once in the log, and workers go on without notifications', async () => {
  const { baseUrl, lines } = await start({ LOG_LEVEL: 'info' })

  expect(await (await fetch(`${baseUrl}/readyz`)).json()).toEqual({ status: 'ok' })
  expect(lines.filter((line) => line.includes('a pooler stands between'))).toHaveLength(1)
})

test('the doctor prints the settings that our role lacks, until a start has made them', async () => {
  const before = await runDoctor()
  await (await start()).end()
  const after = await runDoctor()

  const lacking = expect.stringMatching(
    /alter role \w+ in database \w+ set statement_timeout = '5s'; .* set jit = 'off'/,
  )
  const what = 'pooler: our role lacks settings that statements need'
  expect(before).toEqual([['warn', what, lacking]])
  expect(after.map(([status]) => status)).toEqual(['ok'])
})

test('one that lends a single connection serves as well', async () => {
  pooled = await openPooledUrl(good, { poolSize: 1 })
  const { baseUrl } = await start()

  expect(await (await fetch(`${baseUrl}/readyz`)).json()).toEqual({ status: 'ok' })
})
