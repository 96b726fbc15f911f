// Payments that their payer contests, as a bank tells of it: once, twice, late, and thinking again.
import { afterEach, expect, test } from 'vitest'
import { checkPayment } from '../../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openDisputes } from '../../support/transactions/disputes.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { bank, waiting, paid, buildDispute, disputesOf, eventsOf, read, listEventTypes } =
  openDisputes(testApp)

const DAY_MS = 24 * 60 * 60_000
const RESPOND_BY = '2027-01-10T23:59:59.000Z'

afterEach(async () => {
  clock.offsetMs = 0
  bank.bankState.failing = undefined
  await db.$client.query('update transactions set check_at = null')
})

test('one in process is seen as open, with its reason and deadline, and changes nothing else', async () => {
  const { row, link, charge } = await paid()
  charge.disputes = [buildDispute({ amountCents: 4_000, respondBy: RESPOND_BY })]

  await checkPayment(needs, row)

  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 0 })
  expect(await disputesOf(row.id)).toMatchObject([
    {
      ...{ kind: 'med', status: 'open', reason: 'MED_FRAUDE', amountCents: 4_000 },
      ...{ closedAt: null, respondBy: RESPOND_BY },
    },
  ])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'dispute.opened'])
})

test('its opening, its news and its end are changes of the payment, and nothing else is', async () => {
  const { row, link, charge } = await paid()
  const told = buildDispute({ amountCents: 4_000 })
  const changes = []

  for (const news of [{}, { respondBy: RESPOND_BY }, { status: 'won' as const }]) {
    charge.disputes = [{ ...told, ...news }]
    clock.offsetMs += 60_000
    changes.push((await checkPayment(needs, await read(row.id))).updatedAt)
    clock.offsetMs += 60_000
    await checkPayment(needs, await read(row.id))
    expect((await read(row.id)).updatedAt).toBe(changes.at(-1))
  }

  expect(new Set(changes).size).toBe(3)
  const [, ...events] = await eventsOf(link)
  const said = events.map(({ data }) => data.transaction.updatedAt)
  expect(said).toEqual([changes[0], changes[2]])
})

test('all of it lost, the payment is charged back; told ten times at once it is told once', async () => {
  const { row, link, charge } = await paid()
  charge.disputes = [buildDispute({ status: 'lost' })]

  await Promise.all(Array.from({ length: 10 }, () => checkPayment(needs, row)))
  await checkPayment(needs, await read(row.id))

  expect(await read(row.id)).toMatchObject({
    ...{ status: 'charged_back', chargedBackCents: 10_000, refundedCents: 0 },
  })
  expect(await disputesOf(row.id)).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual([
    'transaction.approved',
    'dispute.opened',
    'dispute.closed',
    'transaction.charged_back',
  ])
})

test('what the events say of dispute and payment is how each stood then', async () => {
  const { row, link, charge } = await paid()
  charge.disputes = [buildDispute({ status: 'lost' })]

  await checkPayment(needs, row)

  const told = (await eventsOf(link)).map(({ data: { transaction, dispute } }) => [
    transaction.status,
    transaction.chargedBackCents,
    dispute?.status,
  ])
  expect(told).toEqual([
    ['approved', 0, undefined],
    ['approved', 0, 'open'],
    ['charged_back', 10_000, 'lost'],
    ['charged_back', 10_000, undefined],
  ])
})

test('a part that is lost keeps the status and is shown, and so is one that was won', async () => {
  const { row, link, charge } = await paid()
  charge.disputes = [
    buildDispute({ status: 'lost', amountCents: 3_000 }),
    buildDispute({ status: 'won', amountCents: 2_000 }),
  ]

  await checkPayment(needs, row)

  expect(await read(row.id)).toMatchObject({ status: 'approved', chargedBackCents: 3_000 })
  expect(await listEventTypes(link)).not.toContain('transaction.charged_back')
})

test('seven of seven Pix that were taken back by MED end charged back, never refunded', async () => {
  const rows = []
  for (const natureza of [...NATUREZAS, ...NATUREZAS, 'MED_FRAUDE']) {
    const { row, charge } = await paid()
    charge.disputes = [buildDispute({ status: 'lost', reason: natureza })]
    rows.push((await checkPayment(needs, row)).status)
  }

  expect(rows).toEqual(Array(7).fill('charged_back'))
})
const NATUREZAS = ['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO']

test('a word that comes after the end, of a dispute that is open, is an old one', async () => {
  const { row, link, charge } = await paid()
  const open = buildDispute({})
  charge.disputes = [{ ...open, status: 'lost' }]
  await checkPayment(needs, row)
  charge.disputes = [{ ...open, amountCents: 1 }]

  await checkPayment(needs, await read(row.id))

  expect(await read(row.id)).toMatchObject({ status: 'charged_back', chargedBackCents: 10_000 })
  expect(await disputesOf(row.id)).toMatchObject([{ status: 'lost', amountCents: 10_000 }])
  expect((await listEventTypes(link)).length).toBe(4)
})

