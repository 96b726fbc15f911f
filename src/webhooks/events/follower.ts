// One who follows a company's events, at a pace of its own: what it was not fast enough for is read again from
// the database, a little at a time, so that nothing piles up for the slow.
import type { Database } from '../../database/connect.ts'
import { unavailableError } from '../../http/errors.ts'
import type { EventRow } from './log.ts'
import { comparePlaces, type EventPlace, listEventsBetween } from './order.ts'

const BEHIND_BATCH_SIZE = 10
/** Longer than writers may hold it up (order.ts). */
const START_PATIENCE_MS = 20_000

/** What all who follow a company have in common. */
export type FollowedCompany = {
  id: string
  /** Up to here its events may be shown; undefined until that is known. */
  until: EventPlace | undefined
  /** All events between `from` and `until`. */
  latest: { from: EventPlace; events: EventRow[] } | undefined
  /** Wakes each of them. */
  followers: Set<() => void>
  isOver: boolean
}

export type FollowResult =
  | { kind: 'events'; events: EventRow[] }
  | { kind: 'nothing' }
  /** By `stop`, or with the feed. */
  | { kind: 'ended' }

export type EventFollower = {
  /** The event after which it began; undefined where all was over before. */
  startId: string | undefined
  /** The same with its place. */
  start: EventPlace | undefined
  /** Those that come next, or nothing within that time. Called again once it has answered. */
  next(waitMs: number): Promise<FollowResult>
  stop(): void
}

type FollowerOptions = { after: EventPlace | undefined; onStop: () => void }

/**
 * Begins after that event or, without one, once it is known how far its company is by now. Throws 503 when that
 * takes too long.
 */
export async function startFollower(
  db: Database,
  company: FollowedCompany,
  { after, onStop }: FollowerOptions,
): Promise<EventFollower> {
  let place = after
  let isStopped = false
  let wakeUp = () => {}
  const wake = () => wakeUp()
  company.followers.add(wake)
  if (!place) place = await awaitStart()
  return { startId: place?.id, start: place, next, stop }

  async function awaitStart() {
    const deadline = performance.now() + START_PATIENCE_MS
    while (!company.until && !company.isOver && performance.now() < deadline) {
      await awaitChange(deadline - performance.now())
    }
    if (company.until || company.isOver) return company.until
    stop()
    throw unavailableError()
  }

  async function next(waitMs: number): Promise<FollowResult> {
    const deadline = performance.now() + waitMs
    while (!isStopped && !company.isOver) {
      const events = await readNext()
      if (events.length > 0) return { kind: 'events', events }
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return { kind: 'nothing' }
      await awaitChange(leftMs)
    }
    return { kind: 'ended' }
  }

  function stop() {
    if (isStopped) return
    isStopped = true
    company.followers.delete(wake)
    wakeUp()
    onStop()
  }

  async function readNext() {
    const { until } = company
    if (!until || !place || comparePlaces(place, until) >= 0) return []
    const events = await readEventsAfter(db, company, { after: place, until })
    place = events.at(-1) ?? until
    return events
  }

  function awaitChange(waitMs: number) {
    // What has changed while it was read about is found before anything is waited for.
    if (isStopped || company.isOver || isBehind()) return
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function isBehind() {
    return company.until && place ? comparePlaces(place, company.until) < 0 : false
  }
}

/** From memory for whoever keeps up. */
async function readEventsAfter(
  db: Database,
  { id, latest }: FollowedCompany,
  { after, until }: { after: EventPlace; until: EventPlace },
): Promise<EventRow[]> {
  return latest && comparePlaces(after, latest.from) >= 0
    ? latest.events.filter((event) => comparePlaces(event, after) > 0)
    : listEventsBetween(db, id, { after, until, limit: BEHIND_BATCH_SIZE })
}
