import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { events, transactions } from '../../../src/database/tables.ts'
import { simulationTexts } from '../../../src/transactions/simulation/texts.ts'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, newCompany, openReal } = testApp
const { newLink, paymentsOf } = openCheckout(testApp)

const pay = (company: TestCompany, { id }: { id: string }, body: object = {}) =>
  company.post(`/api/payment-links/${id}/simulate-payment`, body)

async function eventTypesOf({ id }: { id: string }) {
  const rows = await db.select().from(events).where(eq(events.companyId, id))
  return rows.map(({ type }) => type).sort()
}

test('a link of the test environment is paid by one call', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)

  const paid = await pay(company, link)

  expect(paid.statusCode).toBe(201)
  expect(paid.json()).toMatchObject({
    ...{ status: 'approved', method: 'pix', testMode: true, totalCents: 10_000 },
    customer: { name: 'Maria Silva' },
  })
  expect(paid.headers.location).toBe(`/api/transactions/${paid.json().id}`)
  expect(await eventTypesOf(company)).toEqual(['transaction.approved'])
})

test('without a body it is a Pix, or a card where the link takes nothing else', async () => {
  const company = await newCompany()
  const cards = await newLink({ methods: ['credit_card'] }, company)

  const answer = await app.inject({
    method: 'POST',
    url: `/api/payment-links/${cards.slug}/simulate-payment`,
    headers: { authorization: `Bearer ${company.key}` },
  })

  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject({ method: 'credit_card', status: 'approved' })
})

test('a card is paid in installments as the link quotes them', async () => {
  const company = await newCompany()
  const link = await newLink({ maxInstallments: 12, interestMode: 'pass_to_customer' }, company)

  const paid = await pay(company, link, { method: 'credit_card', installments: 12 })
  const refused = await pay(company, await newLink({}, company), {
    ...{ method: 'credit_card', installments: 2 },
  })

  expect(paid.json()).toMatchObject({
    ...{ status: 'approved', installments: 12, installmentCents: 1_004, totalCents: 12_048 },
    card: { brand: 'visa', last4: '4242', holderName: 'MARIA SILVA' },
  })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toMatchObject([{ field: 'installments' }])
})

test('more than one installment is paid by card, and never by Pix', async () => {
  const company = await newCompany()
  const link = await newLink({ maxInstallments: 3 }, company)

  const paid = await pay(company, link, { installments: 3 })
  const refused = await pay(company, link, { method: 'pix', installments: 3 })

  expect(paid.json()).toMatchObject({ method: 'credit_card', installments: 3 })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toMatchObject([{ field: 'installments' }])
})

test('each scenario ends as its test card does', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)

  for (const [scenario, expected] of [
    ['generic', { status: 'declined', declineCode: 'generic' }],
    ['funds', { status: 'declined', declineCode: 'insufficient_funds' }],
    ['expired', { status: 'declined', declineCode: 'expired_card' }],
    ['cvv', { status: 'declined', declineCode: 'invalid_cvv' }],
    ['fraud', { status: 'declined', declineCode: 'suspected_fraud' }],
    ['threeds_failed', { status: 'declined', declineCode: 'threeds_failed' }],
    ['unavailable', { status: 'declined', declineCode: 'provider_error' }],
    ['slow', { status: 'processing' }],
    ['challenge', { status: 'awaiting_authentication' }],
  ] as const) {
    expect((await pay(company, link, { scenario })).json()).toMatchObject(expected)
  }
})

test('a bank that asks is answered for the payer, once', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const card = { method: 'credit_card', scenario: 'challenge' }
  const [yes, no] = [await pay(company, link, card), await pay(company, link, card)]
  const answer = (id: string, outcome: string) =>
    company.post(`/api/transactions/${id}/simulate`, { outcome })

  const approved = await answer(yes.json().id, 'approve')
  const declined = await answer(no.json().id, 'decline')
  const again = await answer(no.json().id, 'approve')

  expect(approved.json()).toMatchObject({ status: 'approved', threeDs: { flow: 'challenge' } })
  expect(declined.json()).toMatchObject({ status: 'declined', declineCode: 'threeds_failed' })
  expect(again.json()).toMatchObject({ status: 'declined' })
})

test('a Pix that was left to wait is paid later, and only once', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const waiting = (await pay(company, link, { scenario: 'pending' })).json()
  const simulate = () => company.post(`/api/transactions/${waiting.id}/simulate`, {})

  const [paid, again] = [await simulate(), await simulate()]

  expect(waiting).toMatchObject({
    status: 'pending',
    pix: { brCode: expect.stringMatching(/^0002/) },
  })
  expect(paid.json()).toMatchObject({ status: 'approved' })
  expect(again.json()).toEqual(paid.json())
  expect(await eventTypesOf(company)).toEqual(['transaction.approved'])
})

