// How much of a payment can be refunded: what is left of a card; what is left of each Pix, its surplus first; all
// received money of a held payment.

import { isSandbox, REFUNDABLE_STATUSES } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'
import { conflictError, invalidFieldsError } from '../../http/errors.ts'
import type { Books } from '../books.ts'
import { sumAmounts, sumCents, sumSucceeded, type TakenMoney } from '../incoming/amounts.ts'
import type { IncomingPaymentRow } from '../incoming/schema.ts'
import { isAmountMismatch, type TransactionRow } from '../transaction.ts'
import { refundTexts } from './texts.ts'

/** The days in which a Pix may be refunded (Banco Central, API Pix: PixDevolucaoInvalida). */
const PIX_REFUND_WINDOW_DAYS = 90
/** Older cards may be deleted from the simulated bank (config.ts). */
const TEST_CARD_REFUND_WINDOW_DAYS = 180

/** A Pix or card with money of a payment. Pending refunds count as successful. */
export type RefundSource = {
  /** Null for a card. */
  incomingPaymentId: string | null
  leftCents: number
  /** Part of `leftCents`. */
  surplusCents: number
  /** Whether a dispute has taken or blocks some of it. */
  isDisputed: boolean
}

export type Refundable =
  | { kind: 'refundable'; sources: RefundSource[]; leftCents: number; isHeld: boolean }
  | { kind: 'refused'; code: 'invalid_transition' | 'refund_window_closed'; message: string }

/** The amount to refund from one source. */
export type RefundPart = { incomingPaymentId: string | null; amountCents: number }

/** Returns the refundable amounts at `now`; refundable with nothing left while pending refunds take all. */
export function getRefundable(books: Books, now: Date): Refundable {
  const { payment } = books
  const isHeld = isAmountMismatch(payment)
  if (isUnread(books)) return refuseRefund(isHeld ? refundTexts.held : refundTexts.unread)
  const isSale = isHeld || REFUNDABLE_STATUSES.includes(payment.status)
  const sources = isSale ? listSources(books) : listSurplusSources(books)
  if (!isSale && sumLeft(sources) === 0) return refuseStatus(payment)

  const open = sources.filter(({ paidAt }) => isWithinWindow(payment, paidAt, now))
  const leftCents = sumLeft(open)
  if (leftCents === 0 && sumLeft(sources) > 0) {
    return { kind: 'refused', code: 'refund_window_closed', message: describeWindow(payment) }
  }
  return { kind: 'refundable', sources: open, leftCents, isHeld }
}

/** Whether the amount of its money could not be read: the payment is held, or its company has accepted it. */
function isUnread({ payment, received }: Books) {
  if (isAmountMismatch(payment)) return payment.receivedCents === null
  const isPix = payment.method === 'pix' && payment.approvedAt !== null
  return isPix && received.length === 0 && payment.pixEndToEndId === null
}

type RefundAmounts = {
  amountCents?: number | null | undefined
  incomingPaymentId?: string | null | undefined
}

/** Splits a requested amount, or all that is left; throws when it cannot be refunded. */
export function resolveRefundParts(
  { sources, isHeld }: Extract<Refundable, { kind: 'refundable' }>,
  { amountCents: wanted, incomingPaymentId }: RefundAmounts,
): RefundPart[] {
  const chosen = chooseSources(sources, incomingPaymentId)
  if (chosen.length === 0)
    throw buildFieldError('incomingPaymentId', 'not_found', refundTexts.noPix)
  const left = sumLeft(chosen)
  if (left === 0 && !wanted) throw buildNothingLeftError(chosen)
  const surplus = sumSurplus(chosen)
  const amountCents = wanted ?? (incomingPaymentId && !isHeld && surplus > 0 ? surplus : left)
  if (amountCents > left) throw buildFieldError('amountCents', 'too_big', refundTexts.tooMuch(left))
  if (isHeld) assertWhole(sources, amountCents)
  return splitAmount(chosen, amountCents)
}

/** Sums the surplus of one Pix, or of all. */
export function sumSurplus(sources: readonly RefundSource[], incomingPaymentId?: string | null) {
  return sumCents(chooseSources(sources, incomingPaymentId).map((one) => one.surplusCents))
}

function chooseSources(sources: readonly RefundSource[], incomingPaymentId?: string | null) {
  if (incomingPaymentId === undefined || incomingPaymentId === null) return sources
  return sources.filter((source) => source.incomingPaymentId === incomingPaymentId)
}

function buildNothingLeftError(sources: readonly RefundSource[]) {
  const isDisputed = sources.some((source) => source.isDisputed)
  const message = isDisputed ? refundTexts.disputed : refundTexts.underWay
  return conflictError('invalid_transition', message)
}

