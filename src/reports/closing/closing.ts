// A company's month as its accountant books it: what came in on the day of its approval, what went back on the
// day that it went, so that a month that is over changes no more by what comes after.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../../database/enums.ts'
import { buildRecord } from '../../record.ts'
import { METHOD_DAYS } from '../daily-sums.ts'
import { addKnown, selectRevenue } from '../revenue.ts'
import { getMonthDays } from './month.ts'

export type ClosingSums = {
  count: number
  grossCents: number
  refundedCents: number
  /** Lost in disputes; negative where more was won back. */
  lostCents: number
  /** Null, like the net, where the fee of any of the payments is not known. */
  feeCents: number | null
  netCents: number | null
  withoutFeeCount: number
}

export type ClosingDay = ClosingSums & { day: string; method: PaymentMethod }

export type Closing = {
  month: string
  /** Those on which something came in or went back, each method by itself. */
  days: ClosingDay[]
  byMethod: Record<PaymentMethod, ClosingSums>
  total: ClosingSums
}

export async function loadClosing(
  db: Database,
  companyId: string,
  month: string,
): Promise<Closing> {
  const { from, to } = getMonthDays(month)
  const { rows } = await db.execute<DayRow>(sql`
    select day::text, method, sum(payments)::float8 as count, sum(gross)::float8 as "grossCents",
      sum(refunded)::float8 as "refundedCents", sum(lost)::float8 as "lostCents",
      sum(priced)::float8 as "pricedCount", sum(fee)::float8 as "knownFeeCents"
    from (
      select day, method, payments, gross, priced, fee, 0 as refunded, 0 as lost
      from ${selectRevenue(METHOD_DAYS, { companyId, from, to })} revenue
      union all
      select day, method, 0, 0, 0, 0, refunded_cents, lost_cents from payment_returns
      where company_id = ${companyId} and day >= ${from} and day < ${to}
    ) moves
    group by day, method
    having sum(payments) <> 0 or sum(gross) <> 0 or sum(refunded) <> 0 or sum(lost) <> 0
    order by day, method desc`)
  const days = rows.map(toClosingDay)
  return {
    month,
    days,
    byMethod: buildRecord(PAYMENT_METHODS, (method) =>
      sumClosing(days.filter((row) => row.method === method)),
    ),
    total: sumClosing(days),
  }
}

/** Nothing came in, and nothing went back. */
export function isEmptyClosing({ days }: Closing) {
  return days.length === 0
}

export function sumClosing(rows: readonly ClosingSums[]): ClosingSums {
  return rows.reduce(addSums, NO_SUMS)
}

type DayRow = {
  day: string
  method: PaymentMethod
  pricedCount: number
  knownFeeCents: number
} & Pick<ClosingSums, 'count' | 'grossCents' | 'refundedCents' | 'lostCents'>

function toClosingDay({ pricedCount, knownFeeCents, ...row }: DayRow): ClosingDay {
  const withoutFeeCount = row.count - pricedCount
  const feeCents = withoutFeeCount === 0 ? knownFeeCents : null
  const kept = row.grossCents - row.refundedCents - row.lostCents
  return { ...row, withoutFeeCount, feeCents, netCents: feeCents === null ? null : kept - feeCents }
}

const NO_SUMS: ClosingSums = {
  ...{ count: 0, grossCents: 0, refundedCents: 0, lostCents: 0 },
  ...{ feeCents: 0, netCents: 0, withoutFeeCount: 0 },
}

function addSums(a: ClosingSums, b: ClosingSums): ClosingSums {
  return {
    count: a.count + b.count,
    grossCents: a.grossCents + b.grossCents,
    refundedCents: a.refundedCents + b.refundedCents,
    lostCents: a.lostCents + b.lostCents,
    feeCents: addKnown(a.feeCents, b.feeCents),
    netCents: addKnown(a.netCents, b.netCents),
    withoutFeeCount: a.withoutFeeCount + b.withoutFeeCount,
  }
}
