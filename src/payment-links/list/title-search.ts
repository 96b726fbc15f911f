// Part of a title that the newest links do not have: the index of all titles' trigrams knows the others,
// where the database has the extensions for it (migrations). Where it has not, the list goes on
// from scan to scan.

import type { Database } from '../../database/connect.ts'
import { and, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { buildLinkConditions, buildTitleCondition, type LinkQuery } from './conditions.ts'
import { buildCursorCondition } from './query-plan.ts'

/** Three letters or digits in a row make a trigram; without one the index leads nowhere. */
const TRIGRAM_PATTERN = /[\p{L}\p{N}]{3}/u

/** Unbounded: they are more than were asked for, or cannot be known. */
type TitleMatches = { kind: 'found'; ids: string[] } | { kind: 'unbounded' }

/** All links that are wanted past the cursor, in order, of which there may be `most`. */
export async function findLinkIdsByTitle(
  db: Database,
  wanted: LinkQuery,
  most: number,
): Promise<TitleMatches> {
  const { q, companyId } = wanted
  if (q === undefined || !TRIGRAM_PATTERN.test(q) || !(await hasTitleIndex(db)))
    return { kind: 'unbounded' }
  const ids = await db.transaction(async (tx) => {
    // However common the text seems to the planner: the other way is to read every link.
    await tx.execute(sql`set local enable_seqscan = off`)
    const titled = sql`(select * from payment_links where company_id = ${companyId} and ${buildTitleCondition(q)} offset 0) as titled`
    return tx
      .select({ id: sql<string>`id` })
      .from(titled)
      .where(and(...buildLinkConditions(wanted), buildCursorCondition(wanted)))
      .limit(most + 1)
  })
  if (ids.length > most) return { kind: 'unbounded' }
  const sorted = ids.map(({ id }) => id).sort()
  return { kind: 'found', ids: wanted.oldest ? sorted : sorted.reverse() }
}

async function hasTitleIndex(db: Database) {
  const { rows } = await db.$client.query<{ found: boolean }>({
    name: 'has_title_search',
    text: `select to_regclass('payment_links_title_search') is not null as found`,
  })
  return requireFound(rows[0]).found
}
