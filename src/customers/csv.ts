import { type FormatDocument, formatPhone } from '../format.ts'
import { instantColumn, type TableColumn, textColumn } from '../http/tables/columns.ts'
import type { CustomerRow } from './customer.ts'
import { customerTexts } from './texts.ts'

const { columns } = customerTexts

export function buildCustomerColumns(formatDocument: FormatDocument): TableColumn<CustomerRow>[] {
  return [
    textColumn(columns.name, ({ name }) => name),
    textColumn(columns.taxId, ({ taxId }) => taxId && formatDocument(taxId)),
    textColumn(columns.email, ({ email }) => email),
    textColumn(columns.phone, ({ phone }) => phone && formatPhone(phone)),
    instantColumn(columns.createdAt, ({ createdAt }) => createdAt),
    instantColumn(columns.updatedAt, ({ updatedAt }) => updatedAt),
    textColumn(columns.id, ({ id }) => id),
  ]
}
