// What disputes take of a payment: what was lost for good, and what is kept back while one is open.
import type { Db } from '../../database/connect.ts'
import { and, eq, type SQL, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { disputes, incomingPayments } from '../../database/tables.ts'
import type { TransactionRow } from '../transaction.ts'

/**
 * What was lost of the sale, at most its total. A Pix that came in twice loses what was too much of it first,
 * which was never part of the sale.
 */
export function selectLostCents(payment: TransactionRow): SQL {
  return selectTakenCents(payment, ['lost'])
}

/** What may not be refunded: lost already, or asked back by the payer's bank. */
export async function sumDisputedCents(db: Db, payment: TransactionRow): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(selectTakenCents(payment, ['open', 'lost']))
  return requireFound(rows[0]).cents
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

function selectTakenCents({ id, totalCents }: TransactionRow, statuses: ('open' | 'lost')[]): SQL {
  return sql`
    select least(coalesce(sum(cents), 0), ${totalCents}::int)::int as cents from (
      select case when incoming.id is null then taken.cents
        else greatest(0, incoming.refunded_cents + taken.cents - incoming.surplus_cents)
          - greatest(0, incoming.refunded_cents - incoming.surplus_cents) end as cents
      from (
        select incoming_payment_id, sum(amount_cents) as cents from ${disputes}
        where transaction_id = ${id} and status = any(${sql.param(statuses)})
        group by incoming_payment_id
      ) taken
      left join ${incomingPayments} incoming on incoming.id = taken.incoming_payment_id
    ) of_sale`
}
