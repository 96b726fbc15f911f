// What each mail says.

import { formatBrl, formatTime } from '../format.ts'
import { texts } from '../texts.ts'
import { CLOSING_TEMPLATES } from './closing-template.ts'
import {
  BASE_CONTENT,
  buildTransactionAction,
  getSenderName,
  type MailTemplates,
} from './content.ts'
import type { MailBranding, MailData, TemplateName } from './data.ts'
import { DISPUTE_TEMPLATES } from './dispute-templates.ts'
import { pt } from './payer/pt.ts'
import { PAYER_TEMPLATES } from './payer/templates.ts'
import { buildPaymentRows, formatMailInstant } from './rows.ts'
import { SECURITY_TEMPLATES } from './security-template.ts'
import { mailTexts } from './texts.ts'

const words = mailTexts
const { labels } = words

export const TEMPLATES: MailTemplates<TemplateName> = {
  ...PAYER_TEMPLATES,

  payment(data, head) {
    const total = formatBrl(data.totalCents)
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
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
    const received = formatBrl(data.receivedCents)
    return {
      ...buildTransactionWarning(data, head),
      subject: words.held.subject(received, data.linkTitle),
      heading: words.held.heading,
      amount: received,
      paragraphs: [
        texts.holds.amountDiffers(data.receivedCents, data.totalCents),
        words.held.whatNow,
      ],
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

  ...DISPUTE_TEMPLATES,
  ...SECURITY_TEMPLATES,
  ...CLOSING_TEMPLATES,

  'webhook-failed'(data, head) {
    const gone = data.outcome === 'gone'
    const url = `${head.baseUrl}/painel/integracoes/entregas/${data.deliveryId}`
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
      tone: 'warning',
      subject: words.webhook.subject(URL.parse(data.url)?.host ?? data.url),
      preview: words.webhook.gaveUp(data.attempts, data.eventType),
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
    const until = words.cards.until(formatTime(data.until))
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
      tone: 'warning',
      subject: words.cards.subject(data.linkTitle),
      preview: until,
      heading: words.cards.heading,
      paragraphs: [
        words.cards.why,
        data.pix ? `${until} ${words.cards.pixOpen}` : until,
        words.cards.whatNow,
      ],
      rows: [{ label: labels.link, value: data.linkTitle }],
      action: { label: words.cards.see, url: `${head.baseUrl}/painel/links/${data.linkId}` },
      notes: [buildSettingsNote(head)],
    }
  },

  'notifications-lost'({ provider, url, testMode }, { baseUrl }) {
    const { other, none, meanwhile, whatNow, see, ...said } = words.notifications
    const why = url ? other : none
    return {
      ...BASE_CONTENT,
      ...said,
      testMode,
      tone: 'warning',
      preview: why,
      paragraphs: [why, meanwhile, whatNow],
      rows: url ? [{ label: labels.address, value: url }] : [],
      action: { label: see, url: `${baseUrl}/painel/recebimentos/${provider}` },
    }
  },

  'password-reset'({ secretLink }) {
    return {
      ...BASE_CONTENT,
      subject: words.reset.subject,
      preview: words.reset.asked,
      heading: words.reset.heading,
      paragraphs: [words.reset.asked],
      action: { label: words.reset.choose, url: secretLink, copyable: true },
      notes: [words.reset.once, words.reset.notYou],
    }
  },

  invitation({ secretLink, invitedBy, role }, head) {
    const name = getSenderName(head)
    return {
      ...BASE_CONTENT,
      subject: words.invitation.subject(name),
      preview: words.invitation.invited(invitedBy, name, words.roles[role]),
      heading: words.invitation.heading(name),
      paragraphs: [
        words.invitation.invited(invitedBy, name, words.roles[role]),
        words.invitation.may[role],
      ],
      action: { label: words.invitation.accept, url: secretLink, copyable: true },
      notes: [words.invitation.once, words.invitation.notYou],
    }
  },
}

/** To the company: somebody has to look at a payment. */
function buildTransactionWarning(data: MailData['payment-held'], head: MailBranding) {
  return {
    ...BASE_CONTENT,
    testMode: data.testMode,
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

function buildSettingsNote({ baseUrl }: MailBranding) {
  return words.turnOff(`${baseUrl}/painel/ajustes/emails`)
}
