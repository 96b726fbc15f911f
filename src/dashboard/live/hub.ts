// Open dashboards, told at once how many payments were approved. All that look at one company have one follower
// of its events in common, and all sessions are looked after by one question: what the database is asked does
// not grow with how many look.
import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { runInterval } from '../../queue/interval.ts'
import { listSessionEnvironments } from '../../users/session.ts'
import type { EventFeed } from '../../webhooks/events/feed.ts'
import { countEventsBetween, type EventPlace } from '../../webhooks/events/order.ts'
import { type ApprovalFollower, followApprovals, formatNews } from './follow.ts'

/** Proxies end what is silent for longer. */
const HEARTBEAT_MS = 15 * SECOND_MS
const RECONNECT_MS = 5 * SECOND_MS
/** What one browser may hold: its tabs share one where it can. */
const MAX_SESSION_STREAMS = 6
const MAX_STREAMS = 2_000
/** Whoever does not take this much is gone. */
const MAX_UNREAD_BYTES = 4_096

type LiveStream = {
  sessionId: string
  companyId: string
  testMode: boolean
  response: ServerResponse
}

type WatchedCompany = ApprovalFollower & { streams: Set<LiveStream> }

type HubNeeds = {
  db: Database
  eventFeed: EventFeed
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
  heartbeatMs?: number
}

export function openLiveHub({ db, eventFeed, log, now, heartbeatMs = HEARTBEAT_MS }: HubNeeds) {
  const companies = new Map<string, WatchedCompany>()
  const bySession = new Map<string, number>()
  const failure = 'whether the sessions of open dashboards go on cannot be told for now'
  let total = 0
  let isClosed = false
  const stopBeating = runInterval({ intervalMs: heartbeatMs, log, failure }, async () => {
    if (total > 0) await beatStreams()
    return false
  })

  return {
    /** Whether there is a place left. */
    hasRoom: (sessionId: string) =>
      !isClosed && total < MAX_STREAMS && (bySession.get(sessionId) ?? 0) < MAX_SESSION_STREAMS,
    /** From now on, and told at once how many there were since `after`. */
    async joinStream(stream: LiveStream, after: EventPlace | undefined) {
      const { companyId, response } = stream
      // Whoever left meanwhile is gone for good: it does not close once more.
      if (response.closed) return
      const company = companies.get(companyId) ?? watchCompany(companyId)
      count(stream, 1)
      company.streams.add(stream)
      response.once('close', () => {
        count(stream, -1)
        company.streams.delete(stream)
        if (company.streams.size === 0) evictCompany(companyId, company)
      })
      await company.started
      // Only now: what comes in while somebody is connected is told.
      if (!response.writableEnded) response.write(`retry: ${RECONNECT_MS}\n\n`)
      const until = company.getPlace()
      if (after && until) await sendMissed(db, stream, { after, until })
    },
    beatStreams,
    close() {
      isClosed = true
      for (const company of companies.values()) endStreams(company)
      void stopBeating()
    },
  }

  function count({ sessionId }: LiveStream, change: 1 | -1) {
    total += change
    const held = (bySession.get(sessionId) ?? 0) + change
    if (held > 0) bySession.set(sessionId, held)
    else bySession.delete(sessionId)
  }

  function watchCompany(companyId: string) {
    const streams = new Set<LiveStream>()
    const company = {
      streams,
      ...followApprovals(eventFeed, companyId, (payments, lastId) =>
        sendToStreams(streams, formatNews(payments, lastId)),
      ),
    }
    companies.set(companyId, company)
    // Whoever is cut off connects again, and is told what it missed.
    company.ended
      .catch((err: unknown) => log.warn({ err }, 'open dashboards are not told for now'))
      .finally(() => {
        evictCompany(companyId, company)
        endStreams(company)
      })
    return company
  }

  function evictCompany(companyId: string, company: WatchedCompany) {
    company.stop()
    if (companies.get(companyId) === company) companies.delete(companyId)
  }

  /** Ends those whose session is over, or in the other environment by now, and keeps the others open. */
  async function beatStreams() {
    const environments = await listSessionEnvironments(db, [...bySession.keys()], now())
    for (const { streams } of companies.values()) {
      const over = [...streams].filter((one) => isOver(one, environments.get(one.sessionId)))
      for (const { response } of over) response.end('event: over\ndata: {}\n\n')
      sendToStreams(streams, ':\n\n')
    }
  }
}

type MissedRange = { after: EventPlace; until: EventPlace }

async function sendMissed(db: Database, { companyId, response }: LiveStream, range: MissedRange) {
  const wanted = { ...range, type: 'transaction.approved' as const }
  const { count: payments, lastId } = await countEventsBetween(db, companyId, wanted)
  if (lastId !== undefined && !response.writableEnded) response.write(formatNews(payments, lastId))
}

function isOver({ testMode }: LiveStream, chosen: boolean | null | undefined) {
  return chosen === undefined || (chosen !== null && chosen !== testMode)
}

function sendToStreams(streams: Iterable<LiveStream>, text: string) {
  for (const { response } of streams) {
    if (response.writableEnded) continue
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    else response.write(text)
  }
}

function endStreams({ streams }: WatchedCompany) {
  for (const { response } of streams) response.end()
}
