// What disputes take of money that never was part of a sale: of a payment that is held, and of a surplus.
import { expect, test } from 'vitest'
import type { ReceivedPix } from '../../../src/providers/provider.ts'
import { loadSummary } from '../../../src/reports/summary.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { listTransactions } from '../../../src/transactions/list.ts'
import { openDisputes } from '../../support/disputes.ts'
import { openRefunds } from '../../support/refunds.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { order } = openRefunds(testApp)
const { bank, waiting, buildDispute, read, listEventTypes } = openDisputes(testApp)

const NEWEST = { limit: 20, cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Of R$ 100,00 asked, one Pix for each of these amounts; what the bank says of it may be changed. */
async function cameIn(...amounts: number[]) {
  const { row, ...rest } = await waiting()
  const received = amounts.map((amountCents, i): ReceivedPix => {
    const paidAt = new Date(clock.now().getTime() + i).toISOString()
    return { endToEndId: `E${i}-${row.id}`, amountCents, refundedCents: 0, paidAt }
  })
  const charge: NonNullable<ReturnType<typeof bank.charges.get>> = { received }
  bank.charges.set(row.id, charge)
  const check = async () => checkPayment(needs, await read(row.id))
  await check()
  const contest = (i: number, more: Parameters<typeof buildDispute>[0]) =>
    buildDispute({ endToEndId: `E${i}-${row.id}`, ...more })
  return { ...rest, row, charge, check, contest }
}

async function listToCheck(companyId: string) {
  const { rows } = await listTransactions(db, companyId, { ...NEWEST, held: true })
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

test('a dispute that names no Pix is of the only one that came in, its surplus first', async () => {
  const { row, company, charge, check } = await cameIn(12_000)
  charge.disputes = [buildDispute({ amountCents: 2_000, status: 'lost' })]

  await check()

  expect(await listToCheck(company.id)).toEqual([0, 0, 0])
  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 0 })
})
