// The e-mails about payments.
import { requireFound } from '../database/found.ts'
import type { NewMail } from '../mail/outbox.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { getProfile } from '../providers/registry.ts'
import type { Draft } from './books.ts'
import { findDeadline } from './disputes/deadline.ts'
import type { DisputeRow } from './disputes/schema.ts'
import { formatDisputeReason } from './disputes/texts.ts'
import { computeGone } from './payout.ts'
import { refundTexts } from './refunds/texts.ts'
import { paymentUrl } from './serialize.ts'
import { getSoldTitle, type RefundRow, type TransactionRow } from './transaction.ts'

/** The notice to the company, and the receipt to the payer if there is an e-mail. */
export function buildApprovalMails({ books: { payment }, at }: Draft): NewMail[] {
  const { id: subjectId, paidLate } = payment
  const data = { ...toReceiptFacts(payment, at.link), paidLate }
  const receipt = buildReceiptMail(payment, at.link, at.checkoutUrl)
  return [{ template: 'payment', subjectId, data }, ...(receipt ? [receipt] : [])]
}

/** The receipt of an approved payment; null without the payer's e-mail. */
export function buildReceiptMail(
  payment: TransactionRow,
  link: LinkRow,
  checkoutUrl: string,
): NewMail | null {
  const { id: subjectId, payerEmail: recipient, token } = payment
  if (!recipient) return null
  const receiptUrl = paymentUrl(checkoutUrl, link.slug, token)
  const data = { ...toReceiptFacts(payment, link), refundedCents: computeGone(payment), receiptUrl }
  return { template: 'receipt', recipient, subjectId, data }
}

function toReceiptFacts(payment: TransactionRow, link: LinkRow) {
  const { cardBrand, cardLast4 } = payment
  return {
    transactionId: payment.id,
    linkTitle: getSoldTitle(payment, link),
    payerName: payment.payerName,
    method: payment.method,
    amountCents: payment.amountCents,
    totalCents: payment.totalCents,
    installments: payment.installments,
    installmentCents: payment.installmentCents,
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    endToEndId: payment.pixEndToEndId,
    paidAt: requireFound(payment.approvedAt),
    testMode: payment.testMode,
    locale: payment.locale,
  }
}

/** To the company: a payment needs a decision, since another or an unreadable amount came in. */
export function buildHoldMail(draft: Draft): NewMail {
  const { id: subjectId, receivedCents } = draft.books.payment
  const data = { ...toPaymentFacts(draft), receivedCents }
  return { template: 'payment-held', subjectId, data }
}

type OverpaidPix = { amountCents: number; surplusCents: number }

/** To the company: more came in than the price. */
export function buildSurplusMail(draft: Draft, pix: OverpaidPix): NewMail {
  const { amountCents: receivedCents, surplusCents } = pix
  const data = { ...toPaymentFacts(draft), receivedCents, surplusCents }
  return { template: 'payment-overpaid', subjectId: draft.books.payment.id, data }
}

/** To the company: a refund that its provider had accepted was not made. */
export function buildFailedRefundMail(draft: Draft, refund: RefundRow): NewMail {
  const { amountCents, failureReason } = refund
  const reason = refundTexts.failures[failureReason ?? 'refused']
  const data = { ...toPaymentFacts(draft), amountCents, reason }
  return { template: 'refund-failed', subjectId: draft.books.payment.id, data }
}

/** To the company: the payer disputes a payment, or the dispute has ended. */
export function buildDisputeMail(draft: Draft, dispute: DisputeRow): NewMail {
  const { id: subjectId, provider } = draft.books.payment
  const { kind, status, amountCents, reason } = dispute
  const facts = { ...toPaymentFacts(draft), kind, amountCents }
  if (status !== 'open')
    return { template: 'dispute-closed', subjectId, data: { ...facts, isWon: status === 'won' } }
  const answerAt = getProfile(provider).answerDisputesAt
  const deadline = findDeadline(dispute)
  const opened = { ...facts, reason: formatDisputeReason(reason), answerAt, deadline }
  return { template: 'dispute-opened', subjectId, data: opened }
}

type RefundSums = {
  paidCents: number
  refundedCents: number
}

/** To the payer, if there is an e-mail: money was refunded. */
export function buildRefundMails(
  { books: { payment }, at }: Draft,
  refund: RefundRow,
  { paidCents, refundedCents }: RefundSums,
): NewMail[] {
  const { id: transactionId, payerEmail: recipient } = payment
  if (!recipient) return []
  const data = {
    transactionId,
    linkTitle: getSoldTitle(payment, at.link),
    method: payment.method,
    refundCents: refund.amountCents,
    refundedCents,
    totalCents: paidCents,
    receiptUrl: paymentUrl(at.checkoutUrl, at.link.slug, payment.token),
    testMode: payment.testMode,
    locale: payment.locale,
  }
  return [{ template: 'refund', recipient, subjectId: transactionId, data }]
}

function toPaymentFacts({ books: { payment }, at }: Draft) {
  const { id: transactionId, payerName, totalCents, testMode } = payment
  return {
    transactionId,
    linkTitle: getSoldTitle(payment, at.link),
    payerName,
    totalCents,
    testMode,
  }
}
