// What may go back of a payment: of one that was approved what is left of it, in one or several parts; of
// one that is held what came in, whole.

import type { Db } from '../../database/connect.ts'
import { and, eq, sql } from '../../database/drizzle.ts'
import { REFUNDABLE_STATUSES } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { DAY_MS } from '../../database/instant.ts'
import { refunds } from '../../database/tables.ts'
import { conflictError, invalidFieldsError } from '../../http/errors.ts'
import { sumDisputedCents } from '../disputes/taken.ts'
import { isAmountMismatch, type TransactionRow } from '../transaction.ts'
import { refundTexts } from './texts.ts'

/** A Pix may be refunded for so many days (Banco Central, API Pix: PixDevolucaoInvalida). */
const PIX_REFUND_WINDOW_DAYS = 90

export function isRefundable({ status }: TransactionRow) {
  return REFUNDABLE_STATUSES.includes(status)
}

type RefundCheck =
  | { kind: 'refundable' }
  | { kind: 'refused'; code: 'invalid_transition' | 'refund_window_closed'; message: string }

/** Whether anything of it may go back at `now`, however much is left. */
export function checkRefundable(payment: TransactionRow, now: Date): RefundCheck {
  const { status, receivedCents, method, approvedAt, updatedAt } = payment
  const held = isAmountMismatch(payment)
  if (held ? receivedCents === null : !isRefundable(payment)) {
    const message = held ? refundTexts.held : refundTexts.notRefundable(status)
    return { kind: 'refused', code: 'invalid_transition', message }
  }
  // A held payment has changed little since its money came.
  const age = now.getTime() - Date.parse(approvedAt ?? updatedAt)
  if (method === 'pix' && age > PIX_REFUND_WINDOW_DAYS * DAY_MS) {
    const message = refundTexts.tooLate(PIX_REFUND_WINDOW_DAYS)
    return { kind: 'refused', code: 'refund_window_closed', message }
  }
  return { kind: 'refundable' }
}

/** What is left, in cents: neither disputed nor refunded; refunds that are pending are taken to succeed. */
export async function computeRefundableCents(db: Db, payment: TransactionRow): Promise<number> {
  const left = await computeUnrefundedCents(db, payment)
  return Math.max(0, left - (await sumDisputedCents(db, payment)))
}

/** What no refund has taken or is about to take, in cents, whoever may dispute it. */
export async function computeUnrefundedCents(db: Db, payment: TransactionRow): Promise<number> {
  const [pending] = await db
    .select({ cents: sql<string>`coalesce(sum(amount_cents), 0)` })
    .from(refunds)
    .where(and(eq(refunds.transactionId, payment.id), eq(refunds.status, 'pending')))
  const paid = (isAmountMismatch(payment) && payment.receivedCents) || payment.totalCents
  return paid - payment.refundedCents - Number(requireFound(pending).cents)
}

/** How much goes back by an order of so much, or of all that is left; throws when that cannot be. */
export async function resolveRefundAmount(
  db: Db,
  payment: TransactionRow,
  wanted: number | null | undefined,
): Promise<number> {
  const left = await computeRefundableCents(db, payment)
  if (left === 0 && !wanted) {
    const disputed = await sumDisputedCents(db, payment)
    const message = disputed > 0 ? refundTexts.disputed : refundTexts.underWay
    throw conflictError('invalid_transition', message)
  }
  const amountCents = wanted ?? left
  if (amountCents > left) throw buildAmountError('too_big', refundTexts.tooMuch(left))
  if (isAmountMismatch(payment) && amountCents < left) {
    throw buildAmountError('too_small', refundTexts.heldWhole(left))
  }
  return amountCents
}

function buildAmountError(code: string, message: string) {
  return invalidFieldsError([{ field: 'amountCents', code, message }])
}
