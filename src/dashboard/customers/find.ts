// The customer that an address of the dashboard names, and what is remembered of what was done to it.

import type { FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { findCustomer } from '../../customers/customer.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { notFound } from '../../http/errors.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'

export type CustomerById = { Params: { id: string } }

/** Of another company it is not found, nor is one that was forgotten. */
export async function findRequestedCustomer(
  db: Database,
  { visitor, params }: FastifyRequest<CustomerById>,
) {
  const customer = await findCustomer(db, visitor.company.id, params.id)
  if (!customer) throw notFound(customerTexts.notFound)
  return customer
}

/** Without the name, which would outlive its being forgotten. */
export async function recordCustomerAudit(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  action: Extract<AuditAction, `customer_${string}`>,
  subjectId: string,
) {
  await recordAudit(db, { ...getAuditActor(request), action, subjectId, now: now() })
}
