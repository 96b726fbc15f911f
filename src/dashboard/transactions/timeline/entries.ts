// The entries of a timeline: from a payment's own row, its steps, its money and its disputes.

import { type EventType, isSandbox, OPEN_STATUSES, type StepKind } from '../../../database/enums.ts'
import { MINUTE_MS } from '../../../database/instant.ts'
import { formatBrl, formatDayAndTime } from '../../../format.ts'
import type { Tone } from '../../../http/view-functions.ts'
import { texts } from '../../../texts.ts'
import type { DisputeRow } from '../../../transactions/disputes/schema.ts'
import { formatDisputeReason } from '../../../transactions/disputes/texts.ts'
import { listUnlostSurplus } from '../../../transactions/incoming/amounts.ts'
import type { IncomingPaymentRow } from '../../../transactions/incoming/schema.ts'
import { refundTexts } from '../../../transactions/refunds/texts.ts'
import type { StepRow, VerdictSource } from '../../../transactions/steps.ts'
import {
  isFinalDecline,
  type RefundRow,
  type TransactionRow,
  UNREADABLE_HOLD,
} from '../../../transactions/transaction.ts'
import { timelineTexts } from './texts.ts'

export type TimelineEntry = {
  at: string
  kind: string
  text: string
  tone: Tone
  detail?: string
  /** The webhook delivery of this attempt. */
  deliveryId?: string
}

type Detail = string | null | undefined | false

export function buildEntry(
  at: string,
  kind: string,
  tone: Tone,
  text: string,
  ...details: Detail[]
): TimelineEntry {
  const detail = details.filter(Boolean).join(' · ')
  return { at, kind, text, tone, ...(detail && { detail }) }
}

export function buildCreationEntry(row: TransactionRow): TimelineEntry {
  const { createdAt: at, method, installments, pixBrCode, expiresAt } = row
  const text = timelineTexts.created[method](formatBrl(row.totalCents), installments)
  if (!pixBrCode) return buildEntry(at, 'created', 'neutral', text)
  // The code may have come later, and nothing says when.
  const until = expiresAt && timelineTexts.codeUntil(formatDayAndTime(expiresAt))
  return buildEntry(at, 'created', getWaitingTone(row), text, until)
}

/** Waiting is over once the payment has ended or money came. */
function getWaitingTone({ status, holdReason }: TransactionRow): Tone {
  return OPEN_STATUSES.includes(status) && holdReason === null ? 'waiting' : 'neutral'
}

/** When a verdict was reached; `source` if a step says why we asked. */
type ReachedVerdict = { at: string; source?: VerdictSource | undefined }

export function buildApprovalEntries(
  row: TransactionRow,
  { at, source }: ReachedVerdict,
): TimelineEntry[] {
  const { approved, paidLate, paidLateDetail } = timelineTexts
  const paidAt = row.approvedAt ?? at
  const isEarly = Date.parse(at) - Date.parse(paidAt) >= MINUTE_MS
  const paid = isEarly && timelineTexts.paidAt(formatDayAndTime(paidAt))
  return [
    ...buildThreeDsEntries(row, at),
    buildEntry(at, 'approved', 'good', approved, paid, describeSource(row, source)),
    ...(row.paidLate ? [buildEntry(at, 'paid_late', 'waiting', paidLate, paidLateDetail)] : []),
  ]
}

export function buildDeclineEntries(
  row: TransactionRow,
  { at, source }: ReachedVerdict,
): TimelineEntry[] {
  const { declineCode, abecsCode } = row
  const declined = buildEntry(
    at,
    'declined',
    'bad',
    timelineTexts.declined,
    declineCode && timelineTexts.declines[declineCode],
    abecsCode && timelineTexts.abecs(abecsCode),
    isFinalDecline(row) && timelineTexts.final,
    describeSource(row, source),
  )
  return [...buildThreeDsEntries(row, at), declined]
}

/** The sandbox has no bank that we ask: its events are simulated. */
function describeSource({ provider }: TransactionRow, source: ReachedVerdict['source']) {
  const isSimulated = isSandbox(provider) && source === 'reconciliation'
  return source && (isSimulated ? timelineTexts.simulated : timelineTexts.sources[source])
}

const THREE_DS_TONES = { authenticated: 'good', failed: 'bad', attempted: 'neutral' } as const

function buildThreeDsEntries({ threeDsStatus, ...row }: TransactionRow, at: string) {
  if (!threeDsStatus) return []
  const flow = row.threeDsFlow && timelineTexts.threeDsFlow[row.threeDsFlow]
  const text = timelineTexts.threeDs[threeDsStatus]
  return [buildEntry(at, 'three_ds', THREE_DS_TONES[threeDsStatus], text, flow)]
}

