// Whom a row is for: nobody, or a person who can be told from others by a document or an e-mail.
import { NewCustomer } from '../../customers/schema.ts'
import { parseTaxId } from '../../customers/tax-id.ts'
import { toFieldErrors } from '../../http/zod.ts'
import type { ImportedPerson, RowFault } from '../../payment-links/import/link-import.ts'
import type { Cells } from './columns.ts'
import { linkImportTexts } from './texts.ts'

type ReadCustomerResult =
  | { kind: 'read'; person: ImportedPerson | null }
  | { kind: 'invalid'; faults: RowFault[] }

const words = linkImportTexts.rows
const CPF_WITHOUT_ZEROS = /^\d{7,10}$/
const CNPJ_WITHOUT_ZEROS = /^\d{12,13}$/

export function readCustomerCells(cells: Cells): ReadCustomerResult {
  const { 'customer.name': name, 'customer.email': email, 'customer.taxId': taxId } = cells
  if (`${name}${email}${taxId}` === '') return { kind: 'read', person: null }
  const missing = findMissingCells(cells)
  const completed = restoreZeros(taxId)
  const given = { name, email: email || null, taxId: (completed ?? taxId) || null }
  const { data, error } = NewCustomer.safeParse(given)
  if (data && missing.length === 0) {
    return {
      kind: 'read',
      person: { ...toPerson(data), ...(completed && { typedTaxId: taxId }) },
    }
  }
  const wrong = error ? toFieldErrors(error) : []
  const faults = wrong.map(({ field, message }) => ({ field: `customer.${field}`, message }))
  return { kind: 'invalid', faults: [...missing, ...faults] }
}

/** Spreadsheets take a document for a number and drop the zeros that it begins with. Undefined where none is lost. */
function restoreZeros(typed: string) {
  const length = CPF_WITHOUT_ZEROS.test(typed) ? 11 : CNPJ_WITHOUT_ZEROS.test(typed) ? 14 : 0
  return length > 0 ? parseTaxId(typed.padStart(length, '0')) : undefined
}

function findMissingCells({
  'customer.name': name,
  'customer.email': email,
  'customer.taxId': taxId,
}: Cells): RowFault[] {
  const isNameless = name === ''
  const isUnknowable = email === '' && taxId === ''
  return [
    ...(isNameless ? [{ field: 'customer.name', message: words.namelessCustomer }] : []),
    ...(isUnknowable ? [{ field: 'customer.taxId', message: words.unknowableCustomer }] : []),
  ]
}

function toPerson({ name, email = null, taxId = null }: NewCustomer): ImportedPerson {
  return { name, email, taxId }
}
