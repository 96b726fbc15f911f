// Sample events for developers who build a receiver: the examples of the OpenAPI document, about one payment, with
// `testMode` true.
import { z } from 'zod'
import type { EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { toPlainSpaces } from '../../format.ts'
import { PaymentLink } from '../../payment-links/schema.ts'
import { SendingTarget } from '../../payment-links/sending/schema.ts'
import { toLinkEventData } from '../../payment-links/serialize.ts'
import { texts } from '../../texts.ts'
import { Dispute } from '../disputes/schema.ts'
import { IncomingPayment } from '../incoming/schema.ts'
import { Refund } from '../refunds/schema.ts'
import { refundTexts } from '../refunds/texts.ts'
import { TransactionResource } from '../schema.ts'
import { UnmatchedPayment } from '../unmatched/schema.ts'

type SampleLink = ReturnType<typeof toLinkEventData>

type SampleOptions = { checkoutUrl: string; now: Date; link?: SampleLink }

/** Builds the data of an event, by default about an invented link. */
export function buildSampleData(
  type: EventType,
  { checkoutUrl, now, link: paymentLink = buildSampleLink() }: SampleOptions,
): Record<string, unknown> {
  const at = now.toISOString()
  const payment = buildSamplePayment(paymentLink, checkoutUrl, at)
  const { transaction, ...more } = SAMPLES[type](payment, at)
  return {
    ...(transaction && { transaction: { ...payment, ...transaction } }),
    ...(transaction !== null && { paymentLink }),
    ...more,
  }
}

type SamplePayment = ReturnType<typeof buildSamplePayment>
/**
 * The payment of an event, as differences from an approved card, and the other data of the event. The payment is null
 * for an event without payment and link.
 */
type Sample = { transaction?: object | null; [name: string]: unknown }

const ofLink = () => ({})
const ofSending = () => ({
  recipient: { ...fillFromExamples(SendingTarget), customerId: newId() },
})

const SAMPLES: Record<EventType, (payment: SamplePayment, at: string) => Sample> = {
  'transaction.approved': () => ({ transaction: {} }),
  'transaction.created': (_, at) => ({ transaction: toPix('pending', at) }),
  'transaction.declined': () => ({
    transaction: {
      ...{ status: 'declined', approvedAt: null, declineCode: 'insufficient_funds' },
      declineMessage: texts.declines.insufficient_funds,
    },
  }),
  'transaction.expired': (_, at) => ({ transaction: toPix('expired', at) }),
  'transaction.held': ({ totalCents }, at) => ({
    transaction: {
      ...toPix('pending', at),
      holdReason: toPlainSpaces(texts.holds.amountDiffers(totalCents - 1, totalCents)),
    },
  }),
  'transaction.canceled': (_, at) => ({ transaction: toPix('canceled', at) }),
  'transaction.refunded': (payment, at) => ({
    transaction: { status: 'refunded', refundedCents: payment.totalCents },
    ...buildReturn(payment, at),
  }),
  'transaction.overpaid': (payment, at) => ({
    transaction: toPaidPix(at),
    incomingPayment: buildSurplus(payment, 0, at),
  }),
  'transaction.surplus_refunded': (payment, at) => ({
    transaction: toPaidPix(at),
    ...buildReturn(payment, at),
    incomingPayment: buildSurplus(payment, payment.totalCents, at),
  }),
  'transaction.refund_failed': (payment, at) => {
    const { refund } = buildReturn(payment, at)
    const failureReason = refundTexts.failures.insufficient_balance
    return { transaction: {}, refund: { ...refund, status: 'failed', failureReason } }
  },
  'transaction.charged_back': ({ totalCents }) => ({
    transaction: { status: 'charged_back', chargedBackCents: totalCents },
  }),
  'dispute.opened': (payment, at) => ({
    transaction: {},
    dispute: buildDispute(payment, { status: 'open', closedAt: null }, at),
  }),
  // A won dispute leaves the payment as it was.
  'dispute.closed': (payment, at) => ({
    transaction: {},
    dispute: buildDispute(payment, { status: 'won', closedAt: at }, at),
  }),
  'incoming_payment.unmatched': (payment, at) => ({
    transaction: null,
    incomingPayment: buildUnmatched(payment, { status: 'unmatched' }, at),
  }),
  'incoming_payment.matched': (payment, at) => ({
    transaction: toPaidPix(at),
    incomingPayment: buildUnmatched(payment, { status: 'matched', transactionId: payment.id }, at),
  }),
  'incoming_payment.refunded': (payment, at) => ({
    transaction: null,
    incomingPayment: buildUnmatched(
      payment,
      { status: 'returned', refundedCents: payment.totalCents },
      at,
    ),
  }),
  'payment_link.completed': ofLink,
  'payment_link.expired': ofLink,
  'payment_link.sent': ofSending,
  'payment_link.reminded': ofSending,
}

function buildSampleLink() {
  return toLinkEventData({ ...fillFromExamples(PaymentLink), id: newId() })
}

function buildSamplePayment(link: SampleLink, checkoutUrl: string, at: string) {
  const { id: paymentLinkId, slug, amountCents, tags, externalReference, metadata } = link
  const example = fillFromExamples(TransactionResource)
  // Only live payments have fees and payouts.
  const payout = { feeCents: null, feeSource: null, netCents: null, expectedOn: null }
  return {
    ...{ ...example, ...payout, payoutParts: null },
    ...{ id: newId(), paymentLinkId, paymentLinkSlug: slug, interestRateBps: 0, pix: null },
    ...{ amountCents, totalCents: amountCents, installmentCents: amountCents },
    customer: { ...example.customer, id: newId() },
    ...{ ref: null, tags, externalReference, metadata },
    receiptUrl: `${checkoutUrl}/${slug}/payments/exemplo00000000000000000`,
    ...{ createdAt: at, approvedAt: at, updatedAt: at, testMode: true },
  }
}

function toPix(status: string, expiresAt: string) {
  const example = fillFromExamples(TransactionResource.shape.pix)
  const pix = { ...example, endToEndId: null, brCode: null, expiresAt }
  const none = { card: null, threeDs: null, approvedAt: null }
  return { ...none, status, method: 'pix', pix, expiresAt }
}

function toPaidPix(at: string) {
  const unpaid = toPix('approved', at)
  const endToEndId = 'E00000000202611211400exemplo0000'
  return { ...unpaid, pix: { ...unpaid.pix, endToEndId }, approvedAt: at }
}

function buildReturn({ id: transactionId, totalCents }: SamplePayment, at: string) {
  const about = { id: newId(), transactionId, amountCents: totalCents, testMode: true }
  const refund = { ...fillFromExamples(Refund), ...about, createdAt: at, updatedAt: at }
  return { refund, returnedCents: totalCents }
}

/** The second Pix of a code that was paid twice. */
function buildSurplus({ totalCents }: SamplePayment, refundedCents: number, paidAt: string) {
  const endToEndId = 'E00000000202611211405exemplo0000'
  const about = { id: newId(), endToEndId, amountCents: totalCents, surplusCents: totalCents }
  return { ...fillFromExamples(IncomingPayment), ...about, refundedCents, paidAt }
}

function buildUnmatched({ totalCents: amountCents }: SamplePayment, state: object, at: string) {
  const about = { id: newId(), amountCents, testMode: true, paidAt: at, createdAt: at }
  return { ...fillFromExamples(UnmatchedPayment), ...about, ...state }
}

function buildDispute({ id: transactionId, totalCents }: SamplePayment, end: object, at: string) {
  const about = { id: newId(), transactionId, amountCents: totalCents, testMode: true }
  const times = { openedAt: at, createdAt: at, updatedAt: at }
  return { ...fillFromExamples(Dispute), ...about, kind: 'card', reason: null, ...times, ...end }
}

/** Fills each field with its example, or with a simple value of its type. */
function fillFromExamples<Resource>(schema: z.ZodType<Resource>): Resource {
  // An example is valid for its field: the tests parse each sample.
  return buildValue(schema) as Resource
}

function buildValue(field: unknown): unknown {
  const { examples } = (field instanceof z.ZodType && field.meta()) || {}
  if (Array.isArray(examples)) return examples[0]
  if (field instanceof z.ZodObject) {
    const parts = Object.entries(field.shape)
    return Object.fromEntries(parts.map(([name, part]) => [name, buildValue(part)]))
  }
  if (field instanceof z.ZodNullable) {
    const inner = field.unwrap()
    return inner instanceof z.ZodObject ? buildValue(inner) : null
  }
  return getPlainValue(field)
}

function getPlainValue(field: unknown) {
  if (field instanceof z.ZodEnum) return field.options[0]
  if (field instanceof z.ZodNumber) return 0
  if (field instanceof z.ZodArray) return []
  return field instanceof z.ZodBoolean ? false : 'texto'
}
