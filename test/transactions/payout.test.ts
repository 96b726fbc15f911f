// What a payment costs its company, decided with its approval, and what is left of it, by itself and in reports.
import { describe, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { DAY_MS } from '../../src/database/instant.ts'
import { payoutTerms } from '../../src/database/tables.ts'
import type { ProviderPayout } from '../../src/providers/provider.ts'
import { buildReport } from '../../src/reports/reports.ts'
import {
  computeNet,
  type FeeTerms,
  findFeeTerms,
  getPayoutDay,
} from '../../src/transactions/payout.ts'
import { reloadTransaction } from '../../src/transactions/transaction.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'
import { buildAnswer, CARD, newBooks, openPayment } from '../support/transactions/payment-life.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

/** Still the 28th of November in São Paulo, where the day ends at 3:00. */
const PAID_AT = '2026-11-29T02:59:59.000Z'
const RATE: FeeTerms = { rateBps: 100, fixedCents: 0 }

/** A card of that much that its provider calls paid, and what the provider says of its fee and payout. */
function openCard(totalCents: number, feeTerms: FeeTerms | null, payout?: ProviderPayout) {
  const card = openPayment(newBooks({ ...CARD, totalCents }), DAY_MS)
  const paid = {
    status: 'approved',
    reference: 'r',
    paidCents: totalCents,
    paidAt: PAID_AT,
  } as const
  const applyPayout = (said?: ProviderPayout, terms = feeTerms) => {
    card.applyFact(buildAnswer({ ...paid, ...(said && { payout: said }) }), { feeTerms: terms })
    return card.read().payment
  }
  return { ...card, applyPayout, payment: applyPayout(payout) }
}

test('fee and net are written with the approval, and no day that the provider did not say', () => {
  const { payment } = openCard(19_990, { rateBps: 99, fixedCents: 0 })

  expect(payment).toMatchObject({
    ...{ feeCents: 198, feeSource: 'company', expectedOn: null, payoutParts: null },
  })
  expect(computeNet(payment)).toBe(19_792)
})

test('a fee that was not said is unknown; a fee of nothing is known', () => {
  const [unknown, free] = [openCard(10_000, null), openCard(10_000, { rateBps: 0, fixedCents: 0 })]

  expect(unknown.payment).toMatchObject({
    ...{ feeCents: null, feeSource: null, expectedOn: null, payoutParts: null },
  })
  expect(computeNet(unknown.payment)).toBeNull()
  expect(free.payment).toMatchObject({ feeCents: 0, feeSource: 'company' })
  expect(computeNet(free.payment)).toBe(10_000)
})

test.each([
  [150, 100, 0, 2],
  [149, 100, 0, 1],
  [50, 100, 0, 1],
  [49, 100, 0, 0],
  [10_050, 99, 0, 99],
  [10_051, 99, 0, 100],
  // Never more than all.
  [600, 3_000, 500, 600],
  [1_000, 3_000, 500, 800],
])('of %i cents %i basis points and %i cents are %i', (totalCents, rateBps, fixedCents, fee) => {
  expect(openCard(totalCents, { rateBps, fixedCents }).payment.feeCents).toBe(fee)
})

test('terms are those of the company, of the method and of the last number of installments that was told', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const told = (companyId: string, installments: number) => ({
    ...{ companyId, method: 'credit_card' as const, installments },
    ...{ rateBps: 300 + installments, fixedCents: installments },
  })
  await db
    .insert(payoutTerms)
    .values([
      ...[2, 3, 7].map((installments) => told(merchant.companyId, installments)),
      told(other.companyId, 1),
    ])
  const find = async (installments: number, method: 'pix' | 'credit_card' = 'credit_card') => {
    const id = await addPayment(merchant, PAID_AT, { installments, method })
    const row = await reloadTransaction(db, id)
    return (await db.transaction((tx) => findFeeTerms(tx, row)))?.fixedCents ?? null
  }

  const found = await Promise.all([1, 2, 3, 6, 7, 12].map((installments) => find(installments)))

  expect(found).toEqual([null, 2, 3, 3, 7, 7])
  expect(await find(12, 'pix')).toBeNull()
})

