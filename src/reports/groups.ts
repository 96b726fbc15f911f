// Revenue by tag or link: the groups with the highest revenue one by one, and the sum of the others.

import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import {
  isWithin,
  REVENUE_COLUMNS,
  type RevenueDays,
  type RevenueRow,
  selectMovements,
} from './revenue.ts'

/** Groups by tag ('' for payments without one) or by the link's id. A payment with several tags counts for each. */
const GROUPINGS = {
  tag: { key: sql`coalesce(tag, '')`, tags: sql`left join lateral unnest(tags) tag on true` },
  link: { key: sql`payment_link_id::text`, tags: sql`` },
}

type GroupKind = keyof typeof GROUPINGS
type GroupSums = Map<string, RevenueRow>

export type RankedGroups = {
  /** The groups with the highest revenue after refunds, sorted by revenue before refunds. */
  first: GroupSums
  /** The sum of all other groups; null when there are none. */
  rest: { groups: number; sums: RevenueRow } | null
}

export async function rankGroups(db: Database, kind: GroupKind, days: RevenueDays, limit: number) {
  const { rows } = await db.execute<RevenueRow & { key: string | null; groups: number }>(sql`
    with brought as (${selectGroups(kind, days)}),
    ranked as (select *, row_number() over (order by "grossCents" - "refundedCents" desc, key) as rank from brought)
    select case when rank <= ${limit} then key end as key, count(*)::int as groups,
      ${sql.join(
        SUMS.map((name) => sql`sum(${sql.identifier(name)}) as ${sql.identifier(name)}`),
        sql`, `,
      )}
    from ranked group by 1 order by "grossCents" desc, 1`)
  const rest = rows.find(({ key }) => key === null)
  return {
    first: toGroupSums(rows.flatMap(({ key, ...row }) => (key === null ? [] : [{ ...row, key }]))),
    rest: rest ? { groups: rest.groups, sums: toSums(rest) } : null,
  }
}

/** Sums these groups; groups without movements are left out. */
export async function sumGroups(db: Database, kind: GroupKind, days: RevenueDays, keys: string[]) {
  const { rows } = await db.execute<RevenueRow & { key: string }>(sql`
    select * from (${selectGroups(kind, days)}) brought where key = any(${sql.param(keys)}::text[])`)
  return toGroupSums(rows)
}

const SUMS = ['count', 'grossCents', 'refundedCents', 'knownFeeCents', 'withoutFeeCount'] as const

function selectGroups(kind: GroupKind, days: RevenueDays): SQL {
  const { key, tags } = GROUPINGS[kind]
  return sql`
    select ${key} as key, ${REVENUE_COLUMNS}
    from ${selectMovements(days.companyId, isWithin(days))} movement ${tags} group by 1`
}

function toGroupSums(rows: (RevenueRow & { key: string })[]): GroupSums {
  return new Map(rows.map((row) => [row.key, toSums(row)]))
}

function toSums({ count, grossCents, refundedCents, knownFeeCents, withoutFeeCount }: RevenueRow) {
  return { count, grossCents, refundedCents, knownFeeCents, withoutFeeCount }
}
