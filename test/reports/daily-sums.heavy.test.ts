// The sums of days, held to a plain sum over the payments after each of very many changes.
import { expect, test } from 'vitest'
import { checkDailySums } from '../../src/commands/doctor/sums.ts'
import { eq, sql } from '../../src/database/drizzle.ts'
import { dailyTagRevenue, transactions } from '../../src/database/tables.ts'
import { addDays, toDay } from '../../src/reports/days.ts'
import { foldRevenue } from '../../src/reports/fold.ts'
import { listPayoutDays } from '../../src/reports/payouts.ts'
import { buildReport, REPORT_KINDS } from '../../src/reports/reports.ts'
import { sumLinkRevenue } from '../../src/reports/revenue.ts'
import { loadSummary } from '../../src/reports/summary.ts'
import { computeNet, getPayoutDay } from '../../src/transactions/payouts/net.ts'
import { listFillStatements } from '../support/migrations/daily-revenue.ts'
import { openPayments, type TestMerchant } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

/** Noon in São Paulo. */
const NOW = new Date('2026-11-21T15:00:00.000Z')
const RANGE = { from: '2026-10-01', to: '2026-12-01' }
const HOUR_MS = 3_600_000

/** The same for each run: a linear congruential generator. */
function newDice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

/** What the sums should be, from nothing but the payments. */
async function sumPayments({ companyId, linkId }: TestMerchant) {
  const { rows } = await db.execute(sql`
    with payment as (
      select *, refunded_cents + least(charged_back_cents, total_cents - refunded_cents) as gone,
        (approved_at at time zone 'America/Sao_Paulo')::date::text as day
      from transactions where company_id = ${companyId} and approved_at is not null
    ), entry as (
      select 'day' as kind, day as key, payment.* from payment
      union all select 'month', left(day, 7), payment.* from payment
      union all select 'method', method, payment.* from payment
      union all select 'link', payment_link_id::text, payment.* from payment
      union all select 'tag', tag, payment.* from payment left join lateral unnest(tags) tag on true
      union all select 'one link', null, payment.* from payment where payment_link_id = ${linkId}
    )
    select kind, key, count(*)::int as count, sum(total_cents)::int as "grossCents",
      sum(gone)::int as "refundedCents", sum(total_cents - gone)::int as "afterRefundsCents",
      case when count(fee_cents) = count(*) then sum(fee_cents)::int end as "feeCents",
      case when count(fee_cents) = count(*) then sum(total_cents - gone - fee_cents)::int end as "netCents",
      count(*)::int - count(fee_cents)::int as "withoutFeeCount"
    from entry group by 1, 2`)
  return rows.map((row) => JSON.stringify(row)).sort()
}

/** The same from the reports. */
const FIRST_DAY = '2026-10-15'

async function readReports({ companyId, linkId }: TestMerchant) {
  const kinds = REPORT_KINDS.filter((kind) => kind !== 'week')
  const reports = await Promise.all(
    kinds.map(async (kind) => {
      const { rows } = await buildReport(db, companyId, kind, RANGE)
      return rows.map(({ label: _, ...row }) => ({ kind, ...row }))
    }),
  )
  const link = { kind: 'one link', key: null, ...(await sumLinkRevenue(db, companyId, linkId)) }
  const rows = [...reports.flat(), link].filter(({ count }) => count > 0)
  return rows.map((row) => JSON.stringify(row)).sort()
}

/** What should be paid out on each day. */
async function listParts({ companyId }: TestMerchant) {
  const rows = await db.select().from(transactions).where(eq(transactions.companyId, companyId))
  const parts = rows.flatMap((row) => {
    const [day, netCents] = [getPayoutDay(row), computeNet(row)]
    return day !== null && day >= FIRST_DAY && netCents !== null ? [{ day, netCents }] : []
  })
  const days = Map.groupBy(parts, ({ day }) => day)
  return [...days]
    .map(([day, due]) => [day, due.reduce((sum, { netCents }) => sum + netCents, 0)])
    .filter(([, cents]) => cents !== 0)
    .sort()
}

/** The same from the calendar. */
async function readCalendar({ companyId }: TestMerchant) {
  const days = await listPayoutDays(db, companyId, FIRST_DAY)
  const byDay = Map.groupBy(days, ({ day }) => day)
  return [...byDay]
    .map(([day, due]) => [day, due.reduce((sum, { netCents }) => sum + netCents, 0)])
    .filter(([, cents]) => cents !== 0)
    .sort()
}

