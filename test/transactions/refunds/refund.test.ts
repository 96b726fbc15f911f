// Refunds through the service: asked for by the API, carried out at the provider, and told everywhere.
import { afterEach, expect, test } from 'vitest'
import { and, eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { mails, transactions } from '../../../src/database/tables.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { loadSummary } from '../../../src/reports/summary.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { listTransactions } from '../../../src/transactions/list/list.ts'
import { executeRefund } from '../../../src/transactions/refunds/execute.ts'
import { openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { app, clock, db, needs } = testApp
const { newLink, pay, read, readLink, listEventTypes } = openCheckout(testApp)
const { newApprovedPayment, newPixPayment, requestRefund, readRefunds, listBankRefunds } =
  openRefunds(testApp)

const NEWEST = { limit: 20, cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

afterEach(() => {
  clock.offsetMs = 0
})

test('without a body all goes back, and the payment still counts towards the limit of its link', async () => {
  const { company, link, id } = await newApprovedPayment({ maxPayments: 1 })
  const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': newId() }
  const url = `/api/transactions/${id}/refunds`

  const response = await app.inject({ method: 'POST', url, headers })

  expect(response.statusCode).toBe(201)
  expect(response.json()).toEqual({
    id: expect.any(String),
    transactionId: id,
    amountCents: 10_000,
    status: 'succeeded',
    reason: null,
    failureReason: null,
    testMode: true,
    createdAt: instant,
    updatedAt: instant,
  })
  expect(await read(id)).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
  expect(await listBankRefunds(id)).toEqual([10_000])
  expect((await listEventTypes(link)).at(-1)).toBe('transaction.refunded')
  expect(await readLink(link.id)).toMatchObject({ status: 'completed' })
  const one = await company.get(`/api/payment-links/${link.id}`)
  expect(one.json()).toMatchObject({ paymentsCount: 1, amountReceivedCents: 0 })
  const again = await requestRefund(company, id)
  expect([again.statusCode, again.json().code]).toEqual([409, 'invalid_transition'])
})

test('a part goes back with its reason, what is more than the rest is refused, and the receipt says it', async () => {
  const { company, id, browser, url } = await newApprovedPayment()

  const part = await requestRefund(company, id, { amountCents: 2_500, reason: ' Um bolo a menos ' })
  const tooMuch = await requestRefund(company, id, { amountCents: 7_501, reason: '' })

  expect(part.json()).toMatchObject({ amountCents: 2_500, reason: 'Um bolo a menos' })
  expect(tooMuch.statusCode).toBe(422)
  expect(tooMuch.json().errors).toMatchObject([{ field: 'amountCents', code: 'too_big' }])
  expect(await listBankRefunds(id)).toEqual([2_500])
  expect(readPageText((await browser.get(url)).body)).toContain('R$ 25,00 devolvidos.')
})

test('what is no amount, Pix or reason is refused at its field', async () => {
  const { company, id } = await newApprovedPayment()

  for (const [body, field, code] of [
    // What NaN is in JSON.
    [{ amountCents: null }, 'amountCents', 'invalid_type'],
    [{ incomingPaymentId: null }, 'incomingPaymentId', 'invalid_type'],
    [{ amountCents: 0 }, 'amountCents', 'too_small'],
    [{ amountCents: -1 }, 'amountCents', 'too_small'],
    [{ amountCents: 1.5 }, 'amountCents', 'invalid_type'],
    [{ amountCents: '100' }, 'amountCents', 'invalid_type'],
    [{ amountCents: 1e21 }, 'amountCents', 'too_big'],
    [{ reason: 'r'.repeat(141) }, 'reason', 'too_big'],
    [{ reason: '\0' }, 'reason', 'invalid_characters'],
    [{ amount: 100 }, 'amount', 'unknown_field'],
  ] as const) {
    const response = await requestRefund(company, id, body)
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toMatchObject([{ field, code }])
  }
  const tooLarge = await requestRefund(company, id, { amountCents: 20_000_000_000 })
  expect(tooLarge.json().errors).toMatchObject([
    { message: 'O valor máximo é R$ 20.000.000,00 (2000000000 centavos).' },
  ])
  expect(await readRefunds(id)).toEqual([])
})

test('a held payment goes back whole and is over: nothing to check, and known when told again', async () => {
  const { company, link, id } = await newPixPayment(9_999)
  const listHeld = async () => {
    const rows = await listTransactions(db, company.id, { ...NEWEST, held: true })
    const { heldCount } = await loadSummary(db, company.id, clock.now())
    return [rows.map((row) => row.id), heldCount]
  }
  const before = await listHeld()

  const response = await requestRefund(company, id, { reason: 'Valor errado' })
  const returned = await read(id)
  await checkPayment(needs, returned)

  expect(response.json()).toMatchObject({ amountCents: 9_999, status: 'succeeded' })
  expect(await listBankRefunds(id)).toEqual([9_999])
  expect([before, await listHeld()]).toEqual([
    [[id], 1],
    [[], 0],
  ])
  expect(await read(id)).toEqual(returned)
  expect(await listEventTypes(link)).toEqual(['transaction.held', 'transaction.canceled'])
  const shown = (await company.get(`/api/transactions/${id}`)).json()
  expect(shown).toMatchObject({ status: 'canceled', refunds: [{ amountCents: 9_999 }] })
})

test('a held payment goes back once, however many ask', async () => {
  const { company, id } = await newPixPayment(9_999)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => requestRefund(company, id, { amountCents: 9_999 })),
  )
  const again = await requestRefund(company, id)

  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  expect(await listBankRefunds(id)).toEqual([9_999])
  expect(again.json()).toMatchObject({ message: expect.stringContaining('está canceled') })
})

test('the payer of a held payment reads that it went back, by e-mail and at the payment', async () => {
  const link = await newLink()
  const email = 'maria@sol.example.com'
  await writeUser(db, { companyId: link.companyId, email, role: 'member' })
  const { row, browser, url } = await pay(link, { ...PIX, email })
  await db.update(transactions).set({ status: 'canceled' }).where(eq(transactions.id, row.id))
  await paySandboxPix(db, { transactionId: row.id, amountCents: 2_500 }, clock.now())
  await checkPayment(needs, row)

  const held = readPageText((await browser.get(url)).body)
  const asked = { id: newId(), companyId: link.companyId, transactionId: row.id }
  await executeRefund(needs, asked)
  const returned = readPageText((await browser.get(url)).body)
  const status = (await browser.get(`${url}/status`)).json()

  expect(held).toContain('Pagamento em análise')
  expect(returned).toContain('Pagamento devolvido')
  expect(status).toMatchObject({ state: 'returned' })
  const about = and(eq(mails.subjectId, row.id), eq(mails.template, 'refund'))
  const [mail] = await db.select().from(mails).where(about)
  expect(mail!.data).toMatchObject({
    ...{ refundCents: 2_500, refundedCents: 2_500, totalCents: 2_500 },
  })
})
