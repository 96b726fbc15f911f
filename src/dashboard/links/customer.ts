// Finds the customer of a link from its form: by document, or the customer who is linked already.

import { findCustomer } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { maskTaxId } from '../../format.ts'
import { PageQuery } from '../../http/pagination.ts'
import { parseTaxId } from '../../payer-rules.js'
import { texts } from '../../texts.ts'
import type { LinkForm } from './form.ts'
import { linkPageTexts } from './texts.ts'

/** Both kinds have the link's customer for now, so that the rest of the form can be checked. */
export type FormCustomer =
  | { kind: 'found'; id: string | null }
  | { kind: 'invalid'; id: string | null; message: string }

/** A typed document comes first, then the present customer, if kept. */
export async function resolveFormCustomer(
  db: Database,
  companyId: string,
  form: LinkForm,
): Promise<FormCustomer> {
  const id = form.keepCustomer && form.customerId ? form.customerId : null
  if (form.customer.trim() === '') return { kind: 'found', id }
  const taxId = parseTaxId(form.customer)
  if (!taxId) return { kind: 'invalid', id, message: texts.fields.taxId }
  const [known] = await listCustomers(db, companyId, { ...PageQuery.parse({}), taxId })
  return known
    ? { kind: 'found', id: known.id }
    : { kind: 'invalid', id, message: linkPageTexts.noCustomer }
}

/** Null without a customer; an anonymized customer has no name. */
export async function findCustomerView(db: Database, companyId: string, { customerId }: LinkForm) {
  if (!customerId) return null
  const known = await findCustomer(db, companyId, customerId)
  if (!known) return { name: customerTexts.anonymous, taxId: null }
  return { name: known.name, taxId: known.taxId && maskTaxId(known.taxId) }
}
