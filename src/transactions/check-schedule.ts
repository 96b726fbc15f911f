// When a provider is asked about a payment or refund again. Notifications get lost, so an open payment is asked
// about until it has ended; and where money can come or go without us, for a while after that. What the list of
// an account tells (reconciliation/account-lists.ts) is not asked about payment by payment.

import { isSandbox, OPEN_STATUSES } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { DAY_MS, HOUR_MS, isPast, MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { getCapabilities } from '../providers/capabilities.ts'
import { type TransactionRow, UNREADABLE_HOLD } from './transaction.ts'

/** A payer waits for the code. */
const PIX_CODE_CHECK_DELAYS_MS = [1, 1, 2, 4, 8, 15, 30, 60].map((seconds) => seconds * SECOND_MS)
const PIX_CHECK_DELAYS_MS = [
  10 * SECOND_MS,
  20 * SECOND_MS,
  40 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
]
/** Where the account's list tells of what came in: after the charge, and after a first check. Then at its end. */
const LISTED_PIX_CHECK_DELAYS_MS = [40 * SECOND_MS]
const CARD_CHECK_DELAYS_MS = [
  5 * SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  20 * SECOND_MS,
  40 * SECOND_MS,
  MINUTE_MS,
]
const REFUND_CHECK_DELAYS_MS = [...CARD_CHECK_DELAYS_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]
/** From when a code ran out on, also of one that was given up: it may be paid all the same, and a bank may be late. */
const EXPIRED_CHECK_DELAYS_MS = [0, HOUR_MS, DAY_MS]
/** The same where the account is listed: once more, should a bank list less than it has. */
const LISTED_EXPIRED_CHECK_DELAYS_MS = [HOUR_MS]
/** After a charge was taken for lost: it may turn up, and its money goes back then. */
const LOST_CHECK_DELAYS_MS = [5 * MINUTE_MS, HOUR_MS, DAY_MS]
/** Of a confirmation that was given up: from its end on, what the bank made of an answer that came all the same. */
const ANSWER_CHECK_DELAYS_MS = [0, ...LOST_CHECK_DELAYS_MS]
/** After the approval: a Pix may be given back for 90 days, its MED end some days later, and nobody need tell us. */
const APPROVED_PIX_CHECK_DELAYS_MS = Array.from({ length: 100 }, (_, day) => (day + 1) * DAY_MS)
/** The same of a card: refunds made at the provider, and what brands let payers contest for 180 days. */
const APPROVED_CARD_CHECK_DELAYS_MS = [
  DAY_MS,
  3 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
  30 * DAY_MS,
  60 * DAY_MS,
  90 * DAY_MS,
  120 * DAY_MS,
  150 * DAY_MS,
  180 * DAY_MS,
]
/** Once a Pix is held, beside what follows an approval: the rest may come, or the bank may give it back. */
const HELD_CHECK_DELAYS_MS = [5 * MINUTE_MS, HOUR_MS]
/**
 * For a payment with money that can't be read: the provider may write it in a readable way in a moment, or after it
 * was told.
 */
const UNREADABLE_CHECK_DELAYS_MS = [
  ...Array.from({ length: 60 }, (_, minute) => (minute + 1) * MINUTE_MS),
  ...Array.from({ length: 48 }, (_, hour) => (hour + 2) * HOUR_MS),
  ...APPROVED_PIX_CHECK_DELAYS_MS.slice(2),
]
/** While a dispute is open; for so long after the payment, as no provider takes longer. */
const DISPUTE_CHECK_DELAY_MS = DAY_MS
const MAX_DISPUTE_AGE_MS = 540 * DAY_MS
/** A provider that can't be asked about what has ended is asked again, the sooner the newer it is, and not for ever. */
const FAILED_CHECK_RETRY_MS = { least: MINUTE_MS, most: HOUR_MS }
const GIVE_UP_AFTER_MS = 7 * DAY_MS
const MAX_CHECKS = 1_000

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

type CheckOptions = {
  /** Whether a dispute of it is open, and wants to be heard of again. */
  isDisputed?: boolean
}

/** For so long after a charge its payer is taken to wait for what the provider says of it. */
export const PAYER_WAITS_MS = 10 * MINUTE_MS

/** Whether somebody may be looking at this payment's page: its check goes before others. */
export function isPayerWaiting({ status, createdAt, expiresAt }: CheckedPayment, now: Date) {
  const isNew = now.getTime() - Date.parse(createdAt) < PAYER_WAITS_MS
  return OPEN_STATUSES.includes(status) && (isNew || isPast(expiresAt, now))
}

/** When to ask next; null once nothing is left to ask. */
export function getNextCheckAt(
  row: CheckedPayment,
  now: Date,
  { isDisputed = false }: CheckOptions = {},
): string | null {
  const times = [getScheduledCheckAt(row, now), isDisputed ? getDisputeCheckAt(row, now) : null]
  const [first = null] = times.filter((at) => at !== null).toSorted()
  return first
}

function getScheduledCheckAt(row: CheckedPayment, now: Date): string | null {
  if (!isHeld(row) && OPEN_STATUSES.includes(row.status)) return getNextOpenCheckAt(row, now)
  const { from, delays } = getClosedCheckDelays(row)
  const next = delays.map((delay) => from + delay).find((at) => at > now.getTime())
  return next === undefined ? null : toIsoInstant(next)
}

/** The same for one that has ended, when the provider could not be asked. */
export function getRetryAt(
  row: CheckedPayment,
  now: Date,
  { isDisputed = false }: CheckOptions = {},
): string | null {
  const { from, delays } = getClosedCheckDelays(row)
  const last = from + (delays.at(-1) ?? 0) + GIVE_UP_AFTER_MS
  if (now.getTime() >= last) return isDisputed ? getDisputeCheckAt(row, now) : null
  const { least, most } = FAILED_CHECK_RETRY_MS
  const delay = Math.min(most, Math.max(least, now.getTime() - from))
  return toIsoInstant(now.getTime() + delay)
}

/** When to ask about a refund next that the provider has not yet carried out. */
export function getNextRefundCheckAt(refund: Checked, now: Date): string {
  return toIsoInstant(now.getTime() + getCheckDelay(REFUND_CHECK_DELAYS_MS, refund))
}

/** Checks so far, with the one that was just made. */
export function countCheck({ checks }: Checked) {
  return Math.min(checks + 1, MAX_CHECKS)
}

function getDisputeCheckAt({ approvedAt, createdAt }: CheckedPayment, now: Date) {
  const age = now.getTime() - Date.parse(approvedAt ?? createdAt)
  return age < MAX_DISPUTE_AGE_MS ? toIsoInstant(now.getTime() + DISPUTE_CHECK_DELAY_MS) : null
}

function getNextOpenCheckAt(row: CheckedPayment, now: Date) {
  const { provider, status, expiresAt, checks } = row
  const ahead = expiresAt !== null && expiresAt > now.toISOString()
  // The sandbox keeps nothing from us: what happens there, we do.
  const isOurs = isSandbox(provider) && status !== 'processing' && !hasNoCode(row)
  const isLeftToList = isListedPix(row) && checks >= LISTED_PIX_CHECK_DELAYS_MS.length
  if (ahead && (isOurs || isLeftToList)) return expiresAt
  const next = toIsoInstant(now.getTime() + getCheckDelay(getOpenCheckDelays(row), { checks }))
  return ahead && expiresAt < next ? expiresAt : next
}

function getOpenCheckDelays(row: CheckedPayment) {
  if (row.status !== 'pending') return CARD_CHECK_DELAYS_MS
  if (hasNoCode(row)) return PIX_CODE_CHECK_DELAYS_MS
  return isListedPix(row) ? LISTED_PIX_CHECK_DELAYS_MS : PIX_CHECK_DELAYS_MS
}

function hasNoCode({ method, pixBrCode }: CheckedPayment) {
  return method === 'pix' && pixBrCode === null
}

/** Whether the list of its account tells when it is paid. */
function isListedPix(row: CheckedPayment) {
  return row.method === 'pix' && !hasNoCode(row) && getCapabilities(row.provider).lists !== null
}

/** The more rarely the longer it takes. */
function getCheckDelay(delays: readonly number[], { checks }: Checked) {
  return delays[checks] ?? requireFound(delays.at(-1))
}

/** Its verdict is out until the rest comes, also where what came in has gone back. */
function isHeld({ holdReason, approvedAt }: CheckedPayment) {
  return holdReason !== null && approvedAt === null
}

function getClosedCheckDelays(row: CheckedPayment): { from: number; delays: number[] } {
  const { status, method, approvedAt, expiresAt, createdAt } = row
  const nothing = { from: Date.parse(createdAt), delays: [] }
  const { reversals, lists } = getCapabilities(row.provider)
  if (!reversals) return nothing
  const ofApprovedPix = lists === 'everything' ? [] : APPROVED_PIX_CHECK_DELAYS_MS
  if (isHeld(row)) return { ...nothing, delays: getHeldCheckDelays(row, ofApprovedPix) }
  switch (status) {
    case 'approved':
    case 'partially_refunded':
    case 'charged_back':
      return {
        from: Date.parse(requireFound(approvedAt)),
        delays: method === 'pix' ? ofApprovedPix : APPROVED_CARD_CHECK_DELAYS_MS,
      }
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

function getHeldCheckDelays(
  { method, holdReason }: CheckedPayment,
  ofApprovedPix: readonly number[],
) {
  if (holdReason === UNREADABLE_HOLD) return UNREADABLE_CHECK_DELAYS_MS
  return method === 'pix' ? [...HELD_CHECK_DELAYS_MS, ...ofApprovedPix] : []
}

function getDeclinedCheckDelays({ providerReference, createdAt, expiresAt }: CheckedPayment) {
  if (!providerReference) return { from: Date.parse(createdAt), delays: LOST_CHECK_DELAYS_MS }
  // One that waited for its payer at the bank.
  if (expiresAt) return { from: Date.parse(expiresAt), delays: ANSWER_CHECK_DELAYS_MS }
  return { from: Date.parse(createdAt), delays: [] }
}

function toIsoInstant(ms: number) {
  return new Date(ms).toISOString()
}