async function readApproval({ companyId }: TestMerchant) {
  const { approved, decided } = (await loadSummary(db, companyId, NOW)).approval
  return { approved, decided }
}

async function countDecided({ companyId }: TestMerchant) {
  const { rows } = await db.execute(sql`
    select count(approved_at)::int as approved, count(*)::int as decided from transactions
    where company_id = ${companyId} and created_at >= '2026-10-23T03:00:00Z'
      and (approved_at is not null or (status in ('declined', 'expired') and hold_reason is null))`)
  return rows[0]
}

/** Begins a payment, or takes one a step further, as a provider, a payer's bank or a company would. */
function createWorld(
  testMerchant: TestMerchant,
  otherLink: string,
  dice: (sides: number) => number,
) {
  const ids: string[] = []
  const tagSets = [[], ['a'], ['a', 'b'], ['b', 'c']]

  return async function takeStep() {
    const id = ids[dice(ids.length + 1)]
    if (id === undefined || dice(3) === 0) return begin()
    const change = dice(9)
    const approvedAt = new Date(NOW.getTime() - dice(50 * 24) * HOUR_MS).toISOString()
    const steps = [
      sql`status = 'approved', approved_at = ${approvedAt} where approved_at is null`,
      sql`status = 'declined' where status = 'pending'`,
      sql`status = 'expired', hold_reason = case when total_cents % 2 = 0 then 'Outro valor' end where status = 'pending'`,
      sql`refunded_cents = least(total_cents, refunded_cents + 700) where approved_at is not null`,
      sql`charged_back_cents = total_cents - charged_back_cents where approved_at is not null`,
      sql`updated_at = now() where true`,
      sql`fee_cents = ${dice(1_000)}, fee_source = 'provider' where true`,
      sql`fee_cents = null, fee_source = null where true`,
      sql`expected_on = ${addDays(toDay(NOW), dice(60) - 30)}, payout_parts = 1 where true`,
    ]
    await db.execute(sql`update transactions set ${steps[change]!} and id = ${id}`)
  }

  async function begin() {
    const at = new Date(NOW.getTime() - dice(50 * 24) * HOUR_MS).toISOString()
    const more = {
      ...{ totalCents: 1_000 + dice(1_000), tags: tagSets[dice(4)]! },
      method: dice(2) === 0 ? ('pix' as const) : ('credit_card' as const),
      ...(dice(2) === 0 && { paymentLinkId: otherLink }),
      ...(dice(2) === 0 && { status: 'pending' as const, approvedAt: null }),
    }
    ids.push(await addPayment(testMerchant, at, more))
  }
}

test.each([1, 2, 3])(
  'after whatever became of the payments, and wherever a fold is, reports say what the payments say (%i)',
  async (seed) => {
    const testMerchant = await newMerchant()
    const dice = newDice(seed)
    const takeStep = createWorld(testMerchant, await addLink(testMerchant), dice)

    for (let step = 0; step < 120; step++) {
      await takeStep()
      if (dice(6) === 0) await foldRevenue(db, 1 + dice(20))
      if (dice(8) > 0) continue
      expect(await readReports(testMerchant)).toEqual(await sumPayments(testMerchant))
      expect(await readApproval(testMerchant)).toEqual(await countDecided(testMerchant))
      expect(await readCalendar(testMerchant)).toEqual(await listParts(testMerchant))
    }
    await foldRevenue(db, 10_000)
    expect(await readReports(testMerchant)).toEqual(await sumPayments(testMerchant))
    expect(await readApproval(testMerchant)).toEqual(await countDecided(testMerchant))
    expect(await readCalendar(testMerchant)).toEqual(await listParts(testMerchant))
    expect(await checkDailySums(db, NOW)).toMatchObject({ status: 'ok' })
  },
)

