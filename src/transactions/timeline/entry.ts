// One entry of a payment's timeline, in words for the company's users.

import { OPEN_STATUSES } from '../../database/enums.ts'
import { formatDay, formatTime } from '../../format.ts'
import type { TransactionRow } from '../transaction.ts'

/** A state, as a colour. */
export type Tone = 'good' | 'bad' | 'neutral' | 'waiting'

type TimelineEntryKind =
  | 'created'
  | 'pix_code'
  | 'challenge'
  | 'provider_page'
  | 'three_ds'
  | 'processing'
  | 'provider_failed'
  | 'notified'
  | 'approved'
  | 'paid_late'
  | 'declined'
  | 'expired'
  | 'canceled'
  | 'held'
  | 'accepted'
  | 'incoming'
  | 'voided'
  | 'charged_back'
  | 'dispute'
  | 'refund'
  | 'webhook'
  | 'mail'

export type TimelineEntry = {
  at: string
  kind: TimelineEntryKind
  text: string
  tone: Tone
  detail?: string
  /** The webhook delivery of this attempt. */
  deliveryId?: string
}

/** Adds `detail` with further information. */
export function addEntryDetail(
  entry: TimelineEntry,
  ...parts: (string | null | undefined)[]
): TimelineEntry {
  const detail = parts.filter(Boolean).join(' · ')
  return detail ? { ...entry, detail } : entry
}

/** Waiting is over once the payment has ended or money came. */
export function getWaitingTone({ status, holdReason }: TransactionRow): Tone {
  return OPEN_STATUSES.includes(status) && holdReason === null ? 'waiting' : 'neutral'
}

export function toDayAndTime(instant: string): [day: string, time: string] {
  return [formatDay(instant), formatTime(instant)]
}
