// What came in by tag or by link: the groups that brought most one by one, and all others as one.

import type { Database, Db } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { type DailySums, LINK_DAYS, METHOD_DAYS, selectDays, TAG_DAYS } from './daily-sums.ts'
import {
  isWithin,
  REVENUE_COLUMNS,
  type RevenueDays,
  type RevenueRow,
  selectRevenue,
} from './revenue.ts'
import { findTopLinks } from './top-links.ts'

type GroupKind = keyof typeof GROUPINGS

type Grouping = {
  sums: DailySums
  column: SQL
  keyType: SQL
  /** The column, as rows are chosen by it. */
  chosenBy: SQL
  /** Which comes first of those that brought as much. */
  firstOf: SQL
  /** All there is: for links fewer rows say the same, while a payment with two tags is in two groups. */
  whole: DailySums
}

const GROUPINGS = {
  tag: {
    ...{ sums: TAG_DAYS, whole: TAG_DAYS },
    ...{ column: sql`tag`, keyType: sql`text`, firstOf: sql`key` },
    // No index is asked for it: it would be for each of the tags on each of the days.
    chosenBy: sql`(tag || '')`,
  },
  link: {
    ...{ sums: LINK_DAYS, whole: METHOD_DAYS },
    ...{ column: sql`payment_link_id`, keyType: sql`uuid`, firstOf: sql`key desc` },
    chosenBy: sql`payment_link_id`,
  },
} satisfies Record<string, Grouping>

/** By a tag, '' for what has none, or by a link's id. */
type GroupSums = Map<string, RevenueRow>

export type RankedGroups = {
  /** What brought most after refunds, in the order of what came in. */
  first: GroupSums
  /** How many groups: null where nobody counted. */
  rest: { groups: number | null; sums: RevenueRow }
}

/** One sum of each says which brought most; only so many of them are then summed in all that there is to say. */
export async function rankGroups(
  db: Database,
  kind: GroupKind,
  days: RevenueDays,
  limit: number,
): Promise<RankedGroups> {
  const { whole }: Grouping = GROUPINGS[kind]
  return db.transaction(
    async (tx) => {
      const { keys, groups } = await findLargestGroups(tx, kind, days, limit)
      const sums = await sumGroups(tx, kind, days, keys)
      const ranked = keys.map((key) => [key, requireFound(sums.get(key))] as const)
      const first = new Map(ranked.toSorted(([, a], [, b]) => b.grossCents - a.grossCents))
      const { rows } = await tx.execute<RevenueRow>(
        sql`select ${REVENUE_COLUMNS} from ${selectRevenue(whole, days)} revenue`,
      )
      const rest = [...first.values()].reduce(subtractRevenue, requireFound(rows[0]))
      const others = groups === null ? null : groups - first.size
      return { first, rest: { groups: others, sums: rest } }
    },
    // Whoever is paid meanwhile is in all of these sums, or in none.
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** One that brought nothing is left out. */
export async function sumGroups(
  db: Db,
  kind: GroupKind,
  days: RevenueDays,
  keys: string[],
): Promise<GroupSums> {
  const { sums, column, keyType, chosenBy }: Grouping = GROUPINGS[kind]
  const { rows } = await db.execute<RevenueRow & { key: string }>(sql`
    select ${column}::text as key, ${REVENUE_COLUMNS} from ${selectRevenue(sums, days)} revenue
    where ${chosenBy} = any(${sql.param(keys)}::${keyType}[]) group by 1`)
  return new Map(rows.map(({ key, ...row }) => [key, row]))
}

/** The keys of those that brought most, and how many groups there are. */
async function findLargestGroups(
  db: Db,
  kind: GroupKind,
  days: RevenueDays,
  limit: number,
): Promise<{ keys: string[]; groups: number | null }> {
  const topLinks = kind === 'link' ? await findTopLinks(db, days, limit) : undefined
  return topLinks ? { keys: topLinks, groups: null } : rankAllGroups(db, kind, days, limit)
}

async function rankAllGroups(db: Db, kind: GroupKind, days: RevenueDays, limit: number) {
  const { sums, column, firstOf }: Grouping = GROUPINGS[kind]
  const { rows } = await db.execute<{ keys: string[]; groups: number }>(sql`
    with brought as materialized (
      select ${column} as key, sum((gross_cents - refunded_cents)::float8) as cents
      from ${selectDays(sums, days.companyId, isWithin(days))} days group by 1
    )
    select array(select key from brought order by cents desc, ${firstOf} limit ${limit})::text[] as keys,
      (select count(*)::int from brought) as groups`)
  return requireFound(rows[0])
}

function subtractRevenue(whole: RevenueRow, part: RevenueRow): RevenueRow {
  return {
    count: whole.count - part.count,
    grossCents: whole.grossCents - part.grossCents,
    refundedCents: whole.refundedCents - part.refundedCents,
    pricedCount: whole.pricedCount - part.pricedCount,
    knownFeeCents: whole.knownFeeCents - part.knownFeeCents,
  }
}
