// Every Pix that comes in is a row of its own, and the sale is judged by all of them.
import { afterEach, expect, test } from 'vitest'
import { anonymizeCustomer } from '../../../src/customers/anonymize.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'

const testApp = await openTestApp()
const { clock, db } = testApp
const { open, bank } = openReceivedPix(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test('the usual Pix is booked and pays the sale', async () => {
  const { pay, check, listBooked, listEvents } = await open()
  const payer = { name: 'João Souza', taxId: '52998224725' }
  const pix = pay(10_000, { payer })

  const payment = await check()

  expect(payment).toMatchObject({ status: 'approved', approvedAt: pix.paidAt, holdReason: null })
  expect(await listBooked()).toMatchObject([
    {
      ...{ endToEndId: pix.endToEndId, amountCents: 10_000, surplusCents: 0, refundedCents: 0 },
      ...{ payerName: 'João Souza', payerTaxId: '52998224725', paidAt: pix.paidAt },
    },
  ])
  expect(await listEvents()).toEqual(['transaction.approved'])
})

test.each([
  [6_000, 4_000],
  [1_000, 9_000],
  [9_999, 1],
])('%i and %i cents hold the sale and then approve it', async (first, rest) => {
  const { pay, check, listEvents, listBooked } = await open()
  pay(first)
  const held = await check()
  const last = pay(rest)

  const payment = await check()

  expect(held).toMatchObject({ status: 'pending', receivedCents: first })
  expect(payment).toMatchObject({ status: 'approved', holdReason: null, receivedCents: null })
  expect(payment.approvedAt).toBe(last.paidAt)
  expect(await listBooked()).toMatchObject([{ surplusCents: 0 }, { surplusCents: 0 }])
  expect(await listEvents()).toEqual(['transaction.held', 'transaction.approved'])
})

test('parts that are seen at once approve the sale and never hold it', async () => {
  const { pay, check, listEvents } = await open()
  pay(1_000)
  pay(9_000)

  const payment = await check()

  expect(payment).toMatchObject({ status: 'approved', holdReason: null })
  expect(await listEvents()).toEqual(['transaction.approved'])
})

test.each([
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
])('of %j cents %j are surplus, seen at once or one by one', async (amounts, surplus) => {
  const [atOnce, oneByOne] = [await open(), await open()]
  for (const cents of amounts) atOnce.pay(cents)
  await atOnce.check()
  for (const cents of amounts) {
    oneByOne.pay(cents)
    await oneByOne.check()
  }

  for (const { readPayment, listBooked, listEvents } of [atOnce, oneByOne]) {
    const over = surplus.filter((cents) => cents > 0).map(() => 'transaction.overpaid')
    expect(await readPayment()).toMatchObject({ status: 'approved', refundedCents: 0 })
    expect((await listBooked()).map(({ surplusCents }) => surplusCents)).toEqual(surplus)
    const told = (await listEvents()).filter((type) => type !== 'transaction.held')
    expect(told).toEqual(['transaction.approved', ...over])
  }
})

test('told ten times at once, each Pix is booked once and each event told once', async () => {
  const { pay, check, listBooked, listEvents } = await open()
  pay(6_000)
  await Promise.all(Array.from({ length: 10 }, check))
  pay(4_000)
  pay(700)
  await Promise.all(Array.from({ length: 10 }, check))
  await check()

  expect(await listBooked()).toHaveLength(3)
  expect(await listEvents()).toEqual([
    'transaction.held',
    'transaction.approved',
    'transaction.overpaid',
  ])
})

test('money that comes later is a change of the payment, and to be told of it again is none', async () => {
  const { pay, check, readPayment } = await open()
  pay(10_000)
  await check()
  const approved = await readPayment()
  clock.offsetMs += 60_000
  pay(10_000)
  await check()
  const overpaid = await readPayment()
  clock.offsetMs += 60_000
  await check()

  expect(overpaid.updatedAt > approved.updatedAt).toBe(true)
  expect(await readPayment()).toEqual(overpaid)
})

test('money that comes after the sale was refunded is all surplus, and the sale stays refunded', async () => {
  const { pay, check, received, listBooked, readPayment } = await open()
  pay(10_000)
  await check()
  received[0]!.refundedCents = 10_000
  await check()
  pay(10_000)

  await check()

  expect(await readPayment()).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
  expect(await listBooked()).toMatchObject([
    { surplusCents: 0, refundedCents: 10_000 },
    { surplusCents: 10_000, refundedCents: 0 },
  ])
})

test('a Pix of another payment pays for nothing here', async () => {
  const [theirs, ours] = [await open(), await open()]
  theirs.pay(10_000)
  await theirs.check()
  // Whatever the bank says, and though the company is the same.
  await db.$client.query('update incoming_payments set company_id = $1 where transaction_id = $2', [
    ours.company.id,
    theirs.id,
  ])
  ours.pay(10_000, { endToEndId: theirs.received[0]!.endToEndId })

  const payment = await ours.check()

  expect(payment).toMatchObject({ status: 'pending', holdReason: null })
  expect(await ours.listBooked()).toEqual([])
  expect(await ours.listEvents()).toEqual([])
})

test('money for a code that ran out, and for one that the bank removed, is a late approval', async () => {
  const [expired, removed] = [await open(), await open()]
  clock.offsetMs = 31 * 60_000
  await expired.check()
  bank.charges.set(removed.id, { gone: true })
  await removed.check()
  expired.pay(10_000)
  removed.pay(10_000)

  expect(await expired.check()).toMatchObject({ status: 'approved', paidLate: true })
  expect(await removed.check()).toMatchObject({ status: 'approved', paidLate: true })
  const late = (first: string) => [first, 'transaction.approved']
  expect(await expired.listEvents()).toEqual(late('transaction.expired'))
  expect(await removed.listEvents()).toEqual(late('transaction.canceled'))
})

test('a bank that no longer lists a Pix takes nothing away', async () => {
  const { id, pay, check, listBooked } = await open()
  pay(6_000)
  const held = await check()
  bank.charges.set(id, {})

  const still = await check()

  expect(still).toMatchObject({ status: held.status, holdReason: held.holdReason })
  expect(await listBooked()).toHaveLength(1)
})

test('a Pix that was first shown without an id of its own is named later, and booked once', async () => {
  const { row, pay, check, received, listBooked, listEvents } = await open()
  pay(10_000, { endToEndId: row.pixTxid! })
  await check()
  received[0]!.endToEndId = 'E18236120202611211405s0a1b2c3d4'

  await check()

  expect(await listBooked()).toMatchObject([
    { endToEndId: 'E18236120202611211405s0a1b2c3d4', amountCents: 10_000, surplusCents: 0 },
  ])
  expect(await listEvents()).toEqual(['transaction.approved'])
})

test('of somebody who was anonymized no name is kept, of what came before or comes after', async () => {
  const { company, pay, check, listBooked, row } = await open()
  const payer = { name: 'João Souza', taxId: '52998224725' }
  pay(10_000, { payer })
  await check()

  await anonymizeCustomer(db, company.id, row.customerId, clock.now())
  pay(700, { payer })
  await check()

  const nobody = { payerName: null, payerTaxId: null }
  expect(await listBooked()).toMatchObject([nobody, nobody])
})
