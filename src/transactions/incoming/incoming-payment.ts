// The received Pix as rows: each is written once however often the bank reports it, and for one payment only
// (receive.ts).

import type { Db } from '../../database/connect.ts'
import { and, asc, eq, inArray, ne } from '../../database/drizzle.ts'
import { disputes, incomingPayments } from '../../database/tables.ts'
import type { ReceivedPix } from '../../providers/received.ts'
import type { TransactionRow } from '../transaction.ts'
import { sumSurplusLeft, type TakenMoney } from './amounts.ts'
import type { IncomingPaymentRow } from './schema.ts'

/** Oldest first. */
export async function listIncomingPayments(
  db: Db,
  transactionId: string,
): Promise<IncomingPaymentRow[]> {
  return db
    .select()
    .from(incomingPayments)
    .where(eq(incomingPayments.transactionId, transactionId))
    .orderBy(asc(incomingPayments.id))
}

export async function findIncomingPayment(db: Db, id: string) {
  const [row] = await db.select().from(incomingPayments).where(eq(incomingPayments.id, id))
  return row
}

/** Loads the surplus of a payment that is not refunded yet. */
export async function loadSurplusLeft(db: Db, { id }: TransactionRow) {
  const received = await listIncomingPayments(db, id)
  return received.length > 0 ? sumSurplusLeft(received, await listLostMoney(db, id)) : 0
}

async function listLostMoney(db: Db, transactionId: string): Promise<TakenMoney[]> {
  const { incomingPaymentId, amountCents } = disputes
  return db
    .select({ incomingPaymentId, amountCents })
    .from(disputes)
    .where(and(eq(disputes.transactionId, transactionId), eq(disputes.status, 'lost')))
}

/** Returns which of these Pix are booked on another payment: a Pix pays once. */
export async function listBookedElsewhere(
  db: Db,
  { id, companyId, provider }: TransactionRow,
  received: readonly ReceivedPix[],
): Promise<ReadonlySet<string>> {
  const ids = received.map(({ endToEndId }) => endToEndId)
  if (ids.length === 0) return new Set()
  const { endToEndId } = incomingPayments
  const booked = await db
    .select({ endToEndId })
    .from(incomingPayments)
    .where(
      and(
        eq(incomingPayments.companyId, companyId),
        eq(incomingPayments.provider, provider),
        inArray(endToEndId, ids),
        ne(incomingPayments.transactionId, id),
      ),
    )
  return new Set(booked.map((row) => row.endToEndId))
}
