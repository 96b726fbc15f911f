import { formatBrl } from '../../format.ts'
import { refundTexts } from '../refunds/texts.ts'
import type { RefundRow } from '../transaction.ts'
import { addEntryDetail, type TimelineEntry } from './entry.ts'
import { timelineTexts } from './texts.ts'

export function buildRefundEntries(refund: RefundRow): TimelineEntry[] {
  const { createdAt, updatedAt, status, reason, failureReason } = refund
  const amount = formatBrl(refund.amountCents)
  const kind = 'refund'
  const asked: TimelineEntry = {
    at: createdAt,
    kind,
    text: timelineTexts.refundAsked(amount),
    tone: status === 'pending' ? 'waiting' : 'neutral',
  }
  const first = addEntryDetail(asked, reason)
  if (status === 'pending') return [first]
  if (status === 'succeeded') {
    return [first, { at: updatedAt, kind, text: timelineTexts.refundDone(amount), tone: 'good' }]
  }
  const failed: TimelineEntry = {
    at: updatedAt,
    kind,
    text: timelineTexts.refundFailed(amount),
    tone: 'bad',
  }
  return [first, addEntryDetail(failed, failureReason && refundTexts.failures[failureReason])]
}
