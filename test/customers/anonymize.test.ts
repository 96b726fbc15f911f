// A company forgets a person: nothing that says who it was is left, but for what webhooks said already.
import { expect, onTestFinished, test } from 'vitest'
import { findOrCreateCustomer } from '../../src/customers/customer.ts'
import { eq } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { customers } from '../../src/database/tables.ts'
import { loadOpenApiDocument } from '../support/document.ts'
import { buildTestCard, MARIA, openCheckout, PIX } from '../support/payer.ts'
import { countWaiting } from '../support/postgres/waiting.ts'
import { MINIMAL_LINK, openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany, stored } = testApp
const { newLink, pay, read, readLink } = openCheckout(testApp)
const { operations } = await loadOpenApiDocument(app)

const CUSTOMERS = '/api/customers'

function anonymize({ key }: TestCompany, id: string) {
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ method: 'DELETE', url: `${CUSTOMERS}/${id}`, headers })
}

test('a customer who is forgotten is gone from every answer, twice over', async () => {
  const company = await newCompany()
  const made = (await company.post(CUSTOMERS, MARIA)).json()

  const answers = [await anonymize(company, made.id), await anonymize(company, made.id)]

  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [204, ''],
    [204, ''],
  ])
  const headers = { authorization: `Bearer ${company.key}` }
  const url = `${CUSTOMERS}/${made.id}`
  const payload = { name: 'De volta' }
  expect((await company.get(url)).statusCode).toBe(404)
  expect((await app.inject({ method: 'PATCH', url, headers, payload })).statusCode).toBe(404)
  for (const query of [
    '',
    '?taxId=52998224725',
    '?name=maria',
    '?name=removido',
    '?email=maria@exemplo.com.br',
  ]) {
    expect((await company.get(CUSTOMERS + query)).json().data).toEqual([])
  }
})

test('its payments stay, with their amounts and their state and without a person', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const paid = [(await pay(link, buildTestCard('ok'))).row, (await pay(link, PIX)).row]
  const others = (await pay(link, { ...PIX, taxId: '111.444.777-35', name: 'João' })).row
  clock.offsetMs += 1000

  await anonymize(company, paid[0]!.customerId)

  const erased = {
    payerName: 'Cliente removido',
    payerEmail: null,
    payerPhone: null,
    payerTaxId: null,
    cardHolder: null,
  }
  for (const row of paid) {
    const now = await read(row.id)
    expect(now).toEqual({ ...row, ...erased, words: now.words, updatedAt: now.updatedAt })
    expect(now.updatedAt > row.updatedAt).toBe(true)
  }
  expect(await read(others.id)).toEqual(others)
})

test('nothing personal is left in the database, but for the events that told of it', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const person = {
    name: 'Zuleica Quaresma',
    email: 'zuleica@exemplo.com.br',
    taxId: '390.533.447-05',
  }
  const { row } = await pay(link, {
    ...buildTestCard('ok', { cardHolder: 'Z Quaresma' }),
    ...person,
  })
  const known = (await company.get(`${CUSTOMERS}/${row.customerId}`)).json()
  expect(known).toMatchObject({ name: person.name, taxId: '***.533.447-**' })

  await anonymize(company, row.customerId)

  await db.$client.query('delete from webhook_deliveries; delete from events')
  expect(await stored()).not.toMatch(/zuleica|quaresma|39053344705/i)
})

test('a person who pays with the same document afterwards is a new customer', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const before = (await pay(link, PIX)).row
  await anonymize(company, before.customerId)

  const after = (await pay(link, PIX)).row

  expect(after.customerId).not.toBe(before.customerId)
  expect((await company.get(`${CUSTOMERS}/${after.customerId}`)).json()).toMatchObject({
    name: MARIA.name,
  })
})

test('a code shown before is still paid, and its page shows no name', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const { row, browser, url } = await pay(link, PIX)
  await anonymize(company, row.customerId)

  await browser.post(`${url}/simulate`, {})
  const page = await browser.get(url)

  expect(await read(row.id)).toMatchObject({ status: 'approved', payerName: 'Cliente removido' })
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toMatch(/Maria|52998224725/)
})

test('links that were meant for it are for anyone', async () => {
  const company = await newCompany()
  const { id } = (await company.post(CUSTOMERS, MARIA)).json()
  const [meant, other] = [
    await newLink({ linkedCustomerId: id }, company),
    await newLink({}, company),
  ]
  const before = await readLink(other.id)

  await anonymize(company, id)

  expect(await readLink(meant.id)).toMatchObject({ linkedCustomerId: null })
  expect(await readLink(other.id)).toEqual(before)
  const someone = { ...PIX, name: 'João Souza', taxId: '111.444.777-35' }
  expect((await app.inject(`/pagar/${meant.slug}`)).body).toContain('Nome completo')
  expect((await pay(meant, someone)).row).toMatchObject({ payerName: 'João Souza' })
})

