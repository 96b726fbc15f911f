import { formatPhone, formatTaxId, maskTaxId } from '../format.ts'
import { instantColumn, type TableColumn, textColumn } from '../http/tables/columns.ts'
import type { CustomerRow } from './customer.ts'
import { customerTexts } from './texts.ts'

const { columns } = customerTexts

/** @param showsDocuments whether documents are written in full */
export function buildCustomerColumns(showsDocuments: boolean): TableColumn<CustomerRow>[] {
  const formatDocument = showsDocuments ? formatTaxId : maskTaxId
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