/** Ends that only their event shows. */
export function buildEndEntries(type: EventType, at: string): TimelineEntry[] {
  const { expired, chargedBack } = timelineTexts
  if (type === 'transaction.expired') return [buildEntry(at, 'expired', 'neutral', expired)]
  if (type !== 'transaction.charged_back') return []
  return [buildEntry(at, 'charged_back', 'bad', chargedBack)]
}

type StepText = [tone: Tone, text: string, detail?: Detail]

/** The text of each step; null where the values of the row show it. */
const STEPS: Record<
  StepKind,
  (details: StepRow['details'], row: TransactionRow) => StepText | null
> = {
  challenge: (_, row) => [getWaitingTone(row), timelineTexts.challenge],
  provider_page: (_, row) => [getWaitingTone(row), timelineTexts.providerPage],
  processing: (_, row) => [getWaitingTone(row), timelineTexts.processing],
  notified: () => ['neutral', timelineTexts.notified],
  voided: () => ['neutral', timelineTexts.voided],
  held: (details) => ['bad', timelineTexts.held, formatHold(details)],
  accepted: ({ receivedCents, totalCents }) => {
    const [received = '', total = ''] = [receivedCents, totalCents].map((n) => formatBrl(Number(n)))
    return ['neutral', timelineTexts.accepted(received, total)]
  },
  provider_failed: ({ refundId, reason }) => [
    'bad',
    refundId ? timelineTexts.providerFailedRefund : timelineTexts.providerFailed,
    new Map<unknown, string>(Object.entries(timelineTexts.failures)).get(reason),
  ],
  refund: ({ amountCents }) => [
    'neutral',
    timelineTexts.refundProcessing(formatBrl(Number(amountCents))),
  ],
  settled: ({ status }) => (status === 'canceled' ? ['neutral', timelineTexts.canceled] : null),
}

export function buildStepEntries(
  { kind, details, createdAt: at }: StepRow,
  row: TransactionRow,
): TimelineEntry[] {
  const text = STEPS[kind](details, row)
  return text ? [buildEntry(at, kind === 'settled' ? 'canceled' : kind, ...text)] : []
}

function formatHold({ receivedCents, totalCents, field, reason }: StepRow['details']) {
  if (reason !== UNREADABLE_HOLD)
    return texts.holds.amountDiffers(Number(receivedCents), Number(totalCents))
  return field ? timelineTexts.unreadableField(String(field)) : texts.holds.unreadable
}

/** A Pix that paid exactly the sale is shown by its approval. */
export function buildIncomingEntries(
  rows: readonly IncomingPaymentRow[],
  { totalCents, method }: TransactionRow,
  disputes: readonly DisputeRow[],
): TimelineEntry[] {
  if (rows.length === 1 && rows[0]?.amountCents === totalCents) return []
  const lost = disputes.filter(({ status }) => status === 'lost')
  const surplus = listUnlostSurplus(rows, lost)
  return rows.map(({ amountCents, paidAt, payerName }, i) => {
    const more = surplus[i] ? timelineTexts.surplus(formatBrl(surplus[i])) : null
    const text = timelineTexts.incoming[method](formatBrl(amountCents))
    const payer = payerName && timelineTexts.paidBy(payerName)
    return buildEntry(paidAt, 'incoming', more ? 'waiting' : 'neutral', text, payer, more)
  })
}

export function buildRefundEntries(refund: RefundRow): TimelineEntry[] {
  const { createdAt, updatedAt, status, reason, failureReason } = refund
  const { asked, done, failed } = timelineTexts.refunds
  const amount = formatBrl(refund.amountCents)
  const tone = status === 'pending' ? 'waiting' : 'neutral'
  const first = buildEntry(createdAt, 'refund', tone, asked(amount), reason)
  if (status === 'pending') return [first]
  if (status === 'succeeded') return [first, buildEntry(updatedAt, 'refund', 'good', done(amount))]
  const why = failureReason && refundTexts.failures[failureReason]
  return [first, buildEntry(updatedAt, 'refund', 'bad', failed(amount), why)]
}

export function buildDisputeEntries(dispute: DisputeRow): TimelineEntry[] {
  const { status, openedAt, closedAt, respondBy, reason } = dispute
  const { opened, respondBy: formatDeadline, ...ends } = timelineTexts.disputes
  const amount = formatBrl(dispute.amountCents)
  const first = buildEntry(
    openedAt,
    'dispute',
    status === 'open' ? 'waiting' : 'neutral',
    opened[dispute.kind](amount),
    reason && formatDisputeReason(reason),
    respondBy && formatDeadline(formatDayAndTime(respondBy)),
  )
  if (status === 'open' || closedAt === null) return [first]
  const tone = status === 'won' ? 'good' : 'bad'
  return [first, buildEntry(closedAt, 'dispute', tone, ends[status](amount))]
}
