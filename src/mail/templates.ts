// The content of each mail.

import { formatBrl, formatDay, formatTime } from '../format.ts'
import { texts } from '../texts.ts'
import {
  buildPaymentRows,
  completeContent,
  formatMailInstant,
  getSenderName,
  type MailContent,
  type MailTemplates,
} from './content.ts'
import type { MailBranding, MailData, TemplateName } from './data.ts'
import { pt } from './payer/pt.ts'
import { PAYER_TEMPLATES } from './payer/templates.ts'
import { mailTexts } from './texts.ts'

const words = mailTexts
const labels = { ...pt.labels, ...words.labels }

const TEMPLATES: MailTemplates<TemplateName> = {
  ...PAYER_TEMPLATES,

  payment(data, head) {
    const total = formatBrl(data.totalCents)
    return {
      tone: 'good',
      subject: words.payment.subject(total, data.linkTitle),
      preview: words.payment.preview(data.linkTitle),
      heading: words.payment.heading,
      amount: total,
      paragraphs: data.paidLate ? [words.payment.late] : [],
      rows: [{ label: labels.link, value: data.linkTitle }, ...buildPaymentRows(data, pt)],
      action: buildTransactionAction(head, data),
      notes: [buildSettingsNote(head)],
    }
  },

  'payment-held'(data, head) {
    const { receivedCents, totalCents, linkTitle } = data
    const isUnreadable = receivedCents === null
    const amount = formatBrl(receivedCents ?? totalCents)
    return {
      ...buildTransactionWarning(data, head),
      subject: words.held.subject(amount, linkTitle),
      heading: words.held.heading,
      amount,
      paragraphs: isUnreadable
        ? [texts.holds.unreadable, words.held.whatNowUnreadable]
        : [texts.holds.amountDiffers(receivedCents, totalCents), words.held.whatNow],
    }
  },

  'payment-overpaid'(data, head) {
    const surplus = formatBrl(data.surplusCents)
    const { subject, heading, why, whatNow } = words.overpaid
    return {
      ...buildTransactionWarning(data, head),
      subject: subject(surplus, data.linkTitle),
      heading,
      amount: surplus,
      paragraphs: [
        why(formatBrl(data.receivedCents), surplus, formatBrl(data.totalCents)),
        whatNow,
      ],
    }
  },

  'refund-failed'(data, head) {
    const amount = formatBrl(data.amountCents)
    const { subject, heading, whatNow } = words.refundFailed
    return {
      ...buildTransactionWarning(data, head),
      subject: subject(amount, data.linkTitle),
      heading,
      amount,
      paragraphs: [data.reason, whatNow],
    }
  },

  'dispute-opened'(data, head) {
    const amount = formatBrl(data.amountCents)
    return {
      tone: 'warning',
      subject: words.dispute.opened(amount, data.linkTitle),
      preview: words.payment.preview(data.linkTitle),
      heading: words.dispute.openedHeading,
      amount,
      paragraphs: [words.dispute.what[data.kind], data.answerAt],
      rows: [
        { label: labels.reason, value: data.reason },
        ...buildDeadlineRows(data),
        ...buildDisputeRows(data),
      ],
      action: buildTransactionAction(head, data),
    }
  },

  'dispute-closed'(data, head) {
    const amount = formatBrl(data.amountCents)
    const result = words.dispute[data.isWon ? 'won' : 'lost']
    return {
      tone: data.isWon ? 'good' : 'warning',
      subject: result.subject(amount, data.linkTitle),
      preview: words.payment.preview(data.linkTitle),
      heading: result.heading,
      amount,
      paragraphs: [result.means],
      rows: buildDisputeRows(data),
      action: buildTransactionAction(head, data),
    }
  },

  'security-notice'(data, { baseUrl }) {
    const { what, subject, preview, known, always } = words.security
    const rows = [
      { label: labels.company, value: data.companyName },
      { label: labels.actor, value: data.actor },
      { label: labels.about, value: data.subject },
      { label: labels.device, value: data.device },
      { label: labels.network, value: data.address },
      { label: labels.when, value: formatMailInstant(data.at) },
    ]
    return {
      tone: 'warning',
      subject: subject(what[data.what], data.companyName),
      preview: preview(data.actor),
      heading: what[data.what],
      paragraphs: [known, getSecurityAdvice(data)],
      rows: rows.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
      action: buildSecurityAction(data, baseUrl),
      notes: [always],
    }
  },

  'webhook-failed'(data, head) {
    const gone = data.outcome === 'gone'
    const url = `${head.baseUrl}/painel/integracoes/entregas/${data.deliveryId}`
    return {
      tone: 'warning',
      subject: words.webhook.subject(URL.parse(data.url)?.host ?? data.url),
      heading: words.webhook.heading,
      paragraphs: [
        words.webhook.gaveUp(data.attempts, data.eventType),
        gone ? words.webhook.disabled : words.webhook.whatNow,
      ],
      rows: [
        { label: labels.endpoint, value: data.url },
        { label: labels.event, value: data.eventType },
        { label: labels.outcome, value: words.outcomes[data.outcome](data.statusCode) },
        { label: labels.lastAttempt, value: formatMailInstant(data.failedAt) },
      ],
      action: { label: words.webhook.see, url },
      notes: [words.webhook.atMost, buildSettingsNote(head)],
    }
  },

  'cards-paused'(data, head) {
    const { subject, heading, why, pixOpen, whatNow, see } = words.cards
    const until = words.cards.until(formatTime(data.until))
    return {
      tone: 'warning',
      subject: subject(data.linkTitle),
      preview: until,
      heading,
      paragraphs: [why, data.pix ? `${until} ${pixOpen}` : until, whatNow],
      rows: [{ label: labels.link, value: data.linkTitle }],
      action: { label: see, url: `${head.baseUrl}/painel/links/${data.linkId}` },
      notes: [buildSettingsNote(head)],
    }
  },

  'notifications-lost'({ provider, url }, { baseUrl }) {
    const { subject, heading, other, none, meanwhile, whatNow, see } = words.notifications
    return {
      tone: 'warning',
      subject,
      heading,
      paragraphs: [url ? other : none, meanwhile, whatNow],
      rows: url ? [{ label: labels.address, value: url }] : [],
      action: { label: see, url: `${baseUrl}/painel/recebimentos/${provider}` },
    }
  },

  'notifications-refused'({ provider, isSilent }, { baseUrl }) {
    const { refused, silent, meanwhile, see } = words.notifications
    const { subject, heading, why, whatNow } = isSilent ? silent : refused
    return {
      tone: 'warning',
      subject,
      heading,
      paragraphs: [why, meanwhile, whatNow],
      action: { label: see, url: `${baseUrl}/painel/recebimentos/${provider}` },
    }
  },

  'payments-unmatched'({ amountsCents }, { baseUrl }) {
    const { subject, heading, what, whatNow, amount, see } = words.unmatched
    return {
      tone: 'warning',
      subject: subject(amountsCents.length),
      heading,
      paragraphs: [what, whatNow],
      rows: amountsCents.map((cents) => ({ label: amount, value: formatBrl(cents) })),
      action: { label: see, url: `${baseUrl}/painel/transacoes/sem-cobranca` },
    }
  },

  'password-reset'({ secretLink }) {
    const { subject, heading, asked, choose, once, notYou } = words.reset
    return {
      subject,
      heading,
      paragraphs: [asked],
      action: { label: choose, url: secretLink, copyable: true },
      notes: [once, notYou],
    }
  },

  invitation({ secretLink, invitedBy, role }, head) {
    const { subject, heading, invited, may, accept, once, notYou } = words.invitation
    const name = getSenderName(head)
    return {
      subject: subject(name),
      heading: heading(name),
      paragraphs: [invited(invitedBy, name, words.roles[role]), may[role]],
      action: { label: accept, url: secretLink, copyable: true },
      notes: [once, notYou],
    }
  },
}

