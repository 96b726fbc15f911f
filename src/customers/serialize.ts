// How a customer looks to a company in the API's answers.
import { maskTaxId } from '../format.ts'
import type { CustomerRow } from './customer.ts'
import type { Customer } from './schema.ts'

export function serializeCustomer({ taxId, ...row }: CustomerRow, testMode: boolean): Customer {
  const { id, name, email, phone, createdAt, updatedAt } = row
  return {
    id,
    name,
    email,
    phone,
    taxId: taxId && maskTaxId(taxId),
    testMode,
    createdAt,
    updatedAt,
  }
}
