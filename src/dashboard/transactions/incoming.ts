// The received Pix of a payment, as its page lists them, with a link to refund a surplus.

import { formatBrl, maskTaxId } from '../../format.ts'
import type { TakenMoney } from '../../transactions/incoming/amounts.ts'
import {
  getSurplusLeft,
  listUnlostSurplus,
  subtractTaken,
  sumCents,
} from '../../transactions/incoming/amounts.ts'
import type { IncomingPaymentRow } from '../../transactions/incoming/schema.ts'
import type { Refundable } from '../../transactions/refunds/refundable.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'

type IncomingMoney = {
  rows: readonly IncomingPaymentRow[]
  lost: readonly TakenMoney[]
  /** Null for a visitor who may not refund. */
  refundable: Refundable | null
}

export function toIncomingView(payment: TransactionRow, { rows, lost, refundable }: IncomingMoney) {
  const left = payment.approvedAt === null ? [] : subtractTaken(rows, lost)
  const surplusLeft = sumCents(left.map(getSurplusLeft))
  const unlost = listUnlostSurplus(rows, lost)
  const sources = refundable?.kind === 'refundable' ? refundable.sources : []
  return {
    surplus: formatSome(surplusLeft),
    rows: rows.map((row, i) => {
      const source = sources.find(({ incomingPaymentId }) => incomingPaymentId === row.id)
      const surplusCents = payment.approvedAt === null ? 0 : (source?.surplusCents ?? 0)
      return {
        amount: formatBrl(row.amountCents),
        paid: toTimeView(row.paidAt),
        payer: [row.payerName, row.payerTaxId && maskTaxId(row.payerTaxId)]
          .filter((part) => part !== null)
          .join(' · '),
        endToEndId: row.endToEndId,
        surplus: formatSome(unlost[i]),
        refunded: formatSome(row.refundedCents),
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

function formatSome(cents: number | undefined) {
  return cents ? formatBrl(cents) : null
}
