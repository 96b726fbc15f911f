// A company's events as they happen, ordered by position. A position is drawn before its transaction commits, so an
// older event may become visible after a newer one. Events are shown up to a settled position: all transactions that
// drew a position up to there have ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { batchCalls } from '../../database/batch.ts'
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, lte, sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid, MIN_UUID } from '../../database/id.ts'
import { events } from '../../database/tables.ts'
import { unavailableError } from '../../http/errors.ts'
import { runInterval, type WorkNeeds } from '../../queue/interval.ts'

/** An event is usually shown by the second poll after it was written. */
const FEED_POLL_MS = 500
/** How many events of a company are read at a time; those that a slow client has not taken stay in memory. */
const BATCH_SIZE = 10
/** Most of our transactions end before (database/session.ts), while clients still wait for an answer. */
const MAX_START_WAIT_MS = 5_000
const START_POLL_MS = 100
const START_RETRY_S = 30

/** A follower has received all events up to this one. */
export type EventCursor = { position: number; id: string }
/** `message` is the text of the stream, made once for all followers, since a thousand copies are large. */
type FollowedEvent = EventCursor & { type: EventType; message: Buffer }

const FIRST_CURSOR: EventCursor = { position: 0, id: MIN_UUID }

export type EventFeed = ReturnType<typeof openEventFeed>

type FollowOptions = {
  after: EventCursor
  /** When absent, all types. */
  types: readonly EventType[] | undefined
}

/** Opens the feed: followers read after each poll, and all that read at the same time share one statement. */
export function openEventFeed({
  db,
  log,
  pollMs = FEED_POLL_MS,
}: Omit<WorkNeeds, 'now'> & { pollMs?: number }) {
  let followers = 0
  let settled = 0
  let pending: PositionReading | undefined
  let isClosed = false
  /** Resolves at each poll with its success. */
  let polled = Promise.withResolvers<boolean>()
  const listAfter = batchCalls((asked: AskedCursor[]) => listEventsAfter(db, asked, settled))
  const failure = 'events cannot be followed for now'
  const stopPolling = runInterval({ intervalMs: pollMs, log, failure }, poll)

  return {
    /** Yields the next events, or none, at each poll. Ends with the feed. */
    async *follow(companyId: string, { after, types }: FollowOptions) {
      let cursor = after
      followers++
      try {
        for (let isBehind = false; !isClosed; ) {
          const canRead: boolean = isBehind || (await polled.promise)
          const found: FollowedEvent[] = canRead ? await listAfter({ companyId, ...cursor }) : []
          cursor = found.at(-1) ?? cursor
          isBehind = found.length === BATCH_SIZE
          yield selectTypes(found, types)
        }
      } finally {
        followers--
      }
    },
    async close() {
      isClosed = true
      await stopPolling()
      endPoll(false)
    },
  }

  async function poll() {
    try {
      if (followers > 0) await advance()
      endPoll(true)
    } catch (error) {
      endPoll(false)
      throw error
    }
    return false
  }

  async function advance() {
    const latest = await readPositions(db)
    if (pending && isSettled(pending, latest)) {
      settled = pending.position
      pending = undefined
    }
    pending ??= latest
  }

  function endPoll(hasSucceeded: boolean) {
    polled.resolve(hasSucceeded)
    polled = Promise.withResolvers()
  }
}

function selectTypes(found: FollowedEvent[], types: FollowOptions['types']) {
  return types ? found.filter(({ type }) => types.includes(type)) : found
}

/** Undefined when the company does not have this event, or no longer. The nil UUID is before all events. */
export async function findEventCursor(db: Database, companyId: string, id: string) {
  if (!isUuid(id)) return undefined
  if (id === FIRST_CURSOR.id) return FIRST_CURSOR
  const [found] = await selectNewest(db, and(eq(events.id, id), eq(events.companyId, companyId)))
  return found
}

/** Returns the position after which a follower gets only new events: everything up to it is settled. */
export async function findCurrentCursor(
  db: Database,
  companyId: string,
  waitMs = MAX_START_WAIT_MS,
): Promise<EventCursor> {
  const reading = await readPositions(db)
  const giveUpAt = performance.now() + waitMs
  while (!isSettled(reading, await readPositions(db))) {
    if (performance.now() >= giveUpAt) throw unavailableError(START_RETRY_S)
    await sleep(START_POLL_MS)
  }
  const isBefore = lte(events.position, reading.position)
  const [newest] = await selectNewest(db, and(eq(events.companyId, companyId), isBefore))
  return newest ?? FIRST_CURSOR
}

function selectNewest(db: Database, condition: ReturnType<typeof and>) {
  return db
    .select({ position: events.position, id: events.id })
    .from(events)
    .where(condition)
    .orderBy(desc(events.position), desc(events.id))
    .limit(1)
}

/** The last drawn position and the numbers of two transactions, which Postgres gives in ascending order. */
type PositionReading = {
  position: number
  /** This reading's number: all transactions that drew a position up to this one have a lower number. */
  transaction: number
  /** The lowest number of a transaction that is still writing. */
  oldestRunning: number
}

/** Reads positions first and takes a transaction number then; events.position is drawn in the opposite order. */
async function readPositions(db: Database): Promise<PositionReading> {
  const { rows } = await db.execute<PositionReading>(sql`
    with drawn as materialized (
      select case when is_called then last_value else 0 end as position from events_position_seq
    )
    select position::float8 as position,
      pg_current_xact_id()::text::float8 as transaction,
      pg_snapshot_xmin(pg_current_snapshot())::text::float8 as "oldestRunning"
    from drawn`)
  return requireFound(rows[0])
}

function isSettled(reading: PositionReading, later: PositionReading) {
  return later.oldestRunning >= reading.transaction
}

type AskedCursor = EventCursor & { companyId: string }
type ListedEvent = AskedCursor & { after: string; type: EventType; body: string }

/** Reads the next events after each cursor, up to the settled position, once for all followers at the same one. */
async function listEventsAfter(db: Database, asked: AskedCursor[], settled: number) {
  const cursors = [...new Map(asked.map((one) => [one.companyId + one.id, one])).values()]
  const { rows } = await db.execute<ListedEvent>(sql`
    select asked.company_id as "companyId", asked.id as after, next.*
    from unnest(
      ${sql.param(cursors.map(({ companyId }) => companyId))}::uuid[],
      ${sql.param(cursors.map(({ position }) => position))}::bigint[],
      ${sql.param(cursors.map(({ id }) => id))}::uuid[]
    ) as asked (company_id, position, id)
    cross join lateral (
      select position::float8 as position, id, type, body from events
      where company_id = asked.company_id and position <= ${settled}::bigint
        and (position, id) > (asked.position, asked.id)
      order by events.position, id
      limit ${BATCH_SIZE}
    ) next
    order by next.position, next.id`)
  const found = Map.groupBy(rows.map(toFollowedEvent), ({ key }) => key)
  return asked.map(({ companyId, id }) => found.get(companyId + id) ?? [])
}

/** The message has the exact body of the webhook, which is one line. */
function toFollowedEvent({ companyId, after, position, id, type, body }: ListedEvent) {
  const message = Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${body}\n\n`)
  return { key: companyId + after, position, id, type, message }
}
