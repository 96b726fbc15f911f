// What an accountant reads of a month that is over: its sums, with the table by day beside them. A version before
// this one queues it; none is written any more.
import { formatBrl, formatKnownBrl, formatMonth } from '../format.ts'
import { BASE_CONTENT, getSenderName, type MailTemplates } from './content.ts'
import type { MailData } from './data.ts'
import type { DetailRow } from './rows.ts'
import { mailTexts } from './texts.ts'

const words = mailTexts.closing

export const CLOSING_TEMPLATES: MailTemplates<'month-closed'> = {
  'month-closed'({ month, sums, table }, head) {
    // Any hour of it is of it in São Paulo, too.
    const name = formatMonth(`${month}-02T12:00:00Z`)
    const company = getSenderName(head)
    const url = `${head.baseUrl}/painel/relatorios/fechamento?mes=${month}`
    return {
      ...BASE_CONTENT,
      subject: words.subject(name, company),
      preview: sums ? words.preview(formatBrl(sums.grossCents)) : words.nothing(name),
      heading: words.heading(name),
      amount: sums ? formatBrl(sums.grossCents) : null,
      paragraphs: [sums ? words.how : words.nothing(name)],
      rows: sums ? buildSumRows(sums) : [],
      attachment: table && { ...table, type: 'text/csv; charset=utf-8' },
      action: { label: words.see, url },
      notes: [...(table ? [words.tables] : []), words.chosen],
    }
  },
}

function buildSumRows(sums: NonNullable<MailData['month-closed']['sums']>): DetailRow[] {
  const { labels } = words
  return [
    { label: labels.payments, value: sums.count.toLocaleString('pt-BR') },
    { label: labels.gross, value: formatBrl(sums.grossCents) },
    { label: labels.refunded, value: formatBrl(sums.refundedCents) },
    // Of what was lost in another month, some may have been won after all.
    sums.lostCents < 0
      ? { label: labels.wonBack, value: formatBrl(-sums.lostCents) }
      : { label: labels.lost, value: formatBrl(sums.lostCents) },
    { label: labels.fee, value: formatKnownBrl(sums.feeCents) },
    { label: labels.net, value: formatKnownBrl(sums.netCents) },
  ]
}
