// What one row says of a payment's history, in the words of the people of the company.

import type { EventType } from '../../database/enums.ts'
import type { mails } from '../../database/tables.ts'
import { formatBrl, formatDay, formatTime } from '../../format.ts'
import type { AttemptAbout } from '../../webhooks/deliveries/attempt-log.ts'
import { refundTexts } from '../refunds/texts.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import type { StepRow, VerdictSource } from './steps.ts'
import { timelineTexts } from './texts.ts'

export type Tone = 'good' | 'bad' | 'neutral' | 'waiting'

export type TimelineEntryKind =
  | 'created'
  | 'pix_code'
  | 'challenge'
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
  | 'voided'
  | 'charged_back'
  | 'refund'
  | 'webhook'
  | 'mail'

export type TimelineEntry = {
  at: string
  kind: TimelineEntryKind
  text: string
  tone: Tone
  detail?: string
  /** Of the webhook that this is an attempt of. */
  deliveryId?: string
}

/** When a verdict was reached; `source` where a step tells who brought it. */
export type ReachedVerdict = { at: string; source?: VerdictSource | undefined }

type PaymentMailRow = typeof mails.$inferSelect

const words = timelineTexts
const MINUTE_MS = 60_000
const OPEN_STATUSES: TransactionRow['status'][] = [
  'pending',
  'processing',
  'awaiting_authentication',
]

export function buildCreationEntries(row: TransactionRow): TimelineEntry[] {
  const { createdAt: at, method, installments, pixBrCode, expiresAt } = row
  const text = words.created[method](formatBrl(row.totalCents), installments)
  const created: TimelineEntry = { at, kind: 'created', text, tone: 'neutral' }
  if (!pixBrCode) return [created]
  const code: TimelineEntry = {
    at,
    kind: 'pix_code',
    text: words.pixCode,
    tone: getWaitingTone(row),
  }
  return [created, addDetail(code, expiresAt && words.validUntil(...toDayAndTime(expiresAt)))]
}

export function buildApprovalEntries(
  row: TransactionRow,
  { at, source }: ReachedVerdict,
): TimelineEntry[] {
  const paidAt = row.approvedAt ?? at
  const early = Date.parse(at) - Date.parse(paidAt) >= MINUTE_MS
  const details = [
    early ? words.paidAt(...toDayAndTime(paidAt)) : null,
    source ? words.sources[source] : null,
  ]
  const approved: TimelineEntry = { at, kind: 'approved', text: words.approved, tone: 'good' }
  const late: TimelineEntry = { at, kind: 'paid_late', text: words.paidLate, tone: 'waiting' }
  return [
    ...buildThreeDsEntries(row, at),
    addDetail(approved, ...details),
    ...(row.paidLate ? [addDetail(late, words.paidLateDetail)] : []),
  ]
}

export function buildDeclineEntries(
  row: TransactionRow,
  { at, source }: ReachedVerdict,
): TimelineEntry[] {
  const { declineCode, abecsCode, retryable } = row
  const declined: TimelineEntry = { at, kind: 'declined', text: words.declined, tone: 'bad' }
  const details = [
    declineCode && words.declines[declineCode],
    abecsCode && words.abecs(abecsCode),
    retryable === false ? words.final : null,
    source ? words.sources[source] : null,
  ]
  return [...buildThreeDsEntries(row, at), addDetail(declined, ...details)]
}

/** Told by its event alone. */
export function buildEndEntries(type: EventType, at: string): TimelineEntry[] {
  if (type === 'transaction.expired') {
    return [{ at, kind: 'expired', text: words.expired, tone: 'neutral' }]
  }
  if (type !== 'transaction.charged_back') return []
  return [{ at, kind: 'charged_back', text: words.chargedBack, tone: 'bad' }]
}

export function buildStepEntries(
  { kind, details, createdAt: at }: StepRow,
  row: TransactionRow,
): TimelineEntry[] {
  switch (kind) {
    case 'challenge':
      return [{ at, kind, text: words.challenge, tone: getWaitingTone(row) }]
    case 'processing':
      return [{ at, kind, text: words.processing, tone: getWaitingTone(row) }]
    case 'notified':
      return [{ at, kind, text: words.notified, tone: 'neutral' }]
    case 'voided':
      return [{ at, kind, text: words.voided, tone: 'neutral' }]
    case 'held':
      return [addDetail({ at, kind, text: words.held, tone: 'bad' }, row.holdReason)]
    case 'provider_failed': {
      const text = details.refundId ? words.providerFailedRefund : words.providerFailed
      return [addDetail({ at, kind, text, tone: 'bad' }, formatFailureReason(details.reason))]
    }
    case 'refund': {
      const text = words.refundProcessing(formatBrl(Number(details.amountCents)))
      return [{ at, kind, text, tone: 'neutral' }]
    }
    case 'settled':
      // Any other verdict is told with what the row says of it.
      return details.status === 'canceled'
        ? [{ at, kind: 'canceled', text: words.canceled, tone: 'neutral' }]
        : []
  }
}

