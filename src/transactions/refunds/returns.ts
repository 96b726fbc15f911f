// Money that goes back to a payer: by refunds of ours that the provider has carried out or refused, and by the total
// that the provider reports. The report may end refunds of ours, which it names by their ids; the rest of the total was
// refunded at the provider without us. Pending refunds of ours count as part of that total; if they fail, the next
// report shows the difference.

import { REFUNDABLE_STATUSES } from '../../database/enums.ts'
import type { CardApproval, RefundVerdict } from '../../providers/provider.ts'
import type { ProviderReturn, ReceivedPix } from '../../providers/received.ts'
import { texts } from '../../texts.ts'
import { type Books, changePayment, type Draft, deriveMoney, emitEvent } from '../books.ts'
import { buildFailedRefundMail, buildRefundMails } from '../emails.ts'
import {
  sumAmounts,
  sumCents,
  sumInHand,
  sumSucceeded,
  sumSurplusLeft,
} from '../incoming/amounts.ts'
import { clampInstant } from '../incoming/instants.ts'
import { type IncomingPaymentRow, serializeIncomingPayment } from '../incoming/schema.ts'
import { isAmountMismatch, type RefundRow, type TransactionRow } from '../transaction.ts'
import { buildRefund } from './request.ts'
import { serializeRefund } from './schema.ts'
import { refundTexts } from './texts.ts'

/** Ends a pending refund once. If the provider's id belongs to another refund already, nothing changes. */
export function endRefund(draft: Draft, refundId: string, verdict: RefundVerdict) {
  const { refunds } = draft.books
  const refund = refunds.find(({ id }) => id === refundId)
  const isTaken =
    verdict.reference !== undefined &&
    refunds.some((one) => one !== refund && one.providerReference === verdict.reference)
  if (refund?.status !== 'pending' || isTaken) return
  const providerReference = verdict.reference || refund.providerReference
  if (verdict.status === 'failed') {
    const { status, reason: failureReason } = verdict
    failRefund(draft, { ...refund, status, failureReason, providerReference })
  } else completeRefund(draft, { ...refund, providerReference }, verdict.at)
}

/** A provider may refuse a refund days after it has accepted it: the company then gets an e-mail too. */
function failRefund(draft: Draft, failed: RefundRow) {
  const refund = setRefund(draft, failed)
  const more = { refund: serializeRefund(refund, draft.books.payment.testMode) }
  emitEvent(draft, 'transaction.refund_failed', { more })
  if (refund.checks > 0) draft.effects.mails.push(buildFailedRefundMail(draft, refund))
}

/** Records what the bank has returned of each Pix, or of each charge of a card. */
export function recordPixReturns(draft: Draft, received: readonly ReceivedPix[]) {
  const refundCount = draft.books.refunds.length
  for (const { id: incomingPaymentId, endToEndId, amountCents, refundedCents } of draft.books
    .received) {
    const pix = received.find((one) => one.endToEndId === endToEndId)
    const returns = pix?.returns ?? []
    // A provider may not know which of several Pix we refunded.
    const ofOthers = draft.books.refunds.filter(
      (refund) =>
        refund.incomingPaymentId !== incomingPaymentId &&
        refund.status !== 'failed' &&
        returns.some((one) => isReturn(refund, one)),
    )
    const ownCents = (pix?.refundedCents ?? 0) - sumAmounts(ofOthers)
    const goneCents = Math.min(ownCents, amountCents)
    if (goneCents <= refundedCents) continue
    recordReturns(draft, { incomingPaymentId, goneCents, returns })
  }
  const isMadeThere = draft.books.refunds.length > refundCount
  if (isMadeThere && isAmountMismatch(draft.books.payment)) publishHeldRest(draft)
}

/** The provider returned a part of a held payment: less than was published waits for the rest or for the company. */
function publishHeldRest(draft: Draft) {
  const { payment, received, disputes } = draft.books
  const lost = disputes.filter(({ status }) => status === 'lost')
  const receivedCents = sumInHand(received) - sumAmounts(lost)
  const holdReason = texts.holds.amountDiffers(receivedCents, payment.totalCents)
  changePayment(draft, { receivedCents, holdReason })
  emitEvent(draft, 'transaction.held')
}

/** Records what was returned of a card, approved or held: of each charge, if several were paid. */
export function recordCardReturns(draft: Draft, approval: CardApproval) {
  const { payment, received } = draft.books
  const { refundedCents: reportedCents = 0, returns = [], charges = [] } = approval
  if (received.length > 0) return recordPixReturns(draft, charges)
  const isHeld = isAmountMismatch(payment)
  const isSale = isHeld || REFUNDABLE_STATUSES.includes(payment.status)
  if (!isSale || reportedCents <= payment.refundedCents) return
  const paidCents = isHeld ? (payment.receivedCents ?? 0) : payment.totalCents
  const goneCents = Math.min(reportedCents, paidCents)
  recordReturns(draft, { incomingPaymentId: null, goneCents, returns })
}

type ReportedReturns = {
  /** Null for a card. */
  incomingPaymentId: string | null
  goneCents: number
  returns: readonly ProviderReturn[]
}

