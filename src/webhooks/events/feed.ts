// A company's events as they happen, for streams of the API and for terminals. Each follower reads at a pace of its
// own and a little at a time, so that nothing piles up for a slow one; those at the same pace share what is read.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { trackOutage } from '../../queue/outage-log.ts'
import type { EventRow } from './log.ts'
import {
  type EventPlace,
  findCompaniesWithEvents,
  findLastPlace,
  isSettled,
  listEventsAfter,
  type PositionReading,
  readPositions,
} from './order.ts'

/** An event is shown by the second poll after it was written, as a rule. */
const FEED_POLL_MS = 500
const BATCH_SIZE = 10

export type FollowResult =
  | { kind: 'events'; events: EventRow[] }
  | { kind: 'nothing' }
  /** By `stop`, or with the feed. */
  | { kind: 'ended' }

export type EventFollower = {
  /** The event after which the follower began. */
  startId: string
  /** The events that come next, or nothing within that time. Called again once it has answered. */
  next(waitMs: number): Promise<FollowResult>
  stop(): void
}

export type EventFeed = {
  /** Begins after that event or, without one, now; answers once it has begun. */
  follow(companyId: string, after?: EventPlace): Promise<EventFollower>
  /** Ends all followers. */
  close(): void
}

type FeedNeeds = {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  pollMs?: number
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
  /** Those whose positions are not settled yet. */
  readings: PositionReading[]
  /** All events up to this position are visible. */
  settled: number
  /** Followers know of the events up to this position. */
  announced: number
  isClosed: boolean
  /** Resolves with each poll. */
  round: PromiseWithResolvers<void>
}

export function openEventFeed({ db, log, pollMs = FEED_POLL_MS }: FeedNeeds): EventFeed {
  const feed: FeedState = {
    db,
    companies: new Map(),
    readings: [],
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
    async follow(companyId, after) {
      const company = addFollower(feed, companyId)
      if (!isPolling) void poll()
      try {
        return createFollower(feed, company, after ?? (await findStart(feed, companyId)))
      } catch (error) {
        removeFollower(feed, company)
        throw error
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
      feed.round = Promise.withResolvers()
      await sleep(pollMs, undefined, { ref: false })
    }
    isPolling = false
  }
}

async function advanceFeed(feed: FeedState) {
  const { db, companies, readings } = feed
  const latest = await readPositions(db)
  while (readings[0] && isSettled(readings[0], latest)) {
    feed.settled = readings[0].position
    readings.shift()
  }
  readings.push(latest)
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

/** Events of transactions that are under way come before it: from here on nothing is missed. */
async function findStart(feed: FeedState, companyId: string) {
  const { position } = await readPositions(feed.db)
  while (feed.settled < position && !feed.isClosed) await feed.round.promise
  return findLastPlace(feed.db, companyId, position)
}

/** Once for all that stand at the same event. */
function readEvents({ db }: FeedState, company: FollowedCompany, after: EventPlace) {
  const { id, until, latest } = company
  const key = `${after.position} ${after.id} ${until}`
  if (latest?.key === key) return latest.events
  const events = listEventsAfter(db, id, { after, until, limit: BATCH_SIZE })
  company.latest = { key, events }
  events.catch(() => {
    company.latest = undefined
  })
  return events
}

function createFollower(feed: FeedState, company: FollowedCompany, start: EventPlace) {
  let place = start
  let readUntil: number | undefined
  let isStopped = false
  return { startId: start.id, next, stop }

  async function next(waitMs: number): Promise<FollowResult> {
    const deadline = performance.now() + waitMs
    while (!isStopped && !feed.isClosed) {
      const events = await readNext()
      if (events.length > 0) return { kind: 'events', events }
      if (performance.now() >= deadline) return { kind: 'nothing' }
      await feed.round.promise
    }
    return { kind: 'ended' }
  }

  async function readNext() {
    const { until } = company
    if (readUntil === until) return []
    const events = await readEvents(feed, company, place)
    place = events.at(-1) ?? place
    if (events.length < BATCH_SIZE) readUntil = until
    return events
  }

  function stop() {
    if (isStopped) return
    isStopped = true
    removeFollower(feed, company)
  }
}
