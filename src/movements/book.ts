// The book of money: a row for each time that money of a payment moved, on the day that it moved. Rows are only
// added. Every figure of money in the dashboard, the reports and the API is a sum of them.
//
//   sale             what the payer paid of the total, with what of it is interest, and the provider's fee
//   fee              what the provider said of its fee later than the sale
//   refund           what went back of the sale
//   dispute          what a dispute took of the sale; dispute_won is what came back of that
//   surplus          what came in beyond the total, and surplus_refund what went back of it

import type { Db } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'

/** Whether the movements belong to an approval, or to later changes of approved payments. */
type Booking = {
  /** When the movements are booked; null books each on the day it happened, for rows that exist already. */
  bookedAt: Date | null
  /** Whether the sale becomes known now; otherwise it was known when it was approved. */
  isApproval?: boolean
  /** When the money of new refunds left, if the provider says it. */
  returnedAt?: string | null
}

/**
 * Adds the movements that these payments have and the book lacks; a second call adds nothing. The caller must have
 * locked the rows of the payments.
 */
export async function bookMovements(
  tx: Db,
  transactionIds: readonly string[],
  { bookedAt, isApproval = false, returnedAt = null }: Booking,
): Promise<void> {
  if (transactionIds.length === 0) return
  const isAsked = sql`payment.id = any(${sql.param(transactionIds)}::uuid[])`
  const at = sql`${bookedAt?.toISOString() ?? null}::timestamptz`
  const returned = sql`case when kind in ('refund', 'surplus_refund') then ${returnedAt}::timestamptz end`
  await tx.execute(sql`
    insert into movements (${COLUMNS})
    select company_id, transaction_id, payment_link_id, method, tags, kind, ${selectBookDay(sql`moved_at`, sql`booked_at`)},
      moved_at, booked_at, cents, interest_cents, fee_cents
    from (
      select difference.*, coalesce(difference.at, ${returned}, ${at}, payment_updated_at) as moved_at,
        coalesce(case when kind <> 'sale' or ${isApproval} then ${at} end, difference.at, payment_updated_at) as booked_at
      from ${selectBookDifferences(isAsked)} difference
    ) movement`)
}

const COLUMNS = sql.raw(
  'company_id, transaction_id, payment_link_id, method, tags, kind, day, moved_at, booked_at, cents, interest_cents, fee_cents',
)

/**
 * A month is closed when the first day of the next one has ended in São Paulo. A movement that becomes known later
 * counts on the day of its booking, so that a closed month never changes.
 */
function selectBookDay(movedAt: SQL, bookedAt: SQL): SQL {
  const [moved, booked] = [movedAt, bookedAt].map(
    (instant) => sql`(${instant} at time zone 'America/Sao_Paulo')`,
  )
  return sql`case when ${booked} < date_trunc('month', ${moved}) + interval '1 month 1 day'
    then ${moved}::date else ${booked}::date end`
}

/**
 * Selects the movements that approved payments have and the book lacks; no rows when the book is right.
 * @param isAsked a condition on `payment`
 */
function selectBookDifferences(isAsked: SQL): SQL {
  return sql`(
    select payment.company_id, payment.id as transaction_id, payment.payment_link_id, payment.method, payment.tags,
      payment.updated_at as payment_updated_at, entry.kind, entry.cents, entry.interest_cents, entry.fee_cents, entry.at
    from transactions payment
    cross join lateral (
      select coalesce(bool_or(kind = 'sale'), false) as has_sale, sum(fee_cents) filter (where kind in ('sale', 'fee')) as fee,
        coalesce(sum(cents) filter (where kind = 'refund'), 0) as refund,
        coalesce(sum(cents) filter (where kind in ('dispute', 'dispute_won')), 0) as dispute,
        coalesce(sum(cents) filter (where kind = 'surplus'), 0) as surplus,
        coalesce(sum(cents) filter (where kind = 'surplus_refund'), 0) as surplus_refund
      from movements where transaction_id = payment.id
    ) booked
    cross join lateral (
      select coalesce(sum(surplus_cents), 0) as surplus, max(paid_at) filter (where surplus_cents > 0) as paid_at,
        coalesce(sum(least(surplus_cents, refunded_cents + (
          select coalesce(sum(amount_cents), 0) from disputes
          where incoming_payment_id = incoming.id and status = 'lost'
        ))), 0) as surplus_gone
      from incoming_payments incoming where transaction_id = payment.id
    ) came
    cross join lateral (
      select least(charged_back_cents, total_cents - refunded_cents) as cents, (
        select max(closed_at) from disputes where transaction_id = payment.id
      ) as closed_at
    ) lost
    cross join lateral (values
      ('sale', case when booked.has_sale then 0 else total_cents end, interest_cents, fee_cents, approved_at),
      ('fee', 0, 0, case when booked.has_sale and fee_cents is distinct from booked.fee
        then fee_cents - coalesce(booked.fee, 0) end, null),
      ('refund', -refunded_cents - booked.refund, 0, 0, null),
      (case when -lost.cents < booked.dispute then 'dispute' else 'dispute_won' end,
        -lost.cents - booked.dispute, 0, 0, lost.closed_at),
      ('surplus', came.surplus - booked.surplus, 0, 0, came.paid_at),
      ('surplus_refund', -came.surplus_gone - booked.surplus_refund, 0, 0, null)
    ) entry (kind, cents, interest_cents, fee_cents, at)
    where payment.approved_at is not null and ${isAsked}
      and (entry.cents <> 0 or (entry.kind = 'fee' and entry.fee_cents is not null))
  )`
}

/** Selects the ids of payments that differ from the book. */
export function selectBookFaults(): SQL {
  return sql`(
    select transaction_id as id from ${selectBookDifferences(sql`true`)} difference
    union
    select payment.id from movements movement join transactions payment on payment.id = movement.transaction_id
    where payment.approved_at is null
      or (movement.company_id, movement.payment_link_id, movement.method)
        <> (payment.company_id, payment.payment_link_id, payment.method)
      or (movement.kind = 'sale' and (movement.cents, movement.interest_cents) <> (payment.total_cents, payment.interest_cents))
  )`
}
