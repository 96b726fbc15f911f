// Two customers who are one person become one: what they paid, their links and their addresses.
import { expect, onTestFinished, test } from 'vitest'
import { recordAudit } from '../../src/companies/audit.ts'
import { findCustomer } from '../../src/customers/customer.ts'
import {
  chooseKept,
  listSamePeople,
  type Merging,
  mergeCustomers,
} from '../../src/customers/merge.ts'
import type { Transaction } from '../../src/database/connect.ts'
import { newId } from '../../src/database/id.ts'
import { listCustomerLinks } from '../../src/payment-links/list/list.ts'
import { sumCustomerRevenue } from '../../src/reports/revenue.ts'
import { openLinkDashboard } from '../support/dashboard/links.ts'
import { buildTestCard, openCheckout, PIX } from '../support/payer.ts'
import { countWaiting } from '../support/postgres/waiting.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'
import { openRefunds } from '../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany, stored } = testApp
const { newLink, pay, read, readLink } = openCheckout(testApp)
const { newCustomer } = openLinkDashboard(testApp)
const { requestRefund } = openRefunds(testApp)

const ZULEICA = { name: 'Zuleica Quaresma', email: 'Zuleica@exemplo.com.br', taxId: '39053344705' }
const UNKNOWN = { name: 'Zu Quaresma', taxId: null }
const ISOLDA = { name: 'Isolda Brum', email: 'isolda@exemplo.com.br', taxId: '11144477735' }

/** A customer with a document and one without, each with a link and a paid payment. */
async function openPair(unknown: object = { email: 'zuleica@exemplo.com.br' }, person = ZULEICA) {
  const company = await newCompany()
  const known = await newCustomer(company, person)
  const other = await newCustomer(company, { ...UNKNOWN, ...unknown })
  const link = await newLink({ maxPayments: 100 }, company)
  const own = await newLink({ linkedCustomerId: other, maxPayments: 100 }, company)
  const payments = [
    (await pay(link, { ...buildTestCard('ok'), ...person })).row,
    (await pay(own, { ...buildTestCard('ok'), taxId: person.taxId })).row,
  ]
  const find = async (id: string) => (await findCustomer(db, company.id, id))!
  const merge = async () => {
    clock.offsetMs += 1000
    const pair = chooseKept(await find(other), await find(known))
    await mergeCustomers(db, pair, clock.now(), (tx) => recordMerging(tx, company, pair))
  }
  return { company, known, other, own, payments, find, merge }
}

function recordMerging(tx: Transaction, { id: companyId }: TestCompany, { kept, merged }: Merging) {
  const details = { customer: `${merged.name} → ${kept.name}` }
  const entry = { action: 'customer_merged', subjectId: kept.id, details } as const
  return recordAudit(tx, { ...entry, companyId, actor: 'ana@padaria.com.br', now: clock.now() })
}

function call({ key }: TestCompany, method: 'PATCH' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ method, url, headers, ...(payload && { payload }) })
}

test('the one with the document gets the payments, links and money of the other', async () => {
  const { company, known, other, own, payments, find, merge } = await openPair()
  await requestRefund(company, payments[1]!.id, { amountCents: 2_500 })
  const before = [
    await sumCustomerRevenue(db, company.id, known),
    await sumCustomerRevenue(db, company.id, other),
  ]

  await merge()

  const after = await sumCustomerRevenue(db, company.id, known)
  expect(payments.map(({ customerId }) => customerId)).toEqual([known, other])
  expect(before.map(({ afterRefundsCents }) => afterRefundsCents)).toEqual([10_000, 7_500])
  expect(after).toMatchObject({ count: 2, grossCents: 20_000, refundedCents: 2_500 })
  for (const { id } of payments) expect((await read(id)).customerId).toBe(known)
  expect((await read(payments[1]!.id)).updatedAt > payments[1]!.updatedAt).toBe(true)
  expect(await readLink(own.id)).toMatchObject({ linkedCustomerId: known })
  expect(await find(known)).toMatchObject(ZULEICA)
  expect((await company.get('/api/customers')).json().data).toHaveLength(1)
})

test('a contact that only the other had comes along, and finds the one that stays', async () => {
  const { company, known, merge } = await openPair({ email: null, phone: '11987654321' })

  await merge()

  const { data } = (await company.get('/api/customers')).json()
  expect(data).toMatchObject([{ id: known, email: ZULEICA.email, phone: '11987654321' }])
})

