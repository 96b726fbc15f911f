// What a company has received, as its start page, its links and its customers show it.
import { expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { webhookDeliveries, webhookEndpoints } from '../../src/database/tables.ts'
import { sumCustomerRevenue, sumLinkRevenue } from '../../src/reports/revenue.ts'
import { loadSummary } from '../../src/reports/summary.ts'
import { listLatestPayments } from '../../src/transactions/list/list.ts'
import type { FinishedAttempt } from '../../src/webhooks/deliveries/attempt.ts'
import { claimDeliveries } from '../../src/webhooks/deliveries/claim.ts'
import { recordDeliveryAttempt } from '../../src/webhooks/deliveries/record.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { recordEvent } from '../../src/webhooks/events/event.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, cipher } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

/** Noon in São Paulo. */
const NOW = new Date('2026-11-21T15:00:00.000Z')
const TODAY = '2026-11-21T14:00:00.000Z'

test('a company without payments has a summary of zeros, and no rate of nothing', async () => {
  const { companyId } = await newMerchant()

  const summary = await loadSummary(db, companyId, NOW)

  const nothing = { count: 0, grossCents: 0, refundedCents: 0, afterRefundsCents: 0 }
  expect(summary).toMatchObject({
    today: { ...nothing, previous: nothing },
    last30: { ...nothing, previous: nothing },
    approval: { approved: 0, decided: 0, rate: null },
    byMethod: { pix: nothing, credit_card: nothing },
    heldCount: 0,
    overpaidCount: 0,
    failedDeliveries: 0,
  })
  expect(summary.days).toHaveLength(30)
  expect(summary.days[0]).toEqual({
    day: '2026-10-23',
    ...nothing,
    previous: nothing,
  })
  expect(summary.days.at(-1)!.day).toBe('2026-11-21')
})

test('a day begins and ends at midnight in São Paulo', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, '2026-11-21T02:59:59.999Z', { totalCents: 1_000 })
  await addPayment(testMerchant, '2026-11-21T03:00:00.000Z', { totalCents: 2_000 })
  await addPayment(testMerchant, NOW.toISOString(), { totalCents: 4_000 })
  await addPayment(testMerchant, '2026-11-21T15:00:00.001Z', { totalCents: 8_000 })

  const { today, days } = await loadSummary(db, testMerchant.companyId, NOW)

  expect(today).toMatchObject({ count: 2, grossCents: 6_000 })
  expect(days.slice(-2).map(({ grossCents }) => grossCents)).toEqual([1_000, 6_000])
})

test('a period has so many days, and what it is compared with ends at the same time of day', async () => {
  const testMerchant = await newMerchant()
  const at = [
    ['2026-11-15T03:00:00.000Z', 1],
    ['2026-11-15T02:59:59.999Z', 10],
    ['2026-11-14T15:00:00.000Z', 100],
    ['2026-11-14T15:00:01.000Z', 1_000],
    ['2026-11-08T03:00:00.000Z', 10_000],
    ['2026-11-08T02:59:59.999Z', 100_000],
    ['2026-11-20T15:00:00.000Z', 1_000_000],
    ['2026-11-20T15:00:01.000Z', 10_000_000],
  ] as const
  for (const [instant, totalCents] of at) await addPayment(testMerchant, instant, { totalCents })

  const { today, last7, last30 } = await loadSummary(db, testMerchant.companyId, NOW)

  expect(today.previous.grossCents).toBe(1_000_000)
  expect(last7.grossCents).toBe(11_000_001)
  expect(last7.previous.grossCents).toBe(10_100)
  expect(last30.grossCents).toBe(11_111_111)
})

test('the 30 days before are those from the sixtieth on', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, '2026-10-23T03:00:00.000Z', { totalCents: 1 })
  await addPayment(testMerchant, '2026-10-22T15:00:00.000Z', { totalCents: 10 })
  await addPayment(testMerchant, '2026-10-22T16:00:00.000Z', { totalCents: 100 })
  await addPayment(testMerchant, '2026-09-23T03:00:00.000Z', { totalCents: 1_000 })
  await addPayment(testMerchant, '2026-09-23T02:59:59.999Z', { totalCents: 10_000 })

  const { last30, days } = await loadSummary(db, testMerchant.companyId, NOW)

  expect(last30.grossCents).toBe(1)
  expect(last30.previous.grossCents).toBe(1_010)
  expect(days[0]).toMatchObject({
    ...{ day: '2026-10-23', grossCents: 1 },
    previous: { grossCents: 1_000 },
  })
  // That of today is not told of beyond this time of day.
  expect(days.at(-1)).toMatchObject({ day: '2026-11-21', previous: { grossCents: 10 } })
})

test('what went back is told apart, by refund or by the bank of the payer', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, TODAY, { status: 'partially_refunded', refundedCents: 2_500 })
  await addPayment(testMerchant, TODAY, { status: 'refunded', refundedCents: 10_000 })
  const contested = { status: 'charged_back', refundedCents: 1_000, method: 'credit_card' } as const
  await addPayment(testMerchant, TODAY, contested)

  const { today, byMethod } = await loadSummary(db, testMerchant.companyId, NOW)
  const earned = await sumLinkRevenue(db, testMerchant.companyId, testMerchant.linkId)
  const paid = await sumCustomerRevenue(db, testMerchant.companyId, testMerchant.customerId)

  const sum = { count: 3, grossCents: 30_000, refundedCents: 22_500, afterRefundsCents: 7_500 }
  expect(today).toMatchObject(sum)
  const unknown = { feeCents: null, netCents: null, withoutFeeCount: 3 }
  expect(earned).toEqual({ ...sum, ...unknown })
  expect(paid).toEqual({ ...sum, ...unknown })
  expect(byMethod.credit_card).toMatchObject({
    count: 1,
    refundedCents: 10_000,
    afterRefundsCents: 0,
  })
})

