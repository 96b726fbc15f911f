// Every Pix that comes in is a row of its own, and the sale is decided by all of them.
import { expect, test } from 'vitest'
import { openPix, TOTAL } from '../../support/transactions/payment-life.ts'

const APPROVED = 'transaction.approved'
const HELD = 'transaction.held'
const OVERPAID = 'transaction.overpaid'

test('the usual Pix is booked with its payer and pays the sale', () => {
  const { pay, check, read, events } = openPix()
  const payer = { name: 'João Souza', taxId: '52998224725' }
  const { endToEndId, paidAt } = pay(TOTAL, { payer })

  const payment = check()

  expect(payment).toMatchObject({ status: 'approved', approvedAt: paidAt, holdReason: null })
  expect(read().received).toMatchObject([
    {
      ...{ endToEndId, amountCents: TOTAL, surplusCents: 0, refundedCents: 0, paidAt },
      ...{ payerName: payer.name, payerTaxId: payer.taxId },
    },
  ])
  expect(events).toEqual([APPROVED])
})

test.each([
  [6_000, 4_000],
  [1_000, 9_000],
  [9_999, 1],
])('%i and %i cents hold the sale and then approve it', (first, rest) => {
  const { pay, check, read, events } = openPix()
  pay(first)
  const held = check()
  const last = pay(rest)

  const payment = check()

  expect(held).toMatchObject({ status: 'pending', receivedCents: first })
  expect(payment).toMatchObject({
    ...{ status: 'approved', holdReason: null, receivedCents: null, approvedAt: last.paidAt },
  })
  expect(read().received).toMatchObject([{ surplusCents: 0 }, { surplusCents: 0 }])
  expect(events).toEqual([HELD, APPROVED])
})

test.each([
  [
    [1_000, 9_000],
    [0, 0],
  ],
  [[10_001], [1]],
  [
    [10_000, 10_000],
    [0, 10_000],
  ],
  [
    [6_000, 6_000],
    [0, 2_000],
  ],
  [
    [6_000, 6_000, 500],
    [0, 2_000, 500],
  ],
])('of %j cents %j are surplus, seen at once or one by one', (amounts, surplus) => {
  const [atOnce, oneByOne] = [openPix(), openPix()]
  for (const cents of amounts) atOnce.pay(cents)
  atOnce.check()
  for (const cents of amounts) {
    oneByOne.pay(cents)
    oneByOne.check()
  }

  const over = surplus.filter((cents) => cents > 0).map(() => OVERPAID)
  expect(atOnce.events).toEqual([APPROVED, ...over])
  expect(oneByOne.events.filter((type) => type !== HELD)).toEqual([APPROVED, ...over])
  for (const { read } of [atOnce, oneByOne]) {
    const { payment, received } = read()
    expect(payment).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect(received.map(({ surplusCents }) => surplusCents)).toEqual(surplus)
  }
})

test('money that comes later is a change of the payment, and the same money again is none', () => {
  const { pay, check, read } = openPix()
  pay(TOTAL)
  const approved = check()
  pay(TOTAL)
  const overpaid = check()
  const { received } = read()

  const again = check()

  expect(overpaid.updatedAt > approved.updatedAt).toBe(true)
  expect(again.updatedAt).toBe(overpaid.updatedAt)
  expect(read().received).toEqual(received)
})

test('money that comes after the sale was refunded is all surplus, and the sale stays refunded', () => {
  const { pay, check, read } = openPix()
  const first = pay(TOTAL)
  check()
  first.refundedCents = TOTAL
  check()
  pay(TOTAL)

  const payment = check()

  expect(payment).toMatchObject({ status: 'refunded', refundedCents: TOTAL })
  expect(read().received).toMatchObject([
    { surplusCents: 0, refundedCents: TOTAL },
    { surplusCents: TOTAL, refundedCents: 0 },
  ])
})

test('a bank that no longer lists a Pix takes nothing away', () => {
  const { bank, pay, check, read } = openPix()
  pay(6_000)
  const { status, holdReason } = check()
  bank.pix.length = 0

  expect(check()).toMatchObject({ status, holdReason })
  expect(read().received).toHaveLength(1)
})

test('a Pix that was first shown without an id of its own is named later, and booked once', () => {
  const { pay, check, read, events } = openPix()
  const pix = pay(TOTAL, { endToEndId: 'charge' })
  check()
  pix.endToEndId = 'E18236120202611211405s0a1b2c3d4'

  check()

  const named = { endToEndId: pix.endToEndId, amountCents: TOTAL, surplusCents: 0 }
  expect(read().received).toMatchObject([named])
  expect(events).toEqual([APPROVED])
})