test('while many are paid, refunded and folded at once, no reader sees a payment twice or not at all', async () => {
  const testMerchant = await newMerchant()
  const ids = await Promise.all(
    Array.from({ length: 40 }, () =>
      addPayment(testMerchant, NOW.toISOString(), { totalCents: 1_000 }),
    ),
  )
  const counts: number[] = []

  await Promise.all([
    ...ids.map((id) =>
      db.execute(sql`update transactions set refunded_cents = 10 where id = ${id}`),
    ),
    ...Array.from({ length: 10 }, () => foldRevenue(db, 7)),
    ...Array.from({ length: 20 }, async () => {
      const { total } = await buildReport(db, testMerchant.companyId, 'method', RANGE)
      counts.push(total.count)
    }),
  ])

  expect(new Set(counts)).toEqual(new Set([40]))
  const { total } = await buildReport(db, testMerchant.companyId, 'link', RANGE)
  expect(total).toMatchObject({ count: 40, refundedCents: 400 })
})

test('only one process folds at a time', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, NOW.toISOString())

  const folded = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7268319)`)
    return foldRevenue(db, 10)
  })

  expect(folded).toBe(0)
  expect(await foldRevenue(db, 1)).toBe(1)
})

test('the doctor finds a day that was changed, and a payment that no trigger saw', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, NOW.toISOString(), { tags: ['festa'] })
  const old = await addPayment(testMerchant, '2026-01-05T15:00:00.000Z')
  while ((await foldRevenue(db, 1_000)) > 0);
  const sound = await checkDailySums(db, NOW)

  await db
    .update(dailyTagRevenue)
    .set({ grossCents: 1 })
    .where(eq(dailyTagRevenue.companyId, testMerchant.companyId))
  const changed = await checkDailySums(db, NOW)
  await db
    .update(dailyTagRevenue)
    .set({ grossCents: 10_000 })
    .where(eq(dailyTagRevenue.companyId, testMerchant.companyId))
  const mended = await checkDailySums(db, NOW)
  await db.execute(sql`alter table transactions disable trigger keep_changed_revenue`)
  await db.update(transactions).set({ refundedCents: 1 }).where(eq(transactions.id, old))
  await db.execute(sql`alter table transactions enable trigger keep_changed_revenue`)
  const unseen = await checkDailySums(db, NOW)

  expect(sound).toMatchObject({ status: 'ok' })
  expect(changed.status).toBe('fail')
  expect(changed.what).toContain(`daily_tag_revenue ${testMerchant.companyId} ${toDay(NOW)} festa`)
  expect(mended).toMatchObject({ status: 'ok' })
  expect(unseen.what).toContain(`daily_revenue ${testMerchant.companyId}`)
})

test('a payment counts on its day in São Paulo, whichever day it is in UTC', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, '2026-11-21T02:59:59.999Z', { totalCents: 1 })
  await addPayment(testMerchant, '2026-11-21T03:00:00.000Z', { totalCents: 2 })
  await foldRevenue(db, 1_000)

  const day = '2026-11-21'
  const { companyId } = testMerchant
  const { total } = await buildReport(db, companyId, 'day', { from: day, to: addDays(day, 1) })

  expect(total.grossCents).toBe(2)
})

test('what was paid before there were sums is filled in beside what is paid meanwhile, twice as well as once', async () => {
  const testMerchant = await newMerchant()
  await db.execute(sql`alter table transactions disable trigger user`)
  const old = await addPayment(testMerchant, NOW.toISOString(), { tags: ['a', 'b'] })
  await addPayment(testMerchant, NOW.toISOString())
  await addPayment(testMerchant, NOW.toISOString(), { status: 'declined', approvedAt: null })
  // Nobody knew a fee then.
  await db.execute(sql`update transactions set fee_cents = null, fee_source = null`)
  await db.execute(sql`alter table transactions enable trigger user`)
  await db.execute(
    sql`truncate daily_revenue, daily_link_revenue, daily_tag_revenue, daily_payouts, link_revenue`,
  )
  await addPayment(testMerchant, NOW.toISOString(), { tags: ['a'] })
  await db.execute(sql`update transactions set refunded_cents = 500 where id = ${old}`)

  const filled = []
  for (let turn = 0; turn < 2; turn++) {
    for (const statement of listFillStatements()) await db.execute(sql.raw(statement))
    filled.push(await readReports(testMerchant))
  }
  await foldRevenue(db, 1_000)

  const expected = await sumPayments(testMerchant)
  expect(filled).toEqual([expected, expected])
  expect(await readReports(testMerchant)).toEqual(expected)
  expect(await readApproval(testMerchant)).toEqual({ approved: 3, decided: 4 })
  expect(await checkDailySums(db, NOW)).toMatchObject({ status: 'ok' })
})
