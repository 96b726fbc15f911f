// The endpoint that an address of the dashboard names, and how what is done to it is audited.
import type { FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { type EndpointRow, findEndpoint } from '../../webhooks/endpoints/endpoint.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/serialize.ts'
import { type ById, type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { recordSecurityChange } from '../layout/security.ts'

/** Of another company it is not found. */
export function findRequestedEndpoint(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<ById>,
) {
  return findEndpoint(db, visitor.company.id, params.id)
}

export async function recordEndpointAudit(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  action: Extract<AuditAction, `endpoint_${string}` | 'test_event_sent'>,
  { id, url, details = {} }: Pick<EndpointRow, 'id' | 'url'> & { details?: Record<string, string> },
) {
  const entry = { action, subjectId: id, subject: stripUrlQuery(url), details, now: now() }
  await recordAudit(db, { ...getAuditActor(request), ...entry })
}

/** Owners are told of it, too. */
export async function recordSecretChange(
  { db, mail, now }: DashboardNeeds,
  request: FastifyRequest,
  action: 'secret_revealed' | 'secret_rotated',
  { id, url }: Pick<EndpointRow, 'id' | 'url'>,
) {
  const { testMode } = request.visitor.company
  const entry = { action, subjectId: id, subject: stripUrlQuery(url), testMode, now: now() }
  await recordSecurityChange(db, mail, { ...getAuditActor(request), ...entry })
}
