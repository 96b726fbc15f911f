// A company's events as they happen, for whoever follows them within this process: streams of the API, a
// terminal, dashboards. What is new is read once for all who follow a company.
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { Listener } from '../../database/listen.ts'
import { trackOutage } from '../../queue/outage-log.ts'
import { type EventFollower, type FollowedCompany, startFollower } from './follower.ts'
import { comparePlaces, type EventPlace, findLastPlaces, listEventsBetween } from './order.ts'

const FEED_POLL_MS = 1_000
const NEW_BATCH_SIZE = 100

export type EventFeed = {
  /** Begins after that event or, without one, now; answers once it has begun. */
  follow(companyId: string, after?: EventPlace): Promise<EventFollower>
  /** Ends all who follow. */
  close(): void
}

type FeedNeeds = {
  db: Database
  /** Absent: the poll alone. */
  listener?: Pick<Listener, 'subscribe'>
  log: Pick<FastifyBaseLogger, 'warn'>
  pollMs?: number
}

export function openEventFeed({ db, listener, log, pollMs = FEED_POLL_MS }: FeedNeeds): EventFeed {
  const companies = new Map<string, FollowedCompany>()
  const changed = new Set<string>()
  const { noteSuccess, noteFailure } = trackOutage((err) => {
    if (!isClosed) log.warn({ err }, 'events cannot be followed for now')
  })
  let isReading = false
  let isClosed = false

  listener?.subscribe('event_recorded', (companyId) => noteChanges([companyId]))
  // A notification is a hint, and there may be no listener that hears it.
  const poll = setInterval(() => noteChanges(companies.keys()), pollMs)

  return {
    follow(companyId, after) {
      const company = companies.get(companyId) ?? openCompany(companyId)
      return startFollower(db, company, { after, onStop: () => closeUnfollowed(company) })
    },
    close() {
      isClosed = true
      clearInterval(poll)
      for (const company of companies.values()) {
        company.isOver = true
        wakeFollowers(company)
      }
    },
  }

  function openCompany(id: string): FollowedCompany {
    const nothing = { until: undefined, latest: undefined }
    const company = { id, ...nothing, followers: new Set<() => void>(), isOver: isClosed }
    companies.set(id, company)
    noteChanges([id])
    return company
  }

  function closeUnfollowed(company: FollowedCompany) {
    if (company.followers.size === 0) companies.delete(company.id)
  }

  function noteChanges(companyIds: Iterable<string>) {
    for (const id of companyIds) if (companies.has(id)) changed.add(id)
    if (changed.size > 0 && !isReading) void readChanges()
  }

  async function readChanges() {
    isReading = true
    while (changed.size > 0 && !isClosed) {
      const companyIds = [...changed]
      changed.clear()
      await advanceCompanies(companyIds).then(noteSuccess, noteFailure)
    }
    isReading = false
  }

  async function advanceCompanies(companyIds: string[]) {
    for (const [companyId, last] of await findLastPlaces(db, companyIds)) {
      const company = companies.get(companyId)
      if (company && (await advanceCompany(db, company, last)) === 'more') changed.add(companyId)
    }
  }
}

/** Shows those who follow it what there is up to `last`, one batch of it at a time. */
async function advanceCompany(db: Database, company: FollowedCompany, last: EventPlace) {
  const { id, until: from } = company
  if (!from) company.until = last
  else if (comparePlaces(last, from) > 0) {
    const range = { after: from, until: last, limit: NEW_BATCH_SIZE }
    const events = await listEventsBetween(db, id, range)
    company.latest = { from, events }
    company.until = events.length < NEW_BATCH_SIZE ? last : (events.at(-1) ?? last)
  } else {
    // All who keep up have it by now.
    company.latest = undefined
    return 'all'
  }
  wakeFollowers(company)
  return company.until === last ? 'all' : 'more'
}

function wakeFollowers({ followers }: FollowedCompany) {
  for (const wake of followers) wake()
}
