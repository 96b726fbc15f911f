// Orders to change many links at once. Each is kept for a day: sent again it does nothing twice.

import type { Database } from '../../database/connect.ts'
import { and, asc, eq, inArray, lt, or, sql } from '../../database/drizzle.ts'
import type { LinkBulkAction } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { companies, linkBulks, paymentLinks } from '../../database/tables.ts'
import { getRetentionStart, purgeRows } from '../../queue/purge.ts'

/** What one order may name; a `CHECK` of its table, too. */
export const MAX_BULK_LINKS = 1_000
const BULK_RETENTION_DAYS = 1

export type LinkBulk = typeof linkBulks.$inferSelect

/** Whose order it is, in one environment. */
export type BulkOwner = { companyId: string; userId: string }

type NewLinkBulk = BulkOwner & {
  /** Of the form that orders it. */
  id: string
  action: LinkBulkAction
  /** Of the two actions that have one. */
  tag: string | null
  linkIds: readonly string[]
  /** They are what a filter leaves, which are others once some of them are changed. */
  isAll: boolean
}

/** Nothing is changed yet. The same form sent again answers what it ordered before. */
export async function createLinkBulk(
  db: Database,
  { linkIds, isAll, ...order }: NewLinkBulk,
  now: Date,
): Promise<LinkBulk> {
  const own = await listOwnLinkIds(db, order.companyId, linkIds)
  const row = { ...order, linkIds: own, createdAt: now.toISOString() }
  const made = isUuid(order.id) && (await insertLinkBulk(db, row))
  if (made) return made
  const before = await findLinkBulk(db, order, order.id)
  if (before && isSameAction(before, row) && (isAll || isSameLinks(before, row))) return before
  // A page that a browser has kept carries the id of an order that was another one.
  const other = { ...row, id: newId() }
  return (await insertLinkBulk(db, other)) ?? createLinkBulk(db, { ...other, linkIds, isAll }, now)
}

export async function findLinkBulk(db: Database, { companyId, userId }: BulkOwner, id: string) {
  if (!isUuid(id)) return undefined
  const { id: key, companyId: company, userId: user } = linkBulks
  const [found] = await db
    .select()
    .from(linkBulks)
    .where(and(eq(key, id), eq(company, companyId), eq(user, userId)))
  return found
}

/** By their ids, of a company in either of its environments. */
export async function listLinkTitles(
  db: Database,
  { companyId }: Pick<BulkOwner, 'companyId'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { id, title } = paymentLinks
  const own = db
    .select({ id: companies.id })
    .from(companies)
    .where(or(eq(companies.id, companyId), eq(companies.testOf, companyId)))
  const rows = await db
    .select({ id, title })
    .from(paymentLinks)
    .where(and(inArray(paymentLinks.companyId, own), sql`${id} = any(${sql.param(ids)}::uuid[])`))
  return new Map(rows.map((row) => [row.id, row.title]))
}

/** One batch of those that nobody asks about any more. */
export async function purgeLinkBulks(db: Database, now: Date) {
  const start = getRetentionStart(now, BULK_RETENTION_DAYS)
  return purgeRows(db, linkBulks, lt(linkBulks.createdAt, start))
}

/** In the order in which they are locked. */
async function listOwnLinkIds(db: Database, companyId: string, ids: readonly string[]) {
  const known = [...new Set(ids)].filter(isUuid).slice(0, MAX_BULK_LINKS)
  if (known.length === 0) return []
  const rows = await db
    .select({ id: paymentLinks.id })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.companyId, companyId), inArray(paymentLinks.id, known)))
    .orderBy(asc(paymentLinks.id))
  return rows.map(({ id }) => id)
}

async function insertLinkBulk(db: Database, row: typeof linkBulks.$inferInsert) {
  const [made] = await db.insert(linkBulks).values(row).onConflictDoNothing().returning()
  return made
}

type BulkAction = Pick<LinkBulk, 'action' | 'tag'>
type BulkLinks = Pick<LinkBulk, 'linkIds'>

export function isSameAction(one: BulkAction, other: BulkAction) {
  return one.action === other.action && one.tag === other.tag
}

function isSameLinks(one: BulkLinks, other: BulkLinks) {
  return one.linkIds.join() === other.linkIds.join()
}
