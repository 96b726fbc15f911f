// Attempts to pay by card are counted for an hour at most, and kept for as long as somebody may ask.

import type { Database } from '../../database/connect.ts'
import { lt } from '../../database/drizzle.ts'
import { cardAttempts } from '../../database/tables.ts'
import { getRetentionStart, purgeRows } from '../../queue/purge.ts'

const RETENTION_DAYS = 30

/** One batch of what is older than 30 days. */
export async function purgeCardAttempts(db: Database, now: Date) {
  const start = getRetentionStart(now, RETENTION_DAYS)
  return purgeRows(db, cardAttempts, lt(cardAttempts.createdAt, start))
}
