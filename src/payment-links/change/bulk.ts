// Bulk changes of links. Each is kept for a day, so that a repeated request does nothing twice.

import type { Database } from '../../database/connect.ts'
import { and, asc, eq, inArray, lt, or, sql } from '../../database/drizzle.ts'
import type { LinkBulkAction } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { companies, linkBulks, paymentLinks } from '../../database/tables.ts'
import { getRetentionStart, purgeRows } from '../../queue/purge.ts'

/** The most links of one bulk change; its table has the same `CHECK`. */
export const MAX_BULK_LINKS = 1_000
const BULK_RETENTION_DAYS = 1

export type LinkBulk = typeof linkBulks.$inferSelect

/** The user who requests the change, in one environment. */
export type BulkOwner = { companyId: string; userId: string }

type NewLinkBulk = BulkOwner & {
  /** The id of the form. */
  id: string
  action: LinkBulkAction
  /** Only for the two actions on tags. */
  tag: string | null
  linkIds: readonly string[]
  /** Whether the links are all that match a filter; changing some of them changes what the filter matches. */
  isAll: boolean
}

/** Stores the bulk change without changing a link yet. A repeated form gets the first one. */
export async function createLinkBulk(
  db: Database,
  { linkIds, isAll, ...bulk }: NewLinkBulk,
  now: Date,
): Promise<LinkBulk> {
  const own = await listOwnLinkIds(db, bulk.companyId, linkIds)
  const row = { ...bulk, linkIds: own, createdAt: now.toISOString() }
  const made = isUuid(bulk.id) && (await insertLinkBulk(db, row))
  if (made) return made
  const before = await findLinkBulk(db, bulk, bulk.id)
  if (before && isSameAction(before, row) && (isAll || isSameLinks(before, row))) return before
  // A cached page may have the id of another bulk change.
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

/** Lists titles by id, for a company in either environment. */
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

/** Deletes one batch of old bulk changes. */
export async function purgeLinkBulks(db: Database, now: Date) {
  const start = getRetentionStart(now, BULK_RETENTION_DAYS)
  return purgeRows(db, linkBulks, lt(linkBulks.createdAt, start))
}

/** The ids in the order in which links are locked. */
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
