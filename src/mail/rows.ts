// The facts of a mail, one to a line.

import { formatBrl, formatCard, formatDay, formatFullTime, formatTaxId } from '../format.ts'
import { texts } from '../texts.ts'
import type { ApprovedPayment, MailBranding } from './templates.ts'
import { mailTexts } from './texts.ts'

export type DetailRow = { label: string; value: string }

const { labels } = mailTexts

/** All that a receipt says of a payment but whom it was for. */
export function buildPaymentRows(data: ApprovedPayment): DetailRow[] {
  const card = data.method === 'credit_card'
  const { card: used } = data
  const method = card ? texts.methods.credit_card : texts.methods.pix
  const interest = data.totalCents !== data.amountCents
  const parts = `${data.installments}x de ${formatBrl(data.installmentCents)}`
  return [
    { label: labels.payer, value: data.payerName },
    { label: labels.amount, value: formatBrl(data.amountCents) },
    {
      label: labels.method,
      value: used ? `${method} ${formatCard(used.brand, used.last4)}` : method,
    },
    ...(card ? [{ label: labels.installments, value: parts }] : []),
    ...(interest ? [{ label: labels.total, value: formatBrl(data.totalCents) }] : []),
    { label: labels.paidAt, value: formatMailInstant(data.paidAt) },
    ...(data.endToEndId ? [{ label: labels.endToEndId, value: data.endToEndId }] : []),
    { label: labels.transaction, value: data.transactionId },
  ]
}

export function buildTaxIdRows({ company }: MailBranding): DetailRow[] {
  const document = toDocumentRow(company?.taxId ?? null)
  return document ? [document] : []
}

export function toDocumentRow(taxId: string | null): DetailRow | null {
  if (!taxId) return null
  return { label: taxId.length === 11 ? labels.cpf : labels.cnpj, value: formatTaxId(taxId) }
}

export function formatMailInstant(at: string) {
  return texts.paidAt(formatDay(at), formatFullTime(at))
}