function recordReturns(draft: Draft, { incomingPaymentId, goneCents, returns }: ReportedReturns) {
  const known = draft.books.refunds.filter(
    (refund) => incomingPaymentId === null || refund.incomingPaymentId === incomingPaymentId,
  )
  let oursCents = sumAmounts(known.filter(({ status }) => status !== 'failed'))
  for (const refund of known.filter((one) => isUnheardReturn(one, returns))) {
    // A failed refund may already be booked as one made at the provider.
    if (refund.status === 'failed') {
      if (oursCents + refund.amountCents > goneCents) continue
      oursCents += refund.amountCents
    }
    completeRefund(draft, refund, returns.find((one) => isReturn(refund, one))?.at)
  }
  if (goneCents <= oursCents) return
  const { id: transactionId, companyId } = draft.books.payment
  const amountCents = goneCents - oursCents
  const made = { companyId, transactionId, incomingPaymentId, amountCents }
  const refund = buildRefund({ ...made, reason: refundTexts.atProvider }, draft.at.now)
  const others = returns.filter((one) => !known.some((ours) => isReturn(ours, one)))
  completeRefund(
    draft,
    refund,
    others
      .map(({ at }) => at)
      .toSorted()
      .at(-1),
  )
}

/** Whether the provider has made the refund, and we have not heard of it. */
function isUnheardReturn(refund: RefundRow, returns: readonly ProviderReturn[]) {
  return refund.status !== 'succeeded' && returns.some((one) => isReturn(refund, one))
}

/** Providers of Pix know our id, which banks write without dashes. */
function isReturn({ id, providerReference }: RefundRow, { reference }: ProviderReturn) {
  return [providerReference, id, id.replaceAll('-', '')].includes(reference)
}

/** Completes the refund: its Pix or card then has less left. `at`: when the money left, if the provider says it. */
function completeRefund(draft: Draft, pending: RefundRow, at: string | undefined) {
  draft.effects.returnedAt = at ? clampReturned(at, draft) : null
  const refund = setRefund(draft, { ...pending, status: 'succeeded', failureReason: null })
  const before = draft.books
  const source = before.received.find(({ id }) => id === refund.incomingPaymentId)
  const returned = source && returnPix(draft, source, refund.amountCents)
  const payment = changePayment(draft, deriveMoney(draft.books, 'refundedCents'))
  const content = { refund: serializeRefund(refund, payment.testMode) }
  // One refund may return parts of the sale and of the surplus: each event has its own amount.
  const ofSale = payment.refundedCents - before.payment.refundedCents
  if (ofSale > 0)
    emitEvent(draft, 'transaction.refunded', { more: { ...content, returnedCents: ofSale } })
  const isSale = payment.approvedAt !== null
  const lost = before.disputes.filter(({ status }) => status === 'lost')
  const surplusLeft = sumSurplusLeft(draft.books.received, lost)
  const ofSurplus = isSale ? sumSurplusLeft(before.received, lost) - surplusLeft : 0
  if (returned && ofSurplus > 0) {
    const incomingPayment = serializeIncomingPayment(returned)
    const more = { ...content, returnedCents: ofSurplus, incomingPayment }
    emitEvent(draft, 'transaction.surplus_refunded', { more })
  }
  if (payment.status !== before.payment.status) emitEnd(draft, payment)
  draft.effects.mails.push(...buildRefundMails(draft, refund, sumPaid(draft.books)))
}

/** A refund may end a payment: a held one with nothing left, or a sale when disputes took the rest of it. */
function emitEnd(draft: Draft, { status }: TransactionRow) {
  if (status === 'canceled') emitEvent(draft, 'transaction.canceled')
  if (status === 'charged_back') emitEvent(draft, 'transaction.charged_back')
}

/** An instant before the payment, or in the future, is not believed. */
function clampReturned(said: string, { books, at }: Draft) {
  const bounds = { earliest: books.payment.createdAt, latest: at.now.toISOString() }
  return clampInstant(said, undefined, bounds).at
}

function setRefund(draft: Draft, changed: RefundRow): RefundRow {
  const updatedAt = draft.at.now.toISOString()
  const refund = { ...changed, missingSince: null, checkAt: null, updatedAt }
  const { refunds } = draft.books
  const isKnown = refunds.some(({ id }) => id === refund.id)
  draft.books = {
    ...draft.books,
    refunds: isKnown
      ? refunds.map((one) => (one.id === refund.id ? refund : one))
      : [...refunds, refund],
  }
  return refund
}

function returnPix(draft: Draft, source: IncomingPaymentRow, cents: number): IncomingPaymentRow {
  const refundedCents = Math.min(source.refundedCents + cents, source.amountCents)
  const returned = { ...source, refundedCents, updatedAt: draft.at.now.toISOString() }
  const received = draft.books.received.map((row) => (row === source ? returned : row))
  draft.books = { ...draft.books, received }
  return returned
}

function sumPaid({ payment, received, refunds }: Books) {
  const { approvedAt, totalCents, receivedCents, refundedCents } = payment
  if (received.length > 0) {
    return {
      paidCents: sumAmounts(received),
      refundedCents: sumCents(received.map((row) => row.refundedCents)),
    }
  }
  return approvedAt
    ? { paidCents: totalCents, refundedCents }
    : { paidCents: receivedCents ?? totalCents, refundedCents: sumSucceeded(refunds) }
}
