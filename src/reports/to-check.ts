// What somebody of the company has to look at: money that came in beyond a sale and is still to be given back, and
// payments that may have been made twice.
import { sql } from '../database/drizzle.ts'
import { disputes, incomingPayments } from '../database/tables.ts'

const { id, transactionId, surplusCents, refundedCents } = incomingPayments

// The comparison with nothing says no more, but of it Postgres knows how few rows it leaves; that of two
// columns is the condition of their index.
/** Of a row of `incoming_payments`. */
export const HAS_SURPLUS_LEFT = sql`(
  ${surplusCents} > 0 and ${surplusCents} > ${refundedCents} and ${surplusCents} > ${refundedCents} + (
    select coalesce(sum(lost.amount_cents), 0) from ${disputes} lost
    where lost.transaction_id = ${transactionId} and lost.incoming_payment_id = ${id}
      and lost.status = 'lost'
  )
)`

/** Of a row of `transactions`. */
export const IS_OPEN_DUPLICATE = sql`(possible_duplicate_of is not null and status = 'approved')`
