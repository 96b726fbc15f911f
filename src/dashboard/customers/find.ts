// The customer that an address of the dashboard names, and what is remembered of what was done to it.

import type { FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { findCustomer } from '../../customers/customer.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { notFound } from '../../http/errors.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'

export type ById = { Params: { id: string } }

/** Of another company it is not found, nor is one that was forgotten. */
export async function findOwnCustomer(db: Database, { visitor, params }: FastifyRequest<ById>) {
  const customer = await findCustomer(db, visitor.company.id, params.id)
  if (!customer) throw notFound(customerTexts.notFound)
  return customer
}

/** Without the name, which would outlive its being forgotten. */
export async function recordOnCustomer(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  action: Extract<AuditAction, `customer_${string}`>,
  subjectId: string,
) {
  await recordAudit(db, { ...actorOf(request), action, subjectId, now: now() })
}
