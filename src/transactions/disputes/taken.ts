// What disputes take of a payment for good, and whether one is open.
import type { Db, Transaction } from '../../database/connect.ts'
import { and, eq, type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { disputes, incomingPayments, refunds, transactions } from '../../database/tables.ts'
import type { TransactionRow } from '../transaction.ts'

/**
 * What was lost of the sale, at most its total. A Pix that came in twice loses what was too much of it first,
 * which was never part of the sale.
 */
export function selectLostCents({ id, totalCents }: TransactionRow): SQL {
  return sql`
    select least(coalesce(sum(cents), 0), ${totalCents}::int)::int as cents from (
      select case when incoming.id is null then taken.cents
        else greatest(0, incoming.refunded_cents + taken.cents - incoming.surplus_cents)
          - greatest(0, incoming.refunded_cents - incoming.surplus_cents) end as cents
      from (
        select incoming_payment_id, sum(amount_cents) as cents from ${disputes}
        where transaction_id = ${id} and status = 'lost'
        group by incoming_payment_id
      ) taken
      left join ${incomingPayments} incoming on incoming.id = taken.incoming_payment_id
    ) of_sale`
}

export type LostMoney = { incomingPaymentId: string | null; amountCents: number }

/** What was lost, and of which Pix. */
export async function listLostMoney(db: Db, transactionId: string): Promise<LostMoney[]> {
  const { incomingPaymentId, amountCents } = disputes
  return db
    .select({ incomingPaymentId, amountCents })
    .from(disputes)
    .where(and(eq(disputes.transactionId, transactionId), eq(disputes.status, 'lost')))
}

/** Of a payment that is held: whether all that came in has gone back, or was lost. */
export async function isHeldMoneyGone(db: Db, { id, receivedCents }: TransactionRow) {
  const { rows } = await db.execute<{ gone: boolean }>(sql`
    select coalesce(
      (select sum(amount_cents) from ${incomingPayments} where transaction_id = ${id}),
      ${receivedCents}::int
    ) <= (
      select coalesce(sum(amount_cents), 0) from ${refunds}
      where transaction_id = ${id} and status = 'succeeded'
    ) + (
      select coalesce(sum(amount_cents), 0) from ${disputes}
      where transaction_id = ${id} and status = 'lost'
    ) as gone`)
  return requireFound(rows[0]).gone === true
}

/** Whether the provider has yet to say how one of them ends. */
export async function hasOpenDispute(db: Db, transactionId: string): Promise<boolean> {
  const open = await db
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.transactionId, transactionId), eq(disputes.status, 'open')))
    .limit(1)
  return open.length > 0
}

/**
 * A payment that is held and that disputes take money of: it is over once nothing is left of what came in, and
 * held again should the bank think again.
 */
export async function updateHeldPayment(tx: Transaction, payment: TransactionRow, now: Date) {
  if (payment.holdReason === null) return payment
  const isOver = await isHeldMoneyGone(tx, payment)
  if (isOver === (payment.status === 'canceled')) return payment
  const [updated] = await tx
    .update(transactions)
    .set({ status: isOver ? 'canceled' : 'expired', updatedAt: now.toISOString() })
    .where(eq(transactions.id, payment.id))
    .returning()
  return updated ?? payment
}
