// Transactions for bookkeepers: one row each, in Portuguese and in the time of São Paulo.

import { UTM_NAMES } from '../database/enums.ts'
import { type FormatDocument, formatAnswer, toPlainSpaces } from '../format.ts'
import {
  centsColumn,
  countColumn,
  dayColumn,
  instantColumn,
  type TableColumn,
  textColumn,
} from '../http/tables/columns.ts'
import { texts } from '../texts.ts'
import type { ListedTransaction } from './list/listed.ts'
import { computeNet, getPayoutDay } from './payout.ts'
import { transactionTexts } from './texts.ts'
import { formatHoldReason } from './transaction.ts'

const { columns, statuses, cardEnding } = transactionTexts

/** Programs read columns by position and heading: new ones go last, and none is renamed. */
export function buildTransactionColumns(
  formatDocument: FormatDocument,
): TableColumn<ListedTransaction>[] {
  return [
    instantColumn(columns.createdAt, (row) => row.createdAt),
    instantColumn(columns.approvedAt, (row) => row.approvedAt),
    textColumn(columns.linkSlug, (row) => row.linkSlug),
    textColumn(columns.linkTitle, (row) => row.linkTitle),
    textColumn(columns.payer, (row) => row.payerName),
    textColumn(columns.taxId, (row) => row.payerTaxId && formatDocument(row.payerTaxId)),
    textColumn(columns.method, (row) => texts.methods[row.method]),
    countColumn(columns.installments, (row) => row.installments),
    centsColumn(columns.amount, (row) => row.amountCents),
    centsColumn(columns.interest, (row) => row.interestCents),
    centsColumn(columns.total, (row) => row.totalCents),
    centsColumn(columns.refunded, (row) => row.refundedCents),
    textColumn(columns.status, (row) => statuses[row.status]),
    textColumn(columns.hold, (row) => toPlainSpaces(formatHoldReason(row) ?? '')),
    textColumn(columns.instrument, formatInstrumentCell),
    textColumn(columns.externalReference, (row) => row.externalReference),
    textColumn(columns.id, (row) => row.id),
    textColumn(columns.testMode, (row) => (row.testMode ? texts.yes : texts.no)),
    centsColumn(columns.chargedBack, (row) => row.chargedBackCents),
    textColumn(columns.customFields, formatAnswersCell),
    textColumn(columns.ref, (row) => row.ref),
    centsColumn(columns.fee, (row) => row.feeCents),
    centsColumn(columns.net, computeNet),
    dayColumn(columns.expectedOn, getPayoutDay),
    countColumn(columns.payoutParts, (row) => (getPayoutDay(row) === null ? null : 1)),
    textColumn(columns.pixTxid, (row) => row.pixTxid),
    ...UTM_NAMES.map((name) =>
      textColumn<ListedTransaction>(`utm_${name}`, ({ utm }) => utm?.[name] ?? null),
    ),
    centsColumn(columns.discount, (row) => row.discountCents),
    textColumn(columns.institution, (row) => row.pixInstitution?.name ?? null),
    textColumn(columns.institutionCnpj, (row) => row.pixInstitution?.cnpj ?? null),
  ]
}

/** All answers share one column, since each link has other questions: `Turma: 3º B; Tamanho: M`. */
function formatAnswersCell({ customFields }: ListedTransaction) {
  const answers = customFields?.map((one) => `${one.label}: ${formatAnswer(one)}`)
  return answers?.join('; ') ?? null
}

function formatInstrumentCell({ method, pixEndToEndId, cardBrand, cardLast4 }: ListedTransaction) {
  if (method === 'pix') return pixEndToEndId
  return cardBrand && cardLast4 ? cardEnding(cardBrand, cardLast4) : null
}
