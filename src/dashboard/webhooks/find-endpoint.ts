// The endpoint that an address of the dashboard names, and how what is done to it is audited.
import type { FastifyRequest } from 'fastify'
import { type AuditAction, recordAudit } from '../../companies/audit.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { type EndpointRow, findEndpoint } from '../../webhooks/endpoints/endpoint.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/serialize.ts'
import { type ById, type DashboardNeeds, getAuditActor } from '../layout/needs.ts'

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

/** Of another address than before the owners are told. */
export function recordEndpointChange(
  needs: DashboardNeeds,
  request: FastifyRequest,
  row: EndpointRow,
  { changed, details }: { changed: readonly string[]; details: Record<string, string> },
) {
  const record = changed.includes('url') ? recordEndpointNotice : recordEndpointAudit
  return record(needs, request, 'endpoint_changed', { ...row, details })
}

/** Owners are told of it, too. */
export async function recordEndpointNotice(
  { db, mail, now }: DashboardNeeds,
  request: FastifyRequest,
  action: 'secret_revealed' | 'secret_rotated' | 'endpoint_created' | 'endpoint_changed',
  { id, url, details = {} }: Pick<EndpointRow, 'id' | 'url'> & { details?: Record<string, string> },
) {
  const { testMode } = request.visitor.company
  const subject = stripUrlQuery(url)
  const entry = { action, subjectId: id, subject, details, testMode, now: now() }
  await recordSecurityChange(db, mail, { ...getAuditActor(request), ...entry })
}
