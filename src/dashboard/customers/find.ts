// Finds the customer of an address or a document, and audits actions on it.

import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import { PageQuery } from '../../http/pagination.ts'
import { parseTaxId } from '../../payer-rules.js'
import type { ById } from '../layout/needs.ts'

/** Throws 404 when the customer belongs to another company, or was anonymized. */
export async function findRequestedCustomer(
  db: Database,
  { visitor, params }: FastifyRequest<ById>,
) {
  const customer = await findCustomer(db, visitor.company.id, params.id)
  if (!customer) throw notFoundError(customerTexts.notFound)
  return customer
}

export async function findCustomerByTaxId(
  db: Database,
  { visitor }: FastifyRequest,
  typed: string,
) {
  const taxId = parseTaxId(typed)
  if (!taxId) return undefined
  const [customer] = await listCustomers(db, visitor.company.id, { ...PageQuery.parse({}), taxId })
  return customer
}
