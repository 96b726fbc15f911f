// The columns of a file of links: what they are called, in which order the template has them, and which
// cells of a file are whose.
import { maskCardNumbers } from '../../card-numbers.ts'
import { getKeys } from '../../record.ts'
import { linkImportTexts } from './texts.ts'

/** By the field of the API that each becomes. */
export const IMPORT_COLUMNS = {
  title: 'titulo',
  amountCents: 'valor',
  description: 'descricao',
  methods: 'formas_de_pagamento',
  maxInstallments: 'parcelas',
  tags: 'etiquetas',
  expiresAt: 'expira_em',
  maxPayments: 'limite_de_pagamentos',
  externalReference: 'referencia',
  'customer.name': 'cliente_nome',
  'customer.email': 'cliente_email',
  'customer.taxId': 'cliente_documento',
} as const

export type ImportField = keyof typeof IMPORT_COLUMNS
/** What stands in a row, trimmed; empty where the file has no such column. */
export type Cells = Record<ImportField, string>
export const IMPORT_FIELDS = getKeys(IMPORT_COLUMNS)

const REQUIRED_FIELDS: readonly ImportField[] = ['title', 'amountCents']

/** Of what stands in place of a header, which may be all that a file has. */
const MAX_SHOWN_NAMES = 12
const MAX_SHOWN_LENGTH = 50

/** The cell of each field in a record; undefined where the file has no such column. */
export type ColumnPlaces = ReadonlyMap<ImportField, number>

type ReadHeaderResult =
  | { kind: 'read'; places: ColumnPlaces; width: number }
  | { kind: 'refused'; messages: string[] }

/** However names are written: `Título`, `TITULO`, `formas de pagamento`. */
export function readHeader(cells: readonly string[]): ReadHeaderResult {
  const words = linkImportTexts.files
  const names = cells.map(normalizeName)
  const width = names.findLastIndex((name) => name !== '') + 1
  const known: readonly string[] = Object.values(IMPORT_COLUMNS)
  const given = names.slice(0, width)
  const unknown = given.flatMap((name, i) => (known.includes(name) ? [] : [cells[i]?.trim() ?? '']))
  const repeated = given.filter((name, i) => known.includes(name) && given.indexOf(name) !== i)
  const missing = REQUIRED_FIELDS.map((field) => IMPORT_COLUMNS[field]).filter(
    (name) => !given.includes(name),
  )
  const messages = [
    ...(missing.length > 0 ? [words.missingColumns(missing)] : []),
    ...(unknown.length > 0 ? [words.unknownColumns(unknown.length, shortenNames(unknown))] : []),
    ...(repeated.length > 0 ? [words.repeatedColumns([...new Set(repeated)])] : []),
  ]
  if (messages.length > 0) return { kind: 'refused', messages }
  const places = IMPORT_FIELDS.flatMap((field) => {
    const place = given.indexOf(IMPORT_COLUMNS[field])
    return place === -1 ? [] : [[field, place] as const]
  })
  return { kind: 'read', places: new Map(places), width }
}

function shortenNames(names: readonly string[]) {
  return names.slice(0, MAX_SHOWN_NAMES).map((name) => {
    const shown = maskCardNumbers(name)
    return shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH)}…` : shown
  })
}

function normalizeName(name: string) {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/[^a-z\d]+/g, '_')
}
