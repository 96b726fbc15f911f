// What goes back of a Pix that is held, and what comes in beside it and after it.
import { afterEach, expect, test } from 'vitest'
import { sumSurplusLeft } from '../../../src/transactions/incoming/incoming-payment.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { open, bank } = openReceivedPix(testApp)
const { order } = openRefunds(testApp)

const MINUTE_MS = 60_000

afterEach(() => {
  clock.offsetMs = 0
  bank.refunds.clear()
})

test('a held payment goes back whole, each Pix under its own id, and is canceled', async () => {
  const { company, id, pay, check, received, listEvents, readPayment } = await open()
  pay(3_000)
  await check()
  pay(2_000)
  await check()

  const part = await order(company, id, { amountCents: 3_000 })
  const whole = await order(company, id)

  expect(part.json().errors).toMatchObject([{ field: 'amountCents', code: 'too_small' }])
  expect(whole.json()).toMatchObject({ amountCents: 5_000, status: 'succeeded' })
  expect(received.map(({ refundedCents }) => refundedCents)).toEqual([3_000, 2_000])
  expect(await readPayment()).toMatchObject({ status: 'canceled', refundedCents: 0 })
  expect(await listEvents()).toEqual([
    'transaction.held',
    'transaction.held',
    'transaction.canceled',
  ])
})

test('what the bank gives back of a held payment counts, and cancels it when all is gone', async () => {
  const { pay, check, received, listEvents, readPayment } = await open()
  pay(3_000)
  await check()
  received[0]!.refundedCents = 1_000
  await check()
  const between = await readPayment()
  received[0]!.refundedCents = 3_000

  await check()

  expect(between).toMatchObject({ status: 'pending', holdReason: expect.any(String) })
  expect(await readPayment()).toMatchObject({ status: 'canceled' })
  expect(await listEvents()).toEqual(['transaction.held', 'transaction.canceled'])
})

test('a code that is paid in full after what was held went back is found though nobody tells', async () => {
  const { id, company, pay, check, readPayment } = await open()
  pay(6_000)
  await check()
  await order(company, id)
  const canceled = await readPayment()
  clock.offsetMs = 2 * MINUTE_MS
  await reconcileDuePayments(needs)

  pay(10_000)
  clock.offsetMs = 6 * MINUTE_MS
  await reconcileDuePayments(needs)

  expect(canceled).toMatchObject({ status: 'canceled' })
  expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('a part that went back pays nothing: the rest alone does not complete the sale', async () => {
  const { pay, check, received, readPayment } = await open()
  pay(6_000)
  await check()
  received[0]!.refundedCents = 6_000
  await check()
  pay(4_000)
  const short = await check()
  pay(6_000)

  await check()

  expect(short.approvedAt).toBeNull()
  expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('nor does it when the bank tells of what went back and of the rest at once', async () => {
  const { pay, check, received, listEvents, readPayment } = await open()
  pay(6_000)
  await check()
  received[0]!.refundedCents = 6_000
  pay(4_000)
  const short = await check()
  pay(6_000)

  await check()

  expect(short).toMatchObject({ approvedAt: null, holdReason: expect.stringContaining('40,00') })
  expect(await listEvents()).not.toContain('transaction.refunded')
  expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('of what was on its way back, and stays after all, the company reads that it is too much', async () => {
  const { id, company, pay, check, listEvents, readPayment } = await open()
  pay(6_000)
  await check()
  bank.refunds.set('next', { status: 'processing', reference: 'd-1' })
  const refund = (await order(company, id)).json()
  pay(10_000)
  await check()
  bank.refunds.set(refund.id, { status: 'failed', reason: 'refused' })
  clock.offsetMs = MINUTE_MS
  await reconcileDuePayments(needs)

  const payment = await readPayment()

  expect(payment).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await sumSurplusLeft(db, payment)).toBe(6_000)
  expect(await listEvents()).toEqual([
    'transaction.held',
    'transaction.approved',
    'transaction.overpaid',
  ])
})
