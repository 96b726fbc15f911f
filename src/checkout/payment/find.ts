// Finds a payment by the unguessable part of its page's address.

import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { countPaymentsLeft } from '../../payment-links/payments.ts'
import { findTransactionByToken, type TransactionRow } from '../../transactions/transaction.ts'
import type { CheckoutNeeds } from '../needs.ts'

export type PaymentByToken = { Params: { slug: string; token: string } }

export type FoundPayment = { row: TransactionRow; found: LinkWithCompany }

type FindPaymentResult =
  | (FoundPayment & { kind: 'payment' })
  /** `found` is the link of the address, if it exists. */
  | { kind: 'unknown'; found: LinkWithCompany | undefined }

/** Finds the payment with its link and company; unknown when the address names another link. */
export async function findPaymentByToken(
  { db, findLink }: CheckoutNeeds,
  { slug, token }: PaymentByToken['Params'],
): Promise<FindPaymentResult> {
  const [row, found] = await Promise.all([findTransactionByToken(db, token), findLink(slug)])
  return row && found && row.paymentLinkId === found.link.id
    ? { kind: 'payment', row, found: await revealSoldOut(db, row, found) }
    : { kind: 'unknown', found }
}

export async function requirePaymentByToken(
  needs: CheckoutNeeds,
  address: PaymentByToken['Params'],
) {
  const payment = await findPaymentByToken(needs, address)
  if (payment.kind === 'unknown') throw notFoundError()
  return payment
}

/** An archived link may have been sold out before; its status no longer shows it, but its payers must know. */
async function revealSoldOut(db: Database, row: TransactionRow, found: LinkWithCompany) {
  const { link, company } = found
  const isCodeOfArchived = row.status === 'pending' && link.status === 'archived'
  if (!isCodeOfArchived || (await countPaymentsLeft(db, link)) > 0) return found
  return { link: { ...link, status: 'completed' as const }, company }
}
