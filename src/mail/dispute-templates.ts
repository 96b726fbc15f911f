// What the company reads of a payment that its payer contests. These are always sent.
import { formatBrl } from '../format.ts'
import { BASE_CONTENT, buildTransactionAction, type MailTemplates } from './content.ts'
import type { MailData } from './data.ts'
import { type DetailRow, formatMailInstant } from './rows.ts'
import { mailTexts } from './texts.ts'

const words = mailTexts
const { labels } = words

export const DISPUTE_TEMPLATES: MailTemplates<'dispute-opened' | 'dispute-closed'> = {
  'dispute-opened'(data, head) {
    const amount = formatBrl(data.amountCents)
    const { respondBy } = data
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
      tone: 'warning',
      subject: words.dispute.opened(amount, data.linkTitle),
      preview: words.payment.preview(data.linkTitle),
      heading: words.dispute.openedHeading,
      amount,
      paragraphs: [words.dispute.what[data.kind], data.answerAt],
      rows: [
        { label: labels.reason, value: data.reason },
        ...(respondBy ? [{ label: labels.respondBy, value: formatMailInstant(respondBy) }] : []),
        ...buildDisputeRows(data),
      ],
      action: buildTransactionAction(head, data),
    }
  },

  'dispute-closed'(data, head) {
    const amount = formatBrl(data.amountCents)
    const result = words.dispute[data.isWon ? 'won' : 'lost']
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
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
}

function buildDisputeRows(data: MailData['dispute-closed' | 'dispute-opened']): DetailRow[] {
  return [
    { label: labels.link, value: data.linkTitle },
    { label: labels.payer, value: data.payerName },
    { label: labels.paid, value: formatBrl(data.totalCents) },
    { label: labels.transaction, value: data.transactionId },
  ]
}
