// The types of a decision: the rows of a payment, the facts that may arrive, and the effects to publish; and functions
// that change a draft.
import type { EventType, TransactionStatus } from '../database/enums.ts'
import { getInstantAfter } from '../database/instant.ts'
import type { PaymentOutcome } from '../http/metrics.ts'
import type { NewMail } from '../mail/outbox.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { ChargeOutcome, RefundVerdict } from '../providers/provider.ts'
import { getEarlierCheck } from './check-schedule.ts'
import type { DisputeRow } from './disputes/schema.ts'
import { splitSaleLoss, sumAmounts, sumSucceeded } from './incoming/amounts.ts'
import type { IncomingPaymentRow } from './incoming/schema.ts'
import type { FeeTerms } from './payout.ts'
import { toTransactionEventData } from './serialize.ts'
import type { NewStep, VerdictSource } from './steps.ts'
import type { RefundRow, TransactionRow } from './transaction.ts'

/** The rows of a payment. Rows are only added, and the payment's own status and sums are derived from the others. */
export type Books = {
  payment: TransactionRow
  /** Each Pix received, oldest first; for a card each paid charge, if there is a surplus. */
  received: readonly IncomingPaymentRow[]
  refunds: readonly RefundRow[]
  disputes: readonly DisputeRow[]
}

export type Fact =
  /** The provider's answer about the charge, and the reason why we asked. */
  | { kind: 'answer'; outcome: ChargeOutcome; source: VerdictSource }
  /** The provider could not be asked; it may want no calls until `retryAt`. */
  | { kind: 'no answer'; retryAt?: Date | undefined }
  /** The code has expired, and the provider cannot be asked whether it was paid. */
  | { kind: 'time ran out' }
  /** The payer uses another payment. */
  | { kind: 'left by its payer' }
  /** The company accepts the received amount as the price, and names it where it cannot be read. */
  | { kind: 'accepted'; amountCents?: number | undefined }
  | { kind: 'refund answer'; refundId: string; verdict: RefundVerdict }

/** What a decision needs beside the books. */
export type Surroundings = {
  now: Date
  link: LinkRow
  checkoutUrl: string
  /** When the next check was scheduled as the provider was asked, or undefined for a fact without its answer. */
  askedCheckAt: string | null | undefined
  /** How many more payments the link accepts. */
  paymentsLeft: number
  /** Another payment that is already approved and that this one may duplicate (apply.ts). */
  twinId: string | null
  /** The company's fee terms. */
  feeTerms: FeeTerms | null
  /** Ids of Pix that are booked on other payments. */
  bookedElsewhere: ReadonlySet<string>
  /** Since when the provider calls the payment paid without showing money. */
  unshownSince: string | null
  /** Since when the provider is asked to void the charge of a declined payment. */
  voidedSince: string | null
}

/** What is written and published together with the books, in this order. */
type Effects = {
  events: { type: EventType; data: Record<string, unknown> }[]
  mails: NewMail[]
  steps: Omit<NewStep, 'transactionId' | 'now'>[]
  /** Whether this was the last payment that the link accepts. */
  isLinkCompleted: boolean
  /** The payment's outcome, for the metrics. */
  outcome: PaymentOutcome | null
  /** The provider's id of a charge to void: it was approved after the payment was declined. */
  unwantedCharge: string | null
  /** When the money of a refund left, as the provider says it; null for now. */
  returnedAt: string | null
}

export type Decision = { books: Books; effects: Effects }

/** A decision in progress. */
export type Draft = { books: Books; readonly effects: Effects; readonly at: Surroundings }

export function openDraft(books: Books, at: Surroundings): Draft {
  const effects = { events: [], mails: [], steps: [], outcome: null, returnedAt: null }
  return { books, effects: { ...effects, isLinkCompleted: false, unwantedCharge: null }, at }
}

/**
 * Changes the payment and its `updatedAt`, by which callers find changes, and the newest of two events. It grows with each
 * change, also when this fact has waited for the lock while a later one was written.
 */
export function changePayment(draft: Draft, changes: Partial<TransactionRow>): TransactionRow {
  const before = draft.books.payment
  const updatedAt = getInstantAfter(before.updatedAt, draft.at.now)
  const payment = { ...before, ...changes, updatedAt }
  draft.books = { ...draft.books, payment }
  return payment
}

/** Changes when the payment is checked next, without changing its `updatedAt`. */
export function changeSchedule(
  draft: Draft,
  changes: Partial<Pick<TransactionRow, 'checkAt' | 'checks' | 'providerReference'>>,
) {
  draft.books = { ...draft.books, payment: { ...draft.books.payment, ...changes } }
}

/** Schedules the next check, and keeps an earlier one that a notification has scheduled since the provider was asked. */
export function setCheck(draft: Draft, next: string | null) {
  const { checkAt } = draft.books.payment
  const isAsked = checkAt === draft.at.askedCheckAt
  changeSchedule(draft, { checkAt: isAsked ? next : getEarlierCheck(checkAt, next) })
}

/** Emits an event with the current payment, unless another state is given. */
export function emitEvent(
  { books, effects, at }: Draft,
  type: EventType,
  { payment = books.payment, more = {} }: EventContent = {},
) {
  const data = toTransactionEventData(payment, at.link, at.checkoutUrl, more)
  effects.events.push({ type, data })
}

type EventContent = {
  payment?: TransactionRow
  /** Data beside the payment and its link. */
  more?: Record<string, unknown>
}

/**
 * Derives the sum that refunds or disputes changed, and the status, of a payment that is approved or held. The other sum
 * stays, unless a bank gives back what a dispute had taken.
 */
export function deriveMoney(
  books: Books,
  changed: 'refundedCents' | 'chargedBackCents',
): Partial<TransactionRow> {
  const { payment, received, refunds, disputes } = books
  if (payment.approvedAt === null)
    return payment.holdReason === null ? {} : { status: deriveHeldStatus(books) }
  const { totalCents, refundedCents, chargedBackCents } = payment
  const lost = disputes.filter(({ status }) => status === 'lost')
  const returned = sumSucceeded(refunds)
  const derived = splitSaleLoss(payment, received, lost)
  const ofSale = received.length > 0 ? derived.refundedCents : returned
  const sums =
    changed === 'refundedCents'
      ? { chargedBackCents, refundedCents: Math.max(refundedCents, Math.min(totalCents, ofSale)) }
      : { refundedCents: derived.keptRefundCents, chargedBackCents: derived.chargedBackCents }
  return { ...sums, status: derivePaidStatus({ totalCents, ...sums }) }
}

type Sums = Pick<TransactionRow, 'totalCents' | 'refundedCents' | 'chargedBackCents'>

/** The first case that applies. */
function derivePaidStatus({
  totalCents,
  refundedCents,
  chargedBackCents,
}: Sums): TransactionStatus {
  if (refundedCents >= totalCents) return 'refunded'
  if (chargedBackCents > 0 && refundedCents + chargedBackCents >= totalCents) return 'charged_back'
  return refundedCents > 0 ? 'partially_refunded' : 'approved'
}

/** The payment is canceled once all received money is gone, and held again if a bank corrects itself. */
function deriveHeldStatus({ payment, received, refunds, disputes }: Books): TransactionStatus {
  const { status, receivedCents } = payment
  const cameCents = received.length > 0 ? sumAmounts(received) : receivedCents
  const goneCents =
    sumSucceeded(refunds) + sumAmounts(disputes.filter((dispute) => dispute.status === 'lost'))
  if (cameCents !== null && goneCents >= cameCents) return 'canceled'
  return status === 'canceled' ? 'expired' : status
}
