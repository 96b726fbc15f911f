// The receipt of an approved payment.

import { requireFound } from '../../database/found.ts'
import {
  formatAnswer,
  formatBrl,
  formatCard,
  formatDay,
  formatFullTime,
  formatParts,
} from '../../format.ts'
import {
  getLinkStatus,
  type LinkRow,
  type LinkWithCompany,
} from '../../payment-links/payment-link.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import { getSoldTitle, type TransactionRow } from '../../transactions/transaction.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { newPaymentPath } from '../paths.ts'
import type { CheckoutTexts } from '../texts/pt.ts'

/** Payers who got all their money back see neither an approval nor the success message. */
export const KEPT_STATUSES: readonly TransactionRow['status'][] = ['approved', 'partially_refunded']

export function buildReceipt(
  needs: CheckoutNeeds,
  row: TransactionRow,
  { link, company }: LinkWithCompany,
  { t, now, surplusCents }: { t: CheckoutTexts; now: Date; surplusCents: number },
) {
  const { cardBrand, cardLast4 } = row
  const card = row.method === 'credit_card'
  const paidAt = requireFound(row.approvedAt)
  const total = formatBrl(row.totalCents, t.locale)
  const url = paymentUrl(needs.checkoutUrl, link.slug, row.token)
  const text = t.receipt.message(company.name, getSoldTitle(row, link), total, url)
  return {
    amount: formatBrl(row.amountCents, t.locale),
    discount: row.discountCents > 0 ? formatBrl(-row.discountCents, t.locale) : null,
    total,
    method: t.methods[row.method],
    installments: card ? formatParts(row, t) : null,
    card: cardBrand && cardLast4 ? formatCard(cardBrand, cardLast4) : null,
    endToEndId: row.pixEndToEndId,
    payer: row.payerName,
    answers: (row.customFields ?? []).map((answer) => ({
      label: answer.label,
      value: formatAnswer(answer, t.locale),
    })),
    paidAt: t.paidAt(formatDay(paidAt, t.locale), formatFullTime(paidAt)),
    paidAtIso: paidAt,
    transactionId: row.id,
    refunded:
      row.refundedCents > 0 ? t.receipt.refunded(formatBrl(row.refundedCents, t.locale)) : null,
    chargedBack:
      row.chargedBackCents > 0
        ? t.receipt.chargedBack(formatBrl(row.chargedBackCents, t.locale))
        : null,
    isReversed: !KEPT_STATUSES.includes(row.status),
    surplus: surplusCents > 0 ? t.receipt.surplus(formatBrl(surplusCents, t.locale)) : null,
    message: KEPT_STATUSES.includes(row.status) ? link.successMessage : null,
    whatsappUrl: `https://wa.me/?text=${encodeURIComponent(text)}`,
    againUrl: isPaidAgain(link, now) ? newPaymentPath(needs, link.slug, now) : null,
  }
}

/** Links for one customer or one order are not paid again after this payment. */
function isPaidAgain(link: LinkRow, now: Date) {
  return (
    getLinkStatus(link, now) === 'active' &&
    link.linkedCustomerId === null &&
    link.externalReference === null
  )
}
