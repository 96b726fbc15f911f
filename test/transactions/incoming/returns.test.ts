// What goes back of each Pix, by us and by its bank: its surplus first, and the sale only then.
import { afterEach, expect, test } from 'vitest'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, needs } = testApp
const { open, bank } = openReceivedPix(testApp)
const { order, refundsOf } = openRefunds(testApp)

const APPROVED = 'transaction.approved'
const OVERPAID = 'transaction.overpaid'
const RETURNED = 'transaction.surplus_refunded'

afterEach(() => {
  clock.offsetMs = 0
  bank.refunds.clear()
})

/** The code was paid twice. */
async function paidTwice() {
  const opened = await open()
  opened.pay(10_000)
  opened.pay(10_000)
  await opened.check()
  const [first, second] = await opened.listBooked()
  return { ...opened, first: first!, second: second! }
}

test('a second Pix goes back alone, under its own end-to-end id, and the sale stays', async () => {
  const { company, id, received, second, listBooked, listEvents, readPayment } = await paidTwice()

  const response = await order(company, id, { incomingPaymentId: second.id })

  expect(response.json()).toMatchObject({ amountCents: 10_000, status: 'succeeded' })
  expect(received.map(({ refundedCents }) => refundedCents)).toEqual([0, 10_000])
  expect(await listBooked()).toMatchObject([{ refundedCents: 0 }, { refundedCents: 10_000 }])
  expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await listEvents()).toEqual([APPROVED, OVERPAID, RETURNED])
})

test('what the bank gives back of a surplus leaves the sale alone', async () => {
  const { check, received, listEvents, readPayment, id } = await paidTwice()
  received[1]!.refundedCents = 10_000

  await Promise.all(Array.from({ length: 5 }, check))

  expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await refundsOf(id)).toMatchObject([{ amountCents: 10_000, status: 'succeeded' }])
  expect(await listEvents()).toEqual([APPROVED, OVERPAID, RETURNED])
})

test('what the bank gives back of the sale is a refund of it', async () => {
  const { check, received, listEvents, readPayment } = await paidTwice()
  received[0]!.refundedCents = 2_500

  await check()

  expect(await readPayment()).toMatchObject({ status: 'partially_refunded', refundedCents: 2_500 })
  expect(await listEvents()).toEqual([APPROVED, OVERPAID, 'transaction.refunded'])
})

test('its id may be written in capitals', async () => {
  const { company, id, second, listBooked } = await paidTwice()

  const response = await order(company, id, { incomingPaymentId: second.id.toUpperCase() })

  expect(response.json()).toMatchObject({ amountCents: 10_000, status: 'succeeded' })
  expect(await listBooked()).toMatchObject([{ refundedCents: 0 }, { refundedCents: 10_000 }])
})

test('one Pix that is too much goes back surplus first', async () => {
  const { company, id, pay, check, listEvents, readPayment, listBooked } = await open()
  pay(15_000)
  await check()
  const [pix] = await listBooked()

  const surplus = await order(company, id, { incomingPaymentId: pix!.id })
  const afterSurplus = await readPayment()
  const rest = await order(company, id, { incomingPaymentId: pix!.id })

  expect([surplus.json(), rest.json()]).toMatchObject([
    { amountCents: 5_000 },
    { amountCents: 10_000 },
  ])
  expect(afterSurplus).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(await readPayment()).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
  expect(await listEvents()).toEqual([APPROVED, OVERPAID, RETURNED, 'transaction.refunded'])
})

test('what goes back of surplus and sale at once is told with the share of each', async () => {
  const { company, id, pay, check } = await open()
  pay(12_500)
  await check()

  await order(company, id, { amountCents: 5_000 })

  const { data } = (await company.get(`/api/events?transactionId=${id}&limit=2`)).json()
  const of = { refund: { amountCents: 5_000 }, returnedCents: 2_500 }
  expect(data).toMatchObject([
    { type: RETURNED, data: of },
    { type: 'transaction.refunded', data: of },
  ])
})

