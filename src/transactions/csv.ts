// Transactions as a bookkeeper reads them: a row each, in Portuguese and in the time of São Paulo.

import { formatAnswer, formatCalendarDay, maskTaxId } from '../format.ts'
import {
  type CsvColumn,
  formatInstantCell,
  formatKnownMoneyCell,
  formatMoneyCell,
} from '../http/csv.ts'
import { texts } from '../texts.ts'
import type { ListedTransaction } from './list/listed.ts'
import { computeNet, getPayoutDay } from './payouts/net.ts'
import { transactionTexts } from './texts.ts'
import { formatHoldReason } from './transaction.ts'

const { columns, statuses, cardEnding } = transactionTexts

/** Programs read them by place and by heading: a new one goes last, and none is renamed. */
export const TRANSACTION_COLUMNS: CsvColumn<ListedTransaction>[] = [
  { heading: columns.createdAt, value: (row) => formatInstantCell(row.createdAt) },
  { heading: columns.approvedAt, value: (row) => formatInstantCell(row.approvedAt) },
  { heading: columns.linkSlug, value: (row) => row.linkSlug },
  { heading: columns.linkTitle, value: (row) => row.linkTitle },
  { heading: columns.payer, value: (row) => row.payerName },
  { heading: columns.taxId, value: (row) => row.payerTaxId && maskTaxId(row.payerTaxId) },
  { heading: columns.method, value: formatMethodCell },
  { heading: columns.installments, value: (row) => row.installments },
  { heading: columns.amount, value: (row) => formatMoneyCell(row.amountCents) },
  { heading: columns.interest, value: (row) => formatMoneyCell(row.interestCents) },
  { heading: columns.total, value: (row) => formatMoneyCell(row.totalCents) },
  { heading: columns.refunded, value: (row) => formatMoneyCell(row.refundedCents) },
  { heading: columns.status, value: (row) => statuses[row.status] },
  { heading: columns.hold, value: formatHoldReason },
  { heading: columns.instrument, value: formatInstrumentCell },
  { heading: columns.externalReference, value: (row) => row.externalReference },
  { heading: columns.id, value: (row) => row.id },
  { heading: columns.testMode, value: (row) => (row.testMode ? texts.yes : texts.no) },
  { heading: columns.chargedBack, value: (row) => formatMoneyCell(row.chargedBackCents) },
  { heading: columns.customFields, value: formatAnswersCell },
  { heading: columns.ref, value: (row) => row.ref },
  { heading: columns.fee, value: (row) => formatKnownMoneyCell(row.feeCents) },
  { heading: columns.net, value: (row) => formatKnownMoneyCell(computeNet(row)) },
  {
    heading: columns.expectedOn,
    value: (row) => {
      const day = getPayoutDay(row)
      return day && formatCalendarDay(day)
    },
  },
  { heading: columns.payoutParts, value: (row) => (getPayoutDay(row) === null ? null : 1) },
  { heading: columns.pixTxid, value: (row) => row.pixTxid },
]

function formatMethodCell({ method }: ListedTransaction) {
  return method === 'pix' ? texts.methods.pix : texts.methods.credit_card
}

/** One column for all, since each link asks for other things: `Turma: 3º B; Tamanho: M`. */
function formatAnswersCell({ customFields }: ListedTransaction) {
  const answers = customFields?.map((one) => `${one.label}: ${formatAnswer(one)}`)
  return answers?.join('; ') ?? null
}

function formatInstrumentCell({ method, pixEndToEndId, cardBrand, cardLast4 }: ListedTransaction) {
  if (method === 'pix') return pixEndToEndId
  return cardBrand && cardLast4 ? cardEnding(cardBrand, cardLast4) : null
}