test.each([
  [0, 'approved'],
  [2_500, 'partially_refunded'],
])(
  'won after it was lost, with %d cents refunded, the payment is %s again, and back again if need be',
  async (refundedCents, status) => {
    const { row, link, charge } = await paid()
    const dispute = buildDispute({ status: 'lost', amountCents: 10_000 - refundedCents })
    Object.assign(charge, { refundedCents, disputes: [dispute] })
    expect(await checkPayment(needs, row)).toMatchObject({ status: 'charged_back' })

    charge.disputes = [{ ...dispute, status: 'won' }]
    const won = await checkPayment(needs, await read(row.id))
    charge.disputes = [dispute]
    const lost = await checkPayment(needs, await read(row.id))

    expect(won).toMatchObject({ status, chargedBackCents: 0, refundedCents })
    expect(lost).toMatchObject({ status: 'charged_back', refundedCents })
    const types = (await listEventTypes(link)).filter((type) => /dispute|charged/.test(type))
    expect(types).toEqual([
      ...['dispute.opened', 'dispute.closed', 'transaction.charged_back', 'dispute.closed'],
      ...['dispute.closed', 'transaction.charged_back'],
    ])
  },
)

test.each([
  [6_999, 'partially_refunded', 0],
  [7_000, 'charged_back', 1],
])(
  'after a part was lost and %d cents of the rest went back, the payment is %s',
  async (refundedCents, status, times) => {
    const { row, link, charge } = await paid()
    charge.disputes = [buildDispute({ status: 'lost', amountCents: 3_000 })]
    expect(await checkPayment(needs, row)).toMatchObject({ status: 'approved' })
    Object.assign(charge, { refundedCents })

    await checkPayment(needs, await read(row.id))
    await checkPayment(needs, await read(row.id))

    expect(await read(row.id)).toMatchObject({ status, chargedBackCents: 3_000, refundedCents })
    const types = (await listEventTypes(link)).filter((type) => type === 'transaction.charged_back')
    expect(types).toHaveLength(times)
  },
)

test('told with the approval itself, both are told, in their order', async () => {
  const { row, link } = await waiting()
  bank.charges.set(row.id, { paidCents: 10_000, disputes: [buildDispute({ status: 'lost' })] })

  const current = await checkPayment(needs, row)

  expect(current).toMatchObject({ status: 'charged_back', approvedAt: expect.any(String) })
  expect(await listEventTypes(link)).toEqual([
    'transaction.approved',
    'dispute.opened',
    'dispute.closed',
    'transaction.charged_back',
  ])
})

test('a payment that is held is contested too', async () => {
  const { row } = await waiting()
  const charge = { paidCents: 9_000, disputes: [buildDispute({ amountCents: 9_000 })] }
  bank.charges.set(row.id, charge)

  const held = await checkPayment(needs, row)

  expect(held).toMatchObject({ status: 'pending', holdReason: expect.any(String) })
  expect(await disputesOf(row.id)).toMatchObject([{ status: 'open' }])
})

test('of a reason or a deadline that is told later the dispute knows then', async () => {
  const { row, link, charge } = await paid()
  const dispute = buildDispute({ reason: null })
  charge.disputes = [dispute]
  await checkPayment(needs, row)
  charge.disputes = [{ ...dispute, reason: 'MED_FRAUDE', respondBy: RESPOND_BY }]
  await checkPayment(needs, row)
  charge.disputes = [dispute]
  await checkPayment(needs, row)

  const known = { reason: 'MED_FRAUDE', respondBy: RESPOND_BY }
  expect(await disputesOf(row.id)).toMatchObject([known])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'dispute.opened'])
})

test('an open one is asked about each day, also after all other looks, and then no more', async () => {
  const { row, charge } = await paid()
  charge.disputes = [buildDispute({})]
  clock.offsetMs = 100 * DAY_MS
  const asked = await checkPayment(needs, row)

  const days = []
  for (let i = 0; i < 3; i++) {
    const { checkAt } = await read(row.id)
    days.push(Math.round((Date.parse(checkAt!) - clock.now().getTime()) / DAY_MS))
    clock.offsetMs += DAY_MS + 60_000
    if (i === 2) charge.disputes = [{ ...charge.disputes[0]!, status: 'won' }]
    await reconcileDuePayments(needs)
  }

  expect(asked).toMatchObject({ status: 'approved' })
  expect(days).toEqual([1, 1, 1])
  expect(await read(row.id)).toMatchObject({ checkAt: null })
})

test('an open one is not forgotten when the bank cannot be asked', async () => {
  const { row, charge } = await paid()
  charge.disputes = [buildDispute({})]
  clock.offsetMs = 100 * DAY_MS
  await checkPayment(needs, row)
  bank.bankState.failing = new Error('timeout')
  clock.offsetMs += DAY_MS + 60_000

  await reconcileDuePayments(needs)

  const { checkAt } = await read(row.id)
  expect(Date.parse(checkAt!)).toBeGreaterThan(clock.now().getTime())
})
