// Links by what they brought: `link_revenue` has it of each that ever brought something, in order, but for the
// changes that no fold has added yet. Links with such changes are put in their place by themselves, and those
// that brought nothing are read from the list itself.

import type { Database } from '../../database/connect.ts'
import { and, type SQL, sql } from '../../database/drizzle.ts'
import { MAX_UUID, MIN_UUID } from '../../database/id.ts'
import { buildLinkConditions, type LinkQuery } from './conditions.ts'
import { planLinkQuery } from './query-plan.ts'

type ReceivedPlace = {
  limit: number
  cursor?: string
  isDescending: boolean
  unfoldedByLink: SQL
}

/** The link that the page before ended with, and what it has brought. */
type LastLink = { id: string; cents: string }

/** No company waits for a look at more. */
const MAX_LOOKED_AT = 1_000_000

/** For any list of links: what each has brought. */
export function buildReceivedKey(unfoldedByLink: SQL) {
  return {
    key: sql`(coalesce(received_cents, 0) + coalesce(unfolded.cents, 0))`,
    join: sql`left join link_revenue total on total.payment_link_id = id
      left join (${unfoldedByLink}) unfolded on unfolded.payment_link_id = id`,
  }
}

/** A page of all that are wanted, and one more. */
export async function selectIdsByReceived(
  db: Database,
  wanted: LinkQuery,
  place: ReceivedPlace,
): Promise<SQL> {
  const { limit, cursor, isDescending, unfoldedByLink } = place
  const last = cursor === undefined ? undefined : await findLastLink(db, wanted, place)
  if (last === null) return sql`select id from payment_links where false`
  const count = limit + 1
  const [past, way] = isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const isPast = (key: SQL) =>
    last && sql`(${key}) ${past} (${last.cents}::bigint, ${last.id}::uuid)`
  const isWanted = and(...buildLinkConditions(wanted))
  const isUnfolded = sql`in (select payment_link_id from unfolded)`
  const settled = sql`
    select payment_link_id as id, received_cents as cents from link_revenue total
    where ${and(sql`company_id = ${wanted.companyId}`, isPast(sql`received_cents, payment_link_id`))}
      and payment_link_id not ${isUnfolded}
      and (select ${isWanted} from payment_links where id = total.payment_link_id)
    order by received_cents ${way}, payment_link_id ${way} limit ${count}`
  const changed = sql`
    select * from (
      select id, (coalesce(received_cents, 0) + unfolded.cents)::bigint as cents from unfolded
      cross join lateral (select id from payment_links where id = payment_link_id and ${isWanted}) link
      left join link_revenue total on total.payment_link_id = id
    ) link where ${isPast(sql`cents, id`) ?? sql`true`}
    order by cents ${way}, id ${way} limit ${count}`
  const unpaid = selectUnpaid(wanted, { ...place, last, isUnfolded })
  return sql`
    with unfolded as materialized (${unfoldedByLink}),
      earned as materialized ((${settled}) union all (${changed}))
    select id from (table earned union all (${unpaid})) found
    order by cents ${way}, id ${way} limit ${count}`
}

/** Null where the company has no such link. */
async function findLastLink(
  db: Database,
  { companyId }: LinkQuery,
  { cursor, unfoldedByLink }: ReceivedPlace,
): Promise<LastLink | null> {
  const { key, join } = buildReceivedKey(unfoldedByLink)
  const { rows } = await db.execute<LastLink>(sql`
    select id, ${key}::text as cents from payment_links ${join}
    where id = ${cursor} and payment_links.company_id = ${companyId}`)
  return rows[0] ?? null
}

type UnpaidPlace = ReceivedPlace & { last: LastLink | undefined; isUnfolded: SQL }

/** Of one key, none: they are before all that brought something, or behind them. */
function selectUnpaid(wanted: LinkQuery, place: UnpaidPlace): SQL {
  const { limit, isDescending, last, isUnfolded } = place
  const isAmong = last !== undefined && Number(last.cents) === 0
  const isOver = last !== undefined && !isAmong && !isDescending
  const start = isDescending ? MAX_UUID : MIN_UUID
  const cursor = isAmong ? last.id : start
  const plan = planLinkQuery({ ...wanted, cursor, oldest: !isDescending })
  const turn = isDescending ? sql`(select count(*) from earned) <= ${limit}` : sql`${!isOver}`
  return sql`
    select id, 0 from (${plan.scanRows(MAX_LOOKED_AT)}) scanned
    where ${and(...plan.conditions, turn)} and id not ${isUnfolded}
      -- One by one: joined, they would be looked up for all.
      and (select true from link_revenue total where total.payment_link_id = id) is null
    order by ${plan.order} limit ${limit + 1}`
}
