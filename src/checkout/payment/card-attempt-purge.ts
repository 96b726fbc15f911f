// Attempts to pay by card are counted for an hour at most, and kept for as long as somebody may ask.

import type { Database } from '../../database/connect.ts'
import { lt } from '../../database/drizzle.ts'
import { DAY_MS } from '../../database/instant.ts'
import { cardAttempts } from '../../database/tables.ts'
import { purgeRows } from '../../queue/purge.ts'

const RETENTION_MS = 30 * DAY_MS

/** Deletes what is older than 30 days. */
export async function purgeCardAttempts(db: Database, now: Date) {
  const start = new Date(now.getTime() - RETENTION_MS).toISOString()
  await purgeRows(db, cardAttempts, lt(cardAttempts.createdAt, start))
}