test('payments that are made while it is forgotten neither fail nor hang', async () => {
  const company = await newCompany()
  const link = await newLink({ maxPayments: 100 }, company)
  const { id } = (await company.post(CUSTOMERS, MARIA)).json()
  const meant = await newLink({ linkedCustomerId: id, maxPayments: 100 }, company)

  const [payments, forgotten] = await Promise.all([
    Promise.all([1, 2, 3, 4, 5, 6].map((i) => pay(i % 2 ? link : meant, PIX))),
    Promise.all([anonymize(company, id), anonymize(company, id)]),
  ])

  expect(forgotten.map(({ statusCode }) => statusCode)).toEqual([204, 204])
  const codes = payments.map(({ response }) => response.statusCode)
  // A form that asked for the document alone is shown again, with all its fields.
  for (const code of codes) expect([303, 422]).toContain(code)
  await anonymize(company, id)
  for (const { row } of payments.filter(({ row }) => row?.customerId === id)) {
    expect(await read(row.id)).toMatchObject({ payerTaxId: null })
  }
})

test('a payment and a link that are just being written are not left behind', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const { row } = await pay(link, PIX)
  const other = await newLink({}, company)
  const writing = await db.$client.connect()
  onTestFinished(() => writing.release(true))
  await writing.query('begin')
  await writing.query(
    `insert into transactions select (jsonb_populate_record(payment, $2::jsonb)).*
      from transactions payment where id = $1`,
    [
      row.id,
      JSON.stringify({
        id: newId(),
        attempt_token: newId(),
        token: newId(),
        pix_txid: null,
        provider_reference: null,
      }),
    ],
  )
  await writing.query('update payment_links set linked_customer_id = $2 where id = $1', [
    ...[other.id, row.customerId],
  ])

  const forgotten = anonymize(company, row.customerId)
  await expect.poll(() => countWaiting(db)).toBe(1)
  await writing.query('commit')

  expect((await forgotten).statusCode).toBe(204)
  const { rows } = await db.$client.query(
    'select payer_name, payer_tax_id from transactions where customer_id = $1',
    [row.customerId],
  )
  const erased = { payer_name: 'Cliente removido', payer_tax_id: null }
  expect(rows).toEqual([erased, erased])
  expect((await readLink(other.id)).linkedCustomerId).toBeNull()
})

test('a forgotten customer keeps its day, and a customer of the same document may be made at once', async () => {
  const company = await newCompany()
  const { id } = (await company.post(CUSTOMERS, MARIA)).json()
  await anonymize(company, id)
  const [first] = await db.select().from(customers).where(eq(customers.id, id))
  clock.offsetMs += 60_000

  const payer = { ...MARIA, taxId: '52998224725', phone: null, companyId: company.id }
  const another = await findOrCreateCustomer(db, payer, clock.now())
  await anonymize(company, id)

  const [again] = await db.select().from(customers).where(eq(customers.id, id))
  expect(again).toEqual(first)
  expect(another).not.toBe(id)
})

test('no answer that was kept for an Idempotency-Key tells of it afterwards', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const send = (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': 'k' }
    return app.inject({ method, url, headers, payload })
  }
  const { id } = (await send('POST', CUSTOMERS, MARIA)).json()
  const patch = () => send('PATCH', `${CUSTOMERS}/${id.toUpperCase()}`, { email: 'm@exemplo.com' })
  const simulate = () =>
    send('POST', `/api/payment-links/${link.id}/simulate-payment`, { scenario: 'pending' })
  await patch()
  const paid = (await simulate()).json()
  const answer = () => send('POST', `/api/transactions/${paid.id}/simulate`, {})
  await answer()
  const other = await send('POST', '/api/payment-links', MINIMAL_LINK)

  await anonymize(company, id)
  await anonymize(company, paid.customer.id)

  const replays = {
    createCustomer: await send('POST', CUSTOMERS, MARIA),
    updateCustomer: await patch(),
    simulatePaymentLinkPayment: await simulate(),
    simulateTransaction: await answer(),
  }
  for (const [name, replay] of Object.entries(replays)) {
    expect(replay.statusCode).toBe(404)
    expect(replay.json()).toMatchObject({ status: 'error', code: 'not_found' })
    expect(operations.find((one) => one.id === name)!.operation.responses).toHaveProperty('404')
  }
  expect((await company.get(CUSTOMERS)).json().data).toEqual([])
  expect((await send('POST', '/api/payment-links', MINIMAL_LINK)).body).toBe(other.body)
})
