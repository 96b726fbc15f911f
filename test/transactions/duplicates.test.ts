// Who begins anew leaves the Pix code that is open: it is canceled at the bank, and should both be paid, the later one
// is marked as a possible duplicate. So is a second payment of a link that takes one.
import { afterEach, expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { paymentLinks, transactions } from '../../src/database/tables.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { readPage } from '../support/dashboard/links.ts'
import { buildPaymentPath } from '../support/dashboard/refunds.ts'
import { AGAIN, buildTestCard, openCheckout, PIX, readPageText } from '../support/payer.ts'
import { openPayments } from '../support/payments.ts'
import { openAccountsAtBank } from '../support/providers/accounts.ts'
import { openTestApp } from '../support/test-app.ts'
import { settle } from '../support/transactions/settle.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { newLink, pay, paymentsOf, read, listEventTypes } = openCheckout(testApp)
const { bank, newCollectingCompany } = openAccountsAtBank(testApp)
const { newMerchant, addPayment } = openPayments(testApp)

const AT = '2026-11-28T11:00:00.000Z'

afterEach(() => {
  clock.offsetMs = 0
})

/** Two codes of one browser; what its bank makes of the first is up to the test. */
async function openTwoCodes() {
  const { company } = await newCollectingCompany()
  const link = await newLink({}, company)
  const first = await pay(link, PIX)
  clock.offsetMs = 1_000
  await first.browser.pay(link, PIX, AGAIN)
  const second = (await paymentsOf(link)).at(-1)!
  return { company, link, first: first.row, second }
}

test('a second code of the same browser ends the first, at the bank too', async () => {
  const { link, first, second } = await openTwoCodes()

  expect(await read(first.id)).toMatchObject({ status: 'canceled' })
  expect(bank.charges.get(first.id)).toEqual({ gone: true })
  expect(await read(second.id)).toMatchObject({ status: 'pending', firstAttemptId: first.id })
  expect(await listEventTypes(link)).toEqual(['transaction.canceled'])
})

test('a card ends an open code as well', async () => {
  const link = await newLink()
  const { row, browser } = await pay(link, PIX)
  clock.offsetMs = 1_000
  await browser.pay(link, buildTestCard('ok'), AGAIN)

  expect(await read(row.id)).toMatchObject({ status: 'canceled' })
})

/** Both are paid, the second one later; `path` is its page in the dashboard. */
async function openTwoPaid() {
  const { company, first, second } = await openTwoCodes()
  for (const row of [first, second]) {
    bank.charges.set(row.id, { paidCents: 10_000 })
    await checkPayment(needs, await read(row.id))
  }
  const client = await openDashboardClient(testApp, { companyId: company.id })
  return { company, client, first, second, path: buildPaymentPath(second.id) }
}

test('what may be a duplicate stands among what is to be checked, until it goes back', async () => {
  const { company, client, first, second, path } = await openTwoPaid()
  const toCheck = () => readPage(client, '/painel/transacoes?verificar=sim')

  const home = readPageText(await readPage(client, '/painel'))
  const listed = await toCheck()
  const page = await readPage(client, path)
  const sent = await company.get(`/api/transactions/${second.id}`)
  await refund(company.key, second.id)

  expect(home).toContain('1 pagamento que pode ser repetido')
  expect(readPageText(listed)).toContain('Talvez repetido')
  expect(page).toContain(buildPaymentPath(first.id))
  expect(page).toContain(`${path}/devolver/tudo`)
  expect(sent.json().possibleDuplicateOf).toBe(first.id)
  expect(await toCheck()).not.toContain(path)
})

test('once the first is refunded, the second is no duplicate to be refunded as well', async () => {
  const { company, client, first, path } = await openTwoPaid()

  await refund(company.key, first.id)

  const page = await readPage(client, path)
  expect(page).not.toContain(buildPaymentPath(first.id))
  expect(page).not.toContain(`${path}/devolver/tudo`)
  expect(await readPage(client, '/painel/transacoes?verificar=sim')).not.toContain(path)
  expect(await readPage(client, '/painel')).not.toContain('que pode ser repetido')
})

test('of three payments of a link that takes one, two are duplicates until one of them is left', async () => {
  const { company } = await newCollectingCompany()
  const link = await newLink({ maxPayments: 1 }, company)
  const rows = [await pay(link, PIX), await pay(link, PIX), await pay(link, PIX)]
  for (const { row } of rows) {
    bank.charges.set(row.id, { paidCents: 10_000 })
    await checkPayment(needs, row)
  }
  const client = await openDashboardClient(testApp, { companyId: company.id })
  const countMarked = async () => {
    const listed = await readPage(client, '/painel/transacoes?verificar=sim')
    return rows.filter(({ row }) => listed.includes(buildPaymentPath(row.id))).length
  }

  const counts = [await countMarked()]
  for (const { row } of rows.slice(0, 2)) {
    await refund(company.key, row.id)
    counts.push(await countMarked())
  }

  expect(counts).toEqual([2, 1, 0])
})

const refund = (key: string, id: string) =>
  testApp.app.inject({
    method: 'POST',
    url: `/api/transactions/${id}/refunds`,
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': id },
    payload: {},
  })

/** Two payments under way of a link with this limit, the second begun in place of the first or by another payer. */
async function addTwo(maxPayments: number | null, isReplaced: boolean) {
  const merchant = await newMerchant()
  const { linkId } = merchant
  await db.update(paymentLinks).set({ maxPayments }).where(eq(paymentLinks.id, linkId))
  const open = { status: 'processing', approvedAt: null, method: 'credit_card' } as const
  const first = await addPayment(merchant, AT, open)
  const more = isReplaced ? { firstAttemptId: first } : {}
  return [first, await addPayment(merchant, AT, { ...open, ...more })] as const
}

async function approve(id: string) {
  const paid = { status: 'approved', reference: id, paidCents: 10_000, paidAt: AT } as const
  const context = { source: 'reconciliation', checkoutUrl: '', now: new Date(AT) } as const
  return (await settle(db, await read(id), paid, context)).payment
}

test.each([
  ['the first is paid first', 0, 1],
  ['the second is paid first', 1, 0],
] as const)(
  'of two of one browser the one that is paid later is marked: %s',
  async (_how, early, late) => {
    const two = await addTwo(null, true)

    const [paid, paidLater] = [await approve(two[early]), await approve(two[late])]

    expect(paid).toMatchObject({ status: 'approved', possibleDuplicateOf: null })
    expect(paidLater).toMatchObject({ status: 'approved', possibleDuplicateOf: two[early] })
  },
)

test.each([
  ['takes any number of payments: no', null, false, false],
  ['takes two: no', 2, false, false],
  ['takes one: yes', 1, false, true],
  ['takes one, and the first was refunded: no', 1, true, false],
])(
  'whether the second of two payers repeats the first, where the link %s',
  async (_answer, maxPayments, isRefunded, isMarked) => {
    const [first, second] = await addTwo(maxPayments, false)
    const paid = await approve(first)
    const refunded = { status: 'refunded', refundedCents: 10_000 } as const
    if (isRefunded) await db.update(transactions).set(refunded).where(eq(transactions.id, first))

    const repeated = await approve(second)

    expect(paid).toMatchObject({ possibleDuplicateOf: null, paidLate: false })
    expect(repeated).toMatchObject({
      ...{ status: 'approved', paidLate: maxPayments === 1 },
      possibleDuplicateOf: isMarked ? first : null,
    })
  },
)
