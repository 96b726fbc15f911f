// The entries from a payment's own row, its steps and its events.

import { type EventType, isSandbox } from '../../database/enums.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { formatBrl } from '../../format.ts'
import { texts } from '../../texts.ts'
import type { StepRow, VerdictSource } from '../steps.ts'
import { isFinalDecline, type TransactionRow, UNREADABLE_HOLD } from '../transaction.ts'
import { addEntryDetail, getWaitingTone, type TimelineEntry, toDayAndTime } from './entry.ts'
import { timelineTexts } from './texts.ts'

/** When a verdict was reached; `source` if a step says why we asked. */
type ReachedVerdict = { at: string; source?: VerdictSource | undefined }

export function buildCreationEntries(row: TransactionRow): TimelineEntry[] {
  const { createdAt: at, method, installments, pixBrCode, expiresAt } = row
  const text = timelineTexts.created[method](formatBrl(row.totalCents), installments)
  const created: TimelineEntry = { at, kind: 'created', text, tone: 'neutral' }
  if (!pixBrCode) return [created]
  const code: TimelineEntry = {
    at,
    kind: 'pix_code',
    text: timelineTexts.pixCode,
    tone: getWaitingTone(row),
  }
  return [
    created,
    addEntryDetail(code, expiresAt && timelineTexts.validUntil(...toDayAndTime(expiresAt))),
  ]
}

export function buildApprovalEntries(
  row: TransactionRow,
  { at, source }: ReachedVerdict,
): TimelineEntry[] {
  const paidAt = row.approvedAt ?? at
  const early = Date.parse(at) - Date.parse(paidAt) >= MINUTE_MS
  const details = [
    early ? timelineTexts.paidAt(...toDayAndTime(paidAt)) : null,
    describeSource(row, source),
  ]
  const approved: TimelineEntry = {
    at,
    kind: 'approved',
    text: timelineTexts.approved,
    tone: 'good',
  }
  const late: TimelineEntry = {
    at,
    kind: 'paid_late',
    text: timelineTexts.paidLate,
    tone: 'waiting',
  }
  return [
    ...buildThreeDsEntries(row, at),
    addEntryDetail(approved, ...details),
    ...(row.paidLate ? [addEntryDetail(late, timelineTexts.paidLateDetail)] : []),
  ]
}

/** The sandbox has no bank that we ask: its events are simulated. */
function describeSource({ provider }: TransactionRow, source: ReachedVerdict['source']) {
  if (!source) return null
  return isSandbox(provider) && source === 'reconciliation'
    ? timelineTexts.simulated
    : timelineTexts.sources[source]
}

export function buildDeclineEntries(
  row: TransactionRow,
  { at, source }: ReachedVerdict,
): TimelineEntry[] {
  const { declineCode, abecsCode } = row
  const declined: TimelineEntry = {
    at,
    kind: 'declined',
    text: timelineTexts.declined,
    tone: 'bad',
  }
  const details = [
    declineCode && timelineTexts.declines[declineCode],
    abecsCode && timelineTexts.abecs(abecsCode),
    isFinalDecline(row) ? timelineTexts.final : null,
    describeSource(row, source),
  ]
  return [...buildThreeDsEntries(row, at), addEntryDetail(declined, ...details)]
}

/** Ends that only their event shows. */
export function buildEndEntries(type: EventType, at: string): TimelineEntry[] {
  if (type === 'transaction.expired') {
    return [{ at, kind: 'expired', text: timelineTexts.expired, tone: 'neutral' }]
  }
  if (type !== 'transaction.charged_back') return []
  return [{ at, kind: 'charged_back', text: timelineTexts.chargedBack, tone: 'bad' }]
}

export function buildStepEntries(
  { kind, details, createdAt: at }: StepRow,
  row: TransactionRow,
): TimelineEntry[] {
  switch (kind) {
    case 'challenge':
      return [{ at, kind, text: timelineTexts.challenge, tone: getWaitingTone(row) }]
    case 'provider_page':
      return [{ at, kind, text: timelineTexts.providerPage, tone: getWaitingTone(row) }]
    case 'processing':
      return [{ at, kind, text: timelineTexts.processing, tone: getWaitingTone(row) }]
    case 'notified':
      return [{ at, kind, text: timelineTexts.notified, tone: 'neutral' }]
    case 'voided':
      return [{ at, kind, text: timelineTexts.voided, tone: 'neutral' }]
    case 'held':
      return [
        addEntryDetail({ at, kind, text: timelineTexts.held, tone: 'bad' }, formatHold(details)),
      ]
    case 'accepted': {
      const [received, total] = [details.receivedCents, details.totalCents].map(Number)
      const text = timelineTexts.accepted(formatBrl(received ?? 0), formatBrl(total ?? 0))
      return [{ at, kind, text, tone: 'neutral' }]
    }
    case 'provider_failed': {
      const text = details.refundId
        ? timelineTexts.providerFailedRefund
        : timelineTexts.providerFailed
      return [addEntryDetail({ at, kind, text, tone: 'bad' }, formatFailureReason(details.reason))]
    }
    case 'refund': {
      const text = timelineTexts.refundProcessing(formatBrl(Number(details.amountCents)))
      return [{ at, kind, text, tone: 'neutral' }]
    }
    case 'settled':
      // Other verdicts are shown with the values of the row.
      return details.status === 'canceled'
        ? [{ at, kind: 'canceled', text: timelineTexts.canceled, tone: 'neutral' }]
        : []
  }
}

function buildThreeDsEntries(
  { threeDsStatus, threeDsEci, threeDsFlow }: TransactionRow,
  at: string,
) {
  if (!threeDsStatus) return []
  const tone = ({ authenticated: 'good', failed: 'bad', attempted: 'neutral' } as const)[
    threeDsStatus
  ]
  const entry: TimelineEntry = {
    at,
    kind: 'three_ds',
    text: timelineTexts.threeDs[threeDsStatus],
    tone,
  }
  const flow = threeDsFlow && timelineTexts.threeDsFlow[threeDsFlow]
  return [addEntryDetail(entry, flow, threeDsEci && `ECI ${threeDsEci}`)]
}

function formatHold({ receivedCents, totalCents, field, reason }: StepRow['details']) {
  if (reason === UNREADABLE_HOLD) {
    return field ? timelineTexts.unreadableField(String(field)) : texts.holds.unreadable
  }
  return texts.holds.amountDiffers(Number(receivedCents), Number(totalCents))
}

function formatFailureReason(reason: string | number | undefined) {
  const [, text = null] = Object.entries(timelineTexts.failures).find(([of]) => of === reason) ?? []
  return text
}
