// The parts of every mail, and the facts in its table, one for each row.

import {
  formatBrl,
  formatCard,
  formatDay,
  formatFullTime,
  formatParts,
  formatTaxId,
} from '../format.ts'
import type { ApprovedPayment, MailBranding, MailData, TemplateName } from './data.ts'
import { type PayerMailTexts, pt } from './payer/pt.ts'
import { mailTexts } from './texts.ts'

export type MailContent = {
  /** Texts in the reader's language. */
  frame: PayerMailTexts['frame']
  /** Must not contain text of a payer: strangers could write into the company's inbox. */
  subject: string
  /** The text that mail programs show beside the subject. */
  preview: string
  testMode: boolean
  tone: 'good' | 'warning' | 'plain'
  heading: string
  amount: string | null
  paragraphs: string[]
  rows: DetailRow[]
  /** With `copyable`, the address is also written out beside the button. */
  action: { label: string; url: string; copyable?: boolean } | null
  notes: string[]
  /** Shown below the sender's name. */
  contact: string[]
  /** The name of the sender; null for the name in MAIL_FROM. */
  senderName: string | null
  /** The address for the reader's reply. */
  replyTo: string | null
  /** The page on which the reader stops e-mails like this one. */
  stop: { label: string; url: string } | null
}

/** The fields that a template sets; others are as in BASE_CONTENT, and the preview is the first paragraph. */
type TemplateContent = Partial<MailContent> & Pick<MailContent, 'subject' | 'heading'>

/** Several mails, each made from its own data. */
export type MailTemplates<Names extends TemplateName> = {
  [T in Names]: (data: MailData[T], head: MailBranding) => TemplateContent
}

const BASE_CONTENT: Omit<MailContent, 'subject' | 'heading' | 'preview' | 'testMode'> = {
  frame: pt.frame,
  tone: 'plain',
  amount: null,
  paragraphs: [],
  rows: [],
  action: null,
  notes: [],
  contact: [],
  senderName: null,
  replyTo: null,
  stop: null,
}

export function completeContent(content: TemplateContent, data: object): MailContent {
  const testMode = 'testMode' in data && data.testMode === true
  const [preview = ''] = content.paragraphs ?? []
  return { ...BASE_CONTENT, testMode, preview, ...content }
}

export function getSenderName({ company }: MailBranding) {
  return company?.name ?? mailTexts.us
}

type DetailRow = { label: string; value: string }

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
