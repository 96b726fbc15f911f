// The payment whose page a payer is at, found by the unguessable part of the page's address.

import { notFoundError } from '../../http/errors.ts'
import { findTransactionByToken } from '../../transactions/transaction.ts'
import type { CheckoutNeeds } from '../needs.ts'

export type PaymentByToken = { Params: { slug: string; token: string } }

/** With its link and company; 404 where the address names another link than the payment's. */
export async function requirePaymentByToken(
  { db, findLink }: Pick<CheckoutNeeds, 'db' | 'findLink'>,
  { slug, token }: PaymentByToken['Params'],
) {
  const [row, found] = await Promise.all([findTransactionByToken(db, token), findLink(slug)])
  if (!row || !found || row.paymentLinkId !== found.link.id) throw notFoundError()
  return { row, found }
}
