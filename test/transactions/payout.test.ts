// What a payment costs its company, decided with its approval, and what is left of it, by itself and in reports.
import { describe, expect, test } from 'vitest'
import { eq, sql } from '../../src/database/drizzle.ts'
import type { PaymentMethod } from '../../src/database/enums.ts'
import { payoutTerms, transactions } from '../../src/database/tables.ts'
import type { ProviderPayout } from '../../src/providers/provider.ts'
import { buildReport } from '../../src/reports/reports.ts'
import { computeNet, getPayoutDay } from '../../src/transactions/payout.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import { requireKind } from '../support/kind.ts'
import { openPayments } from '../support/payments.ts'
import { CHECKOUT_URL, openTestApp } from '../support/test-app.ts'
import { settle } from '../support/transactions/settle.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

/** Still the 28th of February in São Paulo, where the day ends at 3:00. */
const PAID_AT = '2026-03-01T02:59:59.000Z'
const context = { checkoutUrl: CHECKOUT_URL, now: new Date(PAID_AT) }

type Told = Partial<typeof payoutTerms.$inferInsert>

async function newPricedMerchant(...rows: Told[]) {
  const merchant = await newMerchant()
  const { companyId } = merchant
  const base = { companyId, method: 'pix' as const, installments: 1, rateBps: 99, fixedCents: 0 }
  if (rows.length > 0) {
    await db.insert(payoutTerms).values(rows.map((row) => ({ ...base, ...row })))
  }
  return merchant
}

type Merchant = Awaited<ReturnType<typeof newMerchant>>

/** A payment of that much that is just being approved. */
async function approve(
  merchant: Merchant,
  { payout, ...more }: Partial<TransactionRow> & { payout?: ProviderPayout } = {},
) {
  const method: PaymentMethod = more.method ?? 'pix'
  const open = { status: 'processing' as const, approvedAt: null, method }
  const id = await addPayment(merchant, PAID_AT, { ...more, ...open })
  const [row] = await db.select().from(transactions).where(eq(transactions.id, id))
  const common = { status: 'approved' as const, reference: id, ...(payout && { payout }) }
  const paidAt = PAID_AT
  const amountCents = row!.totalCents
  const pix = { endToEndId: `E${id}`, amountCents, paidAt, refundedCents: 0 }
  const approval =
    method === 'pix'
      ? { ...common, received: [pix] }
      : { ...common, paidCents: amountCents, paidAt }
  const { payment } = requireKind(await settle(db, row!, approval, context), 'settled')
  return payment
}

const CARD = { method: 'credit_card' as const }

test('fee and net are written with the approval of a Pix, and no day that nobody said', async () => {
  const merchant = await newPricedMerchant({ rateBps: 99 })

  const payment = await approve(merchant, { totalCents: 19_990 })

  expect(payment).toMatchObject({
    ...{ feeCents: 198, feeSource: 'company', expectedOn: null, payoutParts: null },
  })
  expect(computeNet(payment)).toBe(19_792)
})

test('nobody said what it costs: nothing is known, and nothing is taken for zero', async () => {
  const payment = await approve(await newMerchant())

  expect(payment).toMatchObject({
    ...{ feeCents: null, feeSource: null, expectedOn: null, payoutParts: null },
  })
  expect(computeNet(payment)).toBeNull()
})

test('the company says that it costs nothing: that is known', async () => {
  const merchant = await newPricedMerchant({ rateBps: 0 })

  const payment = await approve(merchant)

  expect(payment).toMatchObject({ feeCents: 0, feeSource: 'company' })
  expect(computeNet(payment)).toBe(10_000)
})

test('what another company told says nothing of this one', async () => {
  await newPricedMerchant({ rateBps: 500 })

  expect((await approve(await newMerchant())).feeCents).toBeNull()
})

describe('a card', () => {
  const rows = [1, 2, 7].map((installments) => ({
    ...{ ...CARD, installments, rateBps: 300 + installments, fixedCents: installments },
  }))

  test.each([
    [1, 301 + 1],
    [2, 302 + 2],
    [6, 302 + 2],
    [7, 307 + 7],
    [12, 307 + 7],
  ])(
    'in %i installments costs what holds from the last number that was told',
    async (installments, feeCents) => {
      const merchant = await newPricedMerchant(...rows)

      const payment = await approve(merchant, { ...CARD, installments })

      expect(payment).toMatchObject({ feeCents })
    },
  )

  test('is not known below the least number that was told', async () => {
    const merchant = await newPricedMerchant({ ...CARD, installments: 2 })

    expect((await approve(merchant, { ...CARD, installments: 1 })).feeCents).toBeNull()
  })
})

