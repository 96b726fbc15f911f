// Emits that links have expired. What a link's status is does not wait for this: it is judged whenever the
// link is read.

import type { FastifyBaseLogger } from 'fastify'
import type { Database, Transaction } from '../database/connect.ts'
import { eq, inArray, orm, sql } from '../database/drizzle.ts'
import { companies, paymentLinks } from '../database/tables.ts'
import { selectDueIds } from '../queue/claim.ts'
import { runInterval } from '../queue/interval.ts'
import { emitLinkEvent } from './events.ts'

type ExpiryNeeds = {
  db: Database
  log: FastifyBaseLogger
  now: () => Date
}

const EXPIRY_BATCH_SIZE = 50
const EXPIRY_INTERVAL_MS = 1_000

/** Emits the expiry of links that expired by `now`, each once, and answers how many that were. */
export async function emitDueExpiries({ db }: Pick<ExpiryNeeds, 'db'>, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await claimExpiredLinks(tx, now)
    for (const { link, testMode } of due) {
      await emitLinkEvent(tx, { link, type: 'payment_link.expired', testMode, now })
    }
    return due.length
  })
}

/** Other processes pass over what this transaction has; should it fail, they find it again. */
async function claimExpiredLinks(tx: Transaction, now: Date) {
  const unclaimed = sql`and status = 'active' and expires_at is distinct from expiry_told_for
    and expires_at is not null order by expires_at limit ${EXPIRY_BATCH_SIZE}`
  const due = selectDueIds(paymentLinks, paymentLinks.expiresAt, now, unclaimed)
  const claimed = await tx
    .update(paymentLinks)
    .set({ expiryToldFor: sql`expires_at` })
    .where(inArray(paymentLinks.id, due))
    .returning({ id: paymentLinks.id })
  if (claimed.length === 0) return []
  return tx
    .select({ link: orm.getTableColumns(paymentLinks), testMode: companies.testMode })
    .from(paymentLinks)
    .innerJoin(companies, eq(companies.id, paymentLinks.companyId))
    .where(
      inArray(
        paymentLinks.id,
        claimed.map(({ id }) => id),
      ),
    )
    .orderBy(paymentLinks.expiresAt)
}

/** Sweeps until stopped. Stopping waits for the batch under way. */
export function startExpirySweep(needs: ExpiryNeeds) {
  const failure = 'the expiry of links cannot be emitted for now'
  return runInterval({ intervalMs: EXPIRY_INTERVAL_MS, log: needs.log, failure }, async () => {
    return (await emitDueExpiries(needs, needs.now())) >= EXPIRY_BATCH_SIZE
  })
}
