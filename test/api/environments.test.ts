// A company's two environments, as its keys see them: every route that there is, taken from the app as it is
// built, is walked by a key of the one with the ids of what is in the other.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { findCompany } from '../../src/companies/company.ts'
import { decryptRedirectSecret } from '../../src/companies/redirect-secret.ts'
import { newId } from '../../src/database/id.ts'
import { disputes, unmatchedPayments } from '../../src/database/tables.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { type ApiRoute, collectApiRoutes, STREAM_PATH } from '../support/api-routes.ts'
import { PUBLIC_HOOK_URL } from '../support/endpoints.ts'
import { IMAGE_FORM } from '../support/link-api.ts'
import { openCheckout, PIX, readPageText } from '../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../support/providers/accounts.ts'
import { startTestApp, type TestCompany } from '../support/test-app.ts'

const { built: testApp, routes } = await collectApiRoutes(startTestApp)
const { app, clock, db, needs, newCompany, openReal, stored } = testApp
const { newLink, pay } = openCheckout(testApp)
const { bank, save, choose } = openAccountsAtBank(testApp)

const WORKED = [{ step: 'token', ok: true } as const]
const TAG = 'sigiloso'
/** The routes are many: each test begins with an unused limit. */
beforeEach(() => {
  clock.offsetMs += 60_000
})

const byId = routes.filter(({ url, method }) => url.includes(':') && method !== 'HEAD')

type Environment = { company: TestCompany; ids: Record<string, string>; slug: string }
let environments: { inTest: Environment; inReal: Environment }

beforeAll(async () => {
  const company = await newCompany()
  const inTest = await fill(company)
  await save(company.realId, { ...BANK_CONFIG, test: false }, { steps: WORKED })
  await choose(company.realId)
  bank.provider.testMode = false
  environments = { inTest, inReal: await fill(await openReal(company)) }
})

afterAll(() => {
  bank.provider.testMode = true
})

/** One of everything, paid by Pix and refunded in part. */
async function fill(company: TestCompany): Promise<Environment> {
  const hook = { url: PUBLIC_HOOK_URL }
  const endpoint = (await company.post('/api/webhook-endpoints', hook)).json().id
  const link = await newLink({ methods: ['pix'], tags: [TAG] }, company)
  const { row, browser, url } = await pay(link, PIX)
  bank.charges.set(row.id, { paidCents: 10_000 })
  await (row.testMode ? browser.post(`${url}/simulate`, {}) : checkPayment(needs, row))
  const [event] = (await company.get('/api/events')).json().data
  const dispute = newId()
  const of = { id: dispute, companyId: company.id, transactionId: row.id }
  const now = clock.now().toISOString()
  await db.insert(disputes).values({
    ...{ ...of, kind: 'med', providerReference: dispute, amountCents: 10_000 },
    ...{ status: 'open', openedAt: now, createdAt: now, updatedAt: now },
  })
  const unmatched = newId()
  await db.insert(unmatchedPayments).values({
    ...{ id: unmatched, companyId: company.id, provider: 'pix-api', endToEndId: unmatched },
    ...{ amountCents: 10_000, paidAt: now, createdAt: now, updatedAt: now },
  })
  const ids = {
    'payment-links': link.id,
    'incoming-payments': unmatched,
    transactions: row.id,
    customers: row.customerId,
    disputes: dispute,
    events: event.id,
    'webhook-endpoints': endpoint,
  }
  return { company, ids, slug: link.slug }
}

const both = () => [
  { from: environments.inReal, of: environments.inTest },
  { from: environments.inTest, of: environments.inReal },
]

/** The address with ids of this environment in it. */
function addressOf({ url }: ApiRoute, { ids }: Environment) {
  const [, resource = ''] = url.match(/^\/api\/([\w-]+)\/:/) ?? []
  const id = ids[resource]
  const address = url.replace(/:\w+/, String(id))
  if (!id || address.includes(':')) throw new Error(`Say in fill what ${url} is filled with`)
  return address
}

function ask({ key }: TestCompany, route: ApiRoute, url: string) {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': newId() }
  const { method } = route
  if (method === 'PUT') {
    const { type, payload } = IMAGE_FORM
    return app.inject({ method, url, headers: { ...headers, 'content-type': type }, payload })
  }
  const payload = url.endsWith('/match') ? { transactionId: newId() } : {}
  return app.inject({ method, url, headers, ...(method !== 'GET' && { payload }) })
}

test('each environment reads what is its own', async () => {
  for (const { of } of both()) {
    for (const route of byId.filter(({ method }) => method === 'GET')) {
      const answer = await ask(of.company, route, addressOf(route, of))

      expect(`${route.url} ${answer.statusCode}`).toBe(`${route.url} 200`)
    }
  }
})

test('no route knows the id of what is in the other environment, and none changes it', async () => {
  expect(byId.length).toBeGreaterThan(15)
  for (const { from, of } of both()) {
    const before = await readBusiness()
    for (const route of byId) {
      const answer = await ask(from.company, route, addressOf(route, of))

      expect(`${route.method} ${route.url} ${answer.statusCode}`).toBe(
        `${route.method} ${route.url} 404`,
      )
    }
    expect((await readBusiness()) === before).toBe(true)
  }
})

/** All but what requests leave of themselves: their idempotency keys. */
async function readBusiness() {
  await db.$client.query('delete from idempotency_keys')
  return stored()
}

test('a link is not known by its address either', async () => {
  for (const { from, of } of both()) {
    const answer = await from.company.get(`/api/payment-links/${of.slug}`)

    expect(answer.statusCode).toBe(404)
  }
})

