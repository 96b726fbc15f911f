// How often links were opened and their forms begun: counts by day, and nothing of who did so.
import type { Database } from '../database/connect.ts'
import { lt, sql } from '../database/drizzle.ts'
import { linkVisits } from '../database/tables.ts'
import { getRetentionStart, purgeRows } from '../queue/purge.ts'

const RETENTION_DAYS = 400

type VisitStep = 'opened' | 'begun'
export type LinkVisit = { linkId: string; step: VisitStep }

/** Adds them to the counts of a day: in the order of links, so that no two processes wait for each other. */
export async function recordLinkVisits(db: Database, visits: LinkVisit[], day: string) {
  const rows = new Map<string, typeof linkVisits.$inferInsert>()
  for (const { linkId, step } of visits.toSorted((a, b) => (a.linkId < b.linkId ? -1 : 1))) {
    const row = rows.get(linkId) ?? { linkId, day, opened: 0, begun: 0 }
    row[step] += 1
    rows.set(linkId, row)
  }
  await db
    .insert(linkVisits)
    .values([...rows.values()])
    .onConflictDoUpdate({
      target: [linkVisits.linkId, linkVisits.day],
      set: {
        opened: sql`link_visits.opened + excluded.opened`,
        begun: sql`link_visits.begun + excluded.begun`,
      },
    })
}

/** One batch of what is older than thirteen months: a year can be held against the one before. */
export async function purgeLinkVisits(db: Database, now: Date) {
  const [start] = getRetentionStart(now, RETENTION_DAYS).split('T')
  return purgeRows(db, linkVisits, lt(linkVisits.day, start ?? ''))
}
