// What a dispute says of its payment's history.

import { formatBrl } from '../../format.ts'
import type { DisputeRow } from '../disputes/serialize.ts'
import { formatDisputeReason } from '../disputes/texts.ts'
import { addEntryDetail, type TimelineEntry, toDayAndTime } from './entry.ts'
import { timelineTexts } from './texts.ts'

export function buildDisputeEntries(dispute: DisputeRow): TimelineEntry[] {
  const { status, openedAt, closedAt, respondBy, reason } = dispute
  const amount = formatBrl(dispute.amountCents)
  const kind = 'dispute'
  const opened: TimelineEntry = {
    at: openedAt,
    kind,
    text: timelineTexts.disputes.opened[dispute.kind](amount),
    tone: status === 'open' ? 'waiting' : 'neutral',
  }
  const deadline = respondBy && timelineTexts.disputes.respondBy(...toDayAndTime(respondBy))
  const first = addEntryDetail(opened, reason && formatDisputeReason(reason), deadline)
  if (status === 'open' || closedAt === null) return [first]
  const text = timelineTexts.disputes[status](amount)
  return [first, { at: closedAt, kind, text, tone: status === 'won' ? 'good' : 'bad' }]
}
