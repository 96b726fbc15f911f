// What a mail is made of, whatever it says.
import type { DetailRow } from './rows.ts'

export type MailContent = {
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

export const BASE_CONTENT = {
  testMode: false,
  tone: 'plain' as const,
  amount: null,
  paragraphs: [],
  rows: [],
  action: null,
  notes: [],
  contact: [],
  replyTo: null,
}
