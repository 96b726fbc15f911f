// The month as an accountant's spreadsheet takes it: by payment, and by day.

import { formatCalendarDay, formatTaxId, maskTaxId } from '../../format.ts'
import {
  type CsvColumn,
  formatInstantCell,
  formatKnownMoneyCell,
  formatMoneyCell,
} from '../../http/csv.ts'
import { texts } from '../../texts.ts'
import type { Closing, ClosingSums } from './closing.ts'
import type { ClosingPayment } from './payments.ts'
import { closingTexts } from './texts.ts'

const { columns, files } = closingTexts

/** Whoever may not see documents in full has them masked, as everywhere. */
export function buildClosingColumns(showsDocuments: boolean): CsvColumn<ClosingPayment>[] {
  const formatDocument = showsDocuments ? formatTaxId : maskTaxId
  return [
    { heading: columns.approvedAt, value: (row) => formatInstantCell(row.approvedAt) },
    { heading: columns.payer, value: (row) => row.payerName },
    { heading: columns.taxId, value: (row) => row.payerTaxId && formatDocument(row.payerTaxId) },
    { heading: columns.link, value: (row) => row.linkTitle },
    { heading: columns.reference, value: (row) => row.externalReference },
    { heading: columns.tags, value: (row) => row.tags.join(', ') },
    { heading: columns.method, value: (row) => texts.methods[row.method] },
    { heading: columns.installments, value: (row) => row.installments },
    ...buildSumColumns<ClosingPayment>(),
    { heading: columns.expectedOn, value: ({ expectedOn: day }) => day && formatCalendarDay(day) },
    { heading: columns.payoutParts, value: ({ expectedOn: day }) => (day === null ? null : 1) },
    { heading: columns.proof, value: (row) => row.endToEndId ?? row.providerReference },
    { heading: columns.id, value: (row) => row.id },
  ]
}

type DayCells = ClosingSums & { label: string; methodText: string }

export const CLOSING_DAY_COLUMNS: CsvColumn<DayCells>[] = [
  { heading: columns.day, value: (row) => row.label },
  { heading: columns.method, value: (row) => row.methodText },
  { heading: columns.count, value: (row) => row.count },
  ...buildSumColumns<DayCells>(),
]

/** Each day and method, and below them the sums of the month. */
export function listClosingCells({ days, byMethod, total }: Closing): DayCells[] {
  const toCells = (label: string, methodText: string, sums: ClosingSums) => ({
    ...{ ...sums, label, methodText },
  })
  return [
    ...days.map((row) => toCells(formatCalendarDay(row.day), texts.methods[row.method], row)),
    toCells(closingTexts.total, texts.methods.pix, byMethod.pix),
    toCells(closingTexts.total, texts.methods.credit_card, byMethod.credit_card),
    toCells(closingTexts.total, closingTexts.all, total),
  ]
}

/** `fechamento-2026-10-por-dia.csv` */
export function buildClosingFileName(month: string, kind: keyof typeof files) {
  return `fechamento-${month}-${files[kind]}.csv`
}

type Summed = Omit<ClosingSums, 'count' | 'withoutFeeCount'>

function buildSumColumns<Row extends Summed>(): CsvColumn<Row>[] {
  return [
    { heading: columns.gross, value: (row) => formatMoneyCell(row.grossCents) },
    { heading: columns.refunded, value: (row) => formatMoneyCell(row.refundedCents) },
    { heading: columns.lost, value: (row) => formatMoneyCell(row.lostCents) },
    { heading: columns.fee, value: (row) => formatKnownMoneyCell(row.feeCents) },
    { heading: columns.net, value: (row) => formatKnownMoneyCell(row.netCents) },
  ]
}
