// The endpoint that an address of the dashboard names, and how what is done to it is audited.
import type { FastifyRequest } from 'fastify'
import { type EndpointAct, recordEndpointAct } from '../../webhooks/endpoints/audit.ts'
import { findEndpoint } from '../../webhooks/endpoints/endpoint.ts'
import { type ById, type DashboardNeeds, getAuditActor } from '../layout/needs.ts'

/** Of another company it is not found. */
export function findRequestedEndpoint(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<ById>,
) {
  return findEndpoint(db, visitor.company.id, params.id)
}

export function recordOwnEndpointAct(
  needs: DashboardNeeds,
  request: FastifyRequest,
  act: Pick<EndpointAct, 'action' | 'endpoint' | 'details'>,
) {
  const { testMode } = request.visitor.company
  return recordEndpointAct(needs, getAuditActor(request), { ...act, testMode, now: needs.now() })
}
