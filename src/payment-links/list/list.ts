// A company's links, a page at a time. Each filter has an index in the order of the ids, so a page reads
// a page's rows, however many links there are. What no index holds, such as two filters at once, is
// looked for in a bounded scan of the narrowest index; a page may then be short and still say where to
// go on.

import { batchCalls } from '../../database/batch.ts'
import { toSnakeCase } from '../../database/bulk-insert.ts'
import type { Database } from '../../database/connect.ts'
import { and, inArray, orm, type SQL, sql } from '../../database/drizzle.ts'
import { MAX_UUID, MIN_UUID } from '../../database/id.ts'
import { memoizeByDb } from '../../database/memoize.ts'
import { type ScannedPage, streamPages } from '../../database/page-stream.ts'
import { createRowReader, listColumns, queryRowValues } from '../../database/row-reader.ts'
import { paymentLinks } from '../../database/tables.ts'
import type { PageQuery } from '../../http/pagination.ts'
import { findMatches } from '../../search/match.ts'
import type { LinkRow } from '../payment-link.ts'
import type { LinkListFilters, LinkQuery } from './conditions.ts'
import { buildPlainScan, type PlainQuery } from './plain-scan.ts'
import { type LinkQueryPlan, planLinkQuery, toMatchQuery } from './query-plan.ts'
import { findLinkIdsByTitle } from './title-search.ts'

/** Rows that are looked through for each one that is asked for. */
const SCAN_ROWS_PER_RESULT = 20
const LINK_BATCH_SIZE = 250

type LinkListQuery = Omit<PageQuery, 'cursor'> &
  LinkListFilters & { cursor?: string; oldest?: boolean }

/**
 * Newest first or, with `oldest`, the other way round, on from `cursor`. Archived ones only when asked
 * for.
 */
export async function listPaymentLinks(
  db: Database,
  companyId: string,
  { limit, oldest = false, cursor = oldest ? MIN_UUID : MAX_UUID, ...filters }: LinkListQuery,
  now: Date,
): Promise<ScannedPage<LinkRow>> {
  if (!oldest && isPlainList(filters)) {
    const rows = await plainLinksBatch(db)({ companyId, cursor, limit: limit + 1 })
    return { rows, resumeBelow: null }
  }
  const lead = await resolveLeadFilter(db, companyId, filters)
  const wanted = { companyId, cursor, oldest, now, ...lead }
  const words = toMatchQuery(wanted, limit * SCAN_ROWS_PER_RESULT)
  const matched = words && (await findMatches(db, words))
  const plan = planLinkQuery({ ...wanted, matched })
  const windowSize = plan.isExact ? limit + 1 : limit * SCAN_ROWS_PER_RESULT
  const rows = await selectScanWindow(db, plan, { windowSize, limit: limit + 1 })
  if (rows.length > limit || plan.isExact) return { rows, resumeBelow: null }

  const resumeBelow = await findScanEnd(db, plan, windowSize)
  if (resumeBelow === null) return { rows, resumeBelow }
  const titled = await findLinkIdsByTitle(db, wanted, windowSize)
  if (titled.kind === 'unbounded') return { rows, resumeBelow }
  return { rows: await findLinksByIds(db, titled.ids.slice(0, limit + 1)), resumeBelow: null }
}

/** Whether nothing narrows it. */
export function isPlainList(filters: LinkListFilters) {
  return Object.values(filters).every((value) => value === undefined)
}

/** All of them, newest first. */
export function streamPaymentLinks(
  db: Database,
  companyId: string,
  filters: LinkListFilters,
  now: Date,
): AsyncGenerator<LinkRow[]> {
  return streamPages(
    (place) => listPaymentLinks(db, companyId, { ...filters, ...place }, now),
    LINK_BATCH_SIZE,
  )
}

