// Money that comes late or goes back at the provider, without anybody having told us.
import { afterEach, expect, test } from 'vitest'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { readDueAccounts } from '../../../src/transactions/reconciliation/account-lists.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openCheckout, readPageText } from '../../support/payer.ts'
import { openAccountsAtBank } from '../../support/providers/accounts.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { read, listEventTypes } = openCheckout(testApp)
const { order, refundsOf } = openRefunds(testApp)
const { bank, paid, waiting } = openAccountsAtBank(testApp)

const MIN_MS = 60_000
const DAY_MS = 24 * 60 * MIN_MS

afterEach(async () => {
  clock.offsetMs = 0
  bank.bankState.failing = undefined
  bank.refunds.clear()
  await db.$client.query('update transactions set check_at = null')
  await db.$client.query('update refunds set check_at = null')
})

async function reconcileAfter(ms: number) {
  clock.offsetMs = ms
  await readDueAccounts(needs)
  return reconcileDuePayments(needs)
}

/** When it is asked about, in seconds after `from`, as long as it is at all. */
async function looksAt(id: string, from: string, times: number) {
  const looks: (number | null)[] = []
  for (let i = 0; i < times; i++) {
    const { checkAt } = await read(id)
    if (!checkAt) return [...looks, null]
    looks.push(Math.round((Date.parse(checkAt) - Date.parse(from)) / 1000))
    clock.offsetMs = Date.parse(checkAt) - Date.now() + 1
    await reconcileDuePayments(needs)
  }
  return looks
}

test('a Pix at a bank is asked about twice while its payer waits, when it ends and an hour later', async () => {
  const { row } = await waiting()

  const looks = await looksAt(row.id, row.createdAt, 5)

  // To five seconds: between two looks a moment passes here too.
  expect(looks.map((at) => at && Math.round(at / 5) * 5)).toEqual([40, 80, 1_800, 5_400, null])
})

