// Makes a mail of what it tells: its subject, and the same words as HTML and as plain text.

import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { OWN_COLOR, textOn } from '../companies/brand-color.ts'
import type { Views } from '../http/html.ts'
import { type Content, LETTERS } from './letters.ts'
import type { Letterhead, MailData, Template } from './templates.ts'
import { mailTexts } from './texts.ts'

const HEX_COLOR = /^#[0-9a-f]{6}$/i
const MAX_SUBJECT = 150
// Control characters, and what else some readers take for the end of a line.
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu

const views = new Eta({
  views: fileURLToPath(new URL('../../views/mail', import.meta.url)),
  autoTrim: false,
  cache: true,
})

declare module '../http/html.ts' {
  interface Views {
    'mail/template': Content & ReturnType<typeof lookOf>
  }
}

/** Nothing is looked up: the same data under the same head is the same mail. */
export function renderMail<T extends Template>(template: T, data: MailData[T], head: Letterhead) {
  const content = LETTERS[template](data, head)
  const subject = shortened(oneLine(content.subject))
  return {
    subject: content.testMode ? mailTexts.test(subject) : subject,
    replyTo: content.replyTo,
    html: views.render('template', buildEmailViewModel(content, head)),
    text: plain(content, head),
  }
}

export function buildEmailViewModel(content: Content, head: Letterhead): Views['mail/template'] {
  return { ...content, ...lookOf(head) }
}

function lookOf({ baseUrl, company }: Letterhead) {
  const color = company?.color && HEX_COLOR.test(company.color) ? company.color : OWN_COLOR
  const logo = company?.logoUrl ? URL.parse(company.logoUrl, baseUrl) : null
  return {
    name: company?.name ?? mailTexts.us,
    isCompany: company !== null,
    brand: color,
    onBrand: textOn(color),
    logoUrl: logo && /^https?:$/.test(logo.protocol) ? logo.href : null,
  }
}

function shortened(line: string) {
  const letters = [...line]
  return letters.length > MAX_SUBJECT ? `${letters.slice(0, MAX_SUBJECT).join('')}…` : line
}

/** The same words for readers that show no HTML. */
function plain(content: Content, { company }: Letterhead) {
  const { testMode, heading, amount, paragraphs, rows, action, notes, contact } = content
  const blocks = [
    testMode ? [mailTexts.testBanner] : [],
    [heading, ...(amount ? [amount] : [])],
    ...paragraphs.map((paragraph) => [paragraph]),
    rows.map(({ label, value }) => `${label}: ${value}`),
    action ? [`${action.label}:`, action.url] : [],
    ...notes.map((note) => [note]),
    ['--', company?.name ?? mailTexts.us, ...contact],
  ]
  const written = blocks.filter((lines) => lines.length > 0)
  return `${written.map((lines) => lines.map(oneLine).join('\n')).join('\n\n')}\n`
}

/** What people wrote cannot pass for another line of ours, nor for another header. */
function oneLine(line: string) {
  return line.replace(BREAKS, ' ').replaceAll('\u00a0', ' ')
}