/** In the order of the ids. */
export async function findLinksByIds(db: Database, ids: string[]): Promise<LinkRow[]> {
  if (ids.length === 0) return []
  const rows = await db.select().from(paymentLinks).where(inArray(paymentLinks.id, ids))
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** The columns of a row that comes out of a scan, read as those of the table are. */
const SCAN_COLUMNS = Object.fromEntries(
  Object.entries(orm.getTableColumns(paymentLinks)).map(([key, column]) => [
    key,
    sql.raw(toSnakeCase(key)).mapWith(column),
  ]),
  // What each column is read as, no type of a loop can say.
) as { [Key in keyof LinkRow]: SQL<LinkRow[Key]> }

const readLinkRow = createRowReader(paymentLinks, 1)

/** Plain lists that are asked for at once are read together. */
const plainLinksBatch = memoizeByDb((db: Database) => {
  const columns = listColumns(paymentLinks)
  const text = `
    select asked.n, page.*
    from json_to_recordset($1) as asked (n int, "companyId" uuid, cursor uuid, "limit" int)
    cross join lateral (${buildPlainScan(columns, 'asked."limit"')}) page`
  return batchCalls(async (asked: PlainQuery[]) => {
    const values = [JSON.stringify(asked.map((one, n) => ({ ...one, n })))]
    const pages: LinkRow[][] = asked.map(() => [])
    for (const row of await queryRowValues(db, { name: 'links', text, values })) {
      pages[Number(row[0])]?.push(readLinkRow(row))
    }
    return pages
  })
})

/** A whole slug or reference finds its links alone; of several tags the rarest leads. */
export async function resolveLeadFilter(
  db: Database,
  companyId: string,
  { q, tag: tags, ...filters }: LinkListFilters,
): Promise<Omit<LinkQuery, 'companyId' | 'cursor' | 'oldest' | 'now'>> {
  const tag = tags && tags.length > 1 ? await sortTagsByRarity(db, companyId, tags) : tags
  if (q === undefined) return { ...filters, tag }
  const { rows } = await db.$client.query<{ slug: string }>({
    name: 'links_named',
    text: `select slug from payment_links where company_id = $1 and slug = $2
      union all
      (select null from payment_links where company_id = $1 and external_reference = $2 limit 1)`,
    values: [companyId, q],
  })
  if (rows.some(({ slug }) => slug === q)) return { ...filters, tag, slug: q }
  const isReference = rows.length > 0 && (filters.externalReference ?? q) === q
  return isReference ? { ...filters, tag, externalReference: q } : { ...filters, tag, q }
}

/** The rarest is the one whose hundredth newest link is the oldest. */
async function sortTagsByRarity(db: Database, companyId: string, tags: string[]) {
  const { rows } = await db.$client.query<{ tag: string }>({
    name: 'rarest_link_tags',
    text: `select tag from unnest($2::text[]) tag order by (
        select link_id from payment_link_tags t where t.company_id = $1 and t.tag = tag.tag
        order by link_id desc offset 100 limit 1
      ) nulls first`,
    values: [companyId, tags],
  })
  return rows.map(({ tag }) => tag)
}

type ScanBounds = { windowSize: number; limit: number }

/**
 * Not prepared: which plan is best hangs on the values, and one that is made without them may sort all
 * the links to answer twenty.
 */
function selectScanWindow(
  db: Database,
  { scanRows, order, conditions }: LinkQueryPlan,
  { windowSize, limit }: ScanBounds,
) {
  return db
    .select(SCAN_COLUMNS)
    .from(sql`(${scanRows(windowSize)}) as scanned`)
    .where(and(...conditions))
    .orderBy(order)
    .limit(limit)
}

/** The last link looked at when the scan window was used up; null when it was not. */
async function findScanEnd(db: Database, { scanIds }: LinkQueryPlan, windowSize: number) {
  const [last] = await db
    .select({ id: SCAN_COLUMNS.id })
    .from(sql`(${scanIds(windowSize)}) as scanned`)
    .offset(windowSize - 1)
    .limit(1)
  return last?.id ?? null
}
