// Money that came in at a bank for no charge: kept, told, listed, booked on the payment that it was for, or given back.
import { expect, test } from 'vitest'
import { anonymizeCustomer } from '../../src/customers/anonymize.ts'
import { eq } from '../../src/database/drizzle.ts'
import { mails, movements, unmatchedPayments } from '../../src/database/tables.ts'
import { readDueAccounts } from '../../src/transactions/reconciliation/account-lists.ts'
import { returnPix } from '../support/providers/bank/ledger.ts'
import { openBankMerchant } from '../support/providers/bank/merchant.ts'
import { openTestApp } from '../support/test-app.ts'
import { writeUser } from '../support/users.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const testApp = await openTestApp({ mail: true, local: true })
const { clock, db, needs } = testApp
const merchant = await openBankMerchant(testApp)
const { bank, openMerchant, charge, read, listBooked, listEventTypes, workAt, PRICE_CENTS } =
  merchant

/** Somebody pays the company's key by hand, and the list has been read. */
async function payByHand(cents = PRICE_CENTS, more: object = {}, account: object = {}) {
  const opened = await openMerchant(account)
  const { company } = opened
  await writeOwner(company.id)
  bank.book.pix.splice(0)
  const pix = bank.pay('', cents, more)
  await workAt(2 * MINUTE_MS)
  const [stray] = await listOf(company)
  return { ...opened, pix, stray }
}

const writeOwner = (companyId: string) =>
  writeUser(db, { companyId, email: `${companyId}@sol.example.com`, role: 'owner' })

async function listOf({ get }: Awaited<ReturnType<typeof openMerchant>>['company']) {
  return (await get('/api/incoming-payments?unmatched=true')).json().data
}

/** What endpoints are told of Pix without a charge, in order. */
async function listPixEvents({ get }: Awaited<ReturnType<typeof openMerchant>>['company']) {
  const { data } = (await get('/api/events')).json()
  const told = data.filter(({ type }: { type: string }) => type.startsWith('incoming_payment.'))
  return told.toReversed()
}

const mailsOf = (companyId: string) => db.select().from(mails).where(eq(mails.companyId, companyId))

test('a Pix without a charge says which institution received it', async () => {
  const { company, stray } = await payByHand(2_500, {}, { institutionCnpj: '00.000.000/0001-91' })

  expect(stray.institution).toEqual({ cnpj: '00000000000191', ispb: '00000000', name: null })
  expect(await listPixEvents(company)).toMatchObject([
    { data: { incomingPayment: { institution: stray.institution } } },
  ])
})

test('a Pix without a txid is kept once, listed, and told by one e-mail', async () => {
  const { company, pix, stray } = await payByHand(2_500, {
    pagador: { nome: 'Ana Lima', cpf: '12345678909' },
  })

  await workAt(8 * MINUTE_MS)
  await workAt(2 * HOUR_MS)

  expect(stray).toMatchObject({
    endToEndId: pix.endToEndId,
    ...{ txid: null, amountCents: 2_500, refundedCents: 0, status: 'unmatched' },
    ...{ transactionId: null, paidAt: pix.horario, payerName: 'Ana Lima' },
  })
  expect(stray.payerTaxId).not.toContain('12345678909')
  expect(await listOf(company)).toHaveLength(1)
  expect(await listPixEvents(company)).toMatchObject([
    { type: 'incoming_payment.unmatched', data: { incomingPayment: stray } },
  ])
  expect(await mailsOf(company.id)).toMatchObject([
    { template: 'payments-unmatched', data: { amountsCents: [2_500], testMode: true } },
  ])
})

test('two processes that list at once keep it once', async () => {
  const { company } = await openMerchant()
  await writeOwner(company.id)
  bank.book.pix.splice(0)
  bank.pay('', 700)
  clock.offsetMs = 2 * MINUTE_MS
  await readDueAccounts(needs)
  await db.$client.query('update provider_accounts set list_tried_at = null')

  await Promise.all([readDueAccounts(needs), readDueAccounts(needs)])

  expect(await listOf(company)).toHaveLength(1)
  expect(await mailsOf(company.id)).toHaveLength(1)
})

test.each([
  ['the charge of another system', 'ERPCHARGE00000000000000000042', {}],
  ['another key of the account', '', { chave: 'outra@padaria.com.br' }],
])('a Pix for %s is none of ours', async (_what, txid, more) => {
  const { company } = await openMerchant()
  bank.book.pix.splice(0)
  bank.pay(txid, 700, more)

  await workAt(2 * MINUTE_MS)

  expect(await listOf(company)).toEqual([])
})

