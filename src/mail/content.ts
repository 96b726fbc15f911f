// What a mail is made of, whatever it says.

import type { MailBranding, MailData, TemplateName } from './data.ts'
import { type PayerMailTexts, pt } from './payer/pt.ts'
import type { DetailRow } from './rows.ts'
import { mailTexts } from './texts.ts'

export type MailAttachment = { name: string; type: string; content: string }

export type MailContent = {
  /** In the language of its reader. */
  frame: PayerMailTexts['frame']
  /** Nothing in it was typed by a payer: strangers would speak in the company's inbox. */
  subject: string
  /** What a list of mails shows beside the subject. */
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
  attachment: MailAttachment | null
  /** Below the name of whoever it comes from. */
  contact: string[]
  /** Where its reader's answer goes. */
  replyTo: string | null
}

/** These mails, each by its own data. */
export type MailTemplates<Names extends TemplateName> = {
  [T in Names]: (data: MailData[T], head: MailBranding) => MailContent
}

export const BASE_CONTENT = {
  frame: pt.frame,
  testMode: false,
  tone: 'plain' as const,
  amount: null,
  paragraphs: [],
  rows: [],
  action: null,
  notes: [],
  attachment: null,
  contact: [],
  replyTo: null,
}

export function getSenderName({ company }: MailBranding) {
  return company?.name ?? mailTexts.us
}

export function buildTransactionAction(
  { baseUrl }: MailBranding,
  { transactionId }: { transactionId: string },
) {
  return { label: mailTexts.payment.see, url: `${baseUrl}/painel/transacoes/${transactionId}` }
}
