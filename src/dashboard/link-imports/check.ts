// Checks a file before its links are created: rows with errors, rows that seem to exist as links, and the result of
// each other row.

import { findKnownCustomers, type Person } from '../../customers/resolve.ts'
import type { Database } from '../../database/connect.ts'
import { newId } from '../../database/id.ts'
import { formatBrl, formatCount, formatPercent, formatTaxId } from '../../format.ts'
import type { ImportedLink } from '../../payment-links/batch/import.ts'
import { findRepeatedRows, type Repetition } from '../../payment-links/batch/repeated.ts'
import type { NewPaymentLink } from '../../payment-links/schema.ts'
import { getEntries } from '../../record.ts'
import { texts } from '../../texts.ts'
import { linkPagePath } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { packFile } from './checked-file.ts'
import type { ReadFile } from './file.ts'
import type { CheckedRow } from './row.ts'
import { linkImportTexts } from './texts.ts'

const words = linkImportTexts

export async function checkFile(
  db: Database,
  companyId: string,
  { name, rows, leftOut, isWindows1252 }: ReadFile & { name: string },
) {
  const links = rows.flatMap((row) => (row.kind === 'valid' ? row.link : []))
  const repeated = await findRepeatedRows(db, companyId, links)
  const knownNames = await findKnownNames(db, companyId, links)
  const checked = links.map((link) => ({ ...link, isRepeated: repeated.has(link.line) }))
  return {
    name,
    isWindows1252,
    leftOut: leftOut.length > 0 ? words.leftOut(leftOut) : null,
    /** The rows that may be created, as the form contains them. */
    packed: packFile({ id: newId(), name, links: checked }),
    ...toCheckView({ rows, repeated, knownNames }),
  }
}

type CheckContext = {
  rows: readonly CheckedRow[]
  repeated: ReadonlyMap<number, Repetition>
  /** Customers whom the company knows by another name, by the lines of their rows. */
  knownNames: ReadonlyMap<number, string>
}

export function toCheckView({ rows, repeated, knownNames }: CheckContext) {
  const valid = rows.flatMap((row) => (row.kind === 'valid' ? row : []))
  const refused = rows.flatMap((row) => (row.kind === 'refused' ? row : []))
  const shown = valid.map(({ link, typedTaxId }) => {
    const repetition = repeated.get(link.line)
    return toRowView(link, { repetition, typedTaxId, known: knownNames.get(link.line) })
  })
  const ticked = shown.filter(({ line }) => repeated.has(line))
  const others = shown.filter(({ line }) => !repeated.has(line))
  const amounts = valid.map(({ link }) => (repeated.has(link.line) ? 0 : link.input.amountCents))
  return {
    refused,
    repeated: ticked,
    /** Rows with a warning. */
    noted: others.filter(({ notes }) => notes.length > 0),
    right: others.filter(({ notes }) => notes.length === 0),
    counts: {
      rows: formatCount(rows.length),
      refused: formatCount(refused.length),
      right: formatCount(others.length),
      amount: formatBrl(amounts.reduce((sum, cents) => sum + cents, 0)),
    },
    tickAll: words.tickAll(ticked.length),
    button: buildButtonText(others.length, ticked.length),
  }
}

/** Finds customers who have another name in the file, by the lines of their rows. */
async function findKnownNames(db: Database, companyId: string, links: readonly ImportedLink[]) {
  const people = links.flatMap(({ line, customer }) => (customer ? { line, ...customer } : []))
  const known = await findKnownCustomers(db, companyId, people)
  return new Map(
    people.flatMap(({ line, name: given }, i) => {
      const name = known[i]?.name
      const isOther = name && name.toLowerCase() !== given.toLowerCase()
      return isOther ? [[line, name] as const] : []
    }),
  )
}

type RowRemarks = {
  repetition: Repetition | undefined
  typedTaxId: string | null
  known: string | undefined
}

function toRowView(
  { line, input, customer }: ImportedLink,
  { repetition, typedTaxId, known }: RowRemarks,
) {
  const details = getEntries(toDetails(input)).map(([field, text]) => {
    return { name: words.details[field], text }
  })
  return {
    line,
    title: input.title,
    amount: formatBrl(input.amountCents),
    details: details.filter(({ text }) => text !== ''),
    customer: customer ? formatPerson(customer, known) : words.nothing,
    reason: repetition?.message ?? null,
    href: repetition?.linkId ? linkPagePath(repetition.linkId) : null,
    notes: [
      ...(typedTaxId === null ? [] : [words.zerosRestored(typedTaxId)]),
      ...(known === undefined || !customer ? [] : [words.knownAs(known, customer.name)]),
    ],
  }
}

/** With the company's own name for known customers. */
function formatPerson({ name, email, taxId }: Person, known = name) {
  return [known, email, taxId && formatTaxId(taxId)].filter(Boolean).join('\n')
}

/** The other fields of a row; empty when there are none. */
function toDetails(input: NewPaymentLink) {
  const { maxInstallments, interestFreeInstallments, pixDiscountBps, expiresAt, maxPayments } =
    input
  return {
    description: input.description ?? '',
    methods: input.methods.map((method) => texts.methods[method]).join(', '),
    maxInstallments: maxInstallments ? `${maxInstallments}x` : '',
    interestFreeInstallments: interestFreeInstallments ? `${interestFreeInstallments}x` : '',
    pixDiscountBps: pixDiscountBps == null ? '' : formatPercent(pixDiscountBps),
    tags: input.tags.join(', '),
    expiresAt: expiresAt ? toTimeView(expiresAt).text : '',
    maxPayments: maxPayments ? formatCount(maxPayments) : '',
    externalReference: input.externalReference ?? '',
  }
}

/** Null when no link can be created. */
function buildButtonText(rightCount: number, repeatedCount: number) {
  if (repeatedCount > 0) {
    return rightCount > 0 ? words.confirmWithTicked(rightCount) : words.confirmTicked
  }
  return rightCount > 0 ? words.confirm(rightCount) : null
}