function assertWhole(sources: readonly RefundSource[], amountCents: number) {
  const all = sumLeft(sources)
  if (amountCents < all)
    throw buildFieldError('amountCents', 'too_small', refundTexts.heldWhole(all))
}

/** Surplus of any Pix first, then the sale, oldest Pix first. */
function splitAmount(sources: readonly RefundSource[], amountCents: number): RefundPart[] {
  let rest = amountCents
  const take = (cents: number) => {
    const taken = Math.min(cents, rest)
    rest -= taken
    return taken
  }
  const surplus = sources.map((source) => take(source.surplusCents))
  return sources
    .map(({ incomingPaymentId, leftCents, surplusCents }, i) => {
      const ofSurplus = surplus[i] ?? 0
      return { incomingPaymentId, amountCents: ofSurplus + take(leftCents - surplusCents) }
    })
    .filter((part) => part.amountCents > 0)
}

type DatedSource = RefundSource & { paidAt: string }

function listSources({ payment, received, ...books }: Books): DatedSource[] {
  const reserved = listReserved(books)
  if (received.length > 0) return received.map((row, i) => toSource(row, reserved, i === 0))
  const isHeld = isAmountMismatch(payment)
  const paid = (isHeld && payment.receivedCents) || payment.totalCents
  const returned = isHeld ? sumSucceeded(books.refunds) : payment.refundedCents
  const gone = returned + sumAmounts(reserved)
  const paidAt = payment.approvedAt ?? payment.updatedAt
  const leftCents = Math.max(0, paid - gone)
  const isDisputed = reserved.some((part) => part.isDisputed)
  return [{ incomingPaymentId: null, leftCents, surplusCents: 0, isDisputed, paidAt }]
}

/** Money without a named Pix is taken from the first one. */
function toSource(
  { id, amountCents, surplusCents, refundedCents, paidAt }: IncomingPaymentRow,
  reserved: readonly ReservedMoney[],
  isFirst: boolean,
): DatedSource {
  const own = reserved.filter(
    ({ incomingPaymentId }) => incomingPaymentId === id || (isFirst && incomingPaymentId === null),
  )
  const gone = refundedCents + sumAmounts(own)
  const leftCents = Math.max(0, amountCents - gone)
  const surplus = Math.min(leftCents, Math.max(0, surplusCents - gone))
  const isDisputed = own.some((part) => part.isDisputed)
  return { incomingPaymentId: id, leftCents, surplusCents: surplus, isDisputed, paidAt }
}

/** For a sale that is refunded or charged back. */
function listSurplusSources(books: Books): DatedSource[] {
  if (books.payment.approvedAt === null) return []
  return listSources(books).map((source) => ({ ...source, leftCents: source.surplusCents }))
}

type ReservedMoney = TakenMoney & { isDisputed: boolean }

/** Lists pending refunds, and what disputes took or may take. */
function listReserved({ refunds, disputes }: Pick<Books, 'refunds' | 'disputes'>): ReservedMoney[] {
  const pending = refunds.filter(({ status }) => status === 'pending')
  const taken = disputes.filter(({ status }) => status !== 'won')
  return [
    ...pending.map((refund) => ({ ...refund, isDisputed: false })),
    ...taken.map((dispute) => ({ ...dispute, isDisputed: true })),
  ]
}

function sumLeft(sources: readonly RefundSource[]) {
  return sumCents(sources.map(({ leftCents }) => leftCents))
}

function isWithinWindow(payment: TransactionRow, paidAt: string, now: Date) {
  return now.getTime() - Date.parse(paidAt) <= getRefundWindowDays(payment) * DAY_MS
}

function describeWindow(payment: TransactionRow) {
  const days = getRefundWindowDays(payment)
  return payment.method === 'pix' ? refundTexts.tooLate(days) : refundTexts.testTooLate(days)
}

/** For a card the provider decides. */
function getRefundWindowDays({ method, provider }: TransactionRow) {
  if (method === 'pix') return PIX_REFUND_WINDOW_DAYS
  return isSandbox(provider) ? TEST_CARD_REFUND_WINDOW_DAYS : Number.POSITIVE_INFINITY
}

function refuseStatus({ status }: TransactionRow) {
  return refuseRefund(refundTexts.notRefundable(status))
}

function refuseRefund(message: string) {
  return { kind: 'refused' as const, code: 'invalid_transition' as const, message }
}

function buildFieldError(field: string, code: string, message: string) {
  return invalidFieldsError([{ field, code, message }])
}
