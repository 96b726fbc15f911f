// What a refund will do, in sentences that somebody reads before it is done.

import { formatBrl, formatCard } from '../../format.ts'
import { isAmountMismatch, type TransactionRow } from '../../transactions/transaction.ts'
import { refundPageTexts } from './texts.ts'

type PlannedRefund = {
  amountCents: number
  reason: string | null
  incomingPaymentId?: string | undefined
}

export function listRefundConsequences(
  payment: TransactionRow,
  { amountCents, reason, incomingPaymentId }: PlannedRefund,
  { tellsPayer }: { tellsPayer: boolean },
) {
  const words = refundPageTexts
  return [
    formatRefundTarget(payment, formatBrl(amountCents)),
    incomingPaymentId ? words.saleStays : formatRemainder(payment, amountCents),
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

function formatRemainder(payment: TransactionRow, amountCents: number) {
  const { stays, nothingStays, heldIsOver } = refundPageTexts
  if (isAmountMismatch(payment)) return heldIsOver
  const { totalCents, refundedCents, chargedBackCents } = payment
  const rest = totalCents - refundedCents - chargedBackCents - amountCents
  return rest > 0 ? stays(formatBrl(rest)) : nothingStays
}
