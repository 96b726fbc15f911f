// What the provider keeps of a payment, and when the company has the rest, as its page shows it.
import { formatBrl, formatCalendarDay, formatKnownBrl } from '../../format.ts'
import { computeNet, listPayoutParts } from '../../transactions/payouts/net.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { transactionPageTexts } from './texts.ts'

/** Null while it is not approved. */
export function toPayoutView(row: TransactionRow) {
  if (row.approvedAt === null) return null
  const words = transactionPageTexts.payouts
  const { feeCents, feeSource, expectedOn } = row
  const source: string | null = feeSource && words.sources[feeSource]
  return {
    fee: feeCents === null ? '—' : `− ${formatBrl(feeCents)}`,
    source,
    net: formatKnownBrl(computeNet(row)),
    expected: expectedOn === null ? '—' : formatCalendarDay(expectedOn),
    parts: listPartViews(row),
  }
}

/** Of what is paid out in one there is nothing more to say. */
function listPartViews(row: TransactionRow) {
  const parts = listPayoutParts(row) ?? []
  if (parts.length < 2) return null
  return {
    text: transactionPageTexts.payouts.parts(parts.length),
    days: parts.map(({ day, netCents }) => ({
      day: formatCalendarDay(day),
      net: formatBrl(netCents),
    })),
  }
}
