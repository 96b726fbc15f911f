// Customers as the dashboard shows them. Lists mask the document, since other people may see the screen; the page of
// one customer shows it in full.

import type { CustomerRow } from '../../customers/customer.ts'
import { formatPhone, formatTaxId, maskTaxId } from '../../format.ts'
import { customerPagePath } from '../layout/paths.ts'
import { toDayView, toTimeView } from '../layout/values/time.ts'

export function toCustomerRow(
  { id, name, taxId, email, phone, createdAt }: CustomerRow,
  now: Date,
) {
  const ways = [email, phone && formatPhone(phone)]
  return {
    name,
    href: customerPagePath(id),
    taxId: taxId && maskTaxId(taxId),
    contact: ways.filter((way) => way !== null).join(' · '),
    created: toDayView(createdAt, now),
  }
}

export function toCustomerDetails(customer: CustomerRow) {
  const { id, name, taxId, email, phone, createdAt, updatedAt } = customer
  return {
    id,
    name,
    href: customerPagePath(id),
    taxId: taxId && formatTaxId(taxId),
    email,
    phone: phone && formatPhone(phone),
    created: toTimeView(createdAt),
    updated: toTimeView(updatedAt),
  }
}
