// What disputes take of money that never was part of a sale: of a payment that is held, and of a surplus.
import { expect, test } from 'vitest'
import { loadTimeline } from '../../../src/dashboard/transactions/timeline/timeline.ts'
import type { ReceivedPix } from '../../../src/providers/provider.ts'
import { loadSummary } from '../../../src/reports/summary.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { listTransactions } from '../../../src/transactions/list/list.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openDisputes } from '../../support/transactions/disputes.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { order } = openRefunds(testApp)
const { bank, waiting, buildDispute, read, listEventTypes, disputesOf } = openDisputes(testApp)

const NEWEST = { limit: 20, cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Of R$ 100,00 asked, one Pix for each of these amounts; what the bank says of it may be changed. */
async function cameIn(...amounts: number[]) {
  const { row, ...rest } = await waiting()
  const received: ReceivedPix[] = []
  const pay = (amountCents: number) => {
    const paidAt = new Date(clock.now().getTime() + received.length).toISOString()
    const endToEndId = `E${received.length}-${row.id}`
    received.push({ endToEndId, amountCents, refundedCents: 0, paidAt })
  }
  for (const amountCents of amounts) pay(amountCents)
  const charge: NonNullable<ReturnType<typeof bank.charges.get>> = { received }
  bank.charges.set(row.id, charge)
  const check = async () => checkPayment(needs, await read(row.id))
  await check()
  const contest = (i: number, more: Parameters<typeof buildDispute>[0]) =>
    buildDispute({ endToEndId: `E${i}-${row.id}`, ...more })
  return { ...rest, row, charge, pay, check, contest }
}

async function listToCheck(companyId: string) {
  const rows = await listTransactions(db, companyId, { ...NEWEST, held: true })
  const { heldCount, overpaidCount } = await loadSummary(db, companyId, clock.now())
  return [rows.length, heldCount, overpaidCount]
}

test('a payment that is held is over when a dispute has taken all that came in', async () => {
  const { row, company, link, charge, check, contest } = await cameIn(8_000)
  const dispute = contest(0, { amountCents: 8_000 })

  charge.disputes = [dispute]
  const contested = await check()
  const before = await listToCheck(company.id)
  charge.disputes = [{ ...dispute, status: 'lost' }]
  await Promise.all([check(), check(), check()])
  const lost = await check()

  expect(contested).toMatchObject({ status: 'pending', holdReason: expect.any(String) })
  expect(lost).toMatchObject({ status: 'canceled', approvedAt: null, chargedBackCents: 0 })
  expect([before, await listToCheck(company.id)]).toEqual([
    [1, 1, 0],
    [0, 0, 0],
  ])
  expect(await listEventTypes(link)).toEqual([
    ...['transaction.held', 'dispute.opened', 'dispute.closed', 'transaction.canceled'],
  ])
  expect((await order(company, row.id, {})).statusCode).toBe(409)
})

test('a cent less leaves it held, and that cent goes back', async () => {
  const { row, company, link, charge, check, contest } = await cameIn(8_000)
  charge.disputes = [contest(0, { amountCents: 7_999, status: 'lost' })]
  const held = await check()

  const rest = await order(company, row.id, {})

  expect(held).toMatchObject({ status: 'pending' })
  expect(rest.json()).toMatchObject({ amountCents: 1, status: 'succeeded' })
  expect(await read(row.id)).toMatchObject({ status: 'canceled' })
  expect((await listEventTypes(link)).at(-1)).toBe('transaction.canceled')
})

test('what a dispute blocks keeps it held though the rest went back, until the bank has decided', async () => {
  const { row, company, charge, check, contest } = await cameIn(5_000, 3_000)
  const dispute = contest(1, { amountCents: 3_000 })
  charge.disputes = [dispute]
  await check()
  expect((await order(company, row.id, {})).json()).toMatchObject({ amountCents: 5_000 })
  const held = await read(row.id)

  charge.disputes = [{ ...dispute, status: 'lost' }]

  expect(held).toMatchObject({ status: 'pending' })
  expect(await check()).toMatchObject({ status: 'canceled' })
})

test('a bank that thinks again gives the money back, and it is held once more', async () => {
  const { row, company, link, charge, check, contest } = await cameIn(8_000)
  const dispute = contest(0, { amountCents: 8_000, status: 'lost' })
  charge.disputes = [dispute]
  await check()

  charge.disputes = [{ ...dispute, status: 'won' }]
  const held = await check()

  expect(held).toMatchObject({ status: 'expired', holdReason: expect.any(String) })
  expect(await listToCheck(company.id)).toEqual([1, 1, 0])
  expect((await listEventTypes(link)).at(-1)).toBe('transaction.held')
  expect((await order(company, row.id, {})).json()).toMatchObject({ amountCents: 8_000 })
  expect(await read(row.id)).toMatchObject({ status: 'canceled' })
})

test('what a dispute took of a held payment pays nothing: the rest alone does not complete the sale', async () => {
  const { charge, pay, check, contest } = await cameIn(6_000)
  charge.disputes = [contest(0, { amountCents: 6_000, status: 'lost' })]
  await check()

  pay(4_000)

  const short = { approvedAt: null, holdReason: expect.stringContaining('R$\u00a040,00') }
  expect(await check()).toMatchObject({ ...short, receivedCents: 4_000 })
})

test('nor does it when the bank tells of both at once', async () => {
  const { link, charge, pay, check, contest } = await cameIn(6_000)
  charge.disputes = [contest(0, { amountCents: 6_000, status: 'lost' })]
  pay(4_000)

  const short = await check()
  pay(6_000)

  expect(short).toMatchObject({ approvedAt: null, receivedCents: 4_000 })
  expect(await check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect((await listEventTypes(link)).at(-1)).toBe('transaction.approved')
})

test('paid whole after a dispute took a part, the sale loses only what is taken from then on', async () => {
  const { row, company, link, charge, pay, check, contest } = await cameIn(6_000)
  const dispute = contest(0, { amountCents: 2_000, status: 'lost' })
  charge.disputes = [dispute]
  await check()
  pay(10_000)

  await check()
  charge.disputes = [dispute, contest(0, { amountCents: 4_000, status: 'lost' })]
  const approved = await check()

  expect(approved).toMatchObject({ status: 'approved', chargedBackCents: 4_000 })
  expect(await listToCheck(company.id)).toEqual([1, 0, 1])
  const types = await listEventTypes(link)
  expect(types.filter((type) => type === 'transaction.overpaid')).toHaveLength(1)
  expect((await order(company, row.id, {})).json()).toMatchObject({ amountCents: 10_000 })
})

test('what was lost before the sale was paid is nowhere told to be too much', async () => {
  const { row, company, charge, pay, check, contest } = await cameIn(6_000)
  charge.disputes = [contest(0, { amountCents: 6_000, status: 'lost' })]
  await check()
  pay(10_000)
  await check()

  const entries = await loadTimeline(db, company.id, row.id)

  expect(entries.filter(({ kind }) => kind === 'incoming')).toHaveLength(2)
  expect(JSON.stringify(entries)).not.toContain('a mais')
  expect(await listToCheck(company.id)).toEqual([0, 0, 0])
})

test('a bank that thinks again once the sale is paid leaves what it gives too much', async () => {
  const { row, company, charge, pay, check, contest } = await cameIn(6_000)
  const dispute = contest(0, { amountCents: 6_000, status: 'lost' })
  charge.disputes = [dispute]
  await check()
  pay(10_000)
  const approved = await check()
  const before = await listToCheck(company.id)

  charge.disputes = [{ ...dispute, status: 'won' }]
  await check()

  expect(approved).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect([before, await listToCheck(company.id)]).toEqual([
    [0, 0, 0],
    [1, 0, 1],
  ])
  expect((await order(company, row.id, { amountCents: 6_000 })).statusCode).toBe(201)
  expect(await read(row.id)).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('so does one that thinks again before the rest has come', async () => {
  const { row, company, link, charge, pay, check, contest } = await cameIn(6_000)
  const dispute = contest(0, { amountCents: 6_000, status: 'lost' })
  charge.disputes = [dispute]
  await check()
  pay(6_000)
  await check()

  charge.disputes = [{ ...dispute, status: 'won' }]
  await check()

  expect(await check()).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(await listToCheck(company.id)).toEqual([1, 0, 1])
  expect((await listEventTypes(link)).slice(-2)).toEqual([
    ...['transaction.approved', 'transaction.overpaid'],
  ])
  expect((await order(company, row.id, { amountCents: 2_000 })).statusCode).toBe(201)
  expect(await read(row.id)).toMatchObject({ status: 'approved', refundedCents: 0 })
})

test('a surplus that a dispute took is no longer to be given back', async () => {
  const { row, company, charge, check, contest } = await cameIn(10_000, 10_000)
  const before = await listToCheck(company.id)
  charge.disputes = [contest(1, { amountCents: 9_999, status: 'lost' })]
  await check()
  const aCentLeft = await listToCheck(company.id)
  charge.disputes.push(contest(1, { amountCents: 1, status: 'lost' }))
  await check()

  expect([before, aCentLeft, await listToCheck(company.id)]).toEqual([
    [1, 0, 1],
    [1, 0, 1],
    [0, 0, 0],
  ])
  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 0 })
})

test('what is lost of a Pix is first what was too much of it', async () => {
  const { row, charge, check, contest } = await cameIn(6_000, 6_000)
  charge.disputes = [contest(1, { amountCents: 2_000, status: 'lost' })]
  const surplus = await check()
  charge.disputes.push(contest(1, { amountCents: 1_500, status: 'lost' }))
  const more = await check()

  expect(surplus).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(more).toMatchObject({ status: 'approved', chargedBackCents: 1_500 })
  const [first, second] = await disputesOf(row.id)
  expect(second).toMatchObject({ incomingPaymentId: first!.incomingPaymentId })
})

test('a dispute that names no Pix is of the only one that came in, its surplus first', async () => {
  const { row, company, charge, check } = await cameIn(12_000)
  charge.disputes = [buildDispute({ amountCents: 2_000, status: 'lost' })]

  await check()

  expect(await listToCheck(company.id)).toEqual([0, 0, 0])
  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 0 })
})