test.each([
  [150, 100, 2],
  [149, 100, 1],
  [50, 100, 1],
  [49, 100, 0],
  [10_050, 99, 99],
  [10_051, 99, 100],
])('of %i cents %i basis points are rounded half up', async (totalCents, rateBps, cents) => {
  const merchant = await newPricedMerchant({ rateBps })

  expect((await approve(merchant, { totalCents })).feeCents).toBe(cents)
})

test('a fee is never more than all', async () => {
  const merchant = await newPricedMerchant({ rateBps: 3_000, fixedCents: 500 })

  expect((await approve(merchant, { totalCents: 600 })).feeCents).toBe(600)
  expect((await approve(merchant, { totalCents: 1_000 })).feeCents).toBe(800)
})

test('terms that change later change no payment', async () => {
  const merchant = await newPricedMerchant({ rateBps: 100 })
  const { id } = await approve(merchant)

  await db
    .update(payoutTerms)
    .set({ rateBps: 200 })
    .where(eq(payoutTerms.companyId, merchant.companyId))
  const later = await approve(merchant)

  const [before] = await db.select().from(transactions).where(eq(transactions.id, id))
  expect([before!.feeCents, later.feeCents]).toEqual([100, 200])
})

describe('what the provider says', () => {
  test('wins over what the company told', async () => {
    const merchant = await newPricedMerchant({ rateBps: 100 })
    const payout = { feeCents: 85, paidOutAt: '2026-03-10T12:00:00.000-03:00' }

    expect(await approve(merchant, { payout })).toMatchObject({
      ...{ feeCents: 85, feeSource: 'provider', expectedOn: '2026-03-10', payoutParts: 1 },
    })
  })

  test('leaves to the company the fee that it does not say, and to nobody the day', async () => {
    const merchant = await newPricedMerchant({ rateBps: 100 })
    const paidOutAt = '2026-03-10T12:00:00.000-03:00'

    expect(await approve(merchant, { payout: { feeCents: 0 } })).toMatchObject({
      ...{ feeCents: 0, feeSource: 'provider', expectedOn: null, payoutParts: null },
    })
    expect(await approve(merchant, { payout: { paidOutAt } })).toMatchObject({
      ...{ feeCents: 100, feeSource: 'company', expectedOn: '2026-03-10', payoutParts: 1 },
    })
  })

  test.each([
    ['a fee above all', { feeCents: 10_001 }],
    ['a fee below nothing', { feeCents: -1 }],
    ['a day before the payment', { paidOutAt: '2026-02-27T12:00:00Z' }],
    ['a day that is years away', { paidOutAt: '2027-04-01T12:00:00Z' }],
  ])('is not believed: %s', async (_, payout) => {
    const merchant = await newPricedMerchant({ rateBps: 100 })

    expect(await approve(merchant, { payout })).toMatchObject({
      ...{ feeCents: 100, feeSource: 'company', expectedOn: null },
    })
  })

  test('after the approval puts the payment right, once', async () => {
    const merchant = await newPricedMerchant({ rateBps: 100 })
    const payment = await approve(merchant)
    const approval = {
      ...{ status: 'approved' as const, reference: 'r', paidCents: 10_000, paidAt: PAID_AT },
      payout: { feeCents: 85, paidOutAt: '2026-03-02T12:00:00Z' },
    }
    const later = new Date('2026-03-01T12:00:00.000Z')

    const { payment: corrected } = await settle(db, payment, approval, { ...context, now: later })
    const muchLater = { ...context, now: new Date('2026-03-03T12:00:00Z') }
    const { payment: again } = await settle(db, corrected, approval, muchLater)

    expect(corrected).toMatchObject({
      ...{ feeCents: 85, feeSource: 'provider', expectedOn: '2026-03-02', payoutParts: 1 },
      updatedAt: later.toISOString(),
    })
    expect(again.updatedAt).toBe(later.toISOString())
  })

  test('is not written on what was never approved', async () => {
    const merchant = await newMerchant()
    const id = await addPayment(merchant, PAID_AT, { status: 'declined', approvedAt: null })
    const [row] = await db.select().from(transactions).where(eq(transactions.id, id))
    const approval = {
      ...{ status: 'approved' as const, reference: 'r', paidCents: 10_000, paidAt: PAID_AT },
      payout: { feeCents: 85 },
    }

    const { payment } = await settle(db, row!, approval, { ...context, now: new Date(PAID_AT) })
    expect(payment).toMatchObject({ feeCents: null, feeSource: null })
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
