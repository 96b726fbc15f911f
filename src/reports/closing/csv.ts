// The month as an accountant's spreadsheet takes it: by movement, and by day.

import { formatAnswer, formatCalendarDay, formatTaxId, maskTaxId } from '../../format.ts'
import {
  type CsvColumn,
  formatInstantCell,
  formatKnownMoneyCell,
  formatMoneyCell,
} from '../../http/csv.ts'
import { texts } from '../../texts.ts'
import { toDay } from '../days.ts'
import type { Closing, ClosingSums } from './closing.ts'
import type { ClosingLine } from './lines.ts'
import { closingTexts } from './texts.ts'

const { columns, files, kinds } = closingTexts

/** Documents are masked where they may not be seen in full. */
export function buildClosingColumns(showsDocuments: boolean): CsvColumn<ClosingLine>[] {
  const formatDocument = showsDocuments ? formatTaxId : maskTaxId
  return [
    { heading: columns.day, value: (row) => formatCalendarDay(row.day) },
    { heading: columns.kind, value: describeKind },
    { heading: columns.movedAt, value: (row) => formatInstantCell(row.movedAt) },
    { heading: columns.payer, value: (row) => row.payerName },
    { heading: columns.taxId, value: (row) => row.payerTaxId && formatDocument(row.payerTaxId) },
    { heading: columns.email, value: (row) => row.payerEmail },
    { heading: columns.link, value: (row) => row.linkTitle },
    { heading: columns.reference, value: (row) => row.externalReference },
    { heading: columns.tags, value: (row) => row.tags.join(', ') },
    { heading: columns.method, value: (row) => texts.methods[row.method] },
    { heading: columns.installments, value: (row) => row.installments },
    { heading: columns.price, value: (row) => formatMoneyCell(row.priceCents) },
    { heading: columns.interest, value: (row) => formatMoneyCell(row.interestCents) },
    { heading: columns.total, value: (row) => formatMoneyCell(row.totalCents) },
    { heading: columns.fee, value: (row) => formatKnownMoneyCell(row.feeCents) },
    { heading: columns.net, value: (row) => formatKnownMoneyCell(row.netCents) },
    { heading: columns.surplus, value: (row) => formatMoneyCell(row.surplusCents) },
    { heading: columns.answers, value: (row) => formatAnswers(row) },
    {
      heading: columns.expectedOn,
      value: ({ expectedOn }) => expectedOn && formatCalendarDay(expectedOn),
    },
    { heading: columns.proof, value: (row) => row.endToEndId ?? row.providerReference },
    { heading: columns.pixTxid, value: (row) => row.pixTxid },
    { heading: columns.id, value: (row) => row.transactionId },
  ]
}

/** `Venda`; `Venda (de 31/10/2026)` where it counts on a later day than it moved on. */
function describeKind({ kind, day, movedAt }: ClosingLine) {
  const movedOn = toDay(movedAt)
  return movedOn === day ? kinds[kind] : closingTexts.late(kinds[kind], formatCalendarDay(movedOn))
}

function formatAnswers({ customFields }: ClosingLine) {
  return (customFields ?? []).map((one) => `${one.label}: ${formatAnswer(one)}`).join('; ')
}

type DayCells = ClosingSums & { label: string; methodText: string }

export const CLOSING_DAY_COLUMNS: CsvColumn<DayCells>[] = [
  { heading: columns.day, value: (row) => row.label },
  { heading: columns.method, value: (row) => row.methodText },
  { heading: columns.count, value: (row) => row.count },
  { heading: columns.gross, value: (row) => formatMoneyCell(row.grossCents) },
  { heading: columns.refunded, value: (row) => formatMoneyCell(row.refundedCents - row.lostCents) },
  { heading: columns.lost, value: (row) => formatMoneyCell(row.lostCents) },
  { heading: columns.fee, value: (row) => formatKnownMoneyCell(row.feeCents) },
  { heading: columns.net, value: (row) => formatKnownMoneyCell(row.netCents) },
  { heading: columns.surplus, value: (row) => formatMoneyCell(row.surplusCents) },
]

/** Each day and method, and below them the sums of the month. */
export function listClosingCells({ days, byMethod, total }: Closing): DayCells[] {
  const toCells = (label: string, methodText: string, sums: ClosingSums) => {
    return { ...sums, label, methodText }
  }
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
