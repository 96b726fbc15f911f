// When a provider is asked about a payment again. Notifications get lost, so an open payment is asked
// about until it has ended; and where money can come or go without us, for a while after that.
import type { TransactionStatus } from '../../database/enums.ts'
import { capabilitiesOf } from '../../providers/capabilities.ts'
import type { TransactionRow } from '../transaction.ts'

const S = 1_000
const MIN = 60 * S
const H = 60 * MIN
const DAY = 24 * H

const PIX_DELAYS_MS = [10 * S, 20 * S, 40 * S, MIN, 2 * MIN, 5 * MIN]
const CARD_DELAYS_MS = [5 * S, 5 * S, 10 * S, 20 * S, 40 * S, MIN]
/** After a code ran out: a payer's bank may be late. */
const EXPIRED_MS = [H, DAY]
/** After a charge was taken for lost: it may turn up, and its money goes back then. */
const LOST_MS = [5 * MIN, H, DAY]
/** After the approval: refunds made at the provider, chargebacks. */
const APPROVED_MS = [DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 60 * DAY, 90 * DAY]
/** A provider that can't be asked about what has ended is asked again after this, and not for ever. */
const RETRY_MS = H
const GIVE_UP_MS = 7 * DAY

type Row = Pick<
  TransactionRow,
  | 'status'
  | 'method'
  | 'provider'
  | 'providerReference'
  | 'createdAt'
  | 'expiresAt'
  | 'approvedAt'
  | 'checks'
  | 'holdReason'
>

/** The verdict is still out. */
export const OPEN: TransactionStatus[] = ['pending', 'processing', 'awaiting_authentication']

/** When to ask next; null once nothing is left to ask. */
export function nextCheckAt(row: Row, now: Date): string | null {
  if (row.holdReason) return null
  if (OPEN.includes(row.status)) return nextOfOpen(row, now)
  const { from, delays } = watchOf(row)
  const next = delays.map((delay) => from + delay).find((at) => at > now.getTime())
  return next === undefined ? null : iso(next)
}

/** The same for one that has ended, when the provider could not be asked. */
export function retryAt(row: Row, now: Date): string | null {
  const { from, delays } = watchOf(row)
  const last = from + (delays.at(-1) ?? 0) + GIVE_UP_MS
  return now.getTime() < last ? iso(now.getTime() + RETRY_MS) : null
}

function nextOfOpen({ method, provider, status, expiresAt, checks }: Row, now: Date) {
  const ahead = expiresAt !== null && expiresAt > now.toISOString()
  // The sandbox keeps nothing from us: what happens there, we do.
  if (ahead && provider === 'sandbox' && status !== 'processing') return expiresAt
  const delays = method === 'pix' ? PIX_DELAYS_MS : CARD_DELAYS_MS
  const next = iso(now.getTime() + delays[Math.min(checks, delays.length - 1)]!)
  return ahead && expiresAt < next ? expiresAt : next
}

function watchOf(row: Row): { from: number; delays: number[] } {
  const { status, approvedAt, expiresAt, createdAt, providerReference } = row
  const nothing = { from: Date.parse(createdAt), delays: [] }
  if (!capabilitiesOf(row.provider).reversals) return nothing
  switch (status) {
    case 'approved':
    case 'partially_refunded':
      return { from: Date.parse(approvedAt!), delays: APPROVED_MS }
    case 'expired':
      return { from: Date.parse(expiresAt!), delays: EXPIRED_MS }
    case 'declined':
      return providerReference ? nothing : { from: Date.parse(createdAt), delays: LOST_MS }
    default:
      return nothing
  }
}

function iso(ms: number) {
  return new Date(ms).toISOString()
}
