// Whether the daily sums that reports are made of say what the payments themselves say.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { buildMinUuid } from '../../database/id.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import {
  DAILY_SUMS,
  type DailySums,
  LINK_DAYS,
  METHOD_DAYS,
  PAYOUT_DAYS,
} from '../../reports/daily-sums.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import { LOST_CENTS } from '../../reports/revenue.ts'
import { type Finding, reportFailure, reportOk } from './finding.ts'

const CHECK_TIMEOUT_MS = MINUTE_MS
/** So many days are compared one by one, all others as what each company took in so far. */
const CHECKED_DAYS = 30
const MAX_NAMED = 3

/** In one snapshot, in which whoever is paid meanwhile stands on both sides or on neither. */
export async function checkDailySums(db: Database, now: Date): Promise<Finding> {
  const first = addDays(toDay(now), -CHECKED_DAYS)
  const drifts = await db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${CHECK_TIMEOUT_MS}`))
      const found: string[] = []
      for (const drift of listDrifts(first)) {
        const { rows } = await tx.execute<{ name: string }>(sql`${drift} limit ${MAX_NAMED}`)
        found.push(...rows.map(({ name }) => name))
      }
      return found
    },
    { isolationLevel: 'repeatable read' },
  )
  const scope = `day by day since ${first}, and all together`
  if (drifts.length === 0) return reportOk(`sums: reports say what the payments say, ${scope}`)
  return reportFailure(
    `sums: reports do not say what the payments say (${drifts.slice(0, MAX_NAMED).join(', ')})`,
    'until they are mended go by the table of the transactions, and tell us: this must not happen',
  )
}

function listDrifts(first: string) {
  // Of a tag there is no sum that the payments would have without a look at each.
  const totals = [METHOD_DAYS, LINK_DAYS].map(selectTotalDrifts)
  return [
    ...totals,
    selectPayoutDrifts(),
    selectReturnDrifts(),
    selectLinkDrifts(),
    ...DAILY_SUMS.map((days) => selectDayDrifts(days, first)),
  ]
}

/** Days, of a method, link or tag, whose sums are not those of what was approved and begun on them. */
function selectDayDrifts(days: DailySums, first: string): SQL {
  const { table, key, sums, selectEntries, reachDays = 0 } = days
  const start = getDayStart(addDays(first, -reachDays))
  const columns = sql.raw(`${key}, ${sums.join(', ')}`)
  const negated = sql.raw(`${key}, ${sums.map((name) => `-${name}`).join(', ')}`)
  const rows = sql`(
    select change.* from transactions payment
    cross join lateral revenue_of(payment, 1::smallint) change
    where payment.id in (
      select id from transactions where approved_at >= ${start}
      union all select id from transactions where id >= ${buildMinUuid(Date.parse(start))}
    )
  )`
  return sql`
    select ${sql.raw(`concat_ws(' ', '${table}', ${key})`)} as name from (
      select ${columns} from (${selectEntries(rows)}) counted
      union all select ${negated} from ${sql.raw(table)}
      union all select ${negated} from (${selectEntries(sql`revenue_changes`)}) unfolded
    ) entry
    where day >= ${first} group by ${sql.raw(key)} having ${isAnyDrift(sums)}`
}

/** Companies whose sums of all days are not those of all their payments, which one index knows, fees aside. */
function selectTotalDrifts({ table, selectEntries }: DailySums): SQL {
  const sums = ['payments', 'gross_cents', 'refunded_cents', 'priced', 'fee_cents']
  const columns = sql.raw(`company_id, ${sums.map((name) => `sum(${name}) as ${name}`).join(', ')}`)
  return sql`
    select concat_ws(' ', ${table}::text, company_id) as name from (
      select ${columns} from ${sql.raw(table)} group by 1
      union all select ${columns} from (${selectEntries(sql`revenue_changes`)}) unfolded group by 1
      union all select company_id, -count(*), -sum(total_cents), -sum(refunded_cents), 0, 0
      from transactions where approved_at is not null group by 1
      union all select company_id, 0, 0, -sum(${LOST_CENTS}), 0, 0
      from transactions where charged_back_cents > 0 and approved_at is not null group by 1
      union all select company_id, 0, 0, 0, -count(*), -sum(fee_cents)
      from transactions where fee_cents is not null and approved_at is not null group by 1
    ) total
    group by company_id having ${isAnyDrift(sums)}`
}

/** Companies whose parts, of all days, are not what is left of their payments. */
function selectPayoutDrifts(): SQL {
  const { table, selectEntries } = PAYOUT_DAYS
  return sql`
    select concat_ws(' ', ${table}::text, company_id) as name from (
      select company_id, sum(net_cents) as net_cents from ${sql.raw(table)} group by 1
      union all select company_id, sum(net_cents) from (${selectEntries(sql`revenue_changes`)}) unfolded
      group by 1
      union all select company_id, -sum(total_cents - refunded_cents - ${LOST_CENTS} - fee_cents)
      from transactions
      where fee_cents is not null and expected_on is not null and approved_at is not null group by 1
    ) total
    group by company_id having ${isAnyDrift(['net_cents'])}`
}

/** Companies of whose payments more or less went back than was written down day by day. */
function selectReturnDrifts(): SQL {
  return sql`
    select concat_ws(' ', 'payment_returns', company_id) as name from (
      select company_id, sum(refunded_cents) as refunded_cents, sum(lost_cents) as lost_cents
      from payment_returns group by 1
      union all select company_id, -sum(refunded_cents), 0
      from transactions where approved_at is not null group by 1
      union all select company_id, 0, -sum(${LOST_CENTS})
      from transactions where charged_back_cents > 0 and approved_at is not null group by 1
    ) total
    group by company_id having ${isAnyDrift(['refunded_cents', 'lost_cents'])}`
}

/** Links that are put in order by another sum than that of their days, or looked for in other months than these. */
function selectLinkDrifts(): SQL {
  const isOutside = sql`min(first_day) < min(first_month) or month_of(max(last_day)) > max(last_month)`
  return sql`
    select concat_ws(' ', 'link_revenue', payment_link_id) as name from (
      select company_id, payment_link_id, received_cents, first_month, last_month, null as first_day, null as last_day
      from link_revenue
      union all select company_id, payment_link_id, -sum(gross_cents - refunded_cents), null, null,
        min(day) filter (where gross_cents <> refunded_cents), max(day) filter (where gross_cents <> refunded_cents)
      from daily_link_revenue group by 1, 2
    ) total
    group by company_id, payment_link_id having ${isAnyDrift(['received_cents'])} or ${isOutside}`
}

function isAnyDrift(sums: readonly string[]) {
  return sql.raw(sums.map((name) => `sum(${name}) <> 0`).join(' or '))
}
