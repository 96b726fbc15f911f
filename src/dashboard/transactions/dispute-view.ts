// Disputes as the dashboard shows them: in their list, and on the page of their payment.
import type { DisputeStatus, ProviderName } from '../../database/enums.ts'
import { formatBrl } from '../../format.ts'
import { getProfile } from '../../providers/registry.ts'
import type { ListedDispute } from '../../transactions/disputes/list.ts'
import type { DisputeRow } from '../../transactions/disputes/schema.ts'
import { disputeTexts, formatDisputeReason } from '../../transactions/disputes/texts.ts'
import { paymentPagePath } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toTimeView } from '../layout/values/time.ts'

const DISPUTE_TONES: Record<DisputeStatus, Badge['tone']> = {
  open: 'waiting',
  won: 'good',
  lost: 'bad',
}

/** `now`: set for a dispute in a list. */
export function toDisputeView(row: DisputeRow, now?: Date) {
  const { status, respondBy, closedAt } = row
  const badge: Badge = { tone: DISPUTE_TONES[status], text: disputeTexts.statuses[status] }
  return {
    amount: formatBrl(row.amountCents),
    status: badge,
    kind: disputeTexts.kinds[row.kind],
    reason: formatDisputeReason(row.reason),
    opened: toTimeView(row.openedAt, now),
    closed: closedAt ? toTimeView(closedAt, now) : null,
    respondBy: status === 'open' && respondBy ? toTimeView(respondBy, now) : null,
  }
}

export function toDisputeListRow(row: ListedDispute, now: Date) {
  return {
    ...toDisputeView(row, now),
    payer: row.payerName,
    href: paymentPagePath(row.transactionId),
  }
}

/** What the company must do about an open dispute; null without one. */
export function toDisputeNotice(disputes: DisputeRow[], provider: ProviderName) {
  const open = disputes.filter(({ status }) => status === 'open')
  const [first] = open.flatMap(({ respondBy }) => respondBy ?? []).toSorted()
  const cents = open.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (open.length === 0) return null
  return {
    amount: formatBrl(cents),
    answerAt: getProfile(provider).answerDisputesAt,
    respondBy: first ? toTimeView(first) : null,
  }
}
