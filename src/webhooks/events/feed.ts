// A company's events as they happen. Each follower reads at a pace of its own and a little at a time, so that nothing
// piles up for a slow one; those at the same pace share what is read.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { EventType } from '../../database/enums.ts'
import { trackOutage } from '../../queue/outage-log.ts'
import type { EventRow } from './log.ts'
import {
  type EventPlace,
  findCompaniesWithEvents,
  findCurrentPlace,
  isSettled,
  listEventsAfter,
  type PositionReading,
  readPositions,
} from './order.ts'

/** An event is shown by the second poll after it was written, as a rule. */
const FEED_POLL_MS = 500
const BATCH_SIZE = 10

export type EventFeed = ReturnType<typeof openEventFeed>

type FeedNeeds = {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  pollMs?: number
}

type FollowOptions = {
  after: EventPlace
  /** Absent: all of them. */
  types: readonly EventType[] | undefined
  /** After so long without an event an empty list comes. */
  idleMs: number
  signal: AbortSignal
}

type FollowedCompany = {
  id: string
  followers: number
  /** The settled position at which the company had events last. */
  until: number
  /** What was read last, for all followers that stand at the same event. */
  latest?: { key: string; events: Promise<EventRow[]> } | undefined
}

type FeedState = {
  db: Database
  companies: Map<string, FollowedCompany>
  /** The last reading of which it is not known yet whether it is settled. */
  pending: PositionReading | undefined
  /** All events up to this position are visible. */
  settled: number
  /** Followers know of the events up to this position. */
  announced: number
  isClosed: boolean
  /** Resolves with each poll. */
  round: PromiseWithResolvers<void>
}

export function openEventFeed({ db, log, pollMs = FEED_POLL_MS }: FeedNeeds) {
  const feed: FeedState = {
    db,
    companies: new Map(),
    pending: undefined,
    settled: 0,
    announced: 0,
    isClosed: false,
    round: Promise.withResolvers(),
  }
  const { noteSuccess, noteFailure } = trackOutage((err) => {
    if (!feed.isClosed) log.warn({ err }, 'events cannot be followed for now')
  })
  let isPolling = false

  return {
    /** Where a follower begins who wants what happens from now on. */
    findCurrentPlace: (companyId: string) => findCurrentPlace(db, companyId, pollMs),
    /** Ends with its signal or with the feed. */
    async *follow(companyId: string, options: FollowOptions) {
      const company = addFollower(feed, companyId)
      if (!isPolling) void poll()
      try {
        yield* followCompany(feed, company, options)
      } finally {
        removeFollower(feed, company)
      }
    },
    close() {
      feed.isClosed = true
      feed.round.resolve()
    },
  }

  async function poll() {
    isPolling = true
    while (feed.companies.size > 0 && !feed.isClosed) {
      await advanceFeed(feed).then(noteSuccess, noteFailure)
      feed.round.resolve()
      if (!feed.isClosed) feed.round = Promise.withResolvers()
      await sleep(pollMs, undefined, { ref: false })
    }
    isPolling = false
  }
}

async function advanceFeed(feed: FeedState) {
  const { db, companies, pending } = feed
  const latest = await readPositions(db)
  const isOver = pending && isSettled(pending, latest)
  if (isOver) feed.settled = pending.position
  if (!pending || isOver) feed.pending = latest
  const range = { after: feed.announced, until: feed.settled }
  if (range.until === range.after) return
  for (const id of await findCompaniesWithEvents(db, [...companies.keys()], range)) {
    const company = companies.get(id)
    if (company) company.until = range.until
  }
  feed.announced = range.until
}

function addFollower({ companies, settled }: FeedState, id: string) {
  const company = companies.get(id) ?? { id, followers: 0, until: settled }
  companies.set(id, company)
  company.followers++
  return company
}

function removeFollower({ companies }: FeedState, company: FollowedCompany) {
  company.followers--
  if (company.followers === 0) companies.delete(company.id)
}

async function* followCompany(
  feed: FeedState,
  company: FollowedCompany,
  { after, types, idleMs, signal }: FollowOptions,
) {
  let place = after
  let readUntil = 0
  let idleAt = performance.now() + idleMs
  while (!signal.aborted && !feed.isClosed) {
    const { until } = company
    const isIdle = performance.now() >= idleAt
    const events = await readEvents(feed, company, { after: place, readUntil })
    const isReadToEnd = events.length < BATCH_SIZE
    if (isReadToEnd) readUntil = until
    place = events.at(-1) ?? place
    const wanted = selectEvents(events, types)
    if (wanted.length > 0 || isIdle) {
      yield wanted
      idleAt = performance.now() + idleMs
    } else if (isReadToEnd) await feed.round.promise
  }
}

/** Once for all that stand at the same event; nothing where all was read. */
async function readEvents(
  { db }: FeedState,
  company: FollowedCompany,
  { after, readUntil }: { after: EventPlace; readUntil: number },
) {
  const { id, until, latest } = company
  if (readUntil >= until) return []
  const key = `${after.position} ${after.id} ${until}`
  if (latest?.key === key) return latest.events
  const events = listEventsAfter(db, id, { after, until, limit: BATCH_SIZE })
  company.latest = { key, events }
  events.catch(() => {
    company.latest = undefined
  })
  return events
}

function selectEvents(events: EventRow[], types: FollowOptions['types']) {
  return types ? events.filter(({ type }) => types.includes(type)) : events
}
