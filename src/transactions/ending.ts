// Ends a payment, holds one that received another amount than its price, and accepts a held one.
import { type EventType, OPEN_STATUSES, type TransactionStatus } from '../database/enums.ts'
import { conflictError, invalidFieldsError } from '../http/errors.ts'
import type { CardApproval, Decline, EnteredCard, ThreeDs } from '../providers/provider.ts'
import { texts } from '../texts.ts'
import { changePayment, type Draft, emitEvent, setCheck } from './books.ts'
import { getNextCheckAt } from './check-schedule.ts'
import { buildApprovalMails, buildHoldMail } from './emails.ts'
import { sumCents } from './incoming/amounts.ts'
import type { IncomingPaymentRow } from './incoming/schema.ts'
import { type CheckedPayout, toPayoutColumns } from './payout.ts'
import { getRefundable, type RefundSource } from './refunds/refundable.ts'
import type { VerdictSource } from './steps.ts'
import { transactionTexts } from './texts.ts'
import { isAmountMismatch, type TransactionRow, UNREADABLE_HOLD } from './transaction.ts'

/** Received money always counts: a Pix paid in its last second may arrive after our own expiry. */
const PAYABLE_STATUSES: readonly TransactionStatus[] = [...OPEN_STATUSES, 'expired', 'canceled']

type Verdict = 'approved' | 'declined' | 'expired' | 'canceled'

/** The statuses from which each end may be reached, and its event. */
const ENDINGS: Record<Verdict, { from: readonly TransactionStatus[]; event: EventType }> = {
  approved: { from: PAYABLE_STATUSES, event: 'transaction.approved' },
  declined: { from: OPEN_STATUSES, event: 'transaction.declined' },
  expired: { from: ['pending'], event: 'transaction.expired' },
  canceled: { from: ['pending'], event: 'transaction.canceled' },
}

export function isPayable({ status }: TransactionRow) {
  return PAYABLE_STATUSES.includes(status)
}

type ApprovalColumns = Partial<TransactionRow> & { approvedAt: string }

/** `payout`: the provider's fee and payout. Returns false when the payment can no longer be approved. */
export function approvePayment(
  draft: Draft,
  columns: ApprovalColumns,
  payout: CheckedPayout,
  source: VerdictSource,
): boolean {
  const { paymentsLeft, twinId, feeTerms } = draft.at
  const { expiresAt } = draft.books.payment
  const { approvedAt } = columns
  const isEnded = endPayment(draft, 'approved', source, {
    ...{ ...columns, holdReason: null, receivedCents: null, possibleDuplicateOf: twinId },
    paidLate: paymentsLeft <= 0 || (expiresAt !== null && approvedAt > expiresAt),
    ...toPayoutColumns(draft.books.payment, payout, feeTerms),
  })
  draft.effects.isLinkCompleted = isEnded && paymentsLeft === 1
  return isEnded
}

export function declinePayment(draft: Draft, decline: Decline, source: VerdictSource) {
  const { reference: providerReference, declineCode, abecsCode, retryable } = decline
  const columns = { providerReference, declineCode, abecsCode, retryable }
  endPayment(draft, 'declined', source, { ...columns, ...toCardColumns(decline) })
}

export function expirePayment(draft: Draft) {
  endPayment(draft, 'expired', 'reconciliation')
}

export function cancelPayment(draft: Draft, source: VerdictSource) {
  endPayment(draft, 'canceled', source)
}

/** Changes nothing when the payment can no longer reach that end. */
function endPayment(
  draft: Draft,
  status: Verdict,
  source: VerdictSource,
  columns: Partial<TransactionRow> = {},
): boolean {
  const { payment } = draft.books
  const { from, event } = ENDINGS[status]
  // A held payment neither expires nor is canceled: the company decides.
  const isHeldOpen = payment.holdReason !== null && (status === 'expired' || status === 'canceled')
  if (!from.includes(payment.status) || isHeldOpen) return false
  setCheck(draft, getNextCheckAt(changePayment(draft, { ...columns, status }), draft.at.now))
  if (!isStepRedundant(status, source))
    draft.effects.steps.push({ kind: 'settled', details: { status, source } })
  emitEvent(draft, event)
  if (status === 'approved') draft.effects.mails.push(...buildApprovalMails(draft))
  // A failure of the provider does not count as a decline.
  draft.effects.outcome = columns.declineCode === 'provider_error' ? 'error' : status
  return true
}

/** Whether row and events show enough: our own clock or the charge itself ended the payment. */
function isStepRedundant(status: Verdict, source: VerdictSource) {
  return status === 'expired' || (source === 'charge' && status !== 'canceled')
}

type ReportedCard = { threeDs?: ThreeDs | undefined; card?: EnteredCard | undefined }

/** What the provider reports about the card and the payer's bank. */
export function toCardColumns({ threeDs, card }: ReportedCard): Partial<TransactionRow> {
  return {
    ...(threeDs && {
      threeDsStatus: threeDs.status,
      threeDsEci: threeDs.eci,
      threeDsFlow: threeDs.flow,
    }),
    ...(card && { cardBrand: card.brand, cardLast4: card.last4, cardHolder: card.holder }),
  }
}

type HeldMoney = {
  reference: string
  /** The received amount; null when it cannot be read. */
  receivedCents: number | null
  /** The unreadable field, if the provider shows the money. */
  field?: string | null
  pixEndToEndId?: string
}