test('an order over several Pix is one refund here and one for each at the bank', async () => {
  const { company, id, pay, check, received } = await open()
  pay(6_000)
  pay(4_000)
  await check()

  const response = await order(company, id, { amountCents: 7_000, reason: 'Desistência' })
  const listed = (await company.get(`/api/transactions/${id}/refunds`)).json()
  const shown = (await company.get(`/api/transactions/${id}`)).json()

  expect(response.json()).toMatchObject({ amountCents: 7_000, status: 'succeeded' })
  expect(received.map(({ refundedCents }) => refundedCents)).toEqual([6_000, 1_000])
  expect(listed.data).toEqual([response.json()])
  expect(shown).toMatchObject({
    ...{ status: 'partially_refunded', refundedCents: 7_000, refunds: [response.json()] },
    incomingPayments: [
      { amountCents: 6_000, refundedCents: 6_000 },
      { amountCents: 4_000, refundedCents: 1_000 },
    ],
  })
})

test('of an order over several Pix of which one part fails, what went back is told', async () => {
  const { company, id, pay, check, received } = await open()
  pay(6_000)
  pay(4_000)
  await check()
  const { provider } = bank
  const { refund } = provider
  provider.refund = async (request, now) =>
    request.endToEndId === received[1]!.endToEndId
      ? { status: 'failed', reason: 'refused' }
      : refund(request, now)

  const response = await order(company, id)
  provider.refund = refund
  const rest = await order(company, id)

  expect(response.json()).toMatchObject({ amountCents: 6_000, status: 'succeeded' })
  expect(rest.json()).toMatchObject({ amountCents: 4_000, status: 'succeeded' })
})

test('while a part is under way the whole order is, and nothing of it is asked for again', async () => {
  const { company, id, pay, check, readPayment } = await open()
  pay(6_000)
  pay(4_000)
  await check()
  bank.refunds.set('next', { status: 'processing', reference: 'd1' })

  const response = await order(company, id)
  const more = await order(company, id)
  bank.refunds.clear()
  for (const refund of await refundsOf(id))
    bank.refunds.set(refund.id, { status: 'succeeded', reference: refund.id })
  clock.offsetMs = 60_000
  await reconcileDuePayments(needs)

  expect(response.json()).toMatchObject({ amountCents: 10_000, status: 'pending' })
  expect(more.json()).toMatchObject({ code: 'invalid_transition' })
  expect(await readPayment()).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
})

test('ten orders at once never give back more than came in', async () => {
  const { company, id, received } = await paidTwice()

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => order(company, id, { amountCents: 3_000 })),
  )

  const made = answers.filter(({ statusCode }) => statusCode === 201)
  expect(made).toHaveLength(6)
  const gone = received.map(({ refundedCents }) => refundedCents)
  expect(gone.every((cents) => cents <= 10_000)).toBe(true)
  expect(gone.reduce((sum, cents) => sum + cents)).toBe(18_000)
})

test('a Pix that came and went before anybody asked is an approval and a refund', async () => {
  const { pay, check, listEvents, readPayment } = await open()
  pay(10_000, { refundedCents: 10_000 })

  await check()

  expect(await readPayment()).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
  expect(await listEvents()).toEqual([APPROVED, 'transaction.refunded'])
})

test('a Pix that is not of this payment, or has nothing left, cannot go back', async () => {
  const [ours, theirs] = [await paidTwice(), await paidTwice()]

  const other = await order(ours.company, ours.id, { incomingPaymentId: theirs.first.id })
  const tooMuch = await order(ours.company, ours.id, {
    incomingPaymentId: ours.second.id,
    amountCents: 10_001,
  })

  expect(other.json().errors).toMatchObject([{ field: 'incomingPaymentId', code: 'not_found' }])
  expect(tooMuch.json().errors).toMatchObject([{ field: 'amountCents', code: 'too_big' }])
  expect(await refundsOf(ours.id)).toEqual([])
})

test('a surplus can go back after the whole sale did', async () => {
  const { company, id, first, second, readPayment } = await paidTwice()
  await order(company, id, { incomingPaymentId: first.id })

  const sale = await readPayment()
  const surplus = await order(company, id, { incomingPaymentId: second.id })
  const nothing = await order(company, id)

  expect(sale).toMatchObject({ status: 'refunded' })
  expect(surplus.json()).toMatchObject({ amountCents: 10_000, status: 'succeeded' })
  expect(nothing.statusCode).toBe(409)
})
