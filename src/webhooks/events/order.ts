// The order in which a company's events are followed. Neither the id of an event nor its place is made when its
// transaction commits, so an older one may appear after a newer. What is followed ends where nobody who is
// still writing can put an event before it: whoever goes on after an event misses none and meets none twice.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { and, asc, eq, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid, MIN_UUID } from '../../database/id.ts'
import { events } from '../../database/tables.ts'
import type { EventRow } from './log.ts'

/** Where an event stands: by its id alone among those from before there were places. */
export type EventPlace = Pick<EventRow, 'position' | 'id'>

/** Before all events. */
const FIRST_PLACE: EventPlace = { position: 0, id: MIN_UUID }
const WRITERS_POLL_MS = 10
/** Our own transactions end sooner; another's, such as an operator's, must not silence all who follow. */
const WRITERS_PATIENCE_MS = 15_000

export function comparePlaces(a: EventPlace, b: EventPlace) {
  return a.position - b.position || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1)
}

/** Undefined when the company has no such event, or has it no longer. The nil UUID is before all. */
export async function findEventPlace(
  db: Database,
  companyId: string,
  id: string,
): Promise<EventPlace | undefined> {
  if (!isUuid(id)) return undefined
  if (id === FIRST_PLACE.id) return FIRST_PLACE
  const [place] = await db
    .select({ position: events.position, id: events.id })
    .from(events)
    .where(and(eq(events.id, id), eq(events.companyId, companyId)))
  return place
}

/** By company, the place of its newest event before which nothing can be written any more. */
export async function findLastPlaces(db: Database, companyIds: string[]) {
  const { rows } = await db.execute<{ companyId: string } & EventPlace & Writers>(sql`
    select company.id as "companyId", newest.position::float8 as position, newest.id,
      ${WRITERS_SQL} as writers
    from unnest(${sql.param(companyIds)}::uuid[]) company (id)
    left join lateral (
      select position, id from events where company_id = company.id
      order by position desc, id desc limit 1
    ) newest on true`)
  await awaitWriters(db, rows[0]?.writers ?? [])
  return new Map(
    rows.map(({ companyId, position, id }) => [companyId, id ? { position, id } : FIRST_PLACE]),
  )
}

type EventRange = { after: EventPlace; until: EventPlace; limit: number }

/** Up to `limit` of a company's events, in their order. */
export async function listEventsBetween(
  db: Database,
  companyId: string,
  { after, until, limit }: EventRange,
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(buildRangeCondition(companyId, { after, until }))
    .orderBy(asc(events.position), asc(events.id))
    .limit(limit)
}

function buildRangeCondition(companyId: string, { after, until }: Omit<EventRange, 'limit'>) {
  return and(
    eq(events.companyId, companyId),
    sql`(${events.position}, ${events.id}) > (${after.position}::bigint, ${after.id}::uuid)`,
    sql`(${events.position}, ${events.id}) <= (${until.position}::bigint, ${until.id}::uuid)`,
  )
}

/**
 * Whoever has a place before those that a statement saw, and was not seen by it, held this lock by then: it is
 * taken before a place is drawn and kept until all see what was written. The locks are read after the
 * statement's snapshot was taken, so whoever has let go of it by then is seen by the next statement.
 */
const WRITERS_SQL = sql`array(
  select virtualtransaction from pg_locks
  where locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
)`

type Writers = { writers: string[] }

/** Until none of them is writing any more. */
async function awaitWriters(db: Database, writers: string[]) {
  const startedAt = performance.now()
  let writing = writers
  while (writing.length > 0 && performance.now() - startedAt < WRITERS_PATIENCE_MS) {
    await sleep(WRITERS_POLL_MS)
    const { rows } = await db.execute<Writers>(sql`select ${WRITERS_SQL} as writers`)
    const now = new Set(requireFound(rows[0]).writers)
    writing = writing.filter((writer) => now.has(writer))
  }
}