test.each([
  ['the surplus, which then is not there for refunds', 3_000, [2_000], 2_000, 0],
  ['the surplus, and refunds take all of the sale', 3_000, [2_000, 8_000], 10_000, 0],
  ['a part of the sale too, which stays as it is', 4_000, [2_000, 2_000], 4_000, 1_000],
])(
  'what was lost before is no more for later refunds: %s',
  async (_what, lostCents, refunds, refundedCents, chargedBackCents) => {
    const { row, company, link, charge, check, contest } = await cameIn(13_000)
    charge.disputes = [contest(0, { amountCents: lostCents, status: 'lost' })]
    await check()
    const before = (await listEventTypes(link)).length

    for (const amountCents of refunds) {
      expect((await order(company, row.id, { amountCents })).statusCode).toBe(201)
    }
    await check()

    const isOver = refundedCents === 10_000
    const status = isOver ? 'refunded' : 'partially_refunded'
    expect(await read(row.id)).toMatchObject({ refundedCents, chargedBackCents, status })
    expect((await listEventTypes(link)).slice(before)).toEqual(
      refunds.map(() => 'transaction.refunded'),
    )
    const book = await db.$client.query(
      `select kind, sum(cents)::int as cents from movements where transaction_id = $1 and kind <> 'sale' group by kind`,
      [row.id],
    )
    expect(Object.fromEntries(book.rows.map(({ kind, cents }) => [kind, cents]))).toEqual({
      surplus: 3_000,
      surplus_refund: -3_000,
      refund: -refundedCents,
      ...(chargedBackCents > 0 && { dispute: -chargedBackCents }),
    })
  },
)

