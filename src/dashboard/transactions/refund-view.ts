// Describes a refund in sentences, for the person to read before it is made.

import { formatBrl, formatCard } from '../../format.ts'
import { isAmountMismatch, type TransactionRow } from '../../transactions/transaction.ts'
import { refundPageTexts } from './texts.ts'

type PlannedRefund = {
  amountCents: number
  reason: string | null
}

/** `surplusCents`: the surplus of its source, which is refunded before the sale. */
export type RefundContext = { tellsPayer: boolean; surplusCents: number }

export function listRefundConsequences(
  payment: TransactionRow,
  { amountCents, reason }: PlannedRefund,
  { tellsPayer, surplusCents }: RefundContext,
) {
  const words = refundPageTexts
  return [
    formatRefundTarget(payment, formatBrl(amountCents)),
    formatSources(payment, amountCents, surplusCents),
    formatRemainder(payment, amountCents - surplusCents),
    tellsPayer && payment.payerEmail && words.told(payment.payerEmail),
    reason && words.reason(reason),
    payment.testMode && words.isTest,
    words.final,
  ].filter((line) => typeof line === 'string')
}

function formatRefundTarget(
  { method, payerName, cardBrand, cardLast4 }: TransactionRow,
  amount: string,
) {
  const { pix, credit_card } = refundPageTexts.goesBack
  return method === 'pix'
    ? pix(amount, payerName)
    : credit_card(amount, payerName, formatCard(cardBrand ?? '', cardLast4 ?? ''))
}

/** Only when both parts are refunded. */
function formatSources(payment: TransactionRow, amountCents: number, surplusCents: number) {
  const saleCents = amountCents - surplusCents
  if (isAmountMismatch(payment) || surplusCents === 0 || saleCents <= 0) return undefined
  return refundPageTexts.fromSurplus(formatBrl(surplusCents), formatBrl(saleCents))
}

/** @param saleCents the part taken from the sale */
function formatRemainder(payment: TransactionRow, saleCents: number) {
  const { stays, nothingStays, heldIsOver, saleStays } = refundPageTexts
  if (isAmountMismatch(payment)) return heldIsOver
  if (saleCents <= 0) return saleStays
  const { totalCents, refundedCents, chargedBackCents } = payment
  const rest = totalCents - refundedCents - chargedBackCents - saleCents
  return rest > 0 ? stays(formatBrl(rest)) : nothingStays
}
