// Conditions for money that a person of the company must check: received above a sale and not refunded yet, or possibly
// paid twice.
import { sql } from '../database/drizzle.ts'
import { disputes, incomingPayments } from '../database/tables.ts'

const { id, transactionId, surplusCents, refundedCents } = incomingPayments

// The comparison with zero is implied, but lets Postgres estimate that few rows match; the one of two columns is the
// condition of their index.
export const HAS_SURPLUS_LEFT = sql`(
  ${surplusCents} > 0 and ${surplusCents} > ${refundedCents} and ${surplusCents} > ${refundedCents} + (
    select coalesce(sum(lost.amount_cents), 0) from ${disputes} lost
    where lost.transaction_id = ${transactionId} and lost.incoming_payment_id = ${id}
      and lost.status = 'lost'
  )
)`

export const IS_OPEN_DUPLICATE = sql`(possible_duplicate_of is not null and status = 'approved')`
