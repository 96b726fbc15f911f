// The e-mails to payers, in the language in which they paid.
import type { Locale } from '../../database/enums.ts'
import { formatBrl, formatDay, formatTime } from '../../format.ts'
import {
  buildPaymentRows,
  buildTaxIdRows,
  getSenderName,
  type MailTemplates,
  toDocumentRow,
} from '../content.ts'
import type { MailBranding, MailData } from '../data.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { type PayerMailTexts, pt } from './pt.ts'

const PAYER_MAIL_TEXTS: Readonly<Record<Locale, PayerMailTexts>> = { pt, en, es }

export const PAYER_TEMPLATES: MailTemplates<
  'receipt' | 'refund' | 'payment-link' | 'payment-reminder'
> = {
  receipt(data, head) {
    const words = findPayerTexts(data)
    const { labels, receipt } = words
    const total = formatBrl(data.totalCents, words.locale)
    const name = getSenderName(head)
    return {
      ...buildPayerContact(head, words),
      frame: words.frame,
      tone: 'good',
      subject: receipt.subject(total, name),
      preview: receipt.preview(data.linkTitle),
      heading: receipt.heading,
      amount: total,
      paragraphs: [receipt.paid(name)],
      rows: [
        { label: labels.recipient, value: name },
        ...buildTaxIdRows(head, words),
        { label: labels.about, value: data.linkTitle },
        ...buildPaymentRows(data, words),
        ...buildRefundedRows(data.refundedCents ?? 0, words),
      ],
      action: { label: receipt.see, url: data.receiptUrl },
      notes: data.testMode ? [receipt.noValue] : [],
    }
  },

  refund(data, head) {
    const words = findPayerTexts(data)
    const { labels, refund: said } = words
    const refund = formatBrl(data.refundCents, words.locale)
    const name = getSenderName(head)
    const wasBefore = data.refundedCents > data.refundCents
    return {
      ...buildPayerContact(head, words),
      frame: words.frame,
      subject: said.subject(refund, name),
      preview: words.receipt.preview(data.linkTitle),
      heading: said.heading,
      amount: refund,
      paragraphs: [said.done(name), said.when[data.method]],
      rows: [
        { label: labels.about, value: data.linkTitle },
        { label: labels.paid, value: formatBrl(data.totalCents, words.locale) },
        ...(wasBefore ? buildRefundedRows(data.refundedCents, words) : []),
        { label: labels.transaction, value: data.transactionId },
      ],
      action: { label: words.receipt.see, url: data.receiptUrl },
    }
  },

  'payment-link': (data, head) => buildLinkMail(data, head, 'sent'),
  'payment-reminder': (data, head) => buildLinkMail(data, head, 'reminder'),
}

function buildRefundedRows(cents: number, { labels, locale }: PayerMailTexts) {
  return cents > 0 ? [{ label: labels.refunded, value: formatBrl(cents, locale) }] : []
}

function buildLinkMail(data: MailData['payment-link'], head: MailBranding, kind: LinkMailKind) {
  const words = findPayerTexts(data)
  const { labels, link } = words
  const { pixCents, methods, expiresAt: until } = data
  const isPixAlone = !methods.includes('credit_card')
  const amount = formatBrl((isPixAlone && pixCents) || data.amountCents, words.locale)
  const pix = pixCents && !isPixAlone ? ` (${formatBrl(pixCents, words.locale)})` : ''
  const ways = methods.map((one) => words.methods[one] + (one === 'pix' ? pix : ''))
  const name = getSenderName(head)
  const end = until && words.paidAt(formatDay(until, words.locale), formatTime(until))
  return {
    ...buildPayerContact(head, words),
    frame: words.frame,
    subject: link[kind].subject(amount, name),
    preview: words.receipt.preview(data.linkTitle),
    heading: link[kind].heading(name),
    amount,
    paragraphs: [link[kind].text],
    rows: [
      { label: labels.recipient, value: name },
      ...buildTaxIdRows(head, words),
      { label: labels.about, value: data.linkTitle },
      { label: labels.methods, value: ways.join(' · ') },
      ...(end ? [{ label: labels.until, value: end }] : []),
    ],
    action: { label: link.pay, url: data.payUrl },
    notes: [link[kind].note],
    stop: { label: link.stop, url: data.stopUrl },
  }
}

type LinkMailKind = 'sent' | 'reminder'

/** A payment without a checkout page, or from before languages were stored, has no language: Portuguese. */
function findPayerTexts({ locale }: { locale?: Locale | null }) {
  return PAYER_MAIL_TEXTS[locale ?? 'pt']
}

/** How the payer reaches the company. */
function buildPayerContact({ company }: MailBranding, words: PayerMailTexts) {
  if (!company) return {}
  const { supportEmail, supportPhone } = company
  const document = toDocumentRow(company.taxId, words)
  const support = [supportEmail, supportPhone].filter((way) => way !== null)
  const contact = [
    ...(document ? [`${document.label} ${document.value}`] : []),
    ...(support.length > 0 ? [words.questions, support.join(' · ')] : []),
  ]
  return { contact, senderName: company.name, replyTo: supportEmail }
}