describe('what the provider says', () => {
  const paidOutAt = '2026-12-10T12:00:00.000-03:00'

  test.each([
    ['wins over the company', { feeCents: 85, paidOutAt }, 85, 'provider', '2026-12-10'],
    ['of nothing kept is a fee', { feeCents: 0 }, 0, 'provider', null],
    ['of the day leaves the fee to the company', { paidOutAt }, 100, 'company', '2026-12-10'],
    ['is no fee above all', { feeCents: 10_001 }, 100, 'company', null],
    ['is no fee below nothing', { feeCents: -1 }, 100, 'company', null],
    ['is no day before', { paidOutAt: '2026-11-27T12:00:00Z' }, 100, 'company', null],
    ['is no day years away', { paidOutAt: '2028-01-01T12:00:00Z' }, 100, 'company', null],
  ])('%s', (_what, payout, feeCents, feeSource, expectedOn) => {
    expect(openCard(10_000, RATE, payout).payment).toMatchObject({
      ...{ feeCents, feeSource, expectedOn, payoutParts: expectedOn && 1 },
    })
  })

  test('after the approval puts the payment right, once, whatever the terms are by then', () => {
    const { applyPayout, payment } = openCard(10_000, RATE)
    const same = applyPayout(undefined, { rateBps: 200, fixedCents: 0 })
    const corrected = applyPayout({ feeCents: 85, paidOutAt: '2026-12-02T12:00:00Z' })
    const again = applyPayout({ feeCents: 85, paidOutAt: '2026-12-02T12:00:00Z' })

    expect(same).toMatchObject({ feeCents: 100, feeSource: 'company' })
    expect(corrected).toMatchObject({
      ...{ feeCents: 85, feeSource: 'provider', expectedOn: '2026-12-02', payoutParts: 1 },
    })
    expect(corrected.updatedAt > payment.updatedAt).toBe(true)
    expect(again.updatedAt).toBe(corrected.updatedAt)
  })

  test('is not written on what was never approved', () => {
    const card = openPayment(newBooks({ ...CARD, status: 'declined' }))
    const paid = { status: 'approved', reference: 'r', paidCents: 10_000, paidAt: PAID_AT } as const
    card.applyFact(buildAnswer({ ...paid, payout: { feeCents: 85 } }))

    expect(card.read().payment).toMatchObject({ feeCents: null, feeSource: null })
  })
})

test('the rules stand in the database too', async () => {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, PAID_AT)
  const set = (text: string) =>
    db.execute(sql`update transactions set ${sql.raw(text)} where id = ${id}`)

  await expect(set(`fee_cents = 10001, fee_source = 'company'`)).rejects.toThrow()
  await expect(set('fee_cents = 1')).rejects.toThrow()
  await expect(set(`expected_on = '2026-03-01'`)).rejects.toThrow()
  await expect(set(`fee_cents = 10000, fee_source = 'company'`)).resolves.toBeDefined()
})

const APPROVED_AT = '2026-11-21T15:00:00.000Z'

test('of what went back whole the fee is left to pay, and a refund and a dispute of the same money count once', () => {
  const payment = {
    ...{ approvedAt: APPROVED_AT, totalCents: 10_000, feeCents: 1_000 },
    ...{ refundedCents: 10_000, chargedBackCents: 0 },
  }

  expect(computeNet(payment)).toBe(-1_000)
  expect(computeNet({ ...payment, refundedCents: 4_000, chargedBackCents: 10_000 })).toBe(-1_000)
})

test('a day with several parts was guessed before, and is told no more', () => {
  expect(getPayoutDay({ expectedOn: '2026-12-21', payoutParts: 1 })).toBe('2026-12-21')
  expect(getPayoutDay({ expectedOn: '2026-12-21', payoutParts: 12 })).toBeNull()
})

const priced = (feeCents: number) => ({ feeCents, feeSource: 'company' as const })

test('a report says fees and net where each fee is known, and else neither', async () => {
  const merchant = await newMerchant()
  const range = { from: '2026-10-01', to: '2026-12-01' }
  await addPayment(merchant, '2026-10-10T15:00:00.000Z')
  await addPayment(merchant, APPROVED_AT, priced(0))
  await addPayment(merchant, APPROVED_AT, { ...priced(250), refundedCents: 1_000 })

  const { rows, total } = await buildReport(db, merchant.companyId, 'month', range)

  expect(rows).toMatchObject([
    {
      key: '2026-10',
      feeCents: null,
      netCents: null,
      afterRefundsCents: 10_000,
      withoutFeeCount: 1,
    },
    {
      key: '2026-11',
      feeCents: 250,
      netCents: 18_750,
      afterRefundsCents: 19_000,
      withoutFeeCount: 0,
    },
  ])
  expect(total).toMatchObject({ feeCents: null, netCents: null, withoutFeeCount: 1 })
})
