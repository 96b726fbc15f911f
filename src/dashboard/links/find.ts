// The link that an address of the dashboard names, and what is remembered of what was done to it.
import type { FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import type { Database } from '../../database/connect.ts'
import { notFound } from '../../http/errors.ts'
import { findPaymentLink, type LinkRow } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'

export type LinkById = { Params: { id: string } }

/** Of another company it is not found. */
export async function findRequestedLink(
  db: Database,
  { visitor, params }: FastifyRequest<LinkById>,
) {
  const link = await findPaymentLink(db, visitor.company.id, params.id)
  if (!link) throw notFound(texts.linkNotFound)
  return link
}

export async function recordLinkAudit(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  action: Extract<AuditAction, `link_${string}` | 'cards_resumed'>,
  { id, title }: LinkRow,
) {
  const entry = { action, subjectId: id, subject: title, now: now() }
  await recordAudit(db, { ...getAuditActor(request), ...entry })
}