test('a Pix is never declined, and not paid by who asks for that', async () => {
  const company = await newCompany()
  const waiting = (await pay(company, await newLink({}, company), { scenario: 'pending' })).json()

  const refused = await company.post(`/api/transactions/${waiting.id}/simulate`, {
    outcome: 'decline',
  })

  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toMatchObject([{ field: 'outcome', code: 'not_simulated' }])
  expect(await eventTypesOf(company)).toEqual([])
})

test('one Idempotency-Key pays once, however often and at once it is sent', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': 'pedido-1' }
  const url = `/api/payment-links/${link.id}/simulate-payment`
  const send = () => app.inject({ method: 'POST', url, headers, payload: {} })

  await Promise.all([send(), send(), send()])
  const last = await send()

  expect(last.statusCode).toBe(201)
  expect(await paymentsOf(link)).toHaveLength(1)
})

test('a link is busy, not paid, while a payment under way holds its last place', async () => {
  const company = await newCompany()
  const link = await newLink({ maxPayments: 1, methods: ['credit_card'] }, company)
  await pay(company, link, { scenario: 'challenge' })

  const refused = await pay(company, link)

  expect(refused.statusCode).toBe(409)
  expect(refused.json().message).toMatch(/estão em andamento. Espere que terminem/)
})

test('what cannot be paid is refused with the reason', async () => {
  const company = await newCompany()
  const [inactive, pix, once] = [
    await newLink({ status: 'inactive' }, company),
    await newLink({ methods: ['pix'] }, company),
    await newLink({ maxPayments: 1 }, company),
  ]
  await pay(company, once)

  expect((await pay(company, inactive)).json()).toMatchObject({ code: 'link_not_payable' })
  expect((await pay(company, once)).json()).toMatchObject({ code: 'link_not_payable' })
  for (const [body, field] of [
    [{ method: 'credit_card' }, 'method'],
    [{ method: 'pix', scenario: 'funds' }, 'scenario'],
    [{ scenario: 'nothing' }, 'scenario'],
    [{ installments: 2 }, 'installments'],
    [{ installments: 13 }, 'installments'],
    [{ payer: { name: 'Ana Sá', email: 'ana@x.com', taxId: '111.111.111-11' } }, 'payer.taxId'],
  ] as const) {
    const refused = await pay(company, pix, body)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toMatchObject([{ field }])
  }
})

test('a link that is meant for a customer is paid by them, whatever else is said of the payer', async () => {
  const company = await newCompany()
  const marina = { name: 'Marina Quaresma', email: 'marina@x.com', taxId: '111.444.777-35' }
  const customer = (await company.post('/api/customers', marina)).json()
  const link = await newLink({ linkedCustomerId: customer.id }, company)
  const forged = { name: 'Outra Pessoa', email: 'outra@x.com', taxId: '11144477735' }

  const answers = [
    await pay(company, link),
    await pay(company, link, { method: 'credit_card', payer: forged }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  const theirs = {
    id: customer.id,
    name: marina.name,
    email: marina.email,
    taxId: '***.444.777-**',
  }
  expect(answers.map((answer) => answer.json().customer)).toMatchObject([theirs, theirs])
  expect((await company.get('/api/customers')).json().data).toEqual([customer])
})

test('another document than the customer’s is refused, and nothing is made', async () => {
  const company = await newCompany()
  const customer = (
    await company.post('/api/customers', { name: 'Marina', taxId: '111.444.777-35' })
  ).json()
  const link = await newLink({ linkedCustomerId: customer.id }, company)
  const payer = { name: 'Ana Sá', email: 'ana@x.com', taxId: '529.982.247-25' }

  const refused = await pay(company, link, { payer })

  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toMatchObject([{ field: 'payer.taxId', code: 'document_refused' }])
  expect(await paymentsOf(link)).toEqual([])
  expect((await company.get('/api/customers')).json().data).toEqual([customer])
})

test('of a customer without a document anybody’s will do, and the payment is theirs', async () => {
  const company = await newCompany()
  const customer = (await company.post('/api/customers', { name: 'Marina' })).json()
  const link = await newLink({ linkedCustomerId: customer.id }, company)

  const paid = await pay(company, link)

  expect(paid.json().customer).toMatchObject({ id: customer.id, name: 'Maria Silva' })
  expect((await company.get('/api/customers')).json().data).toEqual([customer])
})

test('a payment at a bank’s homologation is paid there, and the answer says so', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const { id } = (await pay(company, link, { scenario: 'pending' })).json()
  await db.update(transactions).set({ provider: 'openpix' }).where(eq(transactions.id, id))

  const refused = await company.post(`/api/transactions/${id}/simulate`, {})

  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ code: 'not_simulated', message: simulationTexts.notHere })
})

test('in the real environment none of it exists', async () => {
  const company = await newCompany()
  const link = await newLink({}, company)
  const { id } = (await pay(company, link, { scenario: 'pending' })).json()
  const real = await openReal(company)

  for (const path of [
    `/api/payment-links/${link.id}/simulate-payment`,
    `/api/transactions/${id}/simulate`,
  ]) {
    expect((await real.post(path, {})).statusCode).toBe(404)
  }
})
