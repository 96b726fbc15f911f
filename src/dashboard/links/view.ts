// Links as the pages of the dashboard show them; finds the link of an address, and audits actions on it.

import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../companies/audit.ts'
import type { Company } from '../../companies/company.ts'
import { buildWhatsappUrl } from '../../customers/contact.ts'
import type { Database } from '../../database/connect.ts'
import type { LinkStatus, PaymentMethod } from '../../database/enums.ts'
import type { CustomField } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import type { Badge } from '../../http/view-functions.ts'
import { formatLinkPrice } from '../../payment-links/installments.ts'
import { findPaymentLink, getLinkStatus, type LinkRow } from '../../payment-links/payment-link.ts'
import { PLAIN_TEXT_NAMES, PLAIN_TEXTS } from '../../payment-links/plain-texts.ts'
import type { RecipientRow } from '../../payment-links/sending/recipients.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { FUNNEL_DAYS, type Funnel } from '../../reports/funnel.ts'
import { texts } from '../../texts.ts'
import { type ById, type DashboardNeeds, recordAct } from '../layout/needs.ts'
import { linkPagePath } from '../layout/paths.ts'
import { linkPageTexts, PLAIN_FIELDS } from './texts.ts'

const LINK_TONES: Record<LinkStatus, Badge['tone']> = {
  active: 'good',
  inactive: 'waiting',
  expired: 'neutral',
  completed: 'neutral',
  archived: 'neutral',
}

export function toListedLink(link: LinkRow, now: Date) {
  const { methods, maxInstallments } = link
  const methodNames = describeMethods(methods, maxInstallments)
  return { ...link, methodNames, badge: toLinkBadge(link, now) }
}

export function toLinkBadge(link: LinkRow, now: Date): Badge {
  const status = getLinkStatus(link, now)
  return { tone: LINK_TONES[status], text: linkTexts.statuses[status] }
}

/** Formats `Pix ou cartão em até 12x`. */
export function describeMethods(methods: readonly PaymentMethod[], maxInstallments: number) {
  const words = linkPageTexts.methods
  if (!methods.includes('credit_card')) return words.pix
  return methods.includes('pix') ? words.both(maxInstallments) : words.card(maxInstallments)
}

export function toLinkDetails(link: LinkRow, now: Date) {
  const { maxInstallments, maxPayments, remindEveryDays } = link
  return {
    ...toListedLink(link, now),
    ...listPlainFacts(link),
    state: getLinkStatus(link, now),
    href: linkPagePath(link.id),
    interest: maxInstallments > 1 ? describeInterest(link) : null,
    uses: linkPageTexts.uses(maxPayments),
    reminders: remindEveryDays && linkPageTexts.sending.every(remindEveryDays),
    questions: (link.customFields ?? []).map(toCustomFieldFact),
  }
}

/** `Por conta do pagador, sem juros em até 3x` */
function describeInterest({ interestMode, interestFreeInstallments: free }: LinkRow) {
  const who = linkTexts.interest[interestMode]
  return interestMode === 'absorb' || free === null
    ? who
    : `${who}, ${linkPageTexts.interestFree(free)}`
}

/** An address that the link went to, and what became of it. */
export function toRecipientView(recipient: RecipientRow) {
  const { sentAt, remindedAt, createdAt } = recipient
  const [lastAt = createdAt] = [sentAt, remindedAt]
    .filter((at) => at !== null)
    .sort()
    .reverse()
  return { ...recipient, lastAt, badge: toRecipientBadge(recipient) }
}

function toRecipientBadge({ stoppedAt, refusedAt, sentAt }: RecipientRow): Badge {
  const { stopped, refused, sent, reminded } = linkPageTexts.sending
  if (stoppedAt) return { tone: 'waiting', text: stopped }
  if (refusedAt) return { tone: 'bad', text: refused }
  return { tone: 'good', text: sentAt ? sent : reminded }
}

/** Its own texts, those that only people who integrate want apart. */
function listPlainFacts(link: LinkRow) {
  const facts = PLAIN_TEXT_NAMES.flatMap((name) => {
    const text = link[name]
    return text ? [{ label: PLAIN_TEXTS[name].label, text, part: PLAIN_FIELDS[name].part }] : []
  })
  return {
    texts: facts.filter(({ part }) => part !== 'technical'),
    technicalTexts: facts.filter(({ part }) => part === 'technical'),
  }
}

function toCustomFieldFact({ label, type, required, options }: CustomField) {
  const words = linkPageTexts.customFields
  const isRequired = required ? words.required : words.optional
  const kind = options ? `${words.types[type]} (${options.join(', ')})` : words.types[type]
  return { label, text: `${kind}, ${isRequired}` }
}

/** Its address, and the ways to send it: WhatsApp opens the customer's chat if the link has one. */
export function buildShareLinks(
  link: LinkRow,
  company: Company,
  customer: { name: string; phone: string | null } | undefined,
  checkoutUrl: string,
) {
  const words = linkPageTexts.share
  const { title } = link
  const url = linkUrl(checkoutUrl, link.slug)
  const text = words.text(title, formatLinkPrice(link, company), url)
  const subject = words.subject(title, company.name)
  return {
    url,
    text,
    whatsapp: {
      href: buildWhatsappUrl(customer?.phone ?? null, text),
      text: customer?.phone ? words.whatsappTo(customer.name) : words.whatsapp,
    },
    mail: `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`,
  }
}

/** The first step, and each later one with payers; null without visits. */
export function toFunnelView({ expired, declined, ...counts }: Funnel) {
  const { declines, expired: expiredText, ...names } = linkPageTexts.funnel
  const most = Math.max(...Object.values(counts))
  if (most === 0) return null
  const stops = [
    { name: expiredText, count: expired },
    ...declined.map(({ code, count }) => ({ name: declines[code], count })),
  ]
  return {
    days: FUNNEL_DAYS,
    steps: (['opened', 'begun', 'tried', 'paid'] as const).map((step) => {
      const percent = Math.round((counts[step] / most) * 100)
      return { name: names[step], count: counts[step], percent }
    }),
    stops: stops.filter(({ count }) => count > 0),
  }
}

/** Throws 404 when it belongs to another company. */
export async function findRequestedLink(db: Database, { visitor, params }: FastifyRequest<ById>) {
  const link = await findPaymentLink(db, visitor.company.id, params.id)
  if (!link) throw notFoundError(texts.linkNotFound)
  return link
}

export async function recordLinkAudit(
  needs: DashboardNeeds,
  request: FastifyRequest,
  action: Extract<AuditAction, `link_${string}` | 'cards_resumed'>,
  { id, title }: LinkRow,
  details: Record<string, string> = {},
) {
  await recordAct(needs, request, { action, subjectId: id, subject: title, details })
}
