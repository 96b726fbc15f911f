// What came in and what went back, found by the list of the account without a notification.
import { expect, test } from 'vitest'
import { readDueAccounts } from '../../../src/transactions/reconciliation/account-lists.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { returnPix } from '../../support/providers/bank/ledger.ts'
import { openBankMerchant } from '../../support/providers/bank/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const testApp = await openTestApp({ local: true })
const { clock, db, needs } = testApp
const merchant = await openBankMerchant(testApp)
const { bank, openMerchant, charge, read, listBooked, workAt, accountOf } = merchant
const { PRICE_CENTS, listEventTypes } = merchant
/** Of the account, not of one charge. */
const listCalls = () => bank.calls(/^GET .pix$/).filter(({ query }) => !query.txid).length

/** Both readings of a payer who waits, so that only the list finds what comes then. */
async function waitInVain() {
  await workAt(41_000)
  await workAt(122_000)
}

test('a Pix without a notification is found by the next list, and booked once', async () => {
  const opened = await openMerchant()
  const row = await charge(opened)
  await waitInVain()
  clock.offsetMs = 3 * MINUTE_MS
  bank.pay(row.pixTxid!, PRICE_CENTS)

  await workAt(6 * MINUTE_MS)
  await workAt(12 * MINUTE_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await listBooked(row.id)).toHaveLength(1)
  expect(await listEventTypes(opened.link)).toEqual(['transaction.approved'])
})

test('a bank that tells the txid in capitals tells of the same payment', async () => {
  const row = await charge(await openMerchant())
  await waitInVain()
  clock.offsetMs = 3 * MINUTE_MS
  const pix = bank.pay(row.pixTxid!, PRICE_CENTS)
  bank.next({
    on: /^GET .pix$/,
    does: 'say',
    change: (body) => Object.assign(body, { pix: [{ ...pix, txid: pix.txid.toUpperCase() }] }),
  })

  await workAt(6 * MINUTE_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('an account is listed every five minutes while a payment is open, and else once an hour', async () => {
  const opened = await openMerchant()
  await readDueAccounts(needs)
  const idle = listCalls()
  await workAt(59 * MINUTE_MS)
  expect(listCalls()).toBe(idle)
  await workAt(60 * MINUTE_MS + 1_000)
  expect(listCalls()).toBe(idle + 1)

  await charge(opened)
  for (let minute = 61; minute <= 71; minute++) await workAt(minute * MINUTE_MS)

  expect(listCalls()).toBe(idle + 3)
})

test('what went back at the bank is found within a day, of a Pix of months ago too', async () => {
  const opened = await openMerchant()
  const row = await charge(opened)
  const pix = bank.pay(row.pixTxid!, PRICE_CENTS)
  await workAt(41_000)
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  await workAt(80 * DAY_MS)
  returnPix(bank.book, pix, 2_500)

  await workAt(81 * DAY_MS)

  expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 2_500 })
})

test('a MED of a Pix is found within a day, and followed until it closes', async () => {
  const row = await charge(await openMerchant())
  const pix = bank.pay(row.pixTxid!, PRICE_CENTS)
  await workAt(41_000)
  bank.book.manner.refundStatus = 'EM_PROCESSAMENTO'
  const med = returnPix(bank.book, pix, PRICE_CENTS, 'MED_FRAUDE')
  await workAt(DAY_MS + MINUTE_MS)
  const { rows: open } = await db.$client.query(
    'select status from disputes where transaction_id = $1',
    [row.id],
  )

  med.status = 'DEVOLVIDO'
  await workAt(2 * DAY_MS + 2 * MINUTE_MS)

  expect(open).toEqual([{ status: 'open' }])
  expect(await read(row.id)).toMatchObject({ status: 'charged_back' })
})

test('after its approval a payment is not asked about again while lists say nothing new', async () => {
  const row = await charge(await openMerchant())
  bank.pay(row.pixTxid!, PRICE_CENTS)
  await workAt(41_000)
  const asked = () => bank.calls(new RegExp(`^GET .cob.${row.pixTxid}`)).length
  const before = asked()

  for (let day = 1; day <= 2; day++) await workAt(day * DAY_MS)

  expect(asked()).toBe(before)
})

test('two processes that list at once book a Pix once, and one of them reads', async () => {
  const opened = await openMerchant()
  const row = await charge(opened)
  await waitInVain()
  clock.offsetMs = 3 * MINUTE_MS
  bank.pay(row.pixTxid!, PRICE_CENTS)
  clock.offsetMs = 8 * MINUTE_MS
  const before = listCalls()

  const read2 = await Promise.all([readDueAccounts(needs), readDueAccounts(needs)])
  await Promise.all([reconcileDuePayments(needs), reconcileDuePayments(needs)])

  expect(read2.toSorted()).toEqual([0, 1])
  expect(listCalls()).toBe(before + 1)
  expect(await listBooked(row.id)).toHaveLength(1)
  expect(await listEventTypes(opened.link)).toEqual(['transaction.approved'])
})

test('a process that is killed before it has written down what it read leaves it to the next', async () => {
  const { company, link } = await openMerchant()
  const row = await charge({ link })
  await waitInVain()
  clock.offsetMs = 3 * MINUTE_MS
  bank.pay(row.pixTxid!, PRICE_CENTS)
  const { listedUntil } = await accountOf(company.id)
  clock.offsetMs = 8 * MINUTE_MS
  const broken = new Proxy(db, {
    get: (target, name) =>
      name === 'transaction'
        ? () => Promise.reject(new Error('killed'))
        : Reflect.get(target, name),
  })
  await readDueAccounts({ ...needs, db: broken })
  expect(await accountOf(company.id)).toMatchObject({ listedUntil })

  await workAt(14 * MINUTE_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('after a night without us all that came in meanwhile is found', async () => {
  const row = await charge(await openMerchant())
  await waitInVain()
  clock.offsetMs = 20 * MINUTE_MS
  bank.pay(row.pixTxid!, PRICE_CENTS)

  await workAt(9 * HOUR_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved' })
})

test('a Pix that comes weeks late is booked, though the bank fails when its payment is asked about', async () => {
  const row = await charge(await openMerchant())
  await workAt(HOUR_MS)
  for (let hour = 2; hour < 48; hour++) await workAt(hour * HOUR_MS)
  await workAt(20 * DAY_MS)
  bank.pay(row.pixTxid!, PRICE_CENTS)
  bank.next({ on: /^GET .cob/, does: 'answer', status: 500 })

  for (const hours of [1, 2, 48]) await workAt(20 * DAY_MS + hours * HOUR_MS)

  expect(await read(row.id)).toMatchObject({ status: 'approved', paidLate: true })
})

test('payments of a bank that lists nothing are checked one by one', async () => {
  bank.book.manner.maxListMs = 0
  const opened = await openMerchant()
  const [late, returned] = [await charge(opened), await charge(opened)]
  const pix = bank.pay(returned.pixTxid!, PRICE_CENTS)
  await waitInVain()
  clock.offsetMs = 40 * MINUTE_MS
  await reconcileDuePayments(needs)
  bank.pay(late.pixTxid!, PRICE_CENTS)
  returnPix(bank.book, pix, 1_000)

  await workAt(2 * HOUR_MS)
  for (const hour of [24, 25, 36, 48]) await workAt(hour * HOUR_MS)

  expect(await read(late.id)).toMatchObject({ status: 'approved', paidLate: true })
  expect(await read(returned.id)).toMatchObject({ refundedCents: 1_000 })
})
