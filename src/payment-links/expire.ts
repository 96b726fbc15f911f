// Emits `payment_link.expired` for links that have expired. The status of a link does not depend on this job: it is
// computed at each read. Code that changes an expired link first emits its event (emitPassedExpiries).

import type { Database } from '../database/connect.ts'
import { inArray, sql } from '../database/drizzle.ts'
import { IS_EXPIRY_PENDING, paymentLinks } from '../database/tables.ts'
import { runInterval, type WorkNeeds } from '../queue/interval.ts'
import { selectDueIds } from '../queue/lease.ts'
import { emitExpiries } from './events.ts'

const EXPIRY_BATCH_SIZE = 50
const EXPIRY_INTERVAL_MS = 1_000

/**
 * Emits the expiry of links that expired by `now`, once each, and returns their number. Other processes skip locked
 * links; if this transaction fails, they find them again.
 */
export async function emitDueExpiries({ db }: WorkNeeds, now: Date): Promise<number> {
  if (!(await isAnythingDue(db, now))) return 0
  const pending = sql`and ${IS_EXPIRY_PENDING} order by expires_at limit ${EXPIRY_BATCH_SIZE}`
  const due = selectDueIds(paymentLinks, paymentLinks.expiresAt, now, pending)
  return db.transaction((tx) => emitExpiries(tx, inArray(paymentLinks.id, due), now))
}

/** A cheap check before each sweep, so that an idle process opens no transaction. */
async function isAnythingDue(db: Database, now: Date) {
  const at = now.toISOString()
  const [due] = await db
    .select({ id: paymentLinks.id })
    .from(paymentLinks)
    .where(sql`expires_at <= ${at}::timestamptz and ${IS_EXPIRY_PENDING}`)
    .limit(1)
  return due !== undefined
}

/** Sweeps until stopped; stopping waits for the running batch. */
export function startExpirySweep(needs: WorkNeeds) {
  const failure = 'events for expired links cannot be written for now'
  return runInterval({ intervalMs: EXPIRY_INTERVAL_MS, log: needs.log, failure }, async () => {
    return (await emitDueExpiries(needs, needs.now())) >= EXPIRY_BATCH_SIZE
  })
}
