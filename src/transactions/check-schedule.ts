// When a provider is asked about a payment or refund again. Notifications get lost, so an open payment is checked until
// it has ended, and for a while after that if money can come or go without us. What the list of an account shows
// (reconciliation/account-lists.ts) is not checked for each payment.

import { isSandbox, OPEN_STATUSES } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { addDelay, DAY_MS, HOUR_MS, isPast, MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { getProfile } from '../providers/registry.ts'
import { type TransactionRow, UNREADABLE_HOLD } from './transaction.ts'

/** For a Pix without a code, on which the payer waits. */
const PIX_CODE_CHECK_DELAYS_MS = [1, 1, 2, 4, 8, 15, 30, 60].map(inSeconds)
/** For a page of the provider, where the payer may pay at any moment. */
const PAGE_CHECK_DELAYS_MS = [10, 20, 40, 60, 120, 300].map(inSeconds)
/** For a Pix with its code, which a list of its account shows when it is paid: two checks, then one at the expiry. */
const PIX_CHECK_DELAYS_MS = [40 * SECOND_MS]
const CARD_CHECK_DELAYS_MS = [5, 5, 10, 20, 40, 60].map(inSeconds)
const REFUND_CHECK_DELAYS_MS = [...CARD_CHECK_DELAYS_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]
/** From the expiry of a code on, also of a canceled one: it may still be paid, and a bank may be late. */
const EXPIRED_CHECK_DELAYS_MS = [0, HOUR_MS, DAY_MS]
/** The same on an account with a list: one more check, in case the list is incomplete. */
const LISTED_EXPIRED_CHECK_DELAYS_MS = [HOUR_MS]
/** After a charge counted as lost: it may still appear, and its money is then refunded. */
const LOST_CHECK_DELAYS_MS = [5 * MINUTE_MS, HOUR_MS, DAY_MS]
/** After an abandoned 3DS confirmation, from its expiry on: the payer may still have answered it. */
const ANSWER_CHECK_DELAYS_MS = [0, ...LOST_CHECK_DELAYS_MS]
/** After the approval: a Pix may be returned for 90 days, and a MED ends some days later, without notification. */
const APPROVED_PIX_CHECK_DELAYS_MS = [1, 3, 7, 14, 30, 60, 90, 100].map(inDays)
/** The same for a card: refunds at the provider, and chargebacks, which card brands allow for 180 days. */
const APPROVED_CARD_CHECK_DELAYS_MS = [1, 3, 7, 14, 30, 60, 90, 120, 150, 180].map(inDays)
/** At the provider's page a card may be paid once more. */
const REFUNDED_CARD_CHECK_DELAYS_MS = [DAY_MS]
/** For a held Pix, in addition to those after an approval: the rest may come, or the bank may return it. */
const HELD_CHECK_DELAYS_MS = [5 * MINUTE_MS, HOUR_MS]
/** For a payment with unreadable money: the provider may show it in a readable form soon, or after a correction. */
const UNREADABLE_CHECK_DELAYS_MS = [
  ...Array.from({ length: 60 }, (_, minute) => (minute + 1) * MINUTE_MS),
  ...Array.from({ length: 48 }, (_, hour) => (hour + 2) * HOUR_MS),
  ...Array.from({ length: 98 }, (_, day) => (day + 3) * DAY_MS),
]
/** While a dispute is open, or an old payment cannot be checked, up to this age; no provider's dispute takes longer. */
const OLD_CHECK_DELAY_MS = DAY_MS
const MAX_AGE_MS = 540 * DAY_MS
/**
 * When a provider cannot be asked about an ended payment: newer payments are retried sooner. From 7 days after its last
 * scheduled check a payment is retried once a day, and not given up: a list or a notification may tell of a change once.
 */
const FAILED_CHECK_RETRY_MS = { least: MINUTE_MS, most: HOUR_MS }
const RETRIED_SOON_MS = 7 * DAY_MS
const MAX_CHECKS = 1_000

function inSeconds(count: number) {
  return count * SECOND_MS
}

function inDays(count: number) {
  return count * DAY_MS
}

type Checked = { checks: number }

type CheckedPayment = Pick<
  TransactionRow,
  | 'status'
  | 'method'
  | 'provider'
  | 'providerReference'
  | 'pixBrCode'
  | 'createdAt'
  | 'expiresAt'
  | 'approvedAt'
  | 'checks'
  | 'holdReason'
>

/** A payer is expected to wait this long for the result of a charge. */
export const PAYER_WAITS_MS = 10 * MINUTE_MS

/** Whether a payer may be looking at the payment's page: its check then goes first. */
export function isPayerWaiting({ status, createdAt, expiresAt }: CheckedPayment, now: Date) {
  const isNew = now.getTime() - Date.parse(createdAt) < PAYER_WAITS_MS
  return OPEN_STATUSES.includes(status) && (isNew || isPast(expiresAt, now))
}

/** Returns the next check; null when there is nothing left to ask. `isDisputed`: the payment has an open dispute. */
export function getNextCheckAt(row: CheckedPayment, now: Date, isDisputed = false): string | null {
  const scheduled = getScheduledCheckAt(row, now)
  return isDisputed ? getEarlierCheck(scheduled, getOldCheckAt(row, now)) : scheduled
}

/** Returns the earlier of two checks; null means no check. */
export function getEarlierCheck(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

function getScheduledCheckAt(row: CheckedPayment, now: Date): string | null {
  if (!hasUndecidedHold(row) && OPEN_STATUSES.includes(row.status))
    return getNextOpenCheckAt(row, now)
  const { from, delays } = getClosedCheckDelays(row)
  const next = delays.map((delay) => from + delay).find((at) => at > now.getTime())
  return next === undefined ? null : new Date(next).toISOString()
}

/** Returns the next try for an ended payment after the provider could not be asked. */
export function getRetryAt(row: CheckedPayment, now: Date): string | null {
  const { from, delays } = getClosedCheckDelays(row)
  const last = from + (delays.at(-1) ?? 0)
  if (now.getTime() >= last + RETRIED_SOON_MS) return getOldCheckAt(row, now)
  const { least, most } = FAILED_CHECK_RETRY_MS
  const delay = Math.min(most, Math.max(least, now.getTime() - from))
  return addDelay(now, delay)
}

/** Returns the next check of a refund that is not finished. */
export function getNextRefundCheckAt(refund: Checked, now: Date): string {
  return addDelay(now, getCheckDelay(REFUND_CHECK_DELAYS_MS, refund))
}

/** Counts the check that was just made. */
export function countCheck({ checks }: Checked) {
  return Math.min(checks + 1, MAX_CHECKS)
}

function getOldCheckAt({ approvedAt, createdAt }: CheckedPayment, now: Date) {
  const age = now.getTime() - Date.parse(approvedAt ?? createdAt)
  return age < MAX_AGE_MS ? addDelay(now, OLD_CHECK_DELAY_MS) : null
}

function getNextOpenCheckAt(row: CheckedPayment, now: Date) {
  const { provider, status, expiresAt, checks } = row
  const ahead = expiresAt !== null && expiresAt > now.toISOString()
  // The sandbox keeps nothing from us: what happens there, we do.
  const isOurs = isSandbox(provider) && status !== 'processing' && !hasNoCode(row)
  const isLeftToList = isListedPix(row) && checks >= PIX_CHECK_DELAYS_MS.length
  if (ahead && (isOurs || isLeftToList)) return expiresAt
  const next = addDelay(now, getCheckDelay(getOpenCheckDelays(row), { checks }))
  return ahead && expiresAt < next ? expiresAt : next
}

function getOpenCheckDelays(row: CheckedPayment) {
  if (row.status !== 'pending') return CARD_CHECK_DELAYS_MS
  if (hasNoCode(row)) return PIX_CODE_CHECK_DELAYS_MS
  return isListedPix(row) ? PIX_CHECK_DELAYS_MS : PAGE_CHECK_DELAYS_MS
}

function hasNoCode({ method, pixBrCode }: CheckedPayment) {
  return method === 'pix' && pixBrCode === null
}

/** Whether the list of its account shows when it is paid. */
function isListedPix(row: CheckedPayment) {
  return row.method === 'pix' && !hasNoCode(row) && getProfile(row.provider).lists !== null
}

/** The delays grow with the number of checks. */
function getCheckDelay(delays: readonly number[], { checks }: Checked) {
  return delays[checks] ?? requireFound(delays.at(-1))
}

/** No verdict yet, also when the received money was refunded. */
function hasUndecidedHold({ holdReason, approvedAt }: CheckedPayment) {
  return holdReason !== null && approvedAt === null
}

function getClosedCheckDelays(row: CheckedPayment): { from: number; delays: number[] } {
  const { status, approvedAt, expiresAt, createdAt } = row
  const nothing = { from: Date.parse(createdAt), delays: [] }
  // Money never leaves an approved payment of the sandbox without us.
  if (isSandbox(row.provider)) return nothing
  const { lists } = getProfile(row.provider)
  const ofApproved = getApprovedCheckDelays(row)
  if (hasUndecidedHold(row)) return { ...nothing, delays: getHeldCheckDelays(row, ofApproved) }
  switch (status) {
    case 'approved':
    case 'partially_refunded':
    case 'charged_back':
      return {
        from: Date.parse(requireFound(approvedAt)),
        delays: ofApproved,
      }
    case 'refunded':
      return getRefundedCheckDelays(row)
    case 'expired':
    case 'canceled':
      return {
        from: Date.parse(expiresAt ?? createdAt),
        delays: lists ? LISTED_EXPIRED_CHECK_DELAYS_MS : EXPIRED_CHECK_DELAYS_MS,
      }
    case 'declined':
      return getDeclinedCheckDelays(row)
    default:
      return nothing
  }
}

/** None where a list of the account shows what becomes of its payments. */
function getApprovedCheckDelays({ method, provider }: CheckedPayment): number[] {
  const { lists } = getProfile(provider)
  if (lists === 'everything' || lists === 'changes') return []
  return method === 'pix' ? APPROVED_PIX_CHECK_DELAYS_MS : APPROVED_CARD_CHECK_DELAYS_MS
}

function getHeldCheckDelays({ method, holdReason }: CheckedPayment, ofApproved: readonly number[]) {
  if (holdReason === UNREADABLE_HOLD) return UNREADABLE_CHECK_DELAYS_MS
  return method === 'pix' ? [...HELD_CHECK_DELAYS_MS, ...ofApproved] : [...ofApproved]
}

function getRefundedCheckDelays({ method, approvedAt }: CheckedPayment) {
  const delays = method === 'pix' ? [] : REFUNDED_CARD_CHECK_DELAYS_MS
  return { from: Date.parse(requireFound(approvedAt)), delays }
}

function getDeclinedCheckDelays({ providerReference, createdAt, expiresAt }: CheckedPayment) {
  if (!providerReference) return { from: Date.parse(createdAt), delays: LOST_CHECK_DELAYS_MS }
  // A card that waited for its payer at the bank.
  if (expiresAt) return { from: Date.parse(expiresAt), delays: ANSWER_CHECK_DELAYS_MS }
  return { from: Date.parse(createdAt), delays: [] }
}
