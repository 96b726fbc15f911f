// Checks one row of a file like the form of a link, and its customer, and returns all its errors.
import type { Company } from '../../companies/company.ts'
import { emailField } from '../../customers/contact.ts'
import type { Person } from '../../customers/resolve.ts'
import { NewCustomer } from '../../customers/schema.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { containsCardData } from '../../http/card-data.ts'
import { toFieldErrors } from '../../http/zod.ts'
import { readTaxId, restoreZeros } from '../../payer-rules.js'
import type { ImportedLink } from '../../payment-links/batch/import.ts'
import {
  findExpiryErrors,
  findInterestFreeErrors,
  findMethodErrors,
  getMaxInstallments,
} from '../../payment-links/field-errors.ts'
import { buildRecord } from '../../record.ts'
import { addDays } from '../../reports/days.ts'
import { texts } from '../../texts.ts'
import { DAY_END, parseLocalTime } from '../layout/local-time.ts'
import { createBlankLinkForm, type LinkForm, readNewLink } from '../links/form.ts'
import {
  type Cells,
  type ColumnIndexes,
  IMPORT_COLUMNS,
  IMPORT_FIELDS,
  type ImportField,
  type RowFault,
} from './columns.ts'
import type { CsvRecord, Separator } from './csv.ts'
import { linkImportTexts } from './texts.ts'

/**
 * `typedTaxId`: the document in the file, if lost leading zeros were restored. `column`: its name in the file, or in the
 * template if the file lacks it; empty for an error of the whole row.
 */
export type CheckedRow =
  | { kind: 'valid'; link: ImportedLink; typedTaxId: string | null }
  | { kind: 'refused'; line: number; faults: { column: string; message: string }[] }

type RowContext = {
  company: Company
  indexes: ColumnIndexes
  width: number
  names: readonly string[]
  separator: Separator
  now: Date
}

const words = linkImportTexts.rows
/** The character that another program writes for unreadable bytes. */
const UNREADABLE = '\ufffd'
/** `#N/D`, `#REF!`, `#NOME?`, and `####` of a column that is too narrow. */
const SHEET_ERROR = /^#(?:N\/[AD]|REF!|VALOR!|VALUE!|NOME\?|NAME\?|DIV\/0!|N[UÚ]M!|NUL[LO]!|#+)$/
/** `1,23457E+13`: the other digits are lost. */
const CUT_NUMBER = /^\d(?:[.,]\d+)?E\+\d+$/i
const DASH = /^[-–—]$/
/** Numbers to which a spreadsheet may add decimals. */
const WHOLE_FIELDS: readonly ImportField[] = [
  ...(['maxInstallments', 'interestFreeInstallments', 'maxPayments', 'customer.taxId'] as const),
]
const NO_CENTS = /,00?$/
/** A day as spreadsheets count them, from 2009 to 2173. */
const SHEET_DAY = /^[4-9]\d{4}$/
const SHEET_DAY_ZERO = '1899-12-30'
/** A Map, because an object would also have `constructor`. */
const METHOD_NAMES = new Map<string, PaymentMethod>([
  ['pix', 'pix'],
  ['cartao', 'credit_card'],
  ['cartao credito', 'credit_card'],
  ['cartao de credito', 'credit_card'],
  ['credito', 'credit_card'],
])
const SUM_WORDS = '(?:(?:valor |grand |sub[- ]?)?tota(?:l|is)|soma(?:torio)?|saldo|media)'
const SUM_SCOPES =
  '(?: (?:geral|parcial|final|bruto|liquido|a receber|recebido|d[oa] (?:dia|semana|mes|ano|periodo|planilha)))*'
const COUNTED = '(?:(?:[^a-z]|r\\$)*(?:de )?\\d+ [a-z]+| de [a-z]+ ?[:=] ?\\d+)?'
/** Texts below the rows of a sheet: `Total`, `Subtotal:`, `TOTAL GERAL (3)`, `Total de 40 alunos`. */
const TOTAL = new RegExp(`^${SUM_WORDS}${SUM_SCOPES}${COUNTED}(?:[^a-z]|r\\$)*$`)
const MAX_TOTAL_LENGTH = 60
/** Where two digits alone are hardly meant. */
const WORDED_FIELDS = ['title', 'description', 'tags'] as const
const NUMBERED_FIELDS: readonly ImportField[] = ['externalReference', 'customer.taxId']
/** What a link without cards has no use for. */
const CARD_FIELDS = ['maxInstallments', 'interestFreeInstallments'] as const
const WHOLE_REAIS = /^(?:R\$\s*)?\d+$/
const CENTS = /^\d\d$/
/** In the form's words, where they are not those of the API. */
const API_FIELDS: Record<string, ImportField> = {
  amount: 'amountCents',
  pixDiscount: 'pixDiscountBps',
}

