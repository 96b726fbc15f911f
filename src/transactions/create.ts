// Makes a payment: the attempt is written, if it may be made at all, and charged. Written once for each
// attempt token, while link and company are as committed what the payer was shown, while the link has a
// payment left, and only when its precheck allows it.

import { setTimeout as sleep } from 'node:timers/promises'
import { batchCalls } from '../database/batch.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { SECOND_MS } from '../database/instant.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { hasPaymentLeft } from '../payment-links/payments.ts'
import { type ChargeDetails, chargePayment } from './charge.ts'
import type { PayNeeds } from './needs.ts'
import {
  type DraftedTransaction,
  findTransactionByAttempt,
  insertTransaction,
  insertTransactionIn,
  type TransactionRow,
} from './transaction.ts'

/** A payer waits no longer than this for the code of a Pix; its page shows it when it comes. */
const PIX_PATIENCE_MS = 4 * SECOND_MS

/** Nothing was written: the precheck is against it. `overCapacity`: a moment later it may not be. */
export type AttemptRefusal = {
  kind: 'refused'
  reason: 'paused' | 'tooMany' | 'overCapacity'
  retryAfterSeconds: number
}

/** Has a say in whether a payment may be tried, within the transaction that writes it. */
export type Precheck = {
  /** From here to the transaction's end nobody is judged who would be counted together with this one. */
  lock(tx: Transaction): Promise<void>
  check(tx: Transaction, link: LinkRow): Promise<{ kind: 'allowed' } | AttemptRefusal>
  /** The payment has been written. */
  record(tx: Transaction): Promise<void>
}

export type NewPayment = ChargeDetails & { row: DraftedTransaction; precheck?: Precheck | null }

/**
 * `soldOut`: the link has as many payments as its `maxPayments` allows, or as may still come to it.
 * `stale`: the link or its company has changed since; read it again and see what the payer says.
 */
export type CreatePaymentResult =
  | { kind: 'payment'; row: TransactionRow }
  | { kind: 'soldOut' }
  | { kind: 'stale' }
  | AttemptRefusal

/** The same attempt token again answers with the first attempt, whose end may still be out. */
export async function createPayment(
  needs: PayNeeds,
  { row, precheck = null, ...details }: NewPayment,
): Promise<CreatePaymentResult> {
  const attempt = await createAttempt(needs.db, details.link, { row, precheck })
  switch (attempt.kind) {
    case 'created':
      needs.metrics?.countStartedPayment(row)
      return { kind: 'payment', row: await chargeBriefly(needs, row, details) }
    case 'unwritten': {
      const first = await findTransactionByAttempt(needs.db, row.paymentLinkId, row.attemptToken)
      return first ? { kind: 'payment', row: first } : { kind: 'stale' }
    }
    default:
      return attempt
  }
}

/** A charge that takes longer goes on; whatever becomes of it, the reconciler hears of it too. */
async function chargeBriefly(needs: PayNeeds, row: TransactionRow, details: ChargeDetails) {
  const charging = chargePayment(needs, row, details)
  if (row.method !== 'pix') return charging
  charging.catch((err) => {
    needs.log.warn({ err, transactionId: row.id }, 'a charge could not be brought to its end')
  })
  const waiting = new AbortController()
  const { signal } = waiting
  const patience = sleep(PIX_PATIENCE_MS, row, { ref: false, signal })
  return Promise.race([charging, patience]).finally(() => waiting.abort())
}

type NewAttempt = { row: DraftedTransaction; precheck: Precheck | null }

/** `unwritten`: its token was used before, or what it was made from has changed. */
type CreateAttemptResult =
  | { kind: 'created' }
  | { kind: 'unwritten' }
  | { kind: 'soldOut' }
  | AttemptRefusal

async function createAttempt(
  db: Database,
  link: LinkRow,
  attempt: NewAttempt,
): Promise<CreateAttemptResult> {
  if (attempt.precheck) return precheckedAttemptBatch(db)(attempt)
  if (link.maxPayments !== null) return writeAttempt(db, attempt)
  return insertTransaction(db, attempt.row)
}

/** They wait for each other; a few at a time, so that those who wait do not take every connection. */
const precheckedAttemptBatch = memoizeByDb((db: Database) =>
  batchCalls<NewAttempt, CreateAttemptResult>(
    (attempts) => Promise.all(attempts.map((attempt) => writeAttempt(db, attempt))),
    { concurrency: 3, maxItems: 1 },
  ),
)

async function writeAttempt(
  db: Database,
  { row, precheck }: NewAttempt,
): Promise<CreateAttemptResult> {
  return db.transaction(async (tx) => {
    const link = await lockLinkForPayment(tx, row.paymentLinkId)
    await precheck?.lock(tx)
    const known = await findTransactionByAttempt(tx, row.paymentLinkId, row.attemptToken)
    if (known || link.updatedAt !== row.linkVersion) return { kind: 'unwritten' }
    const checked = await precheck?.check(tx, link)
    if (checked?.kind === 'refused') return checked
    if (!(await hasPaymentLeft(tx, link))) return { kind: 'soldOut' }
    const inserted = await insertTransactionIn(tx, row)
    if (inserted.kind === 'created') await precheck?.record(tx)
    return inserted
  })
}