test('no list and no table holds what is in the other environment, whatever it is filtered by', async () => {
  const lists = routes.filter(
    ({ url, method }) => !url.includes(':') && method === 'GET' && url !== STREAM_PATH,
  )
  expect(lists.length).toBeGreaterThan(5)
  for (const { from, of } of both()) {
    const { ids } = of
    const filters = [
      '',
      `?paymentLinkId=${ids['payment-links']}`,
      `?customerId=${ids.customers}`,
      `?transactionId=${ids.transactions}`,
      `?endpointId=${ids['webhook-endpoints']}`,
    ]
    for (const route of lists) {
      for (const filter of filters) {
        const { body, statusCode } = await ask(from.company, route, route.url + filter)

        expect(statusCode).toBeLessThan(500)
        for (const id of Object.values(ids)) expect(body).not.toContain(id)
      }
    }
    const mine = (await from.company.get(`/api/payment-links?tag=${TAG}`)).json().data
    expect(mine.map(({ id }: { id: string }) => id)).toEqual([from.ids['payment-links']])
  }
})

test('a link is for no customer of the other environment', async () => {
  for (const { from, of } of both()) {
    const fields = { title: 'Bolo', amountCents: 1_000, methods: ['pix'] }
    const linkedCustomerId = of.ids.customers

    const answer = await from.company.post('/api/payment-links', { ...fields, linkedCustomerId })

    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field: 'linkedCustomerId' }])
  }
})

test('what is read, listed and told says which environment it is of', async () => {
  for (const [{ company, ids }, testMode] of [
    [environments.inTest, true],
    [environments.inReal, false],
  ] as const) {
    for (const [resource, id] of Object.entries(ids)) {
      const read = (await company.get(`/api/${resource}/${id}`)).json()
      const filter = resource === 'incoming-payments' ? '?unmatched=true' : ''
      const [listed] = (await company.get(`/api/${resource}${filter}`)).json().data

      expect({ resource, read: read.testMode, listed: listed.testMode }).toEqual({
        ...{ resource, read: testMode, listed: testMode },
      })
    }
    const { body } = await company.get('/api/transactions.csv')
    const line = body.split('\n').find((text) => text.includes(String(ids.transactions)))!
    expect(/;Sim(;|\r|$)/.test(line)).toBe(testMode)
  }
})

test('what happens in one environment is told to its own endpoints alone, each by a secret of its own', async () => {
  const { rows } = await db.$client.query(`
    select count(*)::int as stray from webhook_deliveries d
      join webhook_endpoints w on w.id = d.endpoint_id join events e on e.id = d.event_id
    where w.company_id <> e.company_id`)
  const { rows: secrets } = await db.$client.query('select secret from webhook_endpoints')

  expect(rows).toEqual([{ stray: 0 }])
  expect(new Set(secrets.map(({ secret }) => secret.toString('hex'))).size).toBe(2)
})

test('the limit of requests of one environment is not used up by the other', async () => {
  const company = await newCompany()
  const real = await openReal(company)
  const left = async (by: Pick<TestCompany, 'get'>) =>
    Number((await by.get('/api/customers')).headers['ratelimit-remaining'])

  const first = [await left(company), await left(real)]
  const second = [await left(company), await left(real)]

  expect(first[0]).toBe(first[1])
  expect(second).toEqual([first[0]! - 1, first[1]! - 1])
})

test('a test key is told from a real one at a glance', async () => {
  const company = await newCompany()
  const keysOf = (id: string) =>
    Promise.all(Array.from({ length: 20 }, () => issueApiKey(db, id, 'Loja')))

  const [tests, reals] = [await keysOf(company.id), await keysOf(company.realId)]

  for (const { key } of tests) expect(key).toMatch(/^sk_live_test\w{34}$/)
  for (const { key } of reals) expect(key).toMatch(/^sk_live_(?!test)\w{38}$/)
})

test('samples go to endpoints of the test environment alone', async () => {
  const { inTest, inReal } = environments
  const send = ({ company, ids }: Environment) =>
    company.post(`/api/webhook-endpoints/${ids['webhook-endpoints']}/test`, {})

  const [sent, refused] = [await send(inTest), await send(inReal)]

  expect(sent.statusCode).toBe(202)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    code: 'test_environment_only',
    message: expect.stringContaining('ambiente de teste'),
  })
  const events = (await inReal.company.get('/api/events')).json().data
  expect(events.every(({ testMode }: { testMode: boolean }) => !testMode)).toBe(true)
})

test('the way back to the shop is signed by the secret of the environment, and says which it is', async () => {
  const signatures: string[] = []
  for (const { company } of [environments.inTest, environments.inReal]) {
    const back = await readReturn(company)
    const { transactionId, slug, status, testMode, ts, sig } = Object.fromEntries(back.searchParams)
    const secret = decryptRedirectSecret(needs.cipher, (await findCompany(db, company.id))!)
    const sign = (mode: string) =>
      createHmac('sha256', secret)
        .update([transactionId, slug, status, mode, ts].join('.'))
        .digest('hex')

    expect(testMode).toBe(String(company === environments.inTest.company))
    expect(sig).toBe(sign(testMode!))
    expect(sig).not.toBe(sign(testMode === 'true' ? 'false' : 'true'))
    signatures.push(secret)
  }
  expect(new Set(signatures).size).toBe(2)
})

/** Where a payer is sent who has paid a link that names an address. */
async function readReturn(company: TestCompany) {
  const redirectUrl = 'https://loja.com.br/obrigado'
  const link = await newLink({ methods: ['pix'], redirectUrl }, company)
  const { row, browser, url } = await pay(link, PIX)
  bank.charges.set(row.id, { paidCents: 10_000 })
  await (row.testMode ? browser.post(`${url}/simulate`, {}) : checkPayment(needs, row))
  const { body } = await browser.get(url)
  return new URL(readPageText(/href="([^"]*)" data-return/.exec(body)![1]!))
}