test('another company has no part in it, not even by the id of a link or a customer', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, TODAY, { status: 'charged_back' })
  const { companyId: stranger } = await newMerchant()

  const summary = await loadSummary(db, stranger, NOW)

  expect(summary).toMatchObject({
    last30: { count: 0, refundedCents: 0 },
    approval: { decided: 0 },
  })
  expect(await sumLinkRevenue(db, stranger, testMerchant.linkId)).toMatchObject({
    count: 0,
    afterRefundsCents: 0,
  })
  expect(await sumCustomerRevenue(db, stranger, testMerchant.customerId)).toMatchObject({
    count: 0,
  })
  expect(await listLatestPayments(db, stranger, 10)).toEqual([])
})

test('the approval rate is of what was decided of the last 30 days, by method too', async () => {
  const testMerchant = await newMerchant()
  const undecided = { approvedAt: null } as const
  const card = { method: 'credit_card' } as const
  await addPayment(testMerchant, TODAY)
  await addPayment(testMerchant, TODAY, { status: 'refunded', refundedCents: 10_000 })
  await addPayment(testMerchant, TODAY, { ...undecided, status: 'expired' })
  await addPayment(testMerchant, TODAY, { ...card, status: 'charged_back' })
  await addPayment(testMerchant, TODAY, { ...card, ...undecided, status: 'declined' })
  for (const status of ['pending', 'canceled', 'awaiting_authentication', 'processing'] as const) {
    await addPayment(testMerchant, TODAY, { ...undecided, status })
  }
  await addPayment(testMerchant, TODAY, {
    ...undecided,
    holdReason: 'Outro valor',
    status: 'expired',
  })
  await addPayment(testMerchant, '2026-10-23T02:59:59.000Z', { ...undecided, status: 'declined' })

  const { approval } = await loadSummary(db, testMerchant.companyId, NOW)

  expect(approval).toEqual({
    approved: 3,
    decided: 5,
    rate: 0.6,
    byMethod: {
      pix: { approved: 2, decided: 3, rate: 2 / 3 },
      credit_card: { approved: 1, decided: 2, rate: 0.5 },
    },
  })
})

test('a held payment counts until it is approved after all', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, TODAY, {
    approvedAt: null,
    status: 'pending',
    holdReason: 'Outro valor',
  })
  await addPayment(testMerchant, TODAY, { holdReason: 'Outro valor' })

  expect(await loadSummary(db, testMerchant.companyId, NOW)).toMatchObject({ heldCount: 1 })
})

test('what a link has earned is its own, of all times', async () => {
  const testMerchant = await newMerchant()
  const other = await addLink(testMerchant, 'Torta de limão')
  await addPayment(testMerchant, '2021-01-01T12:00:00.000Z', { totalCents: 1_000 })
  await addPayment(testMerchant, TODAY, { totalCents: 2_000 })
  await addPayment(testMerchant, TODAY, { totalCents: 4_000, paymentLinkId: other })
  await addPayment(testMerchant, TODAY, { approvedAt: null, status: 'declined' })

  expect(await sumLinkRevenue(db, testMerchant.companyId, testMerchant.linkId)).toMatchObject({
    count: 2,
    afterRefundsCents: 3_000,
  })
})

test('the last payments are those that were paid last, whenever they were begun', async () => {
  const testMerchant = await newMerchant()
  const ids = [
    await addPayment(testMerchant, '2026-11-20T10:00:00.000Z', {
      approvedAt: '2026-11-21T10:30:00.000Z',
    }),
    await addPayment(testMerchant, '2026-11-21T10:00:00.000Z'),
    await addPayment(testMerchant, '2026-11-21T11:00:00.000Z', {
      approvedAt: null,
      status: 'declined',
    }),
    await addPayment(testMerchant, '2026-11-21T12:00:00.000Z', {
      approvedAt: null,
      status: 'pending',
    }),
  ]

  const last = await listLatestPayments(db, testMerchant.companyId, 2)

  expect(last.map(({ id }) => id)).toEqual([ids[0], ids[1]])
  expect(last[0]!.linkTitle).toBe('Bolo de cenoura')
})

test('webhooks are counted, each once, when their last attempt failed within a day', async () => {
  const { companyId } = await newMerchant()
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
  await createEndpoint(db, cipher, { companyId, url: 'https://93.184.216.34/hook' })
  const event = { companyId, type: 'transaction.approved', testMode: true, data: {} } as const
  const failed = { outcome: 'http_error', statusCode: 500, answer: '', retryAfter: null } as const
  const attemptAll = async (minutes: number, made: Partial<FinishedAttempt>) => {
    const startedAt = new Date(Date.now() + minutes * 60_000)
    const ended = { ...failed, startedAt, endedAt: startedAt, ...made }
    for (const claimed of await claimDeliveries(db, startedAt, 100)) {
      await recordDeliveryAttempt(db, claimed, ended)
    }
    return startedAt
  }
  const emit = () => db.transaction((tx) => recordEvent(tx, { ...event, now: new Date() }))
  const failing = async (now: Date) => {
    return (await loadSummary(db, companyId, now)).failedDeliveries
  }
  await emit()
  await attemptAll(1, {})
  const at = await attemptAll(10, {})
  await emit()

  const day = 24 * 3_600_000
  expect(await db.$count(webhookDeliveries, sql`outcome is null`)).toBeGreaterThan(0)
  expect(await failing(new Date(at.getTime() + day))).toBe(1)
  expect(await failing(new Date(at.getTime() + day + 1))).toBe(0)
  await attemptAll(60, { outcome: 'delivered', statusCode: 200 })
  expect(await failing(at)).toBe(0)
})
