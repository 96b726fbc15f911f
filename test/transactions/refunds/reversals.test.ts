// What ends or goes back at the provider without a notification.
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
const { readRefunds } = openRefunds(testApp)
const { bank, openPaidPix, openPendingPix } = openAccountsAtBank(testApp)

const MIN_MS = 60_000
const DAY_MS = 24 * 60 * MIN_MS

afterEach(async () => {
  clock.offsetMs = 0
  bank.bankState.failing = undefined
  await db.$client.query('update transactions set check_at = null')
})

async function reconcileAfter(ms: number) {
  clock.offsetMs = ms
  await readDueAccounts(needs)
  return reconcileDuePayments(needs)
}

test('a charge given up at the bank is canceled here', async () => {
  const { row, browser, page, link } = await openPendingPix()
  bank.charges.set(row.id, { gone: true })

  await reconcileAfter(41_000)

  expect(await read(row.id)).toMatchObject({ status: 'canceled' })
  expect(readPageText((await browser.get(page)).body)).toContain('cancelado')
  expect(await listEventTypes(link)).toEqual(['transaction.canceled'])
})

test('ten processes that hear of it at once record it once', async () => {
  const { row, link, charge } = await openPaidPix()
  charge.refundedCents = 10_000

  await Promise.all(Array.from({ length: 10 }, () => checkPayment(needs, row)))

  expect(await readRefunds(row.id)).toMatchObject([
    { amountCents: 10_000, status: 'succeeded', reason: 'Devolvido no provedor' },
  ])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'transaction.refunded'])
})

test('a bank that could not be asked about what its list tells is asked again, and all is heard', async () => {
  const { row, charge } = await openPaidPix()
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
  const { row } = await openPendingPix()
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