test('a dispute after a refund of the surplus takes the sale', async () => {
  const { row, company, charge, check, contest } = await cameIn(13_000)
  await order(company, row.id, { amountCents: 3_000 })
  charge.disputes = [contest(0, { amountCents: 10_000, status: 'lost' })]
  await check()

  const money = { refundedCents: 0, chargedBackCents: 10_000, status: 'charged_back' }
  expect(await read(row.id)).toMatchObject(money)
})

test('a surplus that the bank gives back once the sale was refunded is what was refunded', async () => {
  const { row, company, charge, check, contest } = await cameIn(13_000)
  const dispute = contest(0, { amountCents: 3_000, status: 'lost' })
  charge.disputes = [dispute]
  await check()
  await order(company, row.id, { amountCents: 4_000 })
  const before = await read(row.id)

  charge.disputes = [{ ...dispute, status: 'won' }]
  await check()

  expect(before).toMatchObject({ refundedCents: 4_000, chargedBackCents: 0 })
  expect(await read(row.id)).toMatchObject({ refundedCents: 1_000, chargedBackCents: 0 })
  const { rows } = await db.$client.query(
    'select sum(cents)::int as cents from movements where transaction_id = $1',
    [row.id],
  )
  expect(rows).toEqual([{ cents: 9_000 }])
  expect((await order(company, row.id, {})).json()).toMatchObject({ amountCents: 9_000 })
})
