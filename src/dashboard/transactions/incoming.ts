// Every Pix that came in for a payment, as its page lists them, with a way to give back what is too much.

import { formatBrl, maskTaxId } from '../../format.ts'
import { getSurplusLeft, sumCents } from '../../transactions/incoming/amounts.ts'
import type { IncomingPaymentRow } from '../../transactions/incoming/incoming-payment.ts'
import type { Refundable } from '../../transactions/refunds/refundable.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { toTimeView } from '../layout/page.ts'
import { paymentPagePath } from '../layout/paths.ts'

/** `refundable`: null for whoever may not give back. */
export function toIncomingView(
  payment: TransactionRow,
  rows: readonly IncomingPaymentRow[],
  refundable: Refundable | null,
) {
  const surplusLeft = payment.approvedAt === null ? 0 : sumCents(rows.map(getSurplusLeft))
  const sources = refundable?.kind === 'refundable' ? refundable.sources : []
  return {
    surplus: surplusLeft > 0 ? formatBrl(surplusLeft) : null,
    rows: rows.map((row) => {
      const source = sources.find(({ incomingPaymentId }) => incomingPaymentId === row.id)
      const surplusCents = payment.approvedAt === null ? 0 : (source?.surplusCents ?? 0)
      return {
        amount: formatBrl(row.amountCents),
        paid: toTimeView(row.paidAt),
        payer: [row.payerName, row.payerTaxId && maskTaxId(row.payerTaxId)]
          .filter((part) => part !== null)
          .join(' · '),
        endToEndId: row.endToEndId,
        surplus: row.surplusCents > 0 ? formatBrl(row.surplusCents) : null,
        refunded: row.refundedCents > 0 ? formatBrl(row.refundedCents) : null,
        giveBack:
          surplusCents > 0
            ? {
                href: `${paymentPagePath(payment.id)}/devolver/excedente?pix=${row.id}`,
                amount: formatBrl(surplusCents),
              }
            : null,
      }
    }),
  }
}
