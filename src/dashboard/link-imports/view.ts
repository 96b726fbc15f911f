// Files of links as the pages show them.

import { formatBrl, formatTaxId } from '../../format.ts'
import type {
  listCompletedDocuments,
  listOtherwiseKnown,
} from '../../payment-links/import/known-customers.ts'
import type { ImportRow, LinkImport, RowFault } from '../../payment-links/import/link-import.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { getEntries } from '../../record.ts'
import { linkImportPath, linkPagePath } from '../layout/paths.ts'
import type { Badge } from '../layout/values/badge.ts'
import { toTimeView } from '../layout/values/time.ts'
import { IMPORT_COLUMNS } from './columns.ts'
import { linkImportTexts } from './texts.ts'

const words = linkImportTexts

const IMPORT_TONES: Record<LinkImport['status'], Badge['tone']> = {
  draft: 'neutral',
  running: 'waiting',
  done: 'good',
}

/** One row of the list. */
export function toImportListRow(one: LinkImport, now: Date) {
  return {
    name: one.fileName,
    href: linkImportPath(one.id),
    status: toStatusBadge(one),
    created: formatCount(one.createdCount),
    refused: formatCount(one.refusedCount),
    when: toTimeView(one.createdAt, now),
  }
}

/** @param repeatedCount of its rows that seem to be links already, and are not ticked */
export function toImportView(one: LinkImport, repeatedCount = 0) {
  const { fileName: name, status, rowCount, createdCount, refusedCount, leftOut } = one
  const valid = rowCount - refusedCount - createdCount
  return {
    ...{ name, status, isWindows1252: one.isWindows1252, when: toTimeView(one.createdAt) },
    badge: toStatusBadge(one),
    rows: formatCount(rowCount),
    created: formatCount(createdCount),
    refused: formatCount(refusedCount - repeatedCount),
    unticked: repeatedCount > 0 ? formatCount(repeatedCount) : null,
    hasRefused: refusedCount > repeatedCount,
    valid: formatCount(valid),
    amount: formatBrl(one.amountCents),
    confirm: buildConfirmText(valid, repeatedCount),
    leftOut: leftOut.length > 0 ? words.leftOut(leftOut) : null,
    progress: { value: createdCount + refusedCount, max: rowCount },
    done: formatCount(createdCount + refusedCount),
  }
}

/** Null where nothing can be made. */
function buildConfirmText(valid: number, repeatedCount: number) {
  if (repeatedCount > 0) return valid > 0 ? words.confirmWithTicked(valid) : words.confirmTicked
  return valid > 0 ? words.confirm(valid) : null
}

/** All that is wrong with a row, cell by cell. */
export function toFaultRow({ line, faults }: ImportRow) {
  return {
    line,
    faults: faults.map(({ field, message }) => ({ column: getColumnName(field), message })),
  }
}

export function toMadeRow(
  { line, title, amountCents, linkId, slug }: ImportRow,
  checkoutUrl: string,
) {
  if (title === null || amountCents === null || linkId === null || slug === null) return []
  const url = linkUrl(checkoutUrl, slug)
  return [{ line, title, amount: formatBrl(amountCents), href: linkPagePath(linkId), url }]
}

type OtherwiseKnown = Awaited<ReturnType<typeof listOtherwiseKnown>>

type CompletedDocument = Awaited<ReturnType<typeof listCompletedDocuments>>[number]

export function toCompletedRow({ line, name, typed, taxId }: CompletedDocument) {
  return { line, name, typed, taxId: formatTaxId(taxId) }
}

/** Null where the file calls nobody otherwise than the company does. */
export function toKnownView({ customers, count }: OtherwiseKnown) {
  if (count === 0) return null
  const left = count - customers.length
  return { customers, more: left > 0 ? words.moreKnown(left) : null }
}

/** `valor: Informe o valor em reais. · titulo: …` */
export function formatFaults(faults: readonly RowFault[]) {
  return faults.map(({ field, message }) => `${getColumnName(field)}: ${message}`).join(' · ')
}

function getColumnName(field: string) {
  return getEntries(IMPORT_COLUMNS).find(([known]) => known === field)?.[1] ?? words.wholeRow
}

function toStatusBadge({ status }: LinkImport): Badge {
  return { tone: IMPORT_TONES[status], text: words.statuses[status] }
}

function formatCount(n: number) {
  return n.toLocaleString('pt-BR')
}