export function buildRefundEntries(refund: RefundRow): TimelineEntry[] {
  const { createdAt, updatedAt, status, reason, failureReason } = refund
  const amount = formatBrl(refund.amountCents)
  const kind = 'refund'
  const asked: TimelineEntry = {
    at: createdAt,
    kind,
    text: words.refundAsked(amount),
    tone: status === 'pending' ? 'waiting' : 'neutral',
  }
  const first = addDetail(asked, reason)
  if (status === 'pending') return [first]
  if (status === 'succeeded') {
    return [first, { at: updatedAt, kind, text: words.refundDone(amount), tone: 'good' }]
  }
  const failed: TimelineEntry = {
    at: updatedAt,
    kind,
    text: words.refundFailed(amount),
    tone: 'bad',
  }
  return [first, addDetail(failed, failureReason && refundTexts.failures[failureReason])]
}

export function buildWebhookEntry(attempt: AttemptAbout): TimelineEntry {
  const { deliveryId, eventType, url, startedAt, outcome } = attempt
  const host = getUrlHost(url)
  const common = { kind: 'webhook', deliveryId } as const
  if (startedAt === null || outcome === null) {
    const text = words.webhooks.queued(eventType, host)
    return { ...common, at: attempt.createdAt, text, tone: 'waiting' }
  }
  const delivered = outcome === 'delivered'
  const text = words.webhooks[delivered ? 'delivered' : 'failed'](eventType, host)
  const moment: TimelineEntry = { ...common, at: startedAt, text, tone: delivered ? 'good' : 'bad' }
  return addDetail(
    moment,
    formatWebhookAnswer(attempt),
    formatDuration(attempt.durationMs ?? 0),
    attempt.number === 1 ? null : words.webhooks.attempt(attempt.number ?? 1),
    delivered ? null : formatNextAttempt(attempt),
  )
}

export function buildMailEntry({
  template,
  recipient,
  sentAt,
  failure,
  createdAt,
}: PaymentMailRow): TimelineEntry {
  const what = words.mails.what[template] ?? words.mails.other
  const kind = 'mail'
  if (sentAt) return { at: sentAt, kind, text: words.mails.sent(what, recipient), tone: 'good' }
  if (!failure) {
    return { at: createdAt, kind, text: words.mails.queued(what, recipient), tone: 'waiting' }
  }
  const text = words.mails.failed(what, recipient)
  return { at: createdAt, kind, text, tone: 'bad', detail: failure }
}

/** What was waited for is a thing of the past once the payment has ended, or money came. */
function getWaitingTone({ status, holdReason }: TransactionRow): Tone {
  return OPEN_STATUSES.includes(status) && holdReason === null ? 'waiting' : 'neutral'
}

function buildThreeDsEntries(
  { threeDsStatus, threeDsEci, threeDsFlow }: TransactionRow,
  at: string,
) {
  if (!threeDsStatus) return []
  const tone = ({ authenticated: 'good', failed: 'bad', attempted: 'neutral' } as const)[
    threeDsStatus
  ]
  const moment: TimelineEntry = { at, kind: 'three_ds', text: words.threeDs[threeDsStatus], tone }
  const flow = threeDsFlow && words.threeDsFlow[threeDsFlow]
  return [addDetail(moment, flow, threeDsEci && `ECI ${threeDsEci}`)]
}

function formatFailureReason(reason: string | number | undefined) {
  return words.failures[reason as keyof typeof words.failures] ?? null
}

function formatWebhookAnswer({ outcome, statusCode }: AttemptAbout) {
  return statusCode === null ? outcome && words.outcomes[outcome] : `HTTP ${statusCode}`
}

function formatDuration(ms: number) {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1).replace('.', ',')} s`
}

/** Only the last attempt of a delivery says what comes next. */
function formatNextAttempt({ number, attempts, status, dueAt }: AttemptAbout) {
  if (number !== attempts) return null
  if (status === 'failed') return words.webhooks.givenUp
  return dueAt && words.webhooks.next(...toDayAndTime(dueAt))
}

function getUrlHost(url: string) {
  return URL.parse(url)?.host ?? url
}

function toDayAndTime(instant: string): [day: string, time: string] {
  return [formatDay(instant), formatTime(instant)]
}

function addDetail(moment: TimelineEntry, ...parts: (string | null | undefined)[]): TimelineEntry {
  const detail = parts.filter(Boolean).join(' · ')
  return detail ? { ...moment, detail } : moment
}