/** @param knownName the name of the customer whom the company knows by the row's document or e-mail */
export function checkRow(
  { line, cells: given }: CsvRecord,
  knownName: string | null,
  context: RowContext,
): CheckedRow {
  const { company, indexes, width, now } = context
  const cells = readCells(given, indexes)
  if (isTotal(given, cells)) return refuseRow(line, [{ field: '', message: words.total }], context)
  const { person, typedTaxId, faults: customerFaults } = readCustomerCells(cells, knownName)
  const { form, faults } = readLinkCells(cells, company)
  const read = readNewLink(form, null)
  const isLonger = given.slice(width).some((cell) => cell.trim() !== '')
  const all = [
    ...(isLonger ? [{ field: '', message: words.tooManyCells(given.length, width) }] : []),
    ...findUnreadableCells(cells),
    ...(isAmountCut(cells, context) ? [{ field: 'amountCents', message: words.cutAmount }] : []),
    ...faults,
    ...(read.kind === 'invalid' ? read.errors.map(toApiField) : []),
    ...(read.kind === 'valid'
      ? findInterestFreeErrors(read.values, getMaxInstallments(company, read.values))
      : []),
    ...findMethodErrors(company, form.methods),
    ...findExpiryErrors(parseLocalTime(form.expiresAt, DAY_END), now),
    ...customerFaults,
  ]
  if (all.length > 0 || read.kind === 'invalid') return refuseRow(line, all, context)
  return { kind: 'valid', link: { line, input: read.values, customer: person }, typedTaxId }
}

export function readCells(given: readonly string[], indexes: ColumnIndexes): Cells {
  return buildRecord(IMPORT_FIELDS, (field) => {
    const cell = (given[indexes.get(field) ?? -1] ?? '').trim().replace(DASH, '')
    return WHOLE_FIELDS.includes(field) ? cell.replace(NO_CENTS, '') : cell
  })
}

/** Reads by what the company may know the person of a row. */
export function readPerson({ 'customer.email': email, 'customer.taxId': taxId }: Cells): Person {
  return {
    name: '',
    email: emailField.safeParse(email).data ?? null,
    taxId: restoreZeros(taxId) ?? readTaxId(taxId) ?? null,
  }
}

/** A row with a total names no person. */
function isTotal(given: readonly string[], cells: Cells) {
  const { title, 'customer.email': email, 'customer.taxId': taxId } = cells
  if (email.includes('@') || readTaxId(taxId)) return false
  return isTotalLabel(title) || (title === '' && given.some(isTotalLabel))
}

function isTotalLabel(cell: string) {
  const text = cell.trim()
  return text.length <= MAX_TOTAL_LENGTH && TOTAL.test(removeAccents(text).replace(/\s+/g, ' '))
}

