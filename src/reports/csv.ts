// Reports as tables: rows and the total below them; the closing of a month by movement and by day.

import { type FormatDocument, formatAnswer, formatCalendarDay } from '../format.ts'
import {
  centsColumn,
  countColumn,
  dayColumn,
  instantColumn,
  type TableColumn,
  textColumn,
} from '../http/tables/columns.ts'
import { texts } from '../texts.ts'
import type { Closing, ClosingLine, ClosingSums } from './closing.ts'
import { addDays, toDay } from './days.ts'
import type { Report, ReportKind, ReportRange, ReportRow } from './reports.ts'
import { closingTexts, reportTexts } from './texts.ts'

const { columns: heads, files, kinds } = closingTexts

export function buildReportColumns(kind: ReportKind): TableColumn<ReportRow>[] {
  return [
    kind === 'day'
      ? dayColumn(reportTexts.columns.day, ({ key, label }) => key ?? label)
      : textColumn(reportTexts.columns[kind], ({ label }) => label),
    countColumn(reportTexts.columns.count, (row) => row.count),
    centsColumn(reportTexts.columns.gross, (row) => row.grossCents),
    centsColumn(reportTexts.columns.refunded, (row) => row.refundedCents),
    centsColumn(reportTexts.columns.afterRefunds, (row) => row.afterRefundsCents),
    centsColumn(reportTexts.columns.fee, (row) => row.feeCents),
    centsColumn(reportTexts.columns.net, (row) => row.netCents),
  ]
}

export function listReportRows({ rows, total }: Report): ReportRow[] {
  return [...rows, { key: null, label: reportTexts.total, ...total }]
}

/** Returns `recebido-por-link-2026-11-01-a-2026-11-30`. */
export function buildReportFileName(
  kind: ReportKind,
  { from, to }: Pick<ReportRange, 'from' | 'to'>,
) {
  return `${reportTexts.names[kind]}-${from}-a-${addDays(to, -1)}`
}

export function buildClosingColumns(formatDocument: FormatDocument): TableColumn<ClosingLine>[] {
  return [
    dayColumn(heads.day, (row) => row.day),
    textColumn(heads.kind, describeKind),
    instantColumn(heads.movedAt, (row) => row.movedAt),
    textColumn(heads.payer, (row) => row.payerName),
    textColumn(heads.taxId, (row) => row.payerTaxId && formatDocument(row.payerTaxId)),
    textColumn(heads.email, (row) => row.payerEmail),
    textColumn(heads.link, (row) => row.linkTitle),
    textColumn(heads.reference, (row) => row.externalReference),
    textColumn(heads.tags, (row) => row.tags.join(', ')),
    textColumn(heads.method, (row) => texts.methods[row.method]),
    countColumn(heads.installments, (row) => row.installments),
    centsColumn(heads.price, (row) => row.priceCents),
    centsColumn(heads.interest, (row) => row.interestCents),
    centsColumn(heads.total, (row) => row.totalCents),
    centsColumn(heads.fee, (row) => row.feeCents),
    centsColumn(heads.net, (row) => row.netCents),
    centsColumn(heads.surplus, (row) => row.surplusCents),
    textColumn(heads.answers, formatAnswers),
    dayColumn(heads.expectedOn, (row) => row.expectedOn),
    textColumn(heads.proof, (row) => row.endToEndId ?? row.providerReference),
    textColumn(heads.pixTxid, (row) => row.pixTxid),
    textColumn(heads.id, (row) => row.transactionId),
    centsColumn(heads.discount, (row) => row.discountCents),
    textColumn(heads.institution, (row) => row.pixInstitution?.name ?? null),
    textColumn(heads.institutionCnpj, (row) => row.pixInstitution?.cnpj ?? null),
  ]
}

/** Returns `Venda`, or `Venda (de 31/10/2026)` when it counts on a later day than it happened. */
function describeKind({ kind, day, movedAt }: ClosingLine) {
  const movedOn = toDay(movedAt)
  return movedOn === day ? kinds[kind] : closingTexts.late(kinds[kind], formatCalendarDay(movedOn))
}

function formatAnswers({ customFields }: ClosingLine) {
  return (customFields ?? []).map((one) => `${one.label}: ${formatAnswer(one)}`).join('; ')
}

type DayCells = ClosingSums & { label: string; methodText: string }

export const CLOSING_DAY_COLUMNS: TableColumn<DayCells>[] = [
  dayColumn(heads.day, (row) => row.label),
  textColumn(heads.method, (row) => row.methodText),
  countColumn(heads.count, (row) => row.count),
  centsColumn(heads.gross, (row) => row.grossCents),
  centsColumn(heads.refunded, (row) => row.refundedCents - row.lostCents),
  centsColumn(heads.lost, (row) => row.lostCents),
  centsColumn(heads.fee, (row) => row.feeCents),
  centsColumn(heads.net, (row) => row.netCents),
  centsColumn(heads.surplus, (row) => row.surplusCents),
]

export function listClosingCells({ days, byMethod, total }: Closing): DayCells[] {
  const toCells = (label: string, methodText: string, sums: ClosingSums) => {
    return { ...sums, label, methodText }
  }
  return [
    ...days.map((row) => toCells(row.day, texts.methods[row.method], row)),
    toCells(closingTexts.total, texts.methods.pix, byMethod.pix),
    toCells(closingTexts.total, texts.methods.credit_card, byMethod.credit_card),
    toCells(closingTexts.total, closingTexts.all, total),
  ]
}

/** Returns `fechamento-2026-10-por-dia`. */
export function buildClosingFileName(month: string, kind: keyof typeof files) {
  return `fechamento-${month}-${files[kind]}`
}
