// Counts opened links and begun forms by day, and stores nothing about the visitors.
import type { Database } from '../database/connect.ts'
import { lt, sql } from '../database/drizzle.ts'
import { linkVisits } from '../database/tables.ts'
import { getRetentionStart, purgeRows } from '../queue/purge.ts'

const RETENTION_DAYS = 400

type VisitStep = 'opened' | 'begun'
export type LinkVisit = { linkId: string; step: VisitStep }

/** Adds to the counts of a day, in the order of links, so that two processes never wait for each other. */
export async function recordLinkVisits(db: Database, visits: LinkVisit[], day: string) {
  const counts = new Map<string, Record<VisitStep, number>>()
  for (const { linkId, step } of visits) {
    const count = counts.get(linkId) ?? { opened: 0, begun: 0 }
    count[step] += 1
    counts.set(linkId, count)
  }
  const rows = [...counts].map(([id, count]) => ({ id, ...count }))
  // One parameter for all rows: building a statement with thousands of parameters would block other requests.
  await db.execute(sql`
    insert into link_visits (link_id, day, opened, begun)
    select id, ${day}, opened, begun
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as visit (id uuid, opened int, begun int)
    order by id
    on conflict (link_id, day) do update
    set opened = link_visits.opened + excluded.opened, begun = link_visits.begun + excluded.begun`)
}

/** Deletes one batch of counts older than thirteen months, so that a year can be compared with the one before. */
export async function purgeLinkVisits(db: Database, now: Date) {
  const [start] = getRetentionStart(now, RETENTION_DAYS).split('T')
  return purgeRows(db, linkVisits, lt(linkVisits.day, start ?? ''))
}
