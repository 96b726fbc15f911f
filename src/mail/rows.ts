// Builds the table of facts in a mail, one fact for each row.

import {
  formatBrl,
  formatCard,
  formatDay,
  formatFullTime,
  formatParts,
  formatTaxId,
} from '../format.ts'
import type { ApprovedPayment, MailBranding } from './data.ts'
import { type PayerMailTexts, pt } from './payer/pt.ts'

export type DetailRow = { label: string; value: string }

/** All rows of a receipt except the customer. */
export function buildPaymentRows(data: ApprovedPayment, words: PayerMailTexts): DetailRow[] {
  const { labels } = words
  const card = data.method === 'credit_card'
  const { card: used } = data
  const method = words.methods[data.method]
  const discountCents = Math.max(0, data.amountCents - data.totalCents)
  const total = { value: formatBrl(data.totalCents, words.locale) }
  return [
    { label: labels.payer, value: data.payerName },
    { label: labels.amount, value: formatBrl(data.amountCents, words.locale) },
    {
      label: labels.method,
      value: used ? `${method} ${formatCard(used.brand, used.last4)}` : method,
    },
    ...(card ? [{ label: labels.installments, value: formatParts(data, words) }] : []),
    ...(discountCents > 0
      ? [
          { label: labels.discount, value: formatBrl(-discountCents, words.locale) },
          { label: labels.total, ...total },
        ]
      : []),
    ...(data.totalCents > data.amountCents ? [{ label: labels.totalWithInterest, ...total }] : []),
    { label: labels.paidAt, value: formatPaidAt(data.paidAt, words) },
    ...(data.endToEndId ? [{ label: labels.endToEndId, value: data.endToEndId }] : []),
    { label: labels.transaction, value: data.transactionId },
  ]
}

export function buildTaxIdRows({ company }: MailBranding, words: PayerMailTexts): DetailRow[] {
  const document = toDocumentRow(company?.taxId ?? null, words)
  return document ? [document] : []
}

export function toDocumentRow(taxId: string | null, { labels }: PayerMailTexts): DetailRow | null {
  if (!taxId) return null
  return { label: taxId.length === 11 ? labels.cpf : labels.cnpj, value: formatTaxId(taxId) }
}

export function formatMailInstant(at: string) {
  return formatPaidAt(at, pt)
}

function formatPaidAt(at: string, { locale, paidAt }: PayerMailTexts) {
  return paidAt(formatDay(at, locale), formatFullTime(at))
}
