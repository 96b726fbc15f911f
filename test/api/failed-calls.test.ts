// Calls that failed are recorded for the company's developers, without any of their values.
import { expect, test } from 'vitest'
import {
  listFailedCalls,
  MAX_FAILED_CALLS,
  MAX_FAILED_CALLS_A_MINUTE,
  purgeFailedCalls,
} from '../../src/api/failed-calls.ts'
import { asc, eq } from '../../src/database/drizzle.ts'
import { MAX_UUID } from '../../src/database/id.ts'
import { failedCalls } from '../../src/database/tables.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany } = testApp

const LINKS = '/api/payment-links'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const callsOf = ({ id }: { id: string }) =>
  db.select().from(failedCalls).where(eq(failedCalls.companyId, id)).orderBy(asc(failedCalls.id))

/** Once they are written, which is behind the answers. */
async function awaitCalls(company: TestCompany, count: number) {
  await expect.poll(async () => (await callsOf(company)).length, { timeout: 10_000 }).toBe(count)
  return callsOf(company)
}

test('a refused call is told by route, status, code, fields and request, and by nothing it held', async () => {
  const company = await newCompany()
  const secret = 'maria@exemplo.com.br'

  const body = { title: secret, amountCents: 'R$ 19', tipo: secret, [secret]: 1, '12345678909': 2 }
  const refused = await company.post(LINKS, body)
  const missing = await company.get(`${LINKS}/${secret}?q=${secret}`)
  const unknown = await company.get(`/api/${secret}`)

  const [first, second, third] = await awaitCalls(company, 3)
  expect(first).toMatchObject({
    ...{ companyId: company.id, apiKeyId: company.keyId, method: 'POST', route: LINKS },
    ...{ status: 422, code: 'validation_error', requestId: refused.headers['x-request-id'] },
  })
  expect(first!.fields).toEqual(expect.arrayContaining(['amountCents', 'methods', 'tipo', '…']))
  expect(second).toMatchObject({ method: 'GET', route: `${LINKS}/:idOrSlug`, fields: [] })
  expect(missing.statusCode).toBe(404)
  expect(third).toMatchObject({ route: null, status: 404, code: 'not_found', fields: [] })
  expect(unknown.statusCode).toBe(404)
  const told = JSON.stringify([first, second, third])
  for (const value of [secret, 'R$ 19', '12345678909']) expect(told).not.toContain(value)
})

test('calls that succeed, or have no known key, are not kept', async () => {
  const company = await newCompany()

  await company.get(LINKS)
  const strangers = [
    await app.inject({ url: LINKS }),
    await app.inject({ url: LINKS, headers: { authorization: 'Bearer sk_live_nada' } }),
  ]
  await company.get(`${LINKS}/nada-disso`)

  expect(strangers.map(({ statusCode }) => statusCode)).toEqual([401, 401])
  expect(await awaitCalls(company, 1)).toMatchObject([{ status: 404 }])
  expect(await db.$count(failedCalls, eq(failedCalls.status, 401))).toBe(0)
})

test('what is not JSON, not a method of the route, or too much, is told too', async () => {
  const company = await newCompany()

  await company.raw(LINKS, '{')
  await app.inject({
    ...{ method: 'PUT', url: LINKS, headers: { authorization: `Bearer ${company.key}` } },
  })
  const limit = { max: 100, windowMs: MINUTE_MS }
  for (let i = 2; i < 100; i++) await testApp.needs.limiter.countHit(company.keyId, limit)
  await company.get(LINKS)

  const calls = await awaitCalls(company, 3)
  expect(calls.map(({ status, code, route }) => [status, code, route])).toEqual([
    [400, 'invalid_json', LINKS],
    [405, 'method_not_allowed', LINKS],
    [429, null, LINKS],
  ])
})

test('of one company only so many are written in a minute', async () => {
  const company = await newCompany()

  for (let i = 0; i < MAX_FAILED_CALLS_A_MINUTE + 5; i++) await company.get(`${LINKS}/nada`)
  const written = await awaitCalls(company, MAX_FAILED_CALLS_A_MINUTE)
  clock.offsetMs += MINUTE_MS
  await company.get(`${LINKS}/nada`)

  expect(written).toHaveLength(MAX_FAILED_CALLS_A_MINUTE)
  await awaitCalls(company, MAX_FAILED_CALLS_A_MINUTE + 1)
})

test('of one company the newest thousand stay, whatever another has', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  const hourAgo = new Date(clock.now().getTime() - 60 * MINUTE_MS)
  await fill(company, MAX_FAILED_CALLS, hourAgo)
  await fill(other, 2, hourAgo)
  const [oldest] = await callsOf(company)

  await company.get(`${LINKS}/nada`)
  await expect
    .poll(async () => (await callsOf(company)).at(-1)?.route, { timeout: 10_000 })
    .toBe(`${LINKS}/:idOrSlug`)

  await awaitCalls(company, MAX_FAILED_CALLS)
  expect((await callsOf(company)).map(({ id }) => id)).not.toContain(oldest!.id)
  expect(await callsOf(other)).toHaveLength(2)
})

test('they are kept and shown for seven days', async () => {
  const company = await newCompany()
  const now = clock.now()
  await fill(company, 1, new Date(now.getTime() - 7 * DAY_MS - 1))
  await fill(company, 1, new Date(now.getTime() - 7 * DAY_MS))
  const list = { companyId: company.id, now, limit: 20, cursor: MAX_UUID }

  const shown = await listFailedCalls(db, list)
  const before = await callsOf(company)
  await purgeFailedCalls(db, now, {})

  expect(before).toHaveLength(2)
  expect(shown).toHaveLength(1)
  expect(await callsOf(company)).toMatchObject([{ id: shown[0]!.id }])
})

test('a process that ends writes what it has noted first', async () => {
  const company = await newCompany()
  const process = await testApp.anotherProcess()
  const headers = { authorization: `Bearer ${company.key}` }

  await process.inject({ url: `${LINKS}/nada`, headers })
  await process.close()

  expect(await callsOf(company)).toHaveLength(1)
})

async function fill({ id, keyId }: TestCompany, count: number, at: Date) {
  const hex = at.getTime().toString(16).padStart(12, '0')
  const prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-`
  await db.$client.query(
    `insert into failed_calls
       (id, company_id, api_key_id, method, route, status, fields, request_id, created_at)
     select ($1 || lpad(to_hex((random() * 1e14)::bigint), 12, '0'))::uuid, $2, $3, 'GET', '/api', 404, '{}', 'r', $4
     from generate_series(1, $5)`,
    [prefix, id, keyId, at.toISOString(), count],
  )
}
