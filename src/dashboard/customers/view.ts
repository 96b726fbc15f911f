// Customers as the pages of the dashboard show them. Lists mask the document, since they are seen by
// whoever looks over a shoulder; the page of one customer shows it whole.

import type { CustomerRow } from '../../customers/customer.ts'
import { formatPhone, formatTaxId, maskTaxId } from '../../format.ts'
import { customerPagePath } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'

/** One row of the list, by its `now`. */
export function toCustomerRow(
  { id, name, taxId, email, phone, createdAt }: CustomerRow,
  now?: Date,
) {
  return {
    name,
    href: customerPagePath(id),
    taxId: taxId && maskTaxId(taxId),
    email,
    phone: phone && formatPhone(phone),
    created: toTimeView(createdAt, now),
  }
}

/** Everything about one. */
export function toCustomerDetails({ taxId, updatedAt, ...row }: CustomerRow) {
  return {
    ...toCustomerRow({ ...row, taxId, updatedAt }),
    id: row.id,
    taxId: taxId && formatTaxId(taxId),
    updated: toTimeView(updatedAt),
  }
}