/** During an update, a process of another version may have queued a mail that has no template here. */
export function isTemplateName(name: string): name is TemplateName {
  return Object.hasOwn(TEMPLATES, name)
}

export function buildMailContent<T extends TemplateName>(
  template: T,
  data: MailData[T],
  head: MailBranding,
): MailContent {
  return completeContent(TEMPLATES[template](data, head), data)
}

/** To the company: a payment needs a decision. */
function buildTransactionWarning(
  data: Omit<MailData['payment-held'], 'receivedCents'>,
  head: MailBranding,
) {
  return {
    tone: 'warning' as const,
    preview: words.payment.preview(data.linkTitle),
    rows: [
      { label: labels.link, value: data.linkTitle },
      { label: labels.payer, value: data.payerName },
      { label: labels.transaction, value: data.transactionId },
    ],
    action: buildTransactionAction(head, data),
    notes: [buildSettingsNote(head)],
  }
}

function buildTransactionAction(
  { baseUrl }: MailBranding,
  { transactionId }: { transactionId: string },
) {
  return { label: words.payment.see, url: `${baseUrl}/painel/transacoes/${transactionId}` }
}

function buildDeadlineRows({ deadline }: MailData['dispute-opened']) {
  if (!deadline) return []
  const { at, isDay } = deadline
  return [{ label: labels.respondBy, value: isDay ? formatDay(at) : formatMailInstant(at) }]
}

function buildDisputeRows(data: MailData['dispute-closed' | 'dispute-opened']) {
  return [
    { label: labels.link, value: data.linkTitle },
    { label: labels.payer, value: data.payerName },
    { label: labels.paid, value: formatBrl(data.totalCents) },
    { label: labels.transaction, value: data.transactionId },
  ]
}

/** The changes that a person finds under Minha conta; owners find all others in the audit log. */
const OWN_CHANGES: readonly string[] = [
  'new_device',
  'password_changed',
  'password_reset',
  'sign_in_failed',
  'totp_enabled',
  'totp_disabled',
  'recovery_codes_renewed',
]

function getSecurityAdvice({ isSelf, isOwner }: MailData['security-notice']) {
  const { unknown } = words.security
  if (isSelf) return isOwner ? unknown.selfOwner : unknown.self
  return isOwner ? unknown.owner : unknown.former
}

/** A button to a page that this reader may open. */
function buildSecurityAction(
  { what, isSelf, isOwner }: MailData['security-notice'],
  baseUrl: string,
) {
  const { seeAccount, seeLog } = words.security
  if (isSelf && (OWN_CHANGES.includes(what) || !isOwner)) {
    return { label: seeAccount, url: `${baseUrl}/painel/conta` }
  }
  return isOwner ? { label: seeLog, url: `${baseUrl}/painel/registro` } : null
}

function buildSettingsNote({ baseUrl }: MailBranding) {
  return words.turnOff(`${baseUrl}/painel/ajustes/emails`)
}
