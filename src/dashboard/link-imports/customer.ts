// Whom a row is for: nobody, or a person who can be told from others by a document or an e-mail.
import type { Person } from '../../customers/resolve.ts'
import { NewCustomer } from '../../customers/schema.ts'
import { toFieldErrors } from '../../http/zod.ts'
import type { RowFault } from '../../payment-links/import/link-import.ts'
import type { Cells } from './columns.ts'
import { linkImportTexts } from './texts.ts'

type ReadCustomerResult =
  | { kind: 'read'; person: Person | null }
  | { kind: 'invalid'; faults: RowFault[] }

const words = linkImportTexts.rows

export function readCustomerCells(cells: Cells): ReadCustomerResult {
  const { 'customer.name': name, 'customer.email': email, 'customer.taxId': taxId } = cells
  if (`${name}${email}${taxId}` === '') return { kind: 'read', person: null }
  const missing = findMissingCells(cells)
  const given = { name, email: email || null, taxId: taxId || null }
  const { data, error } = NewCustomer.safeParse(given)
  if (data && missing.length === 0) return { kind: 'read', person: toPerson(data) }
  const wrong = error ? toFieldErrors(error) : []
  const faults = wrong.map(({ field, message }) => ({ field: `customer.${field}`, message }))
  return { kind: 'invalid', faults: [...missing, ...faults] }
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

function toPerson({ name, email = null, taxId = null }: NewCustomer): Person {
  return { name, email, taxId }
}
