// The closing of a month as CSV, by movement and by day.

import { formatAnswer, formatCalendarDay, formatTaxId, maskTaxId } from '../../format.ts'
import {
  centsColumn,
  countColumn,
  dayColumn,
  instantColumn,
  type TableColumn,
  textColumn,
} from '../../http/tables/columns.ts'
import { texts } from '../../texts.ts'
import { toDay } from '../days.ts'
import type { Closing, ClosingSums } from './closing.ts'
import type { ClosingLine } from './lines.ts'
import { closingTexts } from './texts.ts'

const { columns, files, kinds } = closingTexts

/** @param showsDocuments whether documents are written in full */
export function buildClosingColumns(showsDocuments: boolean): TableColumn<ClosingLine>[] {
  const formatDocument = showsDocuments ? formatTaxId : maskTaxId
  return [
    dayColumn(columns.day, (row) => row.day),
    textColumn(columns.kind, describeKind),
    instantColumn(columns.movedAt, (row) => row.movedAt),
    textColumn(columns.payer, (row) => row.payerName),
    textColumn(columns.taxId, (row) => row.payerTaxId && formatDocument(row.payerTaxId)),
    textColumn(columns.email, (row) => row.payerEmail),
    textColumn(columns.link, (row) => row.linkTitle),
    textColumn(columns.reference, (row) => row.externalReference),
    textColumn(columns.tags, (row) => row.tags.join(', ')),
    textColumn(columns.method, (row) => texts.methods[row.method]),
    countColumn(columns.installments, (row) => row.installments),
    centsColumn(columns.price, (row) => row.priceCents),
    centsColumn(columns.interest, (row) => row.interestCents),
    centsColumn(columns.total, (row) => row.totalCents),
    centsColumn(columns.fee, (row) => row.feeCents),
    centsColumn(columns.net, (row) => row.netCents),
    centsColumn(columns.surplus, (row) => row.surplusCents),
    textColumn(columns.answers, formatAnswers),
    dayColumn(columns.expectedOn, (row) => row.expectedOn),
    textColumn(columns.proof, (row) => row.endToEndId ?? row.providerReference),
    textColumn(columns.pixTxid, (row) => row.pixTxid),
    textColumn(columns.id, (row) => row.transactionId),
    centsColumn(columns.discount, (row) => row.discountCents),
    textColumn(columns.institution, (row) => row.pixInstitution?.name ?? null),
    textColumn(columns.institutionCnpj, (row) => row.pixInstitution?.cnpj ?? null),
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
  dayColumn(columns.day, (row) => row.label),
  textColumn(columns.method, (row) => row.methodText),
  countColumn(columns.count, (row) => row.count),
  centsColumn(columns.gross, (row) => row.grossCents),
  centsColumn(columns.refunded, (row) => row.refundedCents - row.lostCents),
  centsColumn(columns.lost, (row) => row.lostCents),
  centsColumn(columns.fee, (row) => row.feeCents),
  centsColumn(columns.net, (row) => row.netCents),
  centsColumn(columns.surplus, (row) => row.surplusCents),
]

/** Lists each day and method, and then the sums of the month. */
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