test('a Pix paid late is found without a notification', async () => {
  const { row, link } = await waiting()
  await reconcileAfter(30 * MIN_MS)
  bank.charges.set(row.id, { paidCents: 10_000 })

  await reconcileAfter(91 * MIN_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved', paidLate: true })
  expect(await listEventTypes(link)).toEqual(['transaction.expired', 'transaction.approved'])
})

test('a bank that answers 503 for ten minutes changes nothing, and then everything is heard', async () => {
  const { row } = await waiting()
  bank.charges.set(row.id, { paidCents: 10_000 })
  bank.bankState.failing = new ProviderDown('503')
  for (let minute = 1; minute <= 10; minute++) await reconcileAfter(minute * MIN_MS)
  expect(await read(row.id)).toMatchObject({ status: 'pending', updatedAt: row.updatedAt })

  bank.bankState.failing = undefined
  await reconcileAfter(16 * MIN_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('a charge given up at the bank is canceled here', async () => {
  const { row, browser, page, link } = await waiting()
  bank.charges.set(row.id, { gone: true })

  await reconcileAfter(41_000)

  expect(await read(row.id)).toMatchObject({ status: 'canceled' })
  expect(readPageText((await browser.get(page)).body)).toContain('cancelado')
  expect(await listEventTypes(link)).toEqual(['transaction.canceled'])
})

test('what was given back at the bank is a refund here, told once', async () => {
  const { row, link, charge } = await paid()
  charge.refundedCents = 4_000

  await reconcileAfter(DAY_MS + MIN_MS)
  const current = await read(row.id)
  await Promise.all(Array.from({ length: 10 }, () => checkPayment(needs, current)))

  expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 4_000 })
  expect(await refundsOf(row.id)).toMatchObject([
    { amountCents: 4_000, status: 'succeeded', reason: 'Devolvido no provedor' },
  ])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('the rest of it ends as a refund of everything, and nobody asks any more', async () => {
  const { row, charge } = await paid()
  charge.refundedCents = 4_000
  await reconcileAfter(DAY_MS + MIN_MS)
  charge.refundedCents = 10_000

  await reconcileAfter(3 * DAY_MS + MIN_MS)

  expect(await read(row.id)).toMatchObject({
    status: 'refunded',
    refundedCents: 10_000,
    checkAt: null,
  })
  const amounts = (await refundsOf(row.id)).map(({ amountCents }) => amountCents)
  expect(amounts.toSorted()).toEqual([4_000, 6_000])
})

test('ten processes that hear of it at once record it once', async () => {
  const { row, link, charge } = await paid()
  charge.refundedCents = 10_000

  await Promise.all(Array.from({ length: 10 }, () => checkPayment(needs, row)))

  expect(await refundsOf(row.id)).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('our own refund is not taken for one that was made at the bank', async () => {
  const { row, company } = await paid()

  const response = await order(company, row.id, { amountCents: 3_000 })
  await reconcileAfter(2 * MIN_MS)

  expect(response.json()).toMatchObject({ status: 'succeeded' })
  expect(await refundsOf(row.id)).toMatchObject([{ amountCents: 3_000, reason: null }])
  expect(await read(row.id)).toMatchObject({ refundedCents: 3_000 })
})

test('neither is one of ours that is still under way, and what went back besides is seen after it', async () => {
  const { row, company, charge } = await paid()
  bank.refunds.set('next', { status: 'processing', reference: 'd1' })
  const { id } = (await order(company, row.id, { amountCents: 3_000 })).json()
  charge.refundedCents = 5_000
  await checkPayment(needs, await read(row.id))
  const meanwhile = await refundsOf(row.id)

  bank.refunds.set(id, { status: 'succeeded', reference: 'd1' })
  await reconcileAfter(10_000)
  await reconcileAfter(2 * MIN_MS)

  expect(meanwhile.map(({ amountCents }) => amountCents)).toEqual([3_000, 2_000])
  expect(await read(row.id)).toMatchObject({ refundedCents: 5_000 })
  expect(await refundsOf(row.id)).toHaveLength(2)
})

test('of a refund of ours that failed, what went back all the same is recorded', async () => {
  const { row, company, charge } = await paid()
  bank.refunds.set('next', { status: 'processing', reference: 'd1' })
  const { id } = (await order(company, row.id, { amountCents: 3_000 })).json()
  charge.refundedCents = 3_000
  bank.refunds.set(id, { status: 'failed', reason: 'refused' })

  await reconcileAfter(10_000)
  await reconcileAfter(2 * MIN_MS)

  const found = await refundsOf(row.id)
  expect(found.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded'])
  expect(await read(row.id)).toMatchObject({ refundedCents: 3_000 })
})

test('a bank that could not be asked about what its list tells is asked again, and all is heard', async () => {
  const { row, charge } = await paid()
  charge.refundedCents = 4_000
  const { find } = bank.provider
  bank.provider.find = async () => Promise.reject(new ProviderDown('gone'))
  await reconcileAfter(DAY_MS + MIN_MS)
  expect(await read(row.id)).toMatchObject({ status: 'approved', refundedCents: 0 })

  bank.provider.find = find
  await reconcileAfter(DAY_MS + 62 * MIN_MS)

  expect(await read(row.id)).toMatchObject({ refundedCents: 4_000 })
})

test('a charge that turns up after it was taken for lost is given back, also if that fails at first', async () => {
  const { row } = await waiting()
  await db.$client.query(
    `update transactions set status = 'declined', method = 'credit_card',
       provider_reference = null, check_at = $2 where id = $1`,
    [row.id, row.createdAt],
  )
  bank.charges.set(row.id, { paidCents: 10_000 })
  const { cancel } = bank.provider
  bank.provider.cancel = async () => Promise.reject(new Error('timeout'))
  await reconcileAfter(MIN_MS)
  expect(bank.charges.get(row.id)).toMatchObject({ paidCents: 10_000 })

  bank.provider.cancel = cancel
  await reconcileAfter(70 * MIN_MS)

  expect(bank.charges.get(row.id)).toEqual({ gone: true })
  expect(await read(row.id)).toMatchObject({ status: 'declined' })
})
