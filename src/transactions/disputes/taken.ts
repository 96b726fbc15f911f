// What disputes take of a payment for good, and whether one is open.
import type { Db } from '../../database/connect.ts'
import { and, eq, type SQL, sql } from '../../database/drizzle.ts'
import { disputes, incomingPayments } from '../../database/tables.ts'
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

/** Whether the provider has yet to say how one of them ends. */
export async function hasOpenDispute(db: Db, transactionId: string): Promise<boolean> {
  const open = await db
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.transactionId, transactionId), eq(disputes.status, 'open')))
    .limit(1)
  return open.length > 0
}
