// Disputes through the service: told at once by many, in the lists of what is to be checked, and in the book of money.
import { afterEach, expect, test } from 'vitest'
import { loadTimeline } from '../../../src/dashboard/transactions/timeline/timeline.ts'
import type { ProviderDispute } from '../../../src/providers/provider.ts'
import { loadSummary } from '../../../src/reports/summary.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { listPaymentDisputes } from '../../../src/transactions/disputes/list.ts'
import { listTransactions } from '../../../src/transactions/list/list.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { requestRefund } = openRefunds(testApp)
const { bank, open } = openReceivedPix(testApp)

const DAY_MS = 24 * 60 * 60_000
const NEWEST = { limit: 20, cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

afterEach(async () => {
  clock.offsetMs = 0
  bank.bankState.failing = undefined
  await db.$client.query('update transactions set check_at = null')
})

/** Of R$ 100,00 asked, one Pix for each of these amounts; `contest` says what a dispute is of the first. */
async function cameIn(...amounts: number[]) {
  const opened = await open()
  for (const cents of amounts) opened.pay(cents)
  await opened.check()
  const contest = (more: Partial<ProviderDispute>) => {
    const { endToEndId, paidAt } = opened.received[0]!
    const dispute: ProviderDispute = {
      ...{ reference: 'med', kind: 'med', endToEndId, reason: 'MED_FRAUDE', amountCents: 10_000 },
      ...{ status: 'open', openedAt: paidAt, closedAt: null, respondBy: null, ...more },
    }
    bank.charges.get(opened.id)!.disputes = [dispute]
    return dispute
  }
  return { ...opened, contest }
}

async function listToCheck(companyId: string) {
  const rows = await listTransactions(db, companyId, { ...NEWEST, held: true })
  const { heldCount, overpaidCount } = await loadSummary(db, companyId, clock.now())
  return [rows.length, heldCount, overpaidCount]
}

async function readBook(id: string): Promise<Record<string, number>> {
  const { rows } = await db.$client.query(
    `select kind, sum(cents)::int as cents from movements where transaction_id = $1 group by kind`,
    [id],
  )
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents]))
}

test('all of it lost, told ten times at once, the payment is charged back once', async () => {
  const { id, contest, check, listEvents, readPayment } = await cameIn(10_000)
  contest({ status: 'lost' })

  await Promise.all(Array.from({ length: 10 }, check))

  expect(await readPayment()).toMatchObject({ status: 'charged_back', chargedBackCents: 10_000 })
  expect(await listPaymentDisputes(db, id)).toHaveLength(1)
  expect(await listEvents()).toEqual([
    ...['transaction.approved', 'dispute.opened', 'dispute.closed', 'transaction.charged_back'],
  ])
  expect(await readBook(id)).toEqual({ sale: 10_000, dispute: -10_000 })
})

test('an open one is asked about each day, also after all other looks and a failure, and then no more', async () => {
  const { row, contest, readPayment } = await cameIn(10_000)
  const dispute = contest({})
  clock.offsetMs = 100 * DAY_MS
  await checkPayment(needs, await readPayment())

  const days = []
  for (let i = 0; i < 3; i++) {
    const { checkAt } = await readPayment()
    days.push(Math.round((Date.parse(checkAt!) - clock.now().getTime()) / DAY_MS))
    clock.offsetMs += DAY_MS + 60_000
    bank.bankState.failing = i === 1 ? new Error('timeout') : undefined
    if (i === 2) dispute.status = 'won'
    await reconcileDuePayments(needs)
    if (i === 1) clock.offsetMs += DAY_MS
  }

  expect(row.status).toBe('pending')
  expect(days.slice(0, 2)).toEqual([1, 1])
  expect(await readPayment()).toMatchObject({ status: 'approved', checkAt: null })
})

test('a held payment that a dispute has taken is nothing to check, until the bank thinks again', async () => {
  const { company, id, contest, check, readPayment } = await cameIn(8_000)
  const before = await listToCheck(company.id)
  const dispute = contest({ amountCents: 8_000, status: 'lost' })
  await check()
  const lost = await listToCheck(company.id)
  const refused = await requestRefund(company, id, {})
  dispute.status = 'won'
  await check()

  expect([before, lost, await listToCheck(company.id)]).toEqual([
    [1, 1, 0],
    [0, 0, 0],
    [1, 1, 0],
  ])
  expect(refused.statusCode).toBe(409)
  expect(await readPayment()).toMatchObject({ status: 'expired' })
})

test('what was lost before the sale was paid is nowhere told to be too much, until its bank gives it back', async () => {
  const { company, id, pay, contest, check } = await cameIn(6_000)
  const dispute = contest({ amountCents: 6_000, status: 'lost' })
  await check()
  pay(10_000)
  Object.assign(bank.charges.get(id)!, { disputes: [dispute] })
  await check()
  const before = await listToCheck(company.id)
  const entries = await loadTimeline(db, company.id, id)
  dispute.status = 'won'
  await check()

  expect(entries.filter(({ kind }) => kind === 'incoming')).toHaveLength(2)
  expect(JSON.stringify(entries)).not.toContain('a mais')
  expect([before, await listToCheck(company.id)]).toEqual([
    [0, 0, 0],
    [1, 0, 1],
  ])
})

test.each([
  ['the surplus, which then is not there for refunds', 3_000, [2_000], 0],
  ['the surplus, and refunds take all of the sale', 3_000, [2_000, 8_000], 0],
  ['a part of the sale too, which stays as it is', 4_000, [2_000, 2_000], 1_000],
])('in the book a dispute took %s', async (_what, lostCents, refunds, chargedBackCents) => {
  const { company, id, contest, check } = await cameIn(13_000)
  contest({ amountCents: lostCents, status: 'lost' })
  await check()

  for (const amountCents of refunds) {
    expect((await requestRefund(company, id, { amountCents })).statusCode).toBe(201)
  }
  await check()

  expect(await readBook(id)).toEqual({
    ...{ sale: 10_000, surplus: 3_000, surplus_refund: -3_000 },
    refund: -refunds.reduce((sum, cents) => sum + cents),
    ...(chargedBackCents > 0 && { dispute: -chargedBackCents }),
  })
})

test('in the book a surplus that the bank gives back once the sale was refunded is what was refunded', async () => {
  const { company, id, contest, check } = await cameIn(13_000)
  const dispute = contest({ amountCents: 3_000, status: 'lost' })
  await check()
  await requestRefund(company, id, { amountCents: 4_000 })
  dispute.status = 'won'
  await check()

  const book = Object.values(await readBook(id))
  expect(book.reduce((sum, cents) => sum + cents, 0)).toBe(9_000)
  expect((await requestRefund(company, id, {})).json()).toMatchObject({ amountCents: 9_000 })
})
