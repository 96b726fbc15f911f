// What is known of one payment, what may be heard of it, and what is told when that changes it.
import type { EventType, TransactionStatus } from '../database/enums.ts'
import type { PaymentOutcome } from '../http/metrics/metrics.ts'
import type { NewMail } from '../mail/outbox.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { ChargeOutcome, RefundVerdict } from '../providers/provider.ts'
import type { DisputeRow } from './disputes/schema.ts'
import { computeSaleLoss, computeSaleRefund, sumAmounts } from './incoming/amounts.ts'
import type { IncomingPaymentRow } from './incoming/schema.ts'
import type { FeeTerms } from './payouts/fee.ts'
import { toTransactionEventData } from './serialize.ts'
import type { NewStep, VerdictSource } from './steps.ts'
import type { RefundRow, TransactionRow } from './transaction.ts'

/** The rows of a payment. They only grow, and the payment's own row is what follows from the others. */
export type Books = {
  payment: TransactionRow
  /** Each Pix that came in, the oldest first; none of a card. */
  received: readonly IncomingPaymentRow[]
  refunds: readonly RefundRow[]
  disputes: readonly DisputeRow[]
}

export type Fact =
  /** What the provider says of the charge, and what made us ask. */
  | { kind: 'answer'; outcome: ChargeOutcome; source: VerdictSource }
  /** The provider could not be asked; it may want to be left alone until `retryAt`. */
  | { kind: 'no answer'; retryAt?: Date | undefined }
  /** The code's time has run out, and the provider cannot be asked whether it was paid. */
  | { kind: 'time ran out' }
  /** A charge that was approved too late was voided at the provider. */
  | { kind: 'voided' }
  /** The payer pays by another payment. */
  | { kind: 'left by its payer' }
  /** The company takes what came in for the whole price. */
  | { kind: 'accepted' }
  | { kind: 'refund answer'; refundId: string; verdict: RefundVerdict }

/** What a decision needs to know beside the books. */
export type Surroundings = {
  now: Date
  link: LinkRow
  checkoutUrl: string
  /** When the payment was to be checked next as the provider was asked; another check may be wanted since. */
  askedCheckAt: string | null
  /** How many payments the link still takes. */
  paymentsLeft: number
  /** The payment of the same payer that was approved already in place of this one. */
  twinId: string | null
  /** What the company has told of its fees. */
  feeTerms: FeeTerms | null
  /** Ids of Pix that are booked on other payments. */
  bookedElsewhere: ReadonlySet<string>
  /** Since when the provider calls the payment paid and shows nothing that came in. */
  unshownSince: string | null
}

/** What is written and told with the books, in this order. */
export type News = {
  events: { type: EventType; data: Record<string, unknown> }[]
  mails: NewMail[]
  steps: Omit<NewStep, 'transactionId' | 'now'>[]
  /** Whether this was the last payment that the link takes. */
  isLinkCompleted: boolean
  /** What the payment came to, for the metrics. */
  outcome: PaymentOutcome | null
  /** The provider's name for a charge that is to be voided there: money came, and its payer was told it is declined. */
  unwantedCharge: string | null
}

export type Decision = { books: Books; news: News }

/** A decision while it is made. */
export type Draft = { books: Books; readonly news: News; readonly at: Surroundings }

export function openDraft(books: Books, at: Surroundings): Draft {
  const news = { events: [], mails: [], steps: [], outcome: null }
  return { books, news: { ...news, isLinkCompleted: false, unwantedCharge: null }, at }
}

/** Changes the payment, and its `updatedAt`, by which callers find what has changed since. */
export function changePayment(draft: Draft, changes: Partial<TransactionRow>): TransactionRow {
  const updatedAt = draft.at.now.toISOString()
  const payment = { ...draft.books.payment, ...changes, updatedAt }
  draft.books = { ...draft.books, payment }
  return payment
}

/** When the payment is checked next, which changes nothing that anybody is told. */
export function changeSchedule(
  draft: Draft,
  changes: Partial<Pick<TransactionRow, 'checkAt' | 'checks' | 'providerReference'>>,
) {
  draft.books = { ...draft.books, payment: { ...draft.books.payment, ...changes } }
}

/** Of the payment as it stands, unless another state of it is given. */
export function emitEvent(
  { books, news, at }: Draft,
  type: EventType,
  { payment = books.payment, more = {} }: EventContent = {},
) {
  const data = toTransactionEventData(payment, at.link, at.checkoutUrl, more)
  news.events.push({ type, data })
}

type EventContent = {
  payment?: TransactionRow
  /** Beside the payment and its link. */
  more?: Record<string, unknown>
}

/** The earlier of two checks, of which there may be none. */
export function getEarlierCheck(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

// What follows from what came in, went back and was lost.

/** Of a payment that was approved, or is held: what its own row says of that. */
export function deriveMoney(books: Books): Partial<TransactionRow> {
  const { payment, received, refunds, disputes } = books
  const { totalCents } = payment
  if (payment.approvedAt === null)
    return payment.holdReason === null ? {} : { status: deriveHeldStatus(books) }
  const returned = sumAmounts(refunds.filter(({ status }) => status === 'succeeded'))
  const ofSale = received.length > 0 ? computeSaleRefund(totalCents, received) : returned
  const refundedCents = Math.min(totalCents, Math.max(payment.refundedCents, ofSale))
  const lost = disputes.filter(({ status }) => status === 'lost')
  const lostCents = computeSaleLoss(totalCents, received, lost)
  const chargedBackCents = disputes.length > 0 ? lostCents : payment.chargedBackCents
  const sums = { totalCents, refundedCents, chargedBackCents }
  return { refundedCents, chargedBackCents, status: derivePaidStatus(sums) }
}

type Sums = Pick<TransactionRow, 'totalCents' | 'refundedCents' | 'chargedBackCents'>

/** From top to bottom, the first that fits. */
function derivePaidStatus({
  totalCents,
  refundedCents,
  chargedBackCents,
}: Sums): TransactionStatus {
  if (refundedCents >= totalCents) return 'refunded'
  if (chargedBackCents > 0 && refundedCents + chargedBackCents >= totalCents) return 'charged_back'
  return refundedCents > 0 ? 'partially_refunded' : 'approved'
}

/** Over once nothing is left of what came in, and held again should a bank think again. */
function deriveHeldStatus({ payment, received, refunds, disputes }: Books): TransactionStatus {
  const { status, receivedCents } = payment
  const cameCents = received.length > 0 ? sumAmounts(received) : receivedCents
  const goneCents =
    sumAmounts(refunds.filter((refund) => refund.status === 'succeeded')) +
    sumAmounts(disputes.filter((dispute) => dispute.status === 'lost'))
  if (cameCents !== null && goneCents >= cameCents) return 'canceled'
  return status === 'canceled' ? 'expired' : status
}