test('a Pix for the charge of another company at the same account is none of ours', async () => {
  const { company } = await openMerchant()
  const row = await charge(await openMerchant())
  bank.book.pix.splice(0)
  bank.pay(row.pixTxid!, PRICE_CENTS)

  await workAt(2 * MINUTE_MS)

  expect(await listOf(company)).toEqual([])
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('matched with an expired payment it approves it, as if the bank had listed it there', async () => {
  const { company, link, stray, pix } = await payByHand()
  const row = await charge({ link })
  await workAt(40 * MINUTE_MS)
  expect(await read(row.id)).toMatchObject({ status: 'expired' })

  const response = await company.post(`/api/incoming-payments/${stray.id}/match`, {
    transactionId: row.id,
  })

  expect(response.json()).toMatchObject({ id: row.id, status: 'approved' })
  expect(await listBooked(row.id)).toMatchObject([{ endToEndId: pix.endToEndId }])
  expect(await listEventTypes(link)).toEqual(['transaction.expired', 'transaction.approved'])
  expect((await listPixEvents(company)).at(-1).data).toMatchObject({
    incomingPayment: { id: stray.id, status: 'matched', transactionId: row.id },
    transaction: { id: row.id, status: 'approved' },
  })
  const booked = await db.select().from(movements).where(eq(movements.transactionId, row.id))
  expect(booked).toMatchObject([{ kind: 'sale' }])
  expect(await listOf(company)).toEqual([])
  expect((await company.get(`/api/incoming-payments/${stray.id}`)).json()).toMatchObject({
    ...{ status: 'matched', transactionId: row.id },
  })
  const again = await company.post(`/api/incoming-payments/${stray.id}/match`, {
    transactionId: row.id,
  })
  expect([again.statusCode, again.json().code]).toEqual([409, 'invalid_transition'])
})

test('matched with two payments at once it pays one of them', async () => {
  const { company, link, stray } = await payByHand()
  const rows = [await charge({ link }), await charge({ link })]

  const responses = await Promise.all(
    rows.map(({ id }) =>
      company.post(`/api/incoming-payments/${stray.id}/match`, { transactionId: id }),
    ),
  )

  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const statuses = await Promise.all(rows.map(async ({ id }) => (await read(id)).status))
  expect(statuses.toSorted()).toEqual(['approved', 'pending'])
})

test('what was matched is refunded at the bank under its own name', async () => {
  const { company, link, stray, pix } = await payByHand()
  const row = await charge({ link })
  await company.post(`/api/incoming-payments/${stray.id}/match`, { transactionId: row.id })

  const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': 'uma-vez' }
  const url = `/api/transactions/${row.id}/refunds`
  const response = await testApp.app.inject({ method: 'POST', url, headers, payload: {} })

  expect(response.json()).toMatchObject({ status: 'succeeded', amountCents: PRICE_CENTS })
  expect(pix.devolucoes).toHaveLength(1)
})

test('given back it goes back whole, once however often that is asked', async () => {
  const { company, stray, pix } = await payByHand(2_500)
  const url = `/api/incoming-payments/${stray.id}/refund`
  bank.next({ on: /^PUT .*devolucao/, does: 'answer', status: 500, works: true })

  const lost = await company.post(url, {})
  const again = await company.post(url, {})
  const over = await company.post(url, {})

  expect(lost.json()).toMatchObject({ status: 'returning' })
  expect(again.json()).toMatchObject({ status: 'returned', refundedCents: 2_500 })
  expect(over.json()).toMatchObject({ code: 'invalid_transition' })
  expect(pix.devolucoes).toMatchObject([{ valor: '25.00' }])
  expect(await listOf(company)).toEqual([])
  expect((await listPixEvents(company)).map(({ type }: { type: string }) => type)).toEqual([
    ...['incoming_payment.unmatched', 'incoming_payment.refunded'],
  ])
})

test('a refund that the bank answers late is asked about until it is done', async () => {
  const { company, stray } = await payByHand(2_500)
  const url = `/api/incoming-payments/${stray.id}`
  bank.next({ on: /^PUT .*devolucao/, does: 'answer', status: 500, works: true })
  await company.post(`${url}/refund`, {})

  await workAt(2 * HOUR_MS)

  expect((await company.get(url)).json()).toMatchObject({ status: 'returned' })
})

test('a refund that the bank does not tell keeps no other waiting', async () => {
  const { company } = await payByHand(2_500)
  bank.pay('', 2_600)
  await workAt(2 * HOUR_MS)
  const urls = (await listOf(company)).map(
    ({ id }: { id: string }) => `/api/incoming-payments/${id}`,
  )
  for (const url of urls) {
    bank.next({ on: /^PUT .*devolucao/, does: 'answer', status: 500, works: true })
    await company.post(`${url}/refund`, {})
  }
  const readStates = () =>
    Promise.all(urls.map(async (url: string) => (await company.get(url)).json().status))
  expect(await readStates()).toEqual(['returning', 'returning'])

  bank.next({ on: /^GET .*devolucao/, does: 'answer', status: 500 })
  await workAt(4 * HOUR_MS)
  expect((await readStates()).toSorted()).toEqual(['returned', 'returning'])

  await workAt(6 * HOUR_MS)
  expect(await readStates()).toEqual(['returned', 'returned'])
})

test('what is on its way back can be matched no more', async () => {
  const { company, link, stray } = await payByHand()
  const row = await charge({ link })
  bank.next({ on: /^PUT .*devolucao/, does: 'answer', status: 500 })
  await company.post(`/api/incoming-payments/${stray.id}/refund`, {})

  const response = await company.post(`/api/incoming-payments/${stray.id}/match`, {
    transactionId: row.id,
  })

  expect(response.statusCode).toBe(409)
  expect(await read(row.id)).toMatchObject({ status: 'pending' })
})

test('what the bank gave back on its own is open no more', async () => {
  const { company, pix } = await payByHand()
  returnPix(bank.book, pix, PRICE_CENTS)

  await workAt(DAY_MS + HOUR_MS)
  await workAt(2 * DAY_MS + 2 * HOUR_MS)

  expect(await listOf(company)).toEqual([])
  expect((await listPixEvents(company)).slice(1)).toMatchObject([
    { data: { incomingPayment: { refundedCents: PRICE_CENTS, status: 'returned' } } },
  ])
  expect(await db.select().from(unmatchedPayments)).toContainEqual(
    expect.objectContaining({ endToEndId: pix.endToEndId, refundedCents: PRICE_CENTS }),
  )
})

test('of a payer who is forgotten no name is kept with the Pix that was matched', async () => {
  const { company, link, stray } = await payByHand(PRICE_CENTS, {
    pagador: { nome: 'Ana Lima', cpf: '12345678909' },
  })
  const { id, customerId } = await charge({ link })
  await company.post(`/api/incoming-payments/${stray.id}/match`, { transactionId: id })

  await anonymizeCustomer(db, company.id, customerId, clock.now())

  expect((await company.get(`/api/incoming-payments/${stray.id}`)).json()).toMatchObject({
    ...{ status: 'matched', payerName: null, payerTaxId: null },
  })
})

test('what the bank could not give back for want of balance is given back when it is asked again', async () => {
  const { company, stray, pix } = await payByHand(2_500)
  const url = `/api/incoming-payments/${stray.id}`
  const { manner } = bank.book
  Object.assign(manner, { refundStatus: 'NAO_REALIZADO', refundReason: 'Saldo insuficiente' })
  const refused = await company.post(`${url}/refund`, {})
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'invalid_transition'])
  expect((await company.get(url)).json()).toMatchObject({ status: 'unmatched' })

  manner.refundStatus = 'DEVOLVIDO'
  const again = await company.post(`${url}/refund`, {})

  expect(again.json()).toMatchObject({ status: 'returned', refundedCents: 2_500 })
  expect(pix.devolucoes.map(({ status }) => status)).toEqual(['NAO_REALIZADO', 'DEVOLVIDO'])
})

