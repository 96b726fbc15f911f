// Conditions for money that a person of the company has to look at: received beyond a sale and not refunded yet, or
// possibly paid twice.
import { sql } from '../database/drizzle.ts'
import { disputes, incomingPayments } from '../database/tables.ts'

const { id, transactionId, surplusCents, refundedCents } = incomingPayments

// The comparison with nothing says no more, but of it Postgres knows how few rows it leaves; that of two
// columns is the condition of their index.
/** A condition on `incoming_payments`. */
export const HAS_SURPLUS_LEFT = sql`(
  ${surplusCents} > 0 and ${surplusCents} > ${refundedCents} and ${surplusCents} > ${refundedCents} + (
    select coalesce(sum(lost.amount_cents), 0) from ${disputes} lost
    where lost.transaction_id = ${transactionId} and lost.incoming_payment_id = ${id}
      and lost.status = 'lost'
  )
)`

/** A condition on `transactions`. */
export const IS_OPEN_DUPLICATE = sql`(possible_duplicate_of is not null and status = 'approved')`