/** The payment waits for the rest, for a readable answer, or for its company. Returns false when it has ended. */
export function holdPayment(
  draft: Draft,
  { reference, receivedCents, field, ...columns }: HeldMoney,
): boolean {
  const { payment } = draft.books
  if (!isPayable(payment)) return false
  const { totalCents } = payment
  const isUnreadable = receivedCents === null
  const holdReason = isUnreadable
    ? UNREADABLE_HOLD
    : texts.holds.amountDiffers(receivedCents, totalCents)
  // A held payment that was canceled had its money returned.
  const status = payment.status === 'canceled' ? 'expired' : payment.status
  const held = { ...columns, providerReference: reference, holdReason, receivedCents, status }
  setCheck(draft, getNextCheckAt(changePayment(draft, held), draft.at.now))
  const details = isUnreadable
    ? { reason: holdReason, field: field ?? '' }
    : { receivedCents, totalCents }
  publishHold(draft, details)
  return true
}

/** The payment stays declined, and the company is asked to refund what the provider did not. */
export function holdUnvoided(draft: Draft, { reference, paidCents }: CardApproval) {
  const { totalCents } = draft.books.payment
  const columns = { providerReference: reference, receivedCents: paidCents }
  const holdReason = texts.holds.amountDiffers(paidCents, totalCents)
  const held = changePayment(draft, { ...columns, holdReason })
  setCheck(draft, getNextCheckAt(held, draft.at.now))
  publishHold(draft, { receivedCents: paidCents, totalCents })
}

function publishHold(draft: Draft, details: Record<string, string | number>) {
  draft.effects.steps.push({ kind: 'held', details })
  emitEvent(draft, 'transaction.held')
  draft.effects.mails.push(buildHoldMail(draft))
  draft.effects.outcome = 'held'
}

/**
 * Approves the payment with the received amount as its price. The company may name that amount, and must where it cannot
 * be read. Throws 409 `invalid_transition` when there is nothing to accept, and 422 for another amount.
 */
export function acceptReceived(draft: Draft, amountCents: number | undefined) {
  const { payment } = draft.books
  if (isAmountMismatch(payment) && payment.holdReason === UNREADABLE_HOLD)
    return acceptUnreadable(draft, amountCents)
  const inHand = listInHand(draft)
  const receivedCents = sumCents(inHand.map(({ leftCents }) => leftCents))
  if (amountCents !== undefined && amountCents !== receivedCents)
    throw amountError(transactionTexts.cameIn(receivedCents))
  const received = draft.books.received.map((row) => leaveOutGone(row, inHand))
  draft.books = { ...draft.books, received }
  approveWith(draft, receivedCents)
}

/** The company says what its bank's statement shows; with nothing, the payment has ended. */
function acceptUnreadable(draft: Draft, amountCents: number | undefined) {
  const { method, totalCents } = draft.books.payment
  const isPart = amountCents !== 0 && amountCents !== totalCents
  const isTooMuch = amountCents !== undefined && amountCents > totalCents
  if (amountCents === undefined || isTooMuch || (isPart && method !== 'pix'))
    throw amountError(transactionTexts.nameAmount[method](totalCents))
  if (amountCents > 0) return approveWith(draft, amountCents)
  const canceled = changePayment(draft, { status: 'canceled' })
  setCheck(draft, getNextCheckAt(canceled, draft.at.now))
  draft.effects.steps.push({ kind: 'settled', details: { status: 'canceled', source: 'company' } })
  emitEvent(draft, 'transaction.canceled')
  draft.effects.outcome = 'canceled'
}

function approveWith(draft: Draft, receivedCents: number) {
  const { payment, received } = draft.books
  const { totalCents } = payment
  if (receivedCents !== totalCents) {
    const amounts = { amountCents: receivedCents, discountCents: 0, totalCents: receivedCents }
    changePayment(draft, { ...amounts, installmentCents: receivedCents })
  }
  const approvedAt = received.at(-1)?.paidAt ?? draft.at.now.toISOString()
  if (!approvePayment(draft, { approvedAt }, NO_PAYOUT, 'company')) throw notHeldError(payment)
  draft.effects.steps.push({ kind: 'accepted', details: { receivedCents, totalCents } })
}

function amountError(message: string) {
  return invalidFieldsError([{ field: 'amountCents', code: 'invalid_amount', message }])
}

const NO_PAYOUT: CheckedPayout = { feeCents: null, expectedOn: null }

/** Lists the money of each Pix that the company can accept; throws while some is being refunded or is disputed. */
function listInHand({ books, at }: Draft): RefundSource[] {
  const { payment, refunds, disputes } = books
  if (payment.method !== 'pix' || !isAmountMismatch(payment)) throw notHeldError(payment)
  const isReturning = refunds.some(({ status }) => status === 'pending')
  if (isReturning || disputes.some(({ status }) => status === 'open'))
    throw conflictError('invalid_transition', transactionTexts.notAcceptedYet)
  const refundable = getRefundable(books, at.now)
  if (refundable.kind === 'refused' || refundable.leftCents === 0)
    throw conflictError('invalid_transition', transactionTexts.nothingLeft)
  return refundable.sources
}

/** Money that was already refunded is no part of the sale. */
function leaveOutGone(row: IncomingPaymentRow, inHand: readonly RefundSource[]) {
  const source = inHand.find(({ incomingPaymentId }) => incomingPaymentId === row.id)
  return { ...row, surplusCents: row.amountCents - (source?.leftCents ?? 0) }
}

function notHeldError({ status }: TransactionRow) {
  const message = transactionTexts.nothingToAccept(transactionTexts.statuses[status])
  return conflictError('invalid_transition', message)
}
