// Finds customers, and shapes them for the pages. Lists mask the document, since other people may see the screen; the
// page of one customer shows it as its reader may see it.
import type { FastifyRequest } from 'fastify'
import { type CustomerRow, findCustomer } from '../../customers/customer.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { type FormatDocument, formatPhone, maskTaxId } from '../../format.ts'
import { notFoundError } from '../../http/errors.ts'
import type { ById } from '../layout/needs.ts'
import { customerPagePath } from '../layout/paths.ts'
import { toDayView, toTimeView } from '../layout/values.ts'

/** Throws 404 when the customer belongs to another company, or was anonymized. */
export async function findRequestedCustomer(
  db: Database,
  { visitor, params }: FastifyRequest<ById>,
) {
  const customer = await findCustomer(db, visitor.company.id, params.id)
  if (!customer) throw notFoundError(customerTexts.notFound)
  return customer
}

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

export function toCustomerDetails(customer: CustomerRow, formatDocument: FormatDocument) {
  const { id, name, taxId, email, phone, createdAt, updatedAt } = customer
  return {
    id,
    name,
    href: customerPagePath(id),
    taxId: taxId && formatDocument(taxId),
    email,
    phone: phone && formatPhone(phone),
    created: toTimeView(createdAt),
    updated: toTimeView(updatedAt),
  }
}
