// The state of a payment, as its page shows it.

import { isPast } from '../database/instant.ts'
import { getLinkStatus, type LinkRow } from '../payment-links/payment-link.ts'
import {
  isAmountMismatch,
  isMismatchRefunded,
  type TransactionRow,
} from '../transactions/transaction.ts'

export type PaymentState =
  | 'pix'
  | 'processing'
  | 'challenge'
  /** To be paid at the provider's own page. */
  | 'redirect'
  | 'declined'
  | 'expired'
  | 'canceled'
  /** Other payers have paid the link, so this payment's code must not be paid any more. */
  | 'soldOut'
  | 'approved'
  | 'held'
  | 'returned'

/** The link was paid by its one payer, or by as many payers as it accepts. */
export type SoldOutReason = 'completed' | 'full'

/**
 * Returns the state at `now`: an expiry counts from its instant, even if it is not recorded yet, and a code or page is
 * not payable any more once other payers have paid the link.
 */
export function getPaymentState(row: TransactionRow, link: LinkRow, now: Date): PaymentState {
  if (row.approvedAt) return 'approved'
  if (isAmountMismatch(row)) return 'held'
  if (isMismatchRefunded(row)) return 'returned'
  const isOver = isPast(row.expiresAt, now)
  if (row.status === 'pending' && !isOver) return getPendingState(row, link, now)
  return (isOver ? EXPIRED_STATES : CURRENT_STATES)[row.status] ?? 'approved'
}

function getPendingState({ pixBrCode, challengeUrl }: TransactionRow, link: LinkRow, now: Date) {
  if (!pixBrCode && !challengeUrl) return 'processing'
  if (getLinkStatus(link, now) === 'completed') return 'soldOut'
  return pixBrCode ? 'pix' : 'redirect'
}

/** The reason for payers of a completed link: a link for many is full, one for a single payment is completed. */
export function getSoldOutReason({ maxPayments }: Pick<LinkRow, 'maxPayments'>): SoldOutReason {
  return maxPayments === null || maxPayments === 1 ? 'completed' : 'full'
}

type StatesByStatus = Partial<Record<TransactionRow['status'], PaymentState>>

const CURRENT_STATES: StatesByStatus = {
  processing: 'processing',
  awaiting_authentication: 'challenge',
  declined: 'declined',
  expired: 'expired',
  canceled: 'canceled',
}
const EXPIRED_STATES: StatesByStatus = {
  ...CURRENT_STATES,
  pending: 'expired',
  awaiting_authentication: 'processing',
}
