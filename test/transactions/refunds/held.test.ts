// A payment that is held, since another amount came in: the company may give it back, whole.
import { afterEach, expect, test } from 'vitest'
import { and, eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { mails, transactions } from '../../../src/database/tables.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { loadSummary } from '../../../src/reports/summary.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { listIncomingPayments } from '../../../src/transactions/incoming/incoming-payment.ts'
import { listTransactions } from '../../../src/transactions/list/list.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { executeRefund } from '../../../src/transactions/refunds/execute.ts'
import { openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { CHECKOUT_URL, openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'
import { settle } from '../../support/transactions/settle.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { clock, db, needs } = testApp
const { newLink, pay, read, listEventTypes } = openCheckout(testApp)
const { paidByPix, order, refundsOf, listBankRefunds } = openRefunds(testApp)

const NEWEST = { limit: 20, cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

afterEach(() => {
  clock.offsetMs = 0
})

test.each([1, 9_999])(
  'of R$ 100,00 asked, %i cents that came go back whole, and the payment is over',
  async (received) => {
    const { company, link, id } = await paidByPix(received)

    const response = await order(company, id, { reason: 'Valor errado' })

    expect(response.statusCode).toBe(201)
    expect(response.json()).toMatchObject({ amountCents: received, status: 'succeeded' })
    expect(await listBankRefunds(id)).toEqual([received])
    expect(await read(id)).toMatchObject({
      ...{ status: 'canceled', approvedAt: null, refundedCents: 0, receivedCents: received },
      holdReason: expect.stringContaining('difere do cobrado'),
    })
    expect(await listEventTypes(link)).toEqual(['transaction.held', 'transaction.canceled'])
    const shown = (await company.get(`/api/transactions/${id}`)).json()
    expect(shown).toMatchObject({ status: 'canceled', refunds: [{ amountCents: received }] })
  },
)

test('it is no longer among those to look at', async () => {
  const { company, id } = await paidByPix(9_999)
  const heldOnes = async () => {
    const rows = await listTransactions(db, company.id, { ...NEWEST, held: true })
    const { heldCount } = await loadSummary(db, company.id, clock.now())
    return [rows.map((row) => row.id), heldCount]
  }

  const before = await heldOnes()
  await order(company, id)
  const after = await heldOnes()

  expect([before, after]).toEqual([
    [[id], 1],
    [[], 0],
  ])
})

test.each([
  [9_998, 'too_small', /^Uma transação retida só pode ser devolvida por inteiro: R\$\s99,99/],
  [10_000, 'too_big', /^Restam R\$\s99,99/],
])('%i of 9999 cents do not', async (amountCents, code, message) => {
  const { company, id } = await paidByPix(9_999)

  const response = await order(company, id, { amountCents })

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toEqual([
    { field: 'amountCents', code, message: expect.stringMatching(message) },
  ])
  expect(await refundsOf(id)).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'pending' })
})

test('it goes back once, however many ask', async () => {
  const { company, id } = await paidByPix(9_999)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => order(company, id, { amountCents: 9_999 })),
  )
  const again = await order(company, id)

  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  expect(await listBankRefunds(id)).toEqual([9_999])
  expect(again.json()).toMatchObject({
    code: 'invalid_transition',
    message: expect.stringContaining('está canceled'),
  })
})

test('what the provider refuses stays held, to be tried again', async () => {
  const { company, id } = await paidByPix(9_913)

  const first = await order(company, id)
  const second = await order(company, id)

  expect([first.json().status, second.json().status]).toEqual(['failed', 'failed'])
  expect(await refundsOf(id)).toHaveLength(2)
  expect(await read(id)).toMatchObject({ status: 'pending', receivedCents: 9_913 })
})

test('while it is on its way back nothing more goes, and then it is over', async () => {
  const { company, id } = await paidByPix(9_914)

  const first = await order(company, id)
  const more = await order(company, id)
  const meanwhile = await read(id)
  clock.offsetMs = 12_000
  await reconcileDuePayments(needs)

  expect(first.json()).toMatchObject({ status: 'pending' })
  expect(more.json().message).toMatch(/^Há devoluções em andamento/)
  expect(meanwhile).toMatchObject({ status: 'pending' })
  expect(await read(id)).toMatchObject({ status: 'canceled' })
})

