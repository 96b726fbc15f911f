// A company's links in another order than that of their pages, for people: by price, by title, by what they
// brought. What is wanted is found as for any list, and the first so many of it are picked out.

import type { Database } from '../../database/connect.ts'
import { and, type SQL, sql } from '../../database/drizzle.ts'
import { MAX_UUID } from '../../database/id.ts'
import type { ScannedPage } from '../../database/page-stream.ts'
import { findWordOrder } from '../../http/pagination.ts'
import type { LinkRow } from '../payment-link.ts'
import { findLinksByIds, resolveLeadFilter } from './list.ts'
import { type LinkListFilters, planLinkQuery } from './query-plan.ts'

type LinkSort = { by: 'amountCents' | 'title' | 'received'; isDescending: boolean }

type SortedQuery = LinkListFilters & {
  limit: number
  /** The last link of the page before. */
  cursor?: string
  sort: LinkSort
  /** Rows of `payment_link_id, received_cents`. */
  receivedByLink: SQL
}

/** No company waits for the order of more. */
const MAX_SORTED = 1_000_000

/** On from the link that `cursor` names: those of one key are in the order of their ids. */
export async function listSortedLinks(
  db: Database,
  companyId: string,
  { limit, cursor, sort, receivedByLink, ...filters }: SortedQuery,
  now: Date,
): Promise<ScannedPage<LinkRow>> {
  const lead = await resolveLeadFilter(db, companyId, filters)
  const wanted = { companyId, cursor: MAX_UUID, oldest: false, now, ...lead }
  const { scanRows, conditions } = planLinkQuery(wanted)
  const { key, join, sums } = await buildSortKey(db, sort, receivedByLink)
  const [past, way] = sort.isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const last = sql`(select ${key}, id from payment_links ${join}
    where id = ${cursor} and company_id = ${companyId})`
  const isPast = cursor === undefined ? undefined : sql`(${key}, id) ${past} ${last}`
  const { rows } = await db.execute<{ id: string }>(sql`
    ${sums} select id from (${scanRows(MAX_SORTED)}) scanned ${join}
    where ${and(...conditions, isPast) ?? sql`true`}
    order by ${key} ${way}, id ${way} limit ${limit + 1}`)
  const links = await findLinksByIds(
    db,
    rows.map(({ id }) => id),
  )
  return { rows: links, resumeBelow: null }
}

/** What was brought is summed once, whoever asks for it how often. */
async function buildSortKey(db: Database, { by }: LinkSort, receivedByLink: SQL) {
  const none = { join: sql``, sums: sql`` }
  if (by === 'amountCents') return { ...none, key: sql`amount_cents` }
  if (by === 'title') return { ...none, key: sql`title ${await findWordOrder(db)}` }
  return {
    key: sql`coalesce(received_cents, 0)`,
    join: sql`left join received on payment_link_id = id`,
    sums: sql`with received as materialized (${receivedByLink})`,
  }
}