function removeAccents(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Finds unreadable cells; their errors come before all others. */
function findUnreadableCells(cells: Cells): RowFault[] {
  return IMPORT_FIELDS.flatMap((field) => {
    const cell = cells[field]
    if (containsCardData(cell)) return { field, message: texts.cardDataRefused }
    if (cell.includes(UNREADABLE)) return { field, message: words.unreadable }
    if (SHEET_ERROR.test(cell)) return { field, message: words.sheetError(cell) }
    return NUMBERED_FIELDS.includes(field) && CUT_NUMBER.test(cell)
      ? { field, message: words.cutNumber }
      : []
  })
}

/** Without quotes, `19,90` between commas becomes 19 and a next cell 90, another amount. */
function isAmountCut(cells: Cells, { indexes, separator }: RowContext) {
  const index = indexes.get('amountCents') ?? -1
  const next = WORDED_FIELDS.find((field) => indexes.get(field) === index + 1)
  if (separator !== ',' || next === undefined) return false
  return WHOLE_REAIS.test(cells.amountCents) && CENTS.test(cells[next])
}

function readLinkCells(cells: Cells, company: Company): { form: LinkForm; faults: RowFault[] } {
  const blank = createBlankLinkForm(company, null)
  const methods = cells.methods === '' ? blank.methods : parseMethods(cells.methods)
  const takesCards = methods === undefined || methods.includes('credit_card')
  const ofCards = CARD_FIELDS.filter(
    (field) => !takesCards && !['', '1'].includes(readTimes(cells[field])),
  )
  return {
    form: {
      ...blank,
      title: cells.title,
      description: cells.description,
      amount: cells.amountCents,
      methods: methods ?? blank.methods,
      maxInstallments: readTimes(cells.maxInstallments) || blank.maxInstallments,
      interestFreeInstallments: readTimes(cells.interestFreeInstallments),
      pixDiscount: cells.pixDiscountBps,
      tags: cells.tags,
      expiresAt: readSheetDay(cells.expiresAt),
      uses: cells.maxPayments === '' ? 'unlimited' : 'limited',
      maxPayments: cells.maxPayments,
      externalReference: cells.externalReference,
    },
    faults: [
      ...(methods === undefined ? [{ field: 'methods', message: words.methods }] : []),
      ...ofCards.map((field) => ({ field, message: words.needsCard })),
    ],
  }
}

/** Reads `3x` and `até 3 vezes` as `3`. */
function readTimes(typed: string) {
  return typed.replace(/^(?:at[ée]|em)\s+/i, '').replace(/(\d)\s*(?:x|vez(?:es)?)$/i, '$1')
}

/** Reads `46387` as `2026-12-31`. */
function readSheetDay(typed: string) {
  return SHEET_DAY.test(typed) ? addDays(SHEET_DAY_ZERO, Number(typed)) : typed
}

/** Undefined for an unknown method. */
function parseMethods(typed: string): PaymentMethod[] | undefined {
  const named = removeAccents(typed)
    .split(/[,;/+&]|\s(?:e|ou)\s/i)
    .map((name) => METHOD_NAMES.get(name.trim()))
  const known = named.filter((method) => method !== undefined)
  return known.length < named.length ? undefined : [...new Set(known)]
}

function toApiField({ field, message }: RowFault): RowFault {
  return { field: API_FIELDS[field] ?? field, message }
}

/** One sentence for the row as a whole and one for each cell, in the order of the template's columns. */
function refuseRow(
  line: number,
  wrong: readonly RowFault[],
  { indexes, names }: RowContext,
): CheckedRow {
  const whole = wrong.find(({ field }) => !IMPORT_FIELDS.some((known) => known === field))
  const ofCells = IMPORT_FIELDS.flatMap((name) => {
    const column = names[indexes.get(name) ?? -1] ?? IMPORT_COLUMNS[name]
    const fault = wrong.find(({ field }) => field === name)
    return fault ? { column, message: fault.message } : []
  })
  const faults = [...(whole ? [{ column: '', message: whole.message }] : []), ...ofCells]
  return { kind: 'refused', line, faults }
}

/** `typedTaxId`: the document in the file, if lost leading zeros were restored. */
type ReadCustomer = { person: Person | null; typedTaxId: string | null; faults: RowFault[] }

function readCustomerCells(cells: Cells, knownName: string | null): ReadCustomer {
  const { 'customer.email': email, 'customer.taxId': taxId } = cells
  const name = cells['customer.name'] || (knownName ?? '')
  if (`${name}${email}${taxId}` === '') return { person: null, typedTaxId: null, faults: [] }
  const completed = restoreZeros(taxId)
  const given = {
    name,
    email: email || null,
    taxId: (completed ?? readTaxId(taxId) ?? taxId) || null,
  }
  const { data, error } = NewCustomer.safeParse(given)
  const wrong = error ? toFieldErrors(error) : []
  return {
    person: data ? toPerson(data) : null,
    typedTaxId: completed === undefined ? null : taxId,
    faults: [
      ...findMissingCells({ ...cells, 'customer.name': name }),
      ...wrong.map(({ field, message }) => ({ field: `customer.${field}`, message })),
    ],
  }
}

export function toPerson({ name, email = null, taxId = null }: NewCustomer): Person {
  return { name, email, taxId }
}

function findMissingCells(cells: Cells): RowFault[] {
  const { 'customer.name': name, 'customer.email': email, 'customer.taxId': taxId } = cells
  const isUnknowable = email === '' && taxId === ''
  return [
    ...(name === '' ? [{ field: 'customer.name', message: words.namelessCustomer }] : []),
    ...(isUnknowable ? [{ field: 'customer.taxId', message: words.unknowableCustomer }] : []),
  ]
}
