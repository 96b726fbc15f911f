// The life of a payment, decided without database, clock or network. A fact becomes rows; the payment's status and sums
// are derived from the rows; differences are published. A known fact changes nothing.
//
//   fact                                     payment before                            payment after
//   ─────────────────────────────────────────────────────────────────────────────────────────────────────────
//   the provider made a Pix code             pending                                   pending, with the code
//   the payer's bank wants a confirmation    processing                                awaiting_authentication
//   a card is paid at the provider's page    processing                                pending, with the page
//   the payer has answered there             awaiting_authentication, pending          processing
//   the price came in                        open, held, expired, canceled             approved; late after its time
//   less than the price, or unreadable       open, expired, canceled                   held: the rest may come
//   the company accepts what came in         held                                      approved, with that amount
//   the company says that nothing came in    held, and unreadable                      canceled
//   all that came in is gone                 held                                      canceled
//   the card is refused                      open                                      declined
//   the provider knows no such charge        processing, for a minute                  declined
//   the time of the code or page ran out     pending                                   expired
//   the provider or the payer gives it up    pending; awaiting_authentication          canceled; declined
//   the card is approved after all           declined                                  declined; the charge is voided
//   the charge cannot be voided              declined                                  held: the company refunds it
//   more than the price came in              approved, or any later state              the same, with a surplus
//   some of the sale went back; all of it    approved, partially_refunded              partially_refunded; refunded
//   a dispute took what was left             approved, partially_refunded              charged_back
//   the dispute is won after all             charged_back                              what it was before
//
// An approved payment never becomes pending or declined again. The order of the facts counts in one case only: a card
// that was shown as declined, and that the provider approves later, is voided.

