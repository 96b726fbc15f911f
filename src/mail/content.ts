// What a mail is made of, whatever it says.

import type { MailBranding, MailData, TemplateName } from './data.ts'
import { type PayerMailTexts, pt } from './payer/pt.ts'
import type { DetailRow } from './rows.ts'
import { mailTexts } from './texts.ts'

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
  /** Below the name of whoever it comes from. */
  contact: string[]
  /** Where its reader's answer goes. */
  replyTo: string | null
}

/** What a template says of its own; the rest is as in BASE_CONTENT, the preview the first paragraph. */
type TemplateContent = Partial<MailContent> & Pick<MailContent, 'subject' | 'heading'>

/** These mails, each by its own data. */
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
  replyTo: null,
}

export function completeContent(content: TemplateContent, data: object): MailContent {
  const testMode = 'testMode' in data && data.testMode === true
  const [preview = ''] = content.paragraphs ?? []
  return { ...BASE_CONTENT, testMode, preview, ...content }
}

export function getSenderName({ company }: MailBranding) {
  return company?.name ?? mailTexts.us
}
