// Two lanes to a bank: background calls never keep a payer from the code, and leaves the bank alone when asked.
import { expect, test } from 'vitest'
import { checkPayment } from '../../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openBankMerchant } from '../../support/providers/bank/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const MINUTE_MS = 60_000
const BUSY = { does: 'answer', status: 429, headers: { 'retry-after': '600' } } as const

const testApp = await openTestApp({ local: true })
const { clock, db, needs } = testApp
const merchant = await openBankMerchant(testApp)
const { bank, openMerchant, charge, read, workAt, reads, accountOf, PRICE_CENTS } = merchant

/** A payment of twenty minutes ago that is due to be checked; its payer has gone. */
async function oldDue(opened: Awaited<ReturnType<typeof openMerchant>>) {
  const row = await charge(opened)
  await workAt(41_000)
  await workAt(130_000)
  clock.offsetMs = 20 * MINUTE_MS
  await db.$client.query('update transactions set check_at = now() where id = $1', [row.id])
  return row
}

test('a bank that is busy for the background gives the next payer a code all the same', async () => {
  const opened = await openMerchant()
  await oldDue(opened)
  bank.next({ on: /^GET .cob/, ...BUSY })

  await reconcileDuePayments(needs)
  const row = await charge(opened)

  expect(row).toMatchObject({
    status: 'pending',
    pixBrCode: expect.stringContaining('br.gov.bcb.pix'),
  })
})

test('a bank that is busy for the list gives the next payer a code all the same', async () => {
  const opened = await openMerchant()
  bank.next({ on: /^GET .pix$/, ...BUSY })
  await workAt(1_000)

  const row = await charge(opened)

  expect(row.pixBrCode).not.toBeNull()
})

test('a payer is looked after within the pause of the background', async () => {
  const opened = await openMerchant()
  const old = await oldDue(opened)
  bank.next({ on: /^GET .cob/, ...BUSY })
  await reconcileDuePayments(needs)
  const row = await charge(opened)
  bank.pay(row.pixTxid!, PRICE_CENTS)
  const before = reads().length

  await db.$client.query('update transactions set check_at = now() where id = any($1)', [
    [old.id, row.id],
  ])
  await reconcileDuePayments(needs)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(
    reads()
      .slice(before)
      .every(({ path }) => path.includes(row.pixTxid!)),
  ).toBe(true)
})

test('a payer whom the bank itself turns away is not asked for again before the pause is over', async () => {
  const opened = await openMerchant()
  bank.next({ on: /^PUT .cob/, ...BUSY })
  await charge(opened)
  const before = bank.asked.length

  await charge(opened)

  expect(bank.asked.length).toBe(before)
})

test('what one process was told keeps the background of all others away until then', async () => {
  const opened = await openMerchant()
  const old = await oldDue(opened)
  bank.next({ on: /^GET .cob/, ...BUSY })
  await reconcileDuePayments(needs)
  const { pausedUntil } = await accountOf(opened.company.id)
  // Another process knows of it by the account's row alone: this one's memory is left out by an account opened anew.
  await db.$client.query('update provider_accounts set updated_at = now() where company_id = $1', [
    opened.company.id,
  ])
  await db.$client.query('update transactions set check_at = now() where id = $1', [old.id])
  const before = reads().length

  await workAt(21 * MINUTE_MS)
  const within = reads().length
  await workAt(31 * MINUTE_MS)

  expect(Date.parse(pausedUntil!) - clock.now().getTime()).toBeLessThan(0)
  expect(within).toBe(before)
  expect(reads().length).toBeGreaterThan(before)
})

test('a check in the background that is turned away is made once the pause is over', async () => {
  const opened = await openMerchant()
  const old = await oldDue(opened)
  bank.pay(old.pixTxid!, PRICE_CENTS)
  bank.next({ on: /^GET .cob/, ...BUSY })
  await reconcileDuePayments(needs)

  await workAt(31 * MINUTE_MS)
  await workAt(36 * MINUTE_MS)

  expect(await read(old.id)).toMatchObject({ status: 'approved' })
  expect(await checkPayment(needs, await read(old.id))).toMatchObject({ status: 'approved' })
})
