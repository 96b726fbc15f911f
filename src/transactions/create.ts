// Writes a new attempt to pay, if it may be made at all: once for each attempt token, while the link has
// a place left, and only what its guard lets through.

import { gather } from '../database/batch.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { perDatabase } from '../database/memoize.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { hasPaymentLeft } from './settle.ts'
import {
  findTransactionByAttempt,
  insertTransaction,
  insertTransactionIn,
  type TransactionRow,
} from './transaction.ts'

/** Nothing was charged: a link with `maxPayments` has no place left. */
export const SOLD_OUT = Symbol('no place')

/** Nothing was charged: the guard spoke against it. `busy`: a moment later it may not. */
export type PrecheckRefusal = { denied: 'paused' | 'tooMany' | 'busy'; retryAfterSeconds: number }

/** Has a say in whether a payment may be tried, within the transaction that writes it. */
export type Precheck = {
  /** From here to the transaction's end nobody is judged who would be counted together with this one. */
  lock(tx: Transaction): Promise<void>
  check(tx: Transaction, link: LinkRow): Promise<PrecheckRefusal | undefined>
  /** The payment has been written. */
  record(tx: Transaction): Promise<void>
}

type CreateAttemptResult = boolean | typeof SOLD_OUT | PrecheckRefusal

type NewAttempt = { row: TransactionRow; precheck: Precheck | null }

/** True when the attempt was written, false when its token was used before. */
export async function createAttempt(
  db: Database,
  link: LinkRow,
  attempt: NewAttempt,
): Promise<CreateAttemptResult> {
  if (attempt.precheck) return precheckedAttemptBatch(db)(attempt)
  return link.maxPayments === null ? insertTransaction(db, attempt.row) : writeAttempt(db, attempt)
}

/** Guards wait for each other; a few at a time, so that those who wait do not take every connection. */
const precheckedAttemptBatch = perDatabase((db: Database) =>
  gather<NewAttempt, CreateAttemptResult>(
    async (attempts) => [await writeAttempt(db, attempts[0]!)],
    {
      atOnce: 3,
      rows: 1,
    },
  ),
)

async function writeAttempt(
  db: Database,
  { row, precheck }: NewAttempt,
): Promise<CreateAttemptResult> {
  return db.transaction(async (tx) => {
    const link = await lockLinkForPayment(tx, row.paymentLinkId)
    await precheck?.lock(tx)
    if (await findTransactionByAttempt(tx, row.paymentLinkId, row.attemptToken)) return false
    const denied = await precheck?.check(tx, link)
    if (denied) return denied
    if (!(await hasPaymentLeft(tx, link, row))) return SOLD_OUT
    const written = await insertTransactionIn(tx, row)
    if (written) await precheck?.record(tx)
    return written
  })
}
