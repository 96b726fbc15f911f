// Writes a new attempt to pay, if it may be made at all: once for each attempt token, while the link has
// a place left, and only what its guard lets through.

import { gather } from '../database/batch.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { perDatabase } from '../database/memoize.ts'
import { type LinkRow, readLink } from '../payment-links/payment-link.ts'
import { hasPlaceLeft } from './settle.ts'
import {
  findByAttempt,
  insertTransaction,
  insertTransactionIn,
  type TransactionRow,
} from './transaction.ts'

/** Nothing was charged: a link with `maxPayments` has no place left. */
export const NO_PLACE = Symbol('no place')

/** Nothing was charged: the guard spoke against it. `busy`: a moment later it may not. */
export type Denied = { denied: 'paused' | 'tooMany' | 'busy'; retryAfterSeconds: number }

/** Has a say in whether a payment may be tried, within the transaction that writes it. */
export type Guard = {
  /** From here to the transaction's end nobody is judged who would be counted together with this one. */
  lock(tx: Transaction): Promise<void>
  refuse(tx: Transaction, link: LinkRow): Promise<Denied | undefined>
  /** The payment has been written. */
  record(tx: Transaction): Promise<void>
}

type Admitted = boolean | typeof NO_PLACE | Denied

type Attempt = { row: TransactionRow; guard: Guard | null }

/** True when the attempt was written, false when its token was used before. */
export async function admit(db: Database, link: LinkRow, attempt: Attempt): Promise<Admitted> {
  if (attempt.guard) return writeGuarded(db)(attempt)
  return link.maxPayments === null ? insertTransaction(db, attempt.row) : write(db, attempt)
}

/** Guards wait for each other; a few at a time, so that those who wait do not take every connection. */
const writeGuarded = perDatabase((db: Database) =>
  gather<Attempt, Admitted>(async (attempts) => [await write(db, attempts[0]!)], {
    atOnce: 3,
    rows: 1,
  }),
)

async function write(db: Database, { row, guard }: Attempt): Promise<Admitted> {
  return db.transaction(async (tx) => {
    const link = await readLink(tx, row.paymentLinkId)
    await guard?.lock(tx)
    if (await findByAttempt(tx, row.paymentLinkId, row.attemptToken)) return false
    const denied = await guard?.refuse(tx, link)
    if (denied) return denied
    if (!(await hasPlaceLeft(tx, link, row))) return NO_PLACE
    const written = await insertTransactionIn(tx, row)
    if (written) await guard?.record(tx)
    return written
  })
}
