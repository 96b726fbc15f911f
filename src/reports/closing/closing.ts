// The closing of a company's month for its accountant, from the book of money. Each movement belongs to its day, so a
// month that is over no longer changes.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../../database/enums.ts'
import { buildRecord } from '../../record.ts'
import {
  addRevenue,
  isWithin,
  NO_REVENUE,
  REVENUE_COLUMNS,
  type Revenue,
  type RevenueRow,
  selectMovements,
  toRevenue,
} from '../revenue.ts'
import { getMonthDays } from './month.ts'

export type ClosingSums = Revenue & {
  /** The part of `refundedCents` lost in disputes; negative when more was won back. */
  lostCents: number
  /** Money received above sales, minus its refunds; not included in any other sum. */
  surplusCents: number
}

export type ClosingDay = ClosingSums & { day: string; method: PaymentMethod }

export type Closing = {
  month: string
  /** The days with movements, each method separately. */
  days: ClosingDay[]
  byMethod: Record<PaymentMethod, ClosingSums>
  total: ClosingSums
}

type DayRow = RevenueRow & Pick<ClosingDay, 'day' | 'method' | 'lostCents' | 'surplusCents'>

export async function loadClosing(
  db: Database,
  companyId: string,
  month: string,
): Promise<Closing> {
  const { rows } = await db.execute<DayRow>(sql`
    select day::text, method, ${REVENUE_COLUMNS},
      coalesce(-sum(cents) filter (where kind in ('dispute', 'dispute_won')), 0)::float8 as "lostCents",
      coalesce(sum(cents) filter (where kind in ('surplus', 'surplus_refund')), 0)::float8 as "surplusCents"
    from ${selectMovements(companyId, isWithin(getMonthDays(month)))} movement
    group by day, method order by day, method desc`)
  const days = rows.map(({ day, method, lostCents, surplusCents, ...row }) => {
    return { ...toRevenue(row), day, method, lostCents, surplusCents }
  })
  return {
    month,
    days,
    byMethod: buildRecord(PAYMENT_METHODS, (method) =>
      sumClosing(days.filter((row) => row.method === method)),
    ),
    total: sumClosing(days),
  }
}

export function isEmptyClosing({ days }: Closing) {
  return days.length === 0
}

export function sumClosing(rows: readonly ClosingSums[]): ClosingSums {
  return rows.reduce<ClosingSums>(
    (a, b) => ({
      ...addRevenue(a, b),
      lostCents: a.lostCents + b.lostCents,
      surplusCents: a.surplusCents + b.surplusCents,
    }),
    { ...NO_REVENUE, lostCents: 0, surplusCents: 0 },
  )
}