test('approved meanwhile by another Pix, what goes back is no part of the sale', async () => {
  const { company, link, id } = await paidByPix(9_914)
  await order(company, id)
  await payMeanwhile(id, 10_000)

  clock.offsetMs = 12_000
  await reconcileDuePayments(needs)

  expect(await read(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await listEventTypes(link)).toEqual([
    'transaction.held',
    'transaction.approved',
    'transaction.overpaid',
    'transaction.surplus_refunded',
  ])
})

test('the rest does not pay for what is on its way back', async () => {
  const { company, link, id } = await paidByPix(9_914)
  await order(company, id)

  await payMeanwhile(id, 86)

  expect(await read(id)).toMatchObject({ approvedAt: null, receivedCents: 86 })
  expect(await listEventTypes(link)).toEqual(['transaction.held', 'transaction.held'])
})

/** By the same code; nothing of the first Pix has gone back yet. */
async function payMeanwhile(id: string, amountCents: number) {
  const [held] = await listIncomingPayments(db, id)
  const { endToEndId, amountCents: heldCents, paidAt } = held!
  const received = [
    { endToEndId, amountCents: heldCents, paidAt, refundedCents: 0 },
    { endToEndId: `E2-${id}`, amountCents, paidAt: clock.now().toISOString(), refundedCents: 0 },
  ]
  const verdict = { status: 'approved', reference: `bank-${id}`, received } as const
  await settle(db, await read(id), verdict, { checkoutUrl: CHECKOUT_URL, now: clock.now() })
}

test('the payer reads that it went back, by e-mail and at the payment', async () => {
  const link = await newLink()
  const email = 'maria@sol.example.com'
  await writeUser(db, { companyId: link.companyId, email, role: 'member' })
  const { row, browser, url } = await pay(link, { ...PIX, email })
  await paySandboxPix(db, { transactionId: row.id, amountCents: 2_500 }, clock.now())
  await checkPayment(needs, row)

  const held = readPageText((await browser.get(url)).body)
  const refund = await executeRefund(needs, {
    ...{ id: newId(), companyId: link.companyId, transactionId: row.id },
  })
  const returned = readPageText((await browser.get(url)).body)
  const status = (await browser.get(`${url}/status`)).json()

  expect(held).toContain('Pagamento em análise')
  expect(refund).toMatchObject({ amountCents: 2_500, status: 'succeeded' })
  expect(returned).toContain('Pagamento devolvido')
  expect(status).toMatchObject({ state: 'returned' })
  const about = and(eq(mails.subjectId, row.id), eq(mails.template, 'refund'))
  const [mail] = await db.select().from(mails).where(about)
  expect(mail!.data).toMatchObject({
    ...{ refundCents: 2_500, refundedCents: 2_500, totalCents: 2_500 },
  })
})

test('told again after it went back, the money changes nothing', async () => {
  const { company, id } = await paidByPix(9_999)
  await order(company, id)
  const before = await read(id)

  await checkPayment(needs, before)

  expect(await read(id)).toEqual(before)
})

test('money for a payment that was canceled is held like any other', async () => {
  const { row } = await pay(await newLink(), PIX)
  await db.update(transactions).set({ status: 'canceled' }).where(eq(transactions.id, row.id))
  await paySandboxPix(db, { transactionId: row.id, amountCents: 9_999 }, clock.now())

  await checkPayment(needs, row)

  const rows = await listTransactions(db, row.companyId, { ...NEWEST, held: true })
  expect(rows.map(({ id }) => id)).toEqual([row.id])
})

test('where nobody knows how much came in, nothing goes back, and the company is told', async () => {
  const { company, id } = await paidByPix(9_999)
  await db.update(transactions).set({ receivedCents: null }).where(eq(transactions.id, id))

  const response = await order(company, id)

  expect(response.statusCode).toBe(409)
  expect(response.json().message).toMatch(
    /^Esta transação está retida, e não se sabe quanto entrou/,
  )
})
