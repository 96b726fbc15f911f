// Customers as the pages of the dashboard show them. Lists mask the document, since they are seen by
// whoever looks over a shoulder; the page of one customer shows it whole.

import type { CustomerRow } from '../../customers/customer.ts'
import { formatPhone, formatTaxId, maskTaxId } from '../../format.ts'
import { momentOf } from '../layout/page.ts'
import { customerPath } from '../layout/paths.ts'

/** One row of the list. */
export function customerRow({ id, name, taxId, email, phone, createdAt }: CustomerRow) {
  return {
    name,
    href: customerPath(id),
    taxId: taxId && maskTaxId(taxId),
    email,
    phone: phone && formatPhone(phone),
    created: momentOf(createdAt),
  }
}

/** Everything about one. */
export function customerFacts({ taxId, updatedAt, ...row }: CustomerRow) {
  return {
    ...customerRow({ ...row, taxId, updatedAt }),
    id: row.id,
    taxId: taxId && formatTaxId(taxId),
    updated: momentOf(updatedAt),
  }
}
