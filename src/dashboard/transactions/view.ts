// Payments as the lists of the dashboard show them.

import type { TransactionStatus } from '../../database/enums.ts'
import { formatBrl, formatKnownBrl } from '../../format.ts'
import type { ListedTransaction } from '../../transactions/list/listed.ts'
import type { TotalsResult } from '../../transactions/list/totals.ts'
import { computeNet } from '../../transactions/payouts/net.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import {
  isAmountMismatch,
  isMismatchRefunded,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import { formatTotal } from '../layout/lists/total.ts'
import { paymentPagePath } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toTimeView } from '../layout/values/time.ts'
import { transactionPageTexts } from './texts.ts'

const PAYMENT_TONES: Record<TransactionStatus, Badge['tone']> = {
  pending: 'waiting',
  awaiting_authentication: 'waiting',
  processing: 'waiting',
  approved: 'good',
  declined: 'bad',
  expired: 'neutral',
  canceled: 'neutral',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  charged_back: 'bad',
}

export function toPaymentRow(row: ListedTransaction, now: Date) {
  return {
    payer: row.payerName,
    title: row.linkTitle,
    href: paymentPagePath(row.id),
    when: toTimeView(row.approvedAt ?? row.createdAt, now),
    total: formatBrl(row.totalCents),
    method: formatPaymentMethod(row),
    status: toPaymentBadge(row),
  }
}

/** The row for payments that need a decision: an approved one was paid twice, or has a surplus. */
export function toCheckedRow(row: ListedTransaction, now: Date) {
  const { overpaid, duplicate } = transactionPageTexts.badges
  const shown = toPaymentRow(row, now)
  const text = row.possibleDuplicateOf ? duplicate : overpaid
  return row.approvedAt ? { ...shown, status: { tone: 'waiting' as const, text } } : shown
}

/** Empty for unpaid payments. */
export function formatListedNet(row: ListedTransaction) {
  return row.approvedAt === null ? '' : formatKnownBrl(computeNet(row))
}

/** The number of payments in the list, and their sums. */
export function toTotalsView({ sums, ...count }: TotalsResult) {
  const { approved, refunded, noun } = transactionPageTexts
  return {
    count: formatTotal(count, noun),
    approved: sums && approved(formatBrl(sums.approvedCents)),
    refunded: sums && sums.refundedCents > 0 ? refunded(formatBrl(sums.refundedCents)) : null,
  }
}

export function toPaymentBadge(row: TransactionRow): Badge {
  const { held, returned } = transactionPageTexts.badges
  if (isAmountMismatch(row)) return { tone: 'bad', text: held }
  if (isMismatchRefunded(row)) return { tone: 'neutral', text: returned }
  return { tone: PAYMENT_TONES[row.status], text: transactionTexts.statuses[row.status] }
}

export function formatPaymentMethod({ method, installments }: TransactionRow) {
  const name = transactionPageTexts.methods[method]
  return installments > 1 ? `${name} ${installments}x` : name
}
