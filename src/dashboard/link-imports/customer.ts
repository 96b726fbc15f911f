// The customer of a row: none, or a person identified by a document or an e-mail.

import type { Person } from '../../customers/resolve.ts'
import { NewCustomer } from '../../customers/schema.ts'
import { toFieldErrors } from '../../http/zod.ts'
import { parseTaxId } from '../../payer-rules.js'
import type { Cells, RowFault } from './columns.ts'
import { linkImportTexts } from './texts.ts'

/** `typedTaxId`: the document in the file, if lost leading zeros were restored. */
type ReadCustomer = { person: Person | null; typedTaxId: string | null; faults: RowFault[] }

const words = linkImportTexts.rows
const CPF_WITHOUT_ZEROS = /^\d{7,10}$/
const CNPJ_WITHOUT_ZEROS = /^\d{12,13}$/

export function readCustomerCells(cells: Cells): ReadCustomer {
  const { 'customer.name': name, 'customer.email': email, 'customer.taxId': taxId } = cells
  if (`${name}${email}${taxId}` === '') return { person: null, typedTaxId: null, faults: [] }
  const completed = restoreZeros(taxId)
  const given = { name, email: email || null, taxId: (completed ?? taxId) || null }
  const { data, error } = NewCustomer.safeParse(given)
  const wrong = error ? toFieldErrors(error) : []
  return {
    person: data ? toPerson(data) : null,
    typedTaxId: completed === undefined ? null : taxId,
    faults: [
      ...findMissingCells(cells),
      ...wrong.map(({ field, message }) => ({ field: `customer.${field}`, message })),
    ],
  }
}

export function toPerson({ name, email = null, taxId = null }: NewCustomer): Person {
  return { name, email, taxId }
}

/** Restores leading zeros, which spreadsheets remove from documents. Undefined when none is lost. */
function restoreZeros(typed: string) {
  const length = CPF_WITHOUT_ZEROS.test(typed) ? 11 : CNPJ_WITHOUT_ZEROS.test(typed) ? 14 : 0
  return length > 0 ? parseTaxId(typed.padStart(length, '0')) : undefined
}

function findMissingCells(cells: Cells): RowFault[] {
  const { 'customer.name': name, 'customer.email': email, 'customer.taxId': taxId } = cells
  const isUnknowable = email === '' && taxId === ''
  return [
    ...(name === '' ? [{ field: 'customer.name', message: words.namelessCustomer }] : []),
    ...(isUnknowable ? [{ field: 'customer.taxId', message: words.unknowableCustomer }] : []),
  ]
}
