// A company's links in another order than that of their pages, for people: by price, by title, by what they
// brought. Each order has an index, from which a page's rows are read. Where a filter leaves few of them, those
// are found as for any list, and the first so many of them are picked out.

import type { Database } from '../../database/connect.ts'
import { and, type SQL, sql } from '../../database/drizzle.ts'
import { MAX_UUID } from '../../database/id.ts'
import type { ScannedPage } from '../../database/page-stream.ts'
import type { LinkRow } from '../payment-link.ts'
import { buildReceivedKey, selectIdsByReceived } from './by-received.ts'
import { buildLinkConditions, type LinkListFilters, type LinkQuery } from './conditions.ts'
import { findLinksByIds, isPlainList, resolveLeadFilter } from './list.ts'
import { planLinkQuery } from './query-plan.ts'

type LinkSort = { by: 'amountCents' | 'title' | 'received'; isDescending: boolean }

type SortPlace = {
  limit: number
  /** The last link of the page before. */
  cursor?: string
  sort: LinkSort
  /** Rows of `payment_link_id, cents`, one for each link of which `link_revenue` does not know all yet. */
  unfoldedByLink: SQL
}

type SortedQuery = LinkListFilters & SortPlace

/** No company waits for the order of more. */
const MAX_SORTED = 1_000_000

/** On from the link that `cursor` names: those of one key are in the order of their ids. */
export async function listSortedLinks(
  db: Database,
  companyId: string,
  { limit, cursor, sort, unfoldedByLink, ...filters }: SortedQuery,
  now: Date,
): Promise<ScannedPage<LinkRow>> {
  const lead = await resolveLeadFilter(db, companyId, filters)
  const wanted = { companyId, cursor: MAX_UUID, oldest: false, now, ...lead }
  const place = { limit, sort, unfoldedByLink, ...(cursor !== undefined && { cursor }) }
  const { status, method: _, ...others } = filters
  const isNarrow = !isPlainList(others) || status === 'archived'
  // Most links are active: of the others few may have brought much, or little.
  const isRare = isNarrow || (status ?? 'active') !== 'active'
  const ids =
    sort.by === 'received' && !isRare
      ? await selectIdsByReceived(db, wanted, { ...place, isDescending: sort.isDescending })
      : selectIdsByKey(wanted, place, isNarrow || sort.by === 'received')
  const { rows } = await db.execute<{ id: string }>(ids)
  const links = await findLinksByIds(
    db,
    rows.map(({ id }) => id),
  )
  return { rows: links, resumeBelow: null }
}

function selectIdsByKey(
  wanted: LinkQuery,
  { limit, cursor, sort, unfoldedByLink }: SortPlace,
  isNarrow: boolean,
): SQL {
  const { key, join } = buildSortKey(sort, unfoldedByLink)
  const [past, way] = sort.isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const last = sql`(select ${key}, id from payment_links ${join}
    where id = ${cursor} and payment_links.company_id = ${wanted.companyId})`
  const isPast = cursor === undefined ? sql`true` : sql`(key, id) ${past} ${last}`
  const { source, condition } = isNarrow ? readFound(wanted) : readAll(wanted)
  return sql`
    select id from (select id, ${key} as key from ${source} ${join} where ${condition}) keyed
    where ${isPast} order by key ${way}, id ${way} limit ${limit + 1}`
}

function buildSortKey({ by }: LinkSort, unfoldedByLink: SQL) {
  if (by === 'amountCents') return { key: sql`amount_cents`, join: sql`` }
  // As its index has it: á by a and A by a, whatever order of letters the database has.
  if (by === 'title') return { key: sql`fold(title) collate "C"`, join: sql`` }
  return buildReceivedKey(unfoldedByLink)
}

/** The planner knows how many have a state or a method, and so whether to read them in the order of the key. */
function readAll(wanted: LinkQuery) {
  const isOwn = sql`company_id = ${wanted.companyId}`
  return { source: sql`payment_links`, condition: and(isOwn, ...buildLinkConditions(wanted)) }
}

/** The key of each is worked out once. */
function readFound(wanted: LinkQuery) {
  const { scanRows, conditions } = planLinkQuery(wanted)
  const condition = sql`${and(...conditions) ?? sql`true`} offset 0`
  return { source: sql`(${scanRows(MAX_SORTED)}) scanned`, condition }
}
