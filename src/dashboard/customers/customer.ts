// Finds the customer of an address.
import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
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
