// Archived links brought back, which people do in the list alone: for programs a link that is archived stays so.

import type { Transaction } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import { paymentLinks } from '../../database/tables.ts'
import type { LinkRow } from '../payment-link.ts'
import { countPayments } from '../payments.ts'

/** Paused, so that nobody pays by surprise; completed where it has had all that it takes. */
export async function unarchivePaymentLink(
  tx: Transaction,
  { id, maxPayments }: LinkRow,
  now: Date,
) {
  const isFull = maxPayments !== null && (await countPayments(tx, id)) >= maxPayments
  const status = isFull ? 'completed' : 'inactive'
  await tx
    .update(paymentLinks)
    .set({ status, updatedAt: now.toISOString() })
    .where(and(eq(paymentLinks.id, id), eq(paymentLinks.status, 'archived')))
  return status
}