import { isSandbox, OPEN_STATUSES } from '../database/enums.ts'
import { addDelay, isPast, MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import type { Approval, CardApproval, ChargeOutcome, Decline } from '../providers/provider.ts'
import {
  type Books,
  changePayment,
  changeSchedule,
  type Decision,
  type Draft,
  type Fact,
  openDraft,
  type Surroundings,
  setCheck,
} from './books.ts'
import { countCheck, getEarlierCheck, getNextCheckAt, getRetryAt } from './check-schedule.ts'
import { listWonBack, recordDisputes } from './disputes/record.ts'
import {
  acceptReceived,
  approvePayment,
  cancelPayment,
  declinePayment,
  expirePayment,
  holdPayment,
  holdUnvoided,
  isPayable,
  toCardColumns,
} from './ending.ts'
import { sumAmounts, sumInHand } from './incoming/amounts.ts'
import { clampApproval } from './incoming/instants.ts'
import { type Booking, bookCharges, bookReceived, reportSurplus } from './incoming/receive.ts'
import { listPayoutCorrections, readProviderPayout } from './payout.ts'
import { endRefund, recordCardReturns, recordPixReturns } from './refunds/returns.ts'
import type { VerdictSource } from './steps.ts'
import { IN_FLIGHT_MS, isAmountMismatch, type TransactionRow } from './transaction.ts'

/** The result of a charge that the provider did not process at any try. */
export const PROVIDER_UNAVAILABLE: Decline = {
  status: 'declined',
  reference: null,
  declineCode: 'provider_error',
  abecsCode: '91',
  retryable: true,
}
/** The provider canceled the charge of a card. */
const CHARGE_ABANDONED: Decline = { ...PROVIDER_UNAVAILABLE, abecsCode: null }
/** A charge that the provider does not know after this time never reached it. */
const LOST_AFTER_MS = MINUTE_MS
/** For an open payment when the provider could not be asked. */
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS
/** A provider may call a charge paid some seconds before it shows the payment. */
const HOLD_UNSHOWN_AFTER_MS = 15 * SECOND_MS
const UNSHOWN_CHECK_DELAY_MS = 5 * SECOND_MS
export const UNSHOWN_STEP = { kind: 'provider_failed', details: { reason: 'unreadable' } } as const
/** For a payment that may have changed meanwhile: it expired without an answer, or a refund of ours hid another one. */
const RECHECK_DELAY_MS = MINUTE_MS
/** A provider may take a while to void a charge, or be unreachable. */
const HOLD_UNVOIDED_AFTER_MS = 15 * MINUTE_MS
export const VOIDED_STEP = { kind: 'voided' } as const

/** Decides what one fact changes and publishes. A second time it changes nothing. */
export function decide(books: Books, fact: Fact, at: Surroundings): Decision {
  const draft = openDraft(books, at)
  recordFact(draft, fact)
  return { books: draft.books, effects: draft.effects }
}

function recordFact(draft: Draft, fact: Fact) {
  switch (fact.kind) {
    case 'answer':
      return applyAnswer(draft, fact.outcome, fact.source)
    case 'no answer':
      return retryCheck(draft, fact.retryAt)
    case 'time ran out':
      return expireUnread(draft)
    case 'left by its payer':
      return leavePayment(draft)
    case 'accepted':
      return acceptReceived(draft, fact.amountCents)
    case 'refund answer':
      endRefund(draft, fact.refundId, fact.verdict)
      if (!isSandbox(draft.books.payment.provider)) scheduleBefore(draft, RECHECK_DELAY_MS)
  }
}

function applyAnswer(draft: Draft, outcome: ChargeOutcome, source: VerdictSource) {
  const { payment } = draft.books
  if (outcome.status === 'approved') return applyApproval(draft, outcome, source)
  if (outcome.status === 'unreadable') return applyUnreadable(draft, outcome)
  const isOver = !OPEN_STATUSES.includes(payment.status) || isAmountMismatch(payment)
  if (isOver) return scheduleNext(draft)
  switch (outcome.status) {
    case 'pending':
      return applyPending(draft, outcome, source)
    case 'awaiting_authentication':
      return applyChallenge(draft, outcome)
    case 'awaiting_payer':
      return applyProviderPage(draft, outcome)
    case 'processing':
      return applyProcessing(draft, outcome)
    case 'unknown':
      return applyUnknown(draft)
    case 'canceled':
      return payment.status === 'pending'
        ? cancelPayment(draft, source)
        : declinePayment(draft, CHARGE_ABANDONED, source)
    case 'declined':
      return declinePayment(draft, outcome, source)
  }
}

// Payments without a verdict.

type Pending = ChargeOutcome & { status: 'pending' }

function applyPending(draft: Draft, outcome: Pending, source: VerdictSource) {
  const { payment } = draft.books
  const { now } = draft.at
  if (!payment.pixBrCode) return void changePayment(draft, buildPixCode(payment, outcome, now))
  if (isPast(payment.expiresAt, now)) return expirePayment(draft)
  // A bank that notifies of money before it shows it is asked again soon.
  repeatCheck(draft, source === 'notification' ? { checks: 0 } : {})
}

/** Stores the Pix code as the provider gave it. */
export function buildPixCode(
  row: TransactionRow,
  { reference, pixBrCode, expiresAt: openUntil }: Pending,
  now: Date,
) {
  // We requested an expiry; if the provider's is earlier, it is used.
  const isSooner = row.expiresAt && openUntil > now.toISOString() && openUntil < row.expiresAt
  const expiresAt = row.expiresAt && !isSooner ? row.expiresAt : openUntil
  return {
    providerReference: reference,
    pixBrCode,
    expiresAt,
    checkAt: getNextCheckAt({ ...row, pixBrCode, expiresAt, checks: 0 }, now),
    checks: 0,
    updatedAt: now.toISOString(),
  }
}

function applyChallenge(
  draft: Draft,
  outcome: ChargeOutcome & { status: 'awaiting_authentication' },
) {
  const { reference, challengeUrl, expiresAt } = outcome
  draft.effects.steps.push({ kind: 'challenge', once: true })
  // Writing it again would look like a change to the payer's page, and restart the challenge.
  if (draft.books.payment.challengeUrl === challengeUrl) return repeatCheck(draft)
  const columns = { status: 'awaiting_authentication', challengeUrl, expiresAt } as const
  beginWaiting(draft, { ...columns, providerReference: reference })
}

/** The card is paid elsewhere, like a Pix code: until its time runs out, the payment blocks no other payment. */
function applyProviderPage(draft: Draft, outcome: ChargeOutcome & { status: 'awaiting_payer' }) {
  const { reference: providerReference, pageUrl: challengeUrl, expiresAt } = outcome
  const { payment } = draft.books
  draft.effects.steps.push({ kind: 'provider_page', once: true })
  if (payment.challengeUrl === challengeUrl)
    return isPast(payment.expiresAt, draft.at.now) ? expirePayment(draft) : repeatCheck(draft)
  beginWaiting(draft, { status: 'pending', challengeUrl, expiresAt, providerReference })
}

function applyProcessing(draft: Draft, outcome: ChargeOutcome & { status: 'processing' }) {
  const { reference: providerReference, isPayerDone } = outcome
  draft.effects.steps.push({ kind: 'processing', once: true })
  if (!isPayerDone || draft.books.payment.challengeUrl === null)
    return repeatCheck(draft, { providerReference })
  // The challenge is removed: a payer who saw it again would think that the confirmation had failed.
  const status = 'processing'
  beginWaiting(draft, { status, challengeUrl: null, expiresAt: null, providerReference })
}

function beginWaiting(draft: Draft, columns: Partial<TransactionRow>) {
  const payment = changePayment(draft, { ...columns, checks: 0 })
  setCheck(draft, getNextCheckAt(payment, draft.at.now))
}

/** Handles a charge that the provider does not know; a charge that must be sent again does not come here. */
function applyUnknown(draft: Draft) {
  const { status, expiresAt, createdAt } = draft.books.payment
  const { now } = draft.at
  if (status === 'pending')
    return isPast(expiresAt, now) ? expirePayment(draft) : repeatCheck(draft)
  const isLost = now.getTime() - Date.parse(createdAt) >= LOST_AFTER_MS
  return isLost ? declinePayment(draft, PROVIDER_UNAVAILABLE, 'reconciliation') : repeatCheck(draft)
}

/** The payer may have paid before the expiry: it is checked again soon, and received money is then booked. */
function expireUnread(draft: Draft) {
  expirePayment(draft)
  if (draft.books.payment.status === 'expired') scheduleBefore(draft, RECHECK_DELAY_MS)
}

/** A card that no longer waits for its payer may still be answered: it is declined, and voided if it is approved. */
function leavePayment(draft: Draft) {
  const { status, providerReference: reference } = draft.books.payment
  if (status === 'pending') return cancelPayment(draft, 'payer')
  const left = { ...CHARGE_ABANDONED, reference, declineCode: 'threeds_failed' } as const
  declinePayment(draft, left, 'payer')
}

// Payments with reported money.

function applyApproval(draft: Draft, outcome: Approval, source: VerdictSource) {
  const before = draft.books.payment
  const approval = clampApproval(outcome, before, draft.at.now)
  if (before.status === 'declined' && !isAmountMismatch(before)) return voidCharge(draft, approval)
  const { disputes = [] } = approval
  // Money of a held payment that a dispute took pays nothing, so disputes are recorded before new money is booked.
  if (isAmountMismatch(before)) {
    const held = draft.books.received.map(({ endToEndId }) => endToEndId)
    const ofHeld = disputes.filter(({ endToEndId: id }) => id !== null && held.includes(id))
    recordDisputes(draft, ofHeld)
  }
  if (approval.received) applyReceived(draft, approval, source)
  else applyPaidCard(draft, approval, source)
  recordDisputes(draft, approval.isUndisputed ? listWonBack(draft) : disputes)
  // A card that is charged back has nothing to refund, until its dispute is won.
  if (!approval.received) recordCardReturns(draft, approval)
  const corrections = listPayoutCorrections(draft.books.payment, approval)
  if (corrections) changePayment(draft, corrections)
  scheduleNext(draft)
}

type ReceivedMoney = Extract<Approval, { received: object }>

function applyReceived(draft: Draft, approval: ReceivedMoney, source: VerdictSource) {
  const { payment } = draft.books
  if (payment.approvedAt === null && !isPayable(payment)) return
  const booking = bookReceived(draft, approval)
  if (payment.approvedAt === null) applyBooking(draft, booking, approval, source)
  else if (booking.added.length > 0) {
    // A payment that was accepted before its money could be read has no id of a Pix yet.
    const pixEndToEndId = payment.pixEndToEndId ?? draft.books.received[0]?.endToEndId ?? null
    changePayment(draft, { pixEndToEndId })
  }
  if (draft.books.payment.approvedAt) reportSurplus(draft, booking.overpaid)
  recordPixReturns(draft, approval.received)
}

/** New money approves the payment or makes it held; known money does neither. */
function applyBooking(
  draft: Draft,
  booking: Booking,
  approval: ReceivedMoney,
  source: VerdictSource,
) {
  const { payment, received } = draft.books
  const [first, last] = [received[0], received.at(-1)]
  if (!first || !last) return
  const { reference } = approval
  const { endToEndId: pixEndToEndId } = first
  if (booking.isComplete) {
    const approvedAt = booking.completedAt ?? last.paidAt
    const columns = { providerReference: reference, pixEndToEndId, approvedAt }
    approvePayment(draft, columns, readProviderPayout(approval, payment, approvedAt), source)
  } else if (booking.added.length > 0) {
    holdPayment(draft, { reference, pixEndToEndId, receivedCents: booking.inHandCents })
  }
}

function applyPaidCard(draft: Draft, approval: CardApproval, source: VerdictSource) {
  const { payment } = draft.books
  const { reference, paidCents, paidAt, reportedPaidAt = null, charges = [] } = approval
  const isNewAmount = isPayable(payment) && payment.receivedCents !== paidCents
  if (isNewAmount && paidCents === payment.totalCents) {
    const columns = { providerReference: reference, reportedPaidAt, ...toCardColumns(approval) }
    const payout = readProviderPayout(approval, payment, paidAt)
    approvePayment(draft, { ...columns, approvedAt: paidAt }, payout, source)
  } else if (isNewAmount) {
    holdPayment(draft, { reference, receivedCents: paidCents })
  }
  if (draft.books.payment.approvedAt) bookCharges(draft, { received: charges, reference })
  recordCardReturns(draft, approval)
}

/** Holds a payment with unreadable money: at once, or a little later if the provider may still show it. */
function applyUnreadable(draft: Draft, outcome: ChargeOutcome & { status: 'unreadable' }) {
  const { payment } = draft.books
  const { now, unshownSince } = draft.at
  if (!isPayable(payment) || payment.holdReason !== null) return scheduleNext(draft)
  if (outcome.field === null) {
    draft.effects.steps.push({ ...UNSHOWN_STEP, once: true })
    const waitedMs = now.getTime() - Date.parse(unshownSince ?? now.toISOString())
    if (waitedMs < HOLD_UNSHOWN_AFTER_MS)
      return setCheck(draft, addDelay(now, UNSHOWN_CHECK_DELAY_MS))
  }
  const { reference, field } = outcome
  holdPayment(draft, { reference, field, receivedCents: null })
}

/**
 * Money taken for a declined payment is refunded. The next checks show whether it was; if it stays, the company has to
 * refund it.
 */
function voidCharge(draft: Draft, approval: Approval) {
  if (isGivenBack(approval)) return scheduleNext(draft)
  const { now, voidedSince } = draft.at
  const waitedMs = voidedSince ? now.getTime() - Date.parse(voidedSince) : 0
  if (waitedMs >= HOLD_UNVOIDED_AFTER_MS && !approval.received) {
    holdUnvoided(draft, approval)
    return recordCardReturns(draft, approval)
  }
  draft.effects.steps.push({ ...VOIDED_STEP, once: true })
  draft.effects.unwantedCharge = approval.reference
  scheduleBefore(draft, voidedSince ? RECHECK_DELAY_MS : IN_FLIGHT_MS)
}

/** Whether nothing is left of it after refunds and disputes. */
function isGivenBack({ disputes = [], ...approval }: Approval) {
  const lostCents = sumAmounts(disputes.filter(({ status }) => status === 'lost'))
  if (approval.received) return sumInHand(approval.received) <= lostCents
  const { charges, paidCents, refundedCents = 0 } = approval
  return (charges ? sumInHand(charges) : paidCents - refundedCents) <= lostCents
}

// Scheduling the next check.

/** Schedules an open payment, at growing intervals, and stores the provider's id of the charge. */
function repeatCheck(
  draft: Draft,
  { checks, providerReference }: Partial<Pick<TransactionRow, 'checks' | 'providerReference'>> = {},
) {
  const { payment } = draft.books
  const asked = { ...payment, checks: checks ?? payment.checks }
  setCheck(draft, getNextCheckAt(asked, draft.at.now))
  changeSchedule(draft, {
    checks: countCheck(asked),
    providerReference: providerReference ?? payment.providerReference,
  })
}

/** The provider could not be asked, and may want no calls for a while. */
function retryCheck(draft: Draft, retryAt: Date | undefined) {
  const { payment } = draft.books
  const { now } = draft.at
  const from = retryAt && retryAt > now ? retryAt : now
  if (!OPEN_STATUSES.includes(payment.status)) return setCheck(draft, getRetryAt(payment, from))
  if (payment.status === 'pending' && isPast(payment.expiresAt, now)) return expireUnread(draft)
  const next = getNextCheckAt(payment, from)
  setCheck(draft, getEarlierCheck(next, addDelay(from, MAX_RETRY_DELAY_MS)))
  changeSchedule(draft, { checks: countCheck(payment) })
}

/** Schedules a payment that has ended. */
function scheduleNext(draft: Draft) {
  setCheck(draft, getNextCheckAt(draft.books.payment, draft.at.now, isDisputed(draft)))
}

function isDisputed({ books }: Draft) {
  return (
    !isSandbox(books.payment.provider) && books.disputes.some(({ status }) => status === 'open')
  )
}

function scheduleBefore(draft: Draft, delayMs: number) {
  const soon = addDelay(draft.at.now, delayMs)
  changeSchedule(draft, { checkAt: getEarlierCheck(draft.books.payment.checkAt, soon) })
}
