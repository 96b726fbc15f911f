// Attempts to pay by card are counted for an hour at most, and kept for as long as somebody may ask.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { lt, sql } from '../../database/drizzle.ts'
import { DAY_MS, HOUR_MS } from '../../database/instant.ts'
import { cardAttempts } from '../../database/tables.ts'
import { runInterval } from '../../queue/interval.ts'

const RETENTION_MS = 30 * DAY_MS
const PURGE_INTERVAL_MS = HOUR_MS
const PURGE_BATCH_SIZE = 5_000

/** Deletes what is older than 30 days. */
export async function purgeCardAttempts(db: Database, now: Date) {
  const old = lt(cardAttempts.createdAt, new Date(now.getTime() - RETENTION_MS).toISOString())
  for (;;) {
    const some = sql`ctid in (select ctid from card_attempts where ${old} limit ${PURGE_BATCH_SIZE})`
    const { rowCount } = await db.delete(cardAttempts).where(some)
    if ((rowCount ?? 0) < PURGE_BATCH_SIZE) return
  }
}

type CardAttemptPurgeNeeds = { db: Database; log: FastifyBaseLogger; now: () => Date }

/** Purges once an hour, until stopped. */
export function startCardAttemptPurge({ db, log, now }: CardAttemptPurgeNeeds) {
  const failure = 'old attempts to pay by card cannot be purged for now'
  return runInterval({ intervalMs: PURGE_INTERVAL_MS, log, failure }, async () => {
    await purgeCardAttempts(db, now())
    return false
  })
}
