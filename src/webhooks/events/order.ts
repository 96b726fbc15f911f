// The order in which a company's events are followed. An event's position is drawn from a sequence before its
// transaction commits, so an older event may become visible after a newer one. What is followed ends at a position
// that is settled: no transaction under way can put an event at or before it any more.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { and, asc, desc, eq, lte, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid, MIN_UUID } from '../../database/id.ts'
import { events } from '../../database/tables.ts'
import type { EventRow } from './log.ts'

/** Where an event stands: by its id alone among those from before there were positions. */
export type EventPlace = Pick<EventRow, 'position' | 'id'>

/** Before all events. */
const FIRST_PLACE: EventPlace = { position: 0, id: MIN_UUID }

const PLACE_COLUMNS = { position: events.position, id: events.id }

/**
 * A transaction of another program, such as an operator's, must not silence the streams for ever. Those of this
 * program are over by then: Postgres ends each that idles for 5 s or has a statement of 5 s (database/session.ts).
 */
const MAX_TRANSACTION_S = 30

/** The last position that was drawn by an instant. Instants are in seconds since 1970, by the database's clock. */
export type PositionReading = {
  position: number
  readAt: number
  /** When the oldest transaction began that is writing; null while none is. */
  oldestStartedAt: number | null
}

/**
 * A transaction counts as writing a moment after it drew a position at the latest, so a reading is judged by a later
 * one. Postgres shows us the sessions of our own role, which all processes of this program share.
 */
export async function readPositions(db: Database): Promise<PositionReading> {
  const { rows } = await db.execute<PositionReading>(sql`
    select (case when is_called then last_value else 0 end)::float8 as position,
      extract(epoch from clock_timestamp())::float8 as "readAt",
      (
        select extract(epoch from min(xact_start))::float8 from pg_stat_activity
        where datname = current_database() and backend_xid is not null
      ) as "oldestStartedAt"
    from events_position_seq`)
  return requireFound(rows[0])
}

/** Whether all transactions are over, at a later reading, that had begun by `reading`. */
export function isSettled(reading: PositionReading, later: PositionReading) {
  const { oldestStartedAt } = later
  if (oldestStartedAt === null || oldestStartedAt > reading.readAt) return true
  return later.readAt - reading.readAt > MAX_TRANSACTION_S
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
    .select(PLACE_COLUMNS)
    .from(events)
    .where(and(eq(events.id, id), eq(events.companyId, companyId)))
  return place
}

/** The place of a company's last event, once all transactions are over that may still write one before it. */
export async function findCurrentPlace(db: Database, companyId: string, pollMs: number) {
  const reading = await readPositions(db)
  do await sleep(pollMs)
  while (!isSettled(reading, await readPositions(db)))
  const [place] = await db
    .select(PLACE_COLUMNS)
    .from(events)
    .where(and(eq(events.companyId, companyId), lte(events.position, reading.position)))
    .orderBy(desc(events.position), desc(events.id))
    .limit(1)
  return place ?? FIRST_PLACE
}

type PositionRange = { after: number; until: number }

/** Which of these companies have events between two positions. */
export async function findCompaniesWithEvents(
  db: Database,
  companyIds: string[],
  { after, until }: PositionRange,
) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from unnest(${sql.param(companyIds)}::uuid[]) company (id)
    where exists (
      select from events
      where company_id = company.id and position > ${after} and position <= ${until}
    )`)
  return rows.map(({ id }) => id)
}

type EventRange = { after: EventPlace; until: number; limit: number }

/** Up to `limit` of a company's events, in their order. */
export async function listEventsAfter(
  db: Database,
  companyId: string,
  { after, until, limit }: EventRange,
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(
      and(
        eq(events.companyId, companyId),
        sql`(${events.position}, ${events.id}) > (${after.position}::bigint, ${after.id}::uuid)`,
        lte(events.position, until),
      ),
    )
    .orderBy(asc(events.position), asc(events.id))
    .limit(limit)
}
