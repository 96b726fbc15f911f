// Events read beside the service, from its database: it need not run.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { isOutage } from '../../outage.ts'
import { openEventFeed } from '../../webhooks/events/feed.ts'
import type { EventFollower } from '../../webhooks/events/follower.ts'
import { getErrorReason } from '../failure.ts'
import type { Heard, SourceOptions } from './source.ts'

const EVENT_POLL_MS = 300

export async function* followDatabase(
  db: Database,
  companyId: string,
  { types, signal }: SourceOptions,
): AsyncGenerator<Heard> {
  const outages: string[] = []
  const log = { warn: ({ err }: { err: unknown }) => outages.push(getErrorReason(err)) }
  const feed = openEventFeed({ db, log, pollMs: EVENT_POLL_MS })
  signal.addEventListener('abort', feed.close)
  try {
    const follower = await feed.follow(companyId)
    yield { kind: 'open' }
    while (!signal.aborted) {
      for (const event of await readNext(follower, log)) {
        if (types.includes(event.type)) yield { kind: 'event', event }
      }
      for (const reason of outages.splice(0)) yield { kind: 'waiting', reason }
    }
  } finally {
    feed.close()
  }
}

async function readNext(follower: EventFollower, log: { warn(entry: { err: unknown }): unknown }) {
  try {
    const next = await follower.next(EVENT_POLL_MS)
    return next.kind === 'events' ? next.events : []
  } catch (err) {
    if (!isOutage(err)) throw err
    log.warn({ err })
    await sleep(EVENT_POLL_MS)
    return []
  }
}