test('the address of the one who was merged answers with the one that stays', async () => {
  const { company, known, other, merge } = await openPair()
  await merge()

  const shown = await company.get(`/api/customers/${other}`)
  const changed = await call(company, 'PATCH', `/api/customers/${other}`, { phone: '11987654321' })
  const paid = await company.get(`/api/transactions?customerId=${other}`)
  const link = await newLink({ linkedCustomerId: other }, company)

  expect([shown, changed].map((response) => response.json().id)).toEqual([known, known])
  expect(paid.json().data).toHaveLength(2)
  const links = await listCustomerLinks(db, company.id, known, 9)
  expect(links.map(({ id }) => id)).toContain(link.id)
  const { row } = await pay(link, { ...PIX, taxId: ZULEICA.taxId })
  expect(row.customerId).toBe(known)
})

test('the one who was merged twice leads to the last', async () => {
  const { company, known, other, find } = await openPair()
  const third = await newCustomer(company, { ...UNKNOWN, email: ZULEICA.email })
  const merge = async (id: string, into: string) =>
    mergeCustomers(
      db,
      { kept: await find(into), merged: await find(id) },
      clock.now(),
      async () => {},
    )

  await merge(other, third)
  await merge(third, known)

  expect([(await find(other)).id, (await find(third)).id]).toEqual([known, known])
})

test('nothing personal is left when the person is forgotten by the address of the one merged', async () => {
  const other = { name: 'Zoé Brum', email: ISOLDA.email, phone: '21912345678' }
  const pair = await openPair(other, ISOLDA)
  await pair.merge()

  const response = await call(pair.company, 'DELETE', `/api/customers/${pair.other}`)

  expect(response.statusCode).toBe(204)
  for (const id of [pair.known, pair.other])
    expect((await pair.company.get(`/api/customers/${id}`)).statusCode).toBe(404)
  await db.$client.query('delete from webhook_deliveries; delete from events')
  expect(await stored()).not.toMatch(/isolda|brum|zoé|21912345678/i)
})

test('payments that are made meanwhile belong to the one that stays', async () => {
  const { company, known, other, own, merge } = await openPair()
  const link = await newLink({ linkedCustomerId: other }, company)

  const [paid] = await Promise.all([
    Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => pay(n % 2 ? own : link, { ...PIX, taxId: ZULEICA.taxId })),
    ),
    merge(),
  ])

  for (const { response, row } of paid) {
    expect([303, 422]).toContain(response.statusCode)
    if (row) expect((await read(row.id)).customerId).toBe(known)
  }
})

test('a payment that is just being written waits for nothing, and is not left behind', async () => {
  const { known, own, payments, merge } = await openPair()
  const writing = await db.$client.connect()
  onTestFinished(() => writing.release(true))
  await writing.query('begin')
  // As an attempt does: it has read the link, and writes the payment a moment later.
  await writing.query('select from payment_links where id = $1 for key share', [own.id])

  const merging = merge()
  await expect.poll(() => countWaiting(db)).toBe(1)
  const id = newId()
  const fresh = { id, attempt_token: id, token: id, pix_txid: null, provider_reference: null }
  await writing.query(
    `insert into transactions select (jsonb_populate_record(payment, $2::jsonb)).*
      from transactions payment where id = $1`,
    [payments[1]!.id, JSON.stringify(fresh)],
  )
  await writing.query('commit')
  await merging

  expect(await read(id)).toMatchObject({ customerId: known })
})

test('customers with a document each are two people', async () => {
  const { company, known, find } = await openPair()
  const rui = await newCustomer(company, { ...ZULEICA, name: 'Rui', taxId: '11144477735' })
  const stranger = await newCustomer(await newCompany(), { ...UNKNOWN, email: ZULEICA.email })

  const found = await listSamePeople(db, await find(rui))
  const pair = { kept: await find(known), merged: await find(rui) }
  const merging = mergeCustomers(db, pair, clock.now(), async () => {})

  expect(found.map(({ name }) => name)).toEqual([UNKNOWN.name])
  expect(found.map(({ id }) => id)).not.toContain(stranger)
  await expect(merging).rejects.toMatchObject({ statusCode: 409 })
  expect(await find(rui)).toMatchObject({ name: 'Rui', taxId: '11144477735' })
})

test('the same person is known by the e-mail in any case, or by the phone', async () => {
  const company = await newCompany()
  const seek = await newCustomer(company, { ...ZULEICA, phone: '+5491123456789' })
  await newCustomer(company, { name: 'By phone', taxId: null, phone: '+5491123456789' })
  await newCustomer(company, { name: 'By e-mail', taxId: null, email: 'ZULEICA@exemplo.com.br' })
  await newCustomer(company, { name: 'By neither', taxId: null, phone: '5491123456789' })

  const found = await listSamePeople(db, (await findCustomer(db, company.id, seek))!)

  expect(found.map(({ name }) => name)).toEqual(['By e-mail', 'By phone'])
})
