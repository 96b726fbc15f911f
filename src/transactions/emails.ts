// The e-mails about payments, written in the transactions that they are about.
import type { Transaction } from '../database/connect.ts'
import { requireFound } from '../database/found.ts'
import { type NewMail, type Outbox, queueMail } from '../mail/outbox.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { DisputeRow } from './disputes/schema.ts'
import { disputeTexts, formatDisputeReason } from './disputes/texts.ts'
import { paymentUrl } from './serialize.ts'
import { getSoldTitle, type RefundRow, type TransactionRow } from './transaction.ts'

type MaybeOutbox = Outbox | null | undefined
type MailContext = { checkoutUrl: string; now: Date }

/** Of an approval: the receipt to the payer who gave an e-mail, and the notice to the company. */
export async function queueApprovalMails(
  mail: MaybeOutbox,
  tx: Transaction,
  row: TransactionRow,
  link: LinkRow,
  { checkoutUrl, now }: MailContext,
) {
  if (!mail || row.status !== 'approved') return
  const { companyId, payerEmail, paidLate, id: subjectId } = row
  const data = {
    transactionId: row.id,
    linkTitle: getSoldTitle(row, link),
    payerName: row.payerName,
    method: row.method,
    amountCents: row.amountCents,
    totalCents: row.totalCents,
    installments: row.installments,
    installmentCents: row.installmentCents,
    card: row.cardBrand && row.cardLast4 ? { brand: row.cardBrand, last4: row.cardLast4 } : null,
    endToEndId: row.pixEndToEndId,
    paidAt: requireFound(row.approvedAt),
    testMode: row.testMode,
    locale: row.locale,
  }
  const newMails: NewMail[] = [{ template: 'payment', subjectId, data: { ...data, paidLate } }]
  if (payerEmail) {
    const receiptUrl = paymentUrl(checkoutUrl, link.slug, row.token)
    const receipt = { ...data, receiptUrl }
    newMails.push({ template: 'receipt', recipient: payerEmail, subjectId, data: receipt })
  }
  await queueMail(mail, tx, { companyId, now }, ...newMails)
}

/** To the company: a payment waits for it, since another amount came in, or one that can't be read. */
export async function queueHoldMail(
  mail: MaybeOutbox,
  tx: Transaction,
  payment: TransactionRow,
  link: LinkRow,
  now: Date,
) {
  if (!mail) return
  const { id: subjectId, companyId, receivedCents } = payment
  const data = { ...toPaymentFacts(payment, link), receivedCents }
  await queueMail(mail, tx, { companyId, now }, { template: 'payment-held', subjectId, data })
}

/** To the company: more came in than the payment was for. */
export async function queueSurplusMail(
  mail: MaybeOutbox,
  tx: Transaction,
  { payment, link, incomingPayment }: SurplusMail,
  now: Date,
) {
  if (!mail) return
  const { id: subjectId, companyId } = payment
  const { amountCents: receivedCents, surplusCents } = incomingPayment
  const data = { ...toPaymentFacts(payment, link), receivedCents, surplusCents }
  await queueMail(mail, tx, { companyId, now }, { template: 'payment-overpaid', subjectId, data })
}

type SurplusMail = {
  payment: TransactionRow
  link: LinkRow
  incomingPayment: { amountCents: number; surplusCents: number }
}

function toPaymentFacts(payment: TransactionRow, link: LinkRow) {
  const { id: transactionId, payerName, totalCents, testMode } = payment
  return { transactionId, linkTitle: getSoldTitle(payment, link), payerName, totalCents, testMode }
}

/** To the company: the payer contests a payment, or how that has ended. */
export async function queueDisputeMail(
  mail: MaybeOutbox,
  tx: Transaction,
  { dispute, payment, link }: { dispute: DisputeRow; payment: TransactionRow; link: LinkRow },
  now: Date,
) {
  if (!mail) return
  const { id: subjectId, companyId, provider } = payment
  const { kind, status, amountCents, reason, respondBy } = dispute
  const facts = { ...toPaymentFacts(payment, link), kind, amountCents }
  const newMail: NewMail =
    status === 'open'
      ? {
          template: 'dispute-opened',
          subjectId,
          data: {
            ...facts,
            reason: formatDisputeReason(reason),
            answerAt: disputeTexts.answerAt[provider],
            respondBy,
          },
        }
      : {
          template: 'dispute-closed',
          subjectId,
          data: { ...facts, isWon: status === 'won' },
        }
  await queueMail(mail, tx, { companyId, now }, newMail)
}

type RefundMail = {
  refund: RefundRow
  payment: TransactionRow
  link: LinkRow
  /** All that came in. */
  paidCents: number
  /** All that went back of it. */
  refundedCents: number
}

/** To the payer: something was refunded. */
export async function queueRefundMail(
  mail: MaybeOutbox,
  tx: Transaction,
  { refund, payment, link, paidCents, refundedCents }: RefundMail,
  { checkoutUrl, now }: MailContext,
) {
  const { id: transactionId, companyId, payerEmail } = payment
  if (!mail || !payerEmail) return
  const data = {
    transactionId,
    linkTitle: getSoldTitle(payment, link),
    method: payment.method,
    refundCents: refund.amountCents,
    refundedCents,
    totalCents: paidCents,
    receiptUrl: paymentUrl(checkoutUrl, link.slug, payment.token),
    testMode: payment.testMode,
    locale: payment.locale,
  }
  const recipient = payerEmail
  const newMail: NewMail = { template: 'refund', recipient, subjectId: transactionId, data }
  await queueMail(mail, tx, { companyId, now }, newMail)
}
