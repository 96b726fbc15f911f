// Renders a mail from its content: subject, HTML and plain text.

import { DEFAULT_COLOR, getTextColor } from '../companies/brand-color.ts'
import { toPlainSpaces } from '../format.ts'
import { renderView } from '../http/html.ts'
import type { MailContent } from './content.ts'
import type { MailBranding, MailData, TemplateName } from './data.ts'
import { buildMailContent } from './templates.ts'
import { mailTexts } from './texts.ts'

const HEX_COLOR = /^#[0-9a-f]{6}$/i
const MAX_SUBJECT_LENGTH = 150
// Control characters, and others that some programs treat as the end of a line.
const LINE_BREAKING_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu

declare module '../http/html.ts' {
  interface Views {
    'mail/template': MailContent & ReturnType<typeof buildMailBrand>
  }
}

/** A pure function: equal data and branding always give the same mail. */
export function renderMail<T extends TemplateName>(
  template: T,
  data: MailData[T],
  head: MailBranding,
) {
  const content = buildMailContent(template, data, head)
  const subject = truncateSubject(removeLineBreaks(content.subject))
  return {
    subject: content.testMode ? content.frame.test(subject) : subject,
    senderName: content.senderName && removeLineBreaks(content.senderName),
    replyTo: content.replyTo,
    stopUrl: content.stop?.url ?? null,
    html: renderView('mail/template', { ...content, ...buildMailBrand(head) }),
    text: renderPlainText(content, head),
  }
}

function buildMailBrand({ baseUrl, company }: MailBranding) {
  const color = company?.color && HEX_COLOR.test(company.color) ? company.color : DEFAULT_COLOR
  const logo = company?.logoUrl ? URL.parse(company.logoUrl, baseUrl) : null
  return {
    name: company?.name ?? mailTexts.us,
    isCompany: company !== null,
    brand: color,
    onBrand: getTextColor(color),
    logoUrl: logo && /^https?:$/.test(logo.protocol) ? logo.href : null,
  }
}

function truncateSubject(line: string) {
  const characters = [...line]
  return characters.length > MAX_SUBJECT_LENGTH
    ? `${characters.slice(0, MAX_SUBJECT_LENGTH).join('')}…`
    : line
}

/** The same text for mail programs that show no HTML. */
function renderPlainText(content: MailContent, { company }: MailBranding) {
  const { frame, testMode, heading, amount, paragraphs, rows, action, notes, contact } = content
  const stop = content.stop ? [`${content.stop.label}: ${content.stop.url}`] : []
  const blocks = [
    testMode ? [`${frame.testMode} — ${frame.noCharge}`] : [],
    [heading, ...(amount ? [amount] : [])],
    ...paragraphs.map((paragraph) => [paragraph]),
    rows.map(({ label, value }) => `${label}: ${value}`),
    action ? [`${action.label}:`, action.url] : [],
    ...notes.map((note) => [note]),
    ['--', company?.name ?? mailTexts.us, ...contact, ...stop],
  ]
  const written = blocks.filter((lines) => lines.length > 0)
  return `${written.map((lines) => lines.map(removeLineBreaks).join('\n')).join('\n\n')}\n`
}

/** Keeps user text from adding a line or a header to the mail. */
function removeLineBreaks(line: string) {
  return toPlainSpaces(line.replace(LINE_BREAKING_CHARACTERS, ' '))
}
