// A company's events as they happen, ordered by position. A position is drawn before its transaction commits, so an
// older event may become visible after a newer one. Events are shown up to a settled position: all transactions that
// drew a position up to there have ended.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { batchCalls } from '../../database/batch.ts'
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, lte, sql } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { isUuid, MIN_UUID } from '../../database/id.ts'
import { events } from '../../database/tables.ts'
import { unavailableError } from '../../http/errors.ts'
import { runInterval } from '../../queue/interval.ts'

/** An event is usually shown by the second poll after it was written. */
const FEED_POLL_MS = 500
/** How many events of a company are read at a time; those that a slow client has not taken stay in memory. */
const BATCH_SIZE = 10
/** Most of our transactions end before (database/session.ts), while clients still wait for an answer. */
const MAX_START_WAIT_MS = 5_000
const START_RETRY_S = 30

/** A follower's position: it has received all events up to this one. */
export type EventPlace = { position: number; id: string }
/** `message` is the text of the stream, made once for all followers, since a thousand copies are large. */
export type FollowedEvent = EventPlace & { type: EventType; message: Buffer }

const FIRST_PLACE: EventPlace = { position: 0, id: MIN_UUID }
const PLACE_COLUMNS = { position: events.position, id: events.id }

export type EventFeed = ReturnType<typeof openEventFeed>

type FeedNeeds = {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  pollMs?: number
}

type FollowOptions = {
  after: EventPlace
  /** When absent, all types. */
  types: readonly EventType[] | undefined
}

/** Opens the feed: followers read after each poll, and all that read at the same time share one statement. */
export function openEventFeed({ db, log, pollMs = FEED_POLL_MS }: FeedNeeds) {
  let followers = 0
  let settled = 0
  let pending: PositionReading | undefined
  let isClosed = false
  /** Resolves at each poll with its success. */
  let polled = Promise.withResolvers<boolean>()
  const listAfter = batchCalls((asked: AskedPlace[]) => listEventsAfter(db, asked, settled))
  const failure = 'events cannot be followed for now'
  const stopPolling = runInterval({ intervalMs: pollMs, log, failure }, poll)

  return {
    /** Yields the next events, or none, at each poll. Ends with the feed. */
    async *follow(companyId: string, options: FollowOptions) {
      followers++
      try {
        yield* followCompany(companyId, options)
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

  async function* followCompany(companyId: string, { after, types }: FollowOptions) {
    let place = after
    let isBehind = false
    while (!isClosed) {
      const canRead: boolean = isBehind || (await polled.promise)
      const found: FollowedEvent[] = canRead ? await listAfter({ companyId, ...place }) : []
      place = found.at(-1) ?? place
      isBehind = found.length === BATCH_SIZE
      yield selectTypes(found, types)
    }
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
    const isOver = pending !== undefined && isSettled(pending, latest)
    if (pending && isOver) settled = pending.position
    if (!pending || isOver) pending = latest
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
export async function findEventPlace(
  db: Database,
  companyId: string,
  id: string,
): Promise<EventPlace | undefined> {
  if (!isUuid(id)) return undefined
  if (id === FIRST_PLACE.id) return FIRST_PLACE
  const ofCompany = and(eq(events.id, id), eq(events.companyId, companyId))
  const [place] = await db.select(PLACE_COLUMNS).from(events).where(ofCompany)
  return place
}

/** Returns the position after which a follower gets only new events: everything up to it is settled. */
export async function findCurrentPlace(
  db: Database,
  companyId: string,
  waitMs = MAX_START_WAIT_MS,
): Promise<EventPlace> {
  const reading = await readPositions(db)
  const giveUpAt = performance.now() + waitMs
  while (!isSettled(reading, await readPositions(db))) {
    if (performance.now() >= giveUpAt) throw unavailableError(START_RETRY_S)
    await sleep(FEED_POLL_MS)
  }
  const [place] = await db
    .select(PLACE_COLUMNS)
    .from(events)
    .where(and(eq(events.companyId, companyId), lte(events.position, reading.position)))
    .orderBy(desc(events.position), desc(events.id))
    .limit(1)
  return place ?? FIRST_PLACE
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

type AskedPlace = EventPlace & { companyId: string }
type ListedEvent = EventPlace & { key: string; type: EventType; body: string }

/** Reads the next events after each place, up to the settled position, once for all followers at the same place. */
async function listEventsAfter(db: Database, asked: AskedPlace[], settled: number) {
  const places = [...new Map(asked.map((place) => [toKey(place), place])).values()]
  const { rows } = await db.execute<ListedEvent>(sql`
    select asked.company_id || ' ' || asked.id as key, next.*
    from unnest(
      ${sql.param(places.map(({ companyId }) => companyId))}::uuid[],
      ${sql.param(places.map(({ position }) => position))}::bigint[],
      ${sql.param(places.map(({ id }) => id))}::uuid[]
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
  return asked.map((place) => found.get(toKey(place)) ?? [])
}

function toKey({ companyId, id }: AskedPlace) {
  return `${companyId} ${id}`
}

/** The message has the exact body of the webhook, which is one line. */
function toFollowedEvent({ key, position, id, type, body }: ListedEvent) {
  const message = Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${body}\n\n`)
  return { key, position, id, type, message }
}
