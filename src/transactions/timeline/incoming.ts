import { formatBrl } from '../../format.ts'
import type { TakenMoney } from '../incoming/amounts.ts'
import { listUnlostSurplus } from '../incoming/amounts.ts'
import type { IncomingPaymentRow } from '../incoming/schema.ts'
import { addEntryDetail, type TimelineEntry } from './entry.ts'
import { timelineTexts } from './texts.ts'

/** A Pix that paid exactly the sale is shown by its approval. */
export function buildIncomingEntries(
  rows: readonly IncomingPaymentRow[],
  totalCents: number,
  lost: readonly TakenMoney[],
): TimelineEntry[] {
  const [first] = rows
  const isUsual = rows.length === 1 && first?.amountCents === totalCents
  const surplus = listUnlostSurplus(rows, lost)
  return isUsual ? [] : rows.map((row, i) => toIncomingEntry(row, surplus[i] ?? 0))
}

function toIncomingEntry(
  { amountCents, paidAt: at, payerName }: IncomingPaymentRow,
  surplusCents: number,
) {
  const text = timelineTexts.incoming(formatBrl(amountCents))
  const tone = surplusCents > 0 ? ('waiting' as const) : ('neutral' as const)
  return addEntryDetail(
    { at, kind: 'incoming', text, tone },
    payerName && timelineTexts.paidBy(payerName),
    surplusCents > 0 ? timelineTexts.surplus(formatBrl(surplusCents)) : null,
  )
}