/** The bank finds out which charge the Pix of a list was for. */
async function bookByCharge({ link, pix }: Awaited<ReturnType<typeof payByHand>>) {
  const row = await charge({ link })
  Object.assign(pix, { txid: row.pixTxid })
  bank.book.cobs.get(row.pixTxid!)!.status = 'CONCLUIDA'
  await workAt(10 * MINUTE_MS)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  return row
}

test('what its charge has booked meanwhile is neither open nor given back', async () => {
  const paid = await payByHand()
  const { company, stray, pix } = paid
  const row = await bookByCharge(paid)
  const url = `/api/incoming-payments/${stray.id}`

  const refused = await company.post(`${url}/refund`, {})

  expect([refused.statusCode, refused.json().code]).toEqual([409, 'invalid_transition'])
  expect(pix.devolucoes).toEqual([])
  expect((await company.get(url)).json()).toMatchObject({
    status: 'matched',
    transactionId: row.id,
  })
})

test('of what the bank gave back in part the rest is given back', async () => {
  const { company, stray, pix } = await payByHand(2_500)
  returnPix(bank.book, pix, 1_000)
  await workAt(DAY_MS + HOUR_MS)
  const url = `/api/incoming-payments/${stray.id}`
  expect((await company.get(url)).json()).toMatchObject({
    status: 'unmatched',
    refundedCents: 1_000,
  })

  const refunded = await company.post(`${url}/refund`, {})

  expect(refunded.json()).toMatchObject({ status: 'returned', refundedCents: 2_500 })
  expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['10.00', '15.00'])
})

test('of what the bank gave back in part the rest is what a matched payment keeps', async () => {
  const { company, link, stray, pix } = await payByHand()
  returnPix(bank.book, pix, 1_000)
  await workAt(DAY_MS + HOUR_MS)
  const { id: transactionId } = await charge({ link })

  await company.post(`/api/incoming-payments/${stray.id}/match`, { transactionId })

  expect(await read(transactionId)).toMatchObject({
    ...{ status: 'partially_refunded', refundedCents: 1_000 },
  })
})

test('of a payer who is forgotten no name is kept with the Pix that a charge has booked', async () => {
  const paid = await payByHand(PRICE_CENTS, { pagador: { nome: 'Ana Lima', cpf: '12345678909' } })
  const { customerId } = await bookByCharge(paid)

  await anonymizeCustomer(db, paid.company.id, customerId, clock.now())

  const shown = (await paid.company.get(`/api/incoming-payments/${paid.stray.id}`)).json()
  expect(shown).toMatchObject({ payerName: null, payerTaxId: null })
})
