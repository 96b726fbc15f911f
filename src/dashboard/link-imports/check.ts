// Checks a file before its links are created: rows with errors, rows that seem to exist as links, and the result of
// each other row. The page keeps the checked links until the button is pressed, since the server stores nothing of the
// file before; what comes back is validated by the API's schemas, like any form.

import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { findKnownCustomers, type Person } from '../../customers/resolve.ts'
import { NewCustomer } from '../../customers/schema.ts'
import type { Database } from '../../database/connect.ts'
import { newId } from '../../database/id.ts'
import { formatBrl, formatCount, formatInstant, formatPercent, formatTaxId } from '../../format.ts'
import { containsCardData } from '../../http/card-data.ts'
import { textField } from '../../http/text.ts'
import { type ImportedLink, MAX_IMPORT_LINKS } from '../../payment-links/batch/import.ts'
import { findRepeatedRows, type Repetition } from '../../payment-links/batch/repeated.ts'
import { NewPaymentLink } from '../../payment-links/schema.ts'
import { getEntries } from '../../record.ts'
import { texts } from '../../texts.ts'
import { linkPagePath } from '../layout/paths.ts'
import { IMPORT_FILE_BYTES, type ReadFile } from './file.ts'
import { type CheckedRow, toPerson } from './row.ts'
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

function toCheckView({ rows, repeated, knownNames }: CheckContext) {
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
      rows: rows.length,
      refused: refused.length,
      right: others.length,
      cents: amounts.reduce((sum, cents) => sum + cents, 0),
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
    expiresAt: expiresAt ? formatInstant(expiresAt) : '',
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

export const FileName = textField({ min: 1, max: 128 })

const CheckedLink = z.object({
  line: z.int(),
  /** The row seems to exist as a link, and is created only when it is ticked. */
  isRepeated: z.boolean(),
  input: NewPaymentLink,
  customer: NewCustomer.transform(toPerson).nullable(),
})

const CheckedFile = z.object({
  /** The id of the import: a repeated form means the same links. */
  id: z.uuid().toLowerCase(),
  name: FileName,
  links: z.array(CheckedLink).max(MAX_IMPORT_LINKS),
})

type CheckedFile = z.output<typeof CheckedFile>

/** The size of a form with the largest file: compressed, in base64. */
export const CHECKED_FILE_BYTES = 2 * IMPORT_FILE_BYTES
/** Two bytes for each letter of a file in Windows-1252, and a kilobyte for the field names of each row. */
const MAX_UNPACKED_BYTES = 2 * IMPORT_FILE_BYTES + MAX_IMPORT_LINKS * 1_024

function packFile(file: CheckedFile) {
  return gzipSync(JSON.stringify(file)).toString('base64url')
}

/** Undefined for data of other pages. Looks for card numbers, which the general check cannot see in them. */
export function unpackFile(packed: unknown): CheckedFile | undefined {
  const { data: file } = CheckedFile.safeParse(readPacked(packed))
  return file && containsCardData([file.name, file.links]) ? undefined : file
}

function readPacked(packed: unknown): unknown {
  if (typeof packed !== 'string') return undefined
  try {
    const bytes = Buffer.from(packed, 'base64url')
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString())
  } catch {
    return undefined
  }
}
