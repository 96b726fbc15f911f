// Two processes behind a PgBouncer in transaction mode: what changes is so at once, whether they hear of
// it or not. `PGBOUNCER` names one that is new enough, where the machine's own is not.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildTestCard } from '../support/payer.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { requirePooler } from '../support/processes/installation.ts'
import { findPoolers, keepsStatements, startPooler } from '../support/processes/pooler.ts'
import { runProgram } from '../support/processes/program.ts'
import { SECRET_KEY, type Service, startService } from '../support/processes/service.ts'
import {
  awaitQuiet,
  createTestMerchant,
  expectConsistent,
  fillCheckoutForm,
  payInTurn,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'
import { openReceiver } from '../support/receiver.ts'

const { db, url } = await openDatabase()
const poolers = findPoolers()
const good = requirePooler()
const AT_ONCE = { timeout: 1_000, interval: 10 }
const SOON = { timeout: 20_000 }

const services: Service[] = []
const running: { end(): Promise<void> }[] = []
let pooled = ''

beforeEach(async () => {
  await forgetRoleSettings()
  pooled = await openPooledUrl()
})

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')))
  await Promise.all(running.splice(0).map((pooler) => pooler.end()))
  await db.$client.query('truncate sandbox_charges, companies cascade')
})

/** What another test's processes left. */
async function forgetRoleSettings() {
  const { pathname, username } = new URL(url)
  await db.$client.query(`alter role ${username} in database ${pathname.slice(1)} reset all`)
}

async function openPooledUrl(program = good, options: Parameters<typeof startPooler>[2] = {}) {
  const pooler = await startPooler(program, url, options)
  running.push(pooler)
  return pooler.url
}

async function start(environment: Record<string, string> = {}, to = pooled) {
  const service = await startService(to, { ...TRUSTING_ENVIRONMENT, ...environment })
  services.push(service)
  return service
}

async function startTwo(environment: Record<string, string>) {
  const pair = await Promise.all([start(environment), start(environment)])
  return pair.map(({ baseUrl }) => baseUrl) as [string, string]
}

type Check = { status: string; what: string; advice?: string }

/** What it says of the pooler. */
async function runDoctor(environment: Record<string, string>) {
  const env = { DATABASE_URL: pooled, SECRET_KEY, ...environment }
  const { stdout } = await runProgram(['doctor', '--json'], { env })
  const { checks }: { checks: Check[] } = JSON.parse(stdout)
  const ours = checks.filter(({ what }) => what.startsWith('pooler: '))
  return ours.map(({ status, what, advice }) => [status, what, advice])
}

const readReadiness = async (base: string) => (await fetch(`${base}/readyz`)).json()

const OFF = {
  status: 'ok',
  cache: 'off',
  reason: expect.stringContaining('DATABASE_DIRECT_URL'),
}

describe.each([
  { way: 'with the direct address', environment: { DATABASE_DIRECT_URL: url } },
  { way: 'without a direct address', environment: {} },
])('$way', ({ environment }) => {
  test('an archived link, a changed price and a revoked key are so at once', async () => {
    const bases = await startTwo(environment)
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

    await expect.poll(() => statusesOf(`/pagar/${sold.slug}`), AT_ONCE).toEqual([410, 410])
    await expect.poll(() => pricesOf(shop.slug), AT_ONCE).toEqual([true, true])
    await expect
      .poll(() => statusesOf('/api/payment-links', sold.headers), AT_ONCE)
      .toEqual([401, 401])
    await Promise.all(forms.map((submit, i) => submit(bases[i])))
    expect((await db.$client.query('select from transactions')).rows).toEqual([])
  })

  test('sixty payments go through on few connections, and each is told', async () => {
    const bases = await startTwo(environment)
    const receiver = await openReceiver()
    const { slug } = await createTestMerchant(db, bases[0], { receiverUrl: receiver.url })

    const answers = await payInTurn(bases, slug, 60)
    await awaitQuiet(db)

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(60)
    expect(await expectConsistent(db, receiver.hits)).toBe(60)
  })
})

test('without a direct address that is said once, and where readiness is asked', async () => {
  const { baseUrl, lines } = await start()

  await expect.poll(() => readReadiness(baseUrl), SOON).toEqual(OFF)

  const said = () => lines.filter((line) => line.includes('DATABASE_DIRECT_URL'))
  await expect.poll(said, SOON).toHaveLength(1)
})

test('with the direct address changes are heard, and nothing is said', async () => {
  const { baseUrl, lines } = await start({ DATABASE_DIRECT_URL: url })
  const { slug, linkId } = await createTestMerchant(db, baseUrl)
  const quietly = "set session_replication_role = 'replica'; update payment_links set title ="
  const readTitle = async () => {
    const page = await (await fetch(`${baseUrl}/pagar/${slug}`)).text()
    return page.match(/<title>([^<]*)/)?.[1]
  }

  // What no trigger tells of is not seen: the page comes from memory, once all of before has been heard.
  let changes = 0
  const isRemembered = async () => {
    const before = await readTitle()
    await runStatement(url, `${quietly} 'Torta ${changes++}' where id = '${linkId}'`)
    return (await readTitle()) === before
  }

  await expect.poll(isRemembered, SOON).toBe(true)
  expect(await readReadiness(baseUrl)).toEqual({ status: 'ok' })
  expect(lines).toEqual([])
})

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

test('the doctor says what a pooler wants', async () => {
  const before = await runDoctor({})
  await (await start({ DATABASE_DIRECT_URL: url })).end()
  const after = await runDoctor({ DATABASE_DIRECT_URL: url })
  const wrong = await runDoctor({ DATABASE_DIRECT_URL: await openPooledUrl() })

  const lacking = expect.stringMatching(
    /alter role \w+ in database \w+ set statement_timeout = '5s'; .* set jit = 'off'/,
  )
  expect(before).toEqual([
    ['warn', 'pooler: DATABASE_DIRECT_URL is not set', expect.any(String)],
    ['warn', 'pooler: our role lacks settings that statements need', lacking],
  ])
  expect(after.map(([status]) => status)).toEqual(['ok', 'ok'])
  expect(wrong[0]).toEqual([
    'warn',
    'pooler: DATABASE_DIRECT_URL names a pooler too',
    expect.any(String),
  ])
  pooled = await openPooledUrl(good, { maxPreparedStatements: 0 })
  expect((await runDoctor({}))[0]?.[0]).toBe('fail')
})

test('a direct address of another database than the one behind the pooler is refused', async () => {
  const elsewhere = Object.assign(new URL(url), { pathname: '/postgres' }).href

  await expect(start({ DATABASE_DIRECT_URL: elsewhere })).rejects.toThrow(
    'Refused: DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
  )
})

test('a PgBouncer that is told not to keep prepared statements is refused', async () => {
  pooled = await openPooledUrl(good, { maxPreparedStatements: 0 })

  await expect(start()).rejects.toThrow('loses prepared statements')
})

test('one that lends a single connection is judged as well', async () => {
  const one = { poolSize: 1 }
  pooled = await openPooledUrl(good, { ...one, maxPreparedStatements: 0 })
  await expect(start()).rejects.toThrow('loses prepared statements')

  pooled = await openPooledUrl(good, one)
  const { baseUrl } = await start()

  expect(await readReadiness(baseUrl)).toMatchObject({ status: 'ok' })
})

for (const old of poolers.filter((pooler) => !keepsStatements(pooler))) {
  test(`PgBouncer 1.${old.version} is refused`, async () => {
    pooled = await openPooledUrl(old)

    await expect(start()).rejects.toThrow('loses prepared statements')
  })
}
