// What one row says of a payment's history, in the words of the people of the company.

import type { EventType } from '../../database/enums.ts'
import type { mails } from '../../database/tables.ts'
import { formatBrl, formatDay, formatTime } from '../../format.ts'
import type { AttemptAbout } from '../../webhooks/deliveries/attempt-log.ts'
import { refundTexts } from '../refunds/texts.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'
import type { Source, StepRow } from './steps.ts'
import { timelineTexts } from './texts.ts'

export type Tone = 'good' | 'bad' | 'neutral' | 'waiting'

export type MomentKind =
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

export type Moment = {
  at: string
  kind: MomentKind
  text: string
  tone: Tone
  detail?: string
  /** Of the webhook that this is an attempt of. */
  deliveryId?: string
}

/** When a verdict was reached; `source` where a step tells who brought it. */
export type Reached = { at: string; source?: Source | undefined }

type MailRow = typeof mails.$inferSelect

const words = timelineTexts
const MINUTE_MS = 60_000
const OPEN: TransactionRow['status'][] = ['pending', 'processing', 'awaiting_authentication']

export function beginningOf(row: TransactionRow): Moment[] {
  const { createdAt: at, method, installments, pixBrCode, expiresAt } = row
  const text = words.created[method](formatBrl(row.totalCents), installments)
  const created: Moment = { at, kind: 'created', text, tone: 'neutral' }
  if (!pixBrCode) return [created]
  const code: Moment = { at, kind: 'pix_code', text: words.pixCode, tone: toneOf(row) }
  return [created, withDetail(code, expiresAt && words.validUntil(...spoken(expiresAt)))]
}

export function approvalOf(row: TransactionRow, { at, source }: Reached): Moment[] {
  const paidAt = row.approvedAt ?? at
  const early = Date.parse(at) - Date.parse(paidAt) >= MINUTE_MS
  const details = [
    early ? words.paidAt(...spoken(paidAt)) : null,
    source ? words.sources[source] : null,
  ]
  const approved: Moment = { at, kind: 'approved', text: words.approved, tone: 'good' }
  const late: Moment = { at, kind: 'paid_late', text: words.paidLate, tone: 'waiting' }
  return [
    ...threeDsOf(row, at),
    withDetail(approved, ...details),
    ...(row.paidLate ? [withDetail(late, words.paidLateDetail)] : []),
  ]
}

export function refusalOf(row: TransactionRow, { at, source }: Reached): Moment[] {
  const { declineCode, abecsCode, retryable } = row
  const declined: Moment = { at, kind: 'declined', text: words.declined, tone: 'bad' }
  const details = [
    declineCode && words.declines[declineCode],
    abecsCode && words.abecs(abecsCode),
    retryable === false ? words.final : null,
    source ? words.sources[source] : null,
  ]
  return [...threeDsOf(row, at), withDetail(declined, ...details)]
}

/** Told by its event alone. */
export function endOf(type: EventType, at: string): Moment[] {
  if (type === 'transaction.expired') {
    return [{ at, kind: 'expired', text: words.expired, tone: 'neutral' }]
  }
  if (type !== 'transaction.charged_back') return []
  return [{ at, kind: 'charged_back', text: words.chargedBack, tone: 'bad' }]
}

export function stepOf({ kind, details, createdAt: at }: StepRow, row: TransactionRow): Moment[] {
  switch (kind) {
    case 'challenge':
      return [{ at, kind, text: words.challenge, tone: toneOf(row) }]
    case 'processing':
      return [{ at, kind, text: words.processing, tone: toneOf(row) }]
    case 'notified':
      return [{ at, kind, text: words.notified, tone: 'neutral' }]
    case 'voided':
      return [{ at, kind, text: words.voided, tone: 'neutral' }]
    case 'held':
      return [withDetail({ at, kind, text: words.held, tone: 'bad' }, row.holdReason)]
    case 'provider_failed': {
      const text = details.refundId ? words.providerFailedRefund : words.providerFailed
      return [withDetail({ at, kind, text, tone: 'bad' }, failureText(details.reason))]
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

export function refundMoments(refund: RefundRow): Moment[] {
  const { createdAt, updatedAt, status, reason, failureReason } = refund
  const amount = formatBrl(refund.amountCents)
  const kind = 'refund'
  const asked: Moment = {
    at: createdAt,
    kind,
    text: words.refundAsked(amount),
    tone: status === 'pending' ? 'waiting' : 'neutral',
  }
  const first = withDetail(asked, reason)
  if (status === 'pending') return [first]
  if (status === 'succeeded') {
    return [first, { at: updatedAt, kind, text: words.refundDone(amount), tone: 'good' }]
  }
  const failed: Moment = { at: updatedAt, kind, text: words.refundFailed(amount), tone: 'bad' }
  return [first, withDetail(failed, failureReason && refundTexts.failures[failureReason])]
}

export function attemptMoment(attempt: AttemptAbout): Moment {
  const { deliveryId, eventType, url, startedAt, outcome } = attempt
  const host = hostOf(url)
  const common = { kind: 'webhook', deliveryId } as const
  if (startedAt === null || outcome === null) {
    const text = words.webhooks.queued(eventType, host)
    return { ...common, at: attempt.createdAt, text, tone: 'waiting' }
  }
  const delivered = outcome === 'delivered'
  const text = words.webhooks[delivered ? 'delivered' : 'failed'](eventType, host)
  const moment: Moment = { ...common, at: startedAt, text, tone: delivered ? 'good' : 'bad' }
  return withDetail(
    moment,
    answerText(attempt),
    durationText(attempt.durationMs ?? 0),
    attempt.number === 1 ? null : words.webhooks.attempt(attempt.number ?? 1),
    delivered ? null : whatFollows(attempt),
  )
}

export function mailMoment({ template, recipient, sentAt, failure, createdAt }: MailRow): Moment {
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
function toneOf({ status, holdReason }: TransactionRow): Tone {
  return OPEN.includes(status) && holdReason === null ? 'waiting' : 'neutral'
}

function threeDsOf({ threeDsStatus, threeDsEci, threeDsFlow }: TransactionRow, at: string) {
  if (!threeDsStatus) return []
  const tone = ({ authenticated: 'good', failed: 'bad', attempted: 'neutral' } as const)[
    threeDsStatus
  ]
  const moment: Moment = { at, kind: 'three_ds', text: words.threeDs[threeDsStatus], tone }
  const flow = threeDsFlow && words.threeDsFlow[threeDsFlow]
  return [withDetail(moment, flow, threeDsEci && `ECI ${threeDsEci}`)]
}

function failureText(reason: string | number | undefined) {
  return words.failures[reason as keyof typeof words.failures] ?? null
}

function answerText({ outcome, statusCode }: AttemptAbout) {
  return statusCode === null ? outcome && words.outcomes[outcome] : `HTTP ${statusCode}`
}

function durationText(ms: number) {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1).replace('.', ',')} s`
}

/** Only the last attempt of a delivery says what comes next. */
function whatFollows({ number, attempts, status, dueAt }: AttemptAbout) {
  if (number !== attempts) return null
  if (status === 'failed') return words.webhooks.givenUp
  return dueAt && words.webhooks.next(...spoken(dueAt))
}

function hostOf(url: string) {
  return URL.parse(url)?.host ?? url
}

function spoken(instant: string): [day: string, time: string] {
  return [formatDay(instant), formatTime(instant)]
}

function withDetail(moment: Moment, ...parts: (string | null | undefined)[]): Moment {
  const detail = parts.filter(Boolean).join(' · ')
  return detail ? { ...moment, detail } : moment
}
