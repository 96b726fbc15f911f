// Finds the link of an address, and audits actions on it.
import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../companies/audit.ts'
import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import { findPaymentLink, type LinkRow } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import type { ById, DashboardNeeds } from '../layout/needs.ts'
import { recordAct } from '../layout/security.ts'

/** Throws 404 when it belongs to another company. */
export async function findRequestedLink(db: Database, { visitor, params }: FastifyRequest<ById>) {
  const link = await findPaymentLink(db, visitor.company.id, params.id)
  if (!link) throw notFoundError(texts.linkNotFound)
  return link
}

export async function recordLinkAudit(
  needs: DashboardNeeds,
  request: FastifyRequest,
  action: Extract<AuditAction, `link_${string}` | 'cards_resumed'>,
  { id, title }: LinkRow,
  details: Record<string, string> = {},
) {
  await recordAct(needs, request, { action, subjectId: id, subject: title, details })
}
