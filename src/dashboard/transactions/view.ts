// Payments as the lists of the dashboard show them; finds the payment of an address, and how much may be refunded.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { TransactionStatus } from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import type { Badge } from '../../http/view-functions.ts'
import { sendsToPayer } from '../../mail/outbox.ts'
import { findListedTransaction, type ListedTransaction } from '../../transactions/list/listed.ts'
import { loadRefundable } from '../../transactions/refunds/create.ts'
import { sumSurplus } from '../../transactions/refunds/refundable.ts'
import { transactionTexts } from '../../transactions/texts.ts'
import {
  isAmountMismatch,
  isMismatchRefunded,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import type { ById, DashboardNeeds } from '../layout/needs.ts'
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

export function toListedPayment(row: ListedTransaction) {
  return { ...row, methodName: formatPaymentMethod(row), badge: toPaymentBadge(row) }
}

/** The row for payments that need a decision: an approved one was paid twice, or has a surplus. */
export function toCheckedPayment(row: ListedTransaction) {
  const { overpaid, duplicate } = transactionPageTexts.badges
  const listed = toListedPayment(row)
  const text = row.possibleDuplicateOf ? duplicate : overpaid
  return row.approvedAt ? { ...listed, badge: { tone: 'waiting' as const, text } } : listed
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

/** Throws 404 when it belongs to another company. */
export async function findRequestedPayment(
  db: Database,
  { visitor, params }: FastifyRequest<ById>,
) {
  const payment = await findListedTransaction(db, visitor.company.id, params.id)
  if (!payment) throw notFoundError(transactionTexts.notFound)
  return payment
}

/** The payer's e-mail, when receipts and notes of refunds are sent to it. */
export async function findMailedPayer({ db, mail }: DashboardNeeds, payment: TransactionRow) {
  return (await sendsToPayer(mail, db, payment)) ? payment.payerEmail : null
}

/** `left` is 0 when nothing can be refunded; the surplus is refunded first. */
export async function loadRefundableAmount({ db, now }: DashboardNeeds, payment: TransactionRow) {
  const refundable = await loadRefundable(db, payment, now())
  if (refundable.kind === 'refused') return { left: 0, surplusCents: 0 }
  const { leftCents: left, sources } = refundable
  return { left, surplusCents: sumSurplus(sources) }
}
