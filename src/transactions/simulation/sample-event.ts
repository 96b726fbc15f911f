// Sample events for developers who build a receiver: the examples of the OpenAPI document, about one payment, with
// `testMode` true.
import { z } from 'zod'
import type { EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { PaymentLink } from '../../payment-links/schema.ts'
import { SendingTarget } from '../../payment-links/sending/schema.ts'
import { texts } from '../../texts.ts'
import { Dispute } from '../disputes/schema.ts'
import { IncomingPayment } from '../incoming/schema.ts'
import { Refund } from '../refunds/schema.ts'
import { TransactionResource } from '../schema.ts'

/** The fields of a link in a webhook. */
type SampleLink = Pick<
  PaymentLink,
  'id' | 'slug' | 'title' | 'amountCents' | 'tags' | 'externalReference' | 'metadata'
>

/** The two Pix of a code that was paid twice. */
const END_TO_END_IDS = {
  first: 'E00000000202611211400exemplo0000',
  second: 'E00000000202611211405exemplo0000',
}

type SampleOptions = { checkoutUrl: string; now: Date; link?: SampleLink }

/** Builds the data of an event about a card payment, by default of an invented link. */
export function buildSampleData(
  type: EventType,
  { checkoutUrl, now, link = buildSampleLink() }: SampleOptions,
): Record<string, unknown> {
  const at = now.toISOString()
  const approved = buildSamplePayment(link, checkoutUrl, at)
  const { id: transactionId, totalCents } = approved
  const about = {
    id: newId(),
    transactionId,
    amountCents: totalCents,
    testMode: true,
    createdAt: at,
    updatedAt: at,
  }
  const returned = { refund: { ...fillFromExamples(Refund), ...about }, returnedCents: totalCents }
  const say = (changes: object, more: object = {}) => ({
    transaction: { ...approved, ...changes },
    paymentLink: link,
    ...more,
  })
  switch (type) {
    case 'payment_link.completed':
    case 'payment_link.expired':
      return { paymentLink: link }
    case 'payment_link.sent':
    case 'payment_link.reminded': {
      const recipient = { ...fillFromExamples(SendingTarget), customerId: newId() }
      return { paymentLink: link, recipient }
    }
    case 'transaction.approved':
      return say({})
    case 'transaction.created':
      return say({ status: 'pending', ...toPix(at) })
    case 'transaction.declined':
      return say({
        status: 'declined',
        approvedAt: null,
        declineCode: 'insufficient_funds',
        declineMessage: texts.declines.insufficient_funds,
      })
    case 'transaction.expired':
      return say({ status: 'expired', ...toPix(at) })
    case 'transaction.held': {
      const holdReason = texts.holds.amountDiffers(totalCents - 1, totalCents)
      return say({ status: 'pending', ...toPix(at), holdReason })
    }
    case 'transaction.canceled':
      return say({ status: 'canceled', ...toPix(at) })
    case 'transaction.overpaid':
      return say(toPaidPix(at), { incomingPayment: buildSampleSurplus(totalCents, 0, at) })
    case 'transaction.surplus_refunded': {
      const incomingPayment = buildSampleSurplus(totalCents, totalCents, at)
      return say(toPaidPix(at), { ...returned, incomingPayment })
    }
    case 'transaction.refunded':
      return say({ status: 'refunded', refundedCents: totalCents }, returned)
    case 'transaction.charged_back':
      return say({ status: 'charged_back', chargedBackCents: totalCents })
    case 'dispute.opened':
      return say({}, { dispute: { ...buildSampleDispute(at), ...about, status: 'open' } })
    case 'dispute.closed': {
      // A won dispute leaves the payment as it was.
      const won = { status: 'won', closedAt: at }
      return say({}, { dispute: { ...buildSampleDispute(at), ...about, ...won } })
    }
  }
}

function buildSampleLink(): SampleLink {
  const { slug, title, amountCents, tags, externalReference, metadata } =
    fillFromExamples(PaymentLink)
  return { id: newId(), slug, title, amountCents, tags, externalReference, metadata }
}

function buildSamplePayment(link: SampleLink, checkoutUrl: string, at: string) {
  const { id: paymentLinkId, slug, amountCents, tags, externalReference, metadata } = link
  const example = fillFromExamples(TransactionResource)
  return {
    ...example,
    id: newId(),
    paymentLinkId,
    paymentLinkSlug: slug,
    amountCents,
    totalCents: amountCents,
    installmentCents: amountCents,
    interestRateBps: 0,
    // Only live payments have fees and payouts.
    feeCents: null,
    feeSource: null,
    netCents: null,
    expectedOn: null,
    payoutParts: null,
    customer: { ...example.customer, id: newId() },
    ref: null,
    tags,
    externalReference,
    metadata,
    receiptUrl: `${checkoutUrl}/${slug}/payments/exemplo00000000000000000`,
    createdAt: at,
    approvedAt: at,
    updatedAt: at,
    testMode: true,
  }
}

function toPaidPix(at: string) {
  return { ...toPix(at, END_TO_END_IDS.first), approvedAt: at }
}

function toPix(expiresAt: string, endToEndId: string | null = null) {
  const pix = { txid: 'exemplo0000000000000000000', endToEndId, brCode: null, expiresAt }
  return { method: 'pix', card: null, threeDs: null, pix, expiresAt, approvedAt: null }
}

function buildSampleSurplus(amountCents: number, refundedCents: number, paidAt: string) {
  return {
    ...fillFromExamples(IncomingPayment),
    id: newId(),
    endToEndId: END_TO_END_IDS.second,
    amountCents,
    surplusCents: amountCents,
    refundedCents,
    paidAt,
  }
}

function buildSampleDispute(openedAt: string) {
  return { ...fillFromExamples(Dispute), kind: 'card', reason: null, openedAt }
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
