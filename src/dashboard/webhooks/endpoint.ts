// `/painel/integracoes/:id`: one endpoint: what is wrong, its last deliveries, and its actions. Owners can see its
// secret in the answer to their request.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { MAX_UUID } from '../../database/id.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { enforceLimit } from '../../http/limiter.ts'
import { buildSampleData } from '../../transactions/simulation/sample-event.ts'
import { listDeliveries } from '../../webhooks/deliveries/history.ts'
import { type EndpointAct, recordEndpointAct } from '../../webhooks/endpoints/audit.ts'
import {
  type EndpointRow,
  findEndpoint,
  removeEndpoint,
  setEndpointDisabled,
  stripUrlQuery,
} from '../../webhooks/endpoints/endpoint.ts'
import { loadEndpointHealth } from '../../webhooks/endpoints/health.ts'
import { revealSecret, rotateSecret } from '../../webhooks/endpoints/secret.ts'
import { sendTestEvent } from '../../webhooks/events/event.ts'
import { listEventDeliveries } from '../../webhooks/events/log.ts'
import { catchConflict } from '../layout/forms/form.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { DELIVERIES_PATH, deliveryPagePath, INTEGRATIONS_PATH } from '../layout/paths.ts'
import { toDeliveryRow } from './delivery-view.ts'
import {
  EVENT_TYPE_OPTIONS,
  endpointPath,
  formatDayAndTime,
  toEndpointDetails,
} from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const INTEGRATIONS_STEP_UP = requireRight('integrations', STEP_UP)

const LAST_DELIVERIES = 6
const TEST_EVENT_LIMIT = { max: 20, windowMs: MINUTE_MS }

/** Actions without a confirmation, since each has its opposite. */
const ENDPOINT_SWITCHES = [
  { path: 'desativar', disabled: true, done: 'endpoint-desativado' },
  { path: 'reativar', disabled: false, done: 'endpoint-reativado' },
] as const

const words = webhookPageTexts

/** `secret`: set when the person asked to see it. */
type EndpointPageState = { secret?: string; errors?: FormError[] }

export async function endpointPages(app: FastifyInstance, needs: DashboardNeeds) {
  app.get<ById>('/integracoes/:id', INTEGRATIONS, async (request, reply) =>
    showEndpoint(needs, request, reply),
  )

  for (const { path, disabled, done } of ENDPOINT_SWITCHES) {
    app.post<ById>(`/integracoes/:id/${path}`, INTEGRATIONS, async (request, reply) => {
      const row = await findRequestedEndpoint(needs, request)
      const { companyId } = getAuditActor(request)
      await setEndpointDisabled(needs.db, companyId, row.id, disabled ? needs.now() : null)
      if ((row.disabledAt !== null) !== disabled) {
        const details = { change: disabled ? 'disabled' : 'enabled' }
        const act = { action: 'endpoint_changed', endpoint: row, details } as const
        await recordOwnEndpointAct(needs, request, act)
      }
      return reply.redirect(`${endpointPath(row.id)}?feito=${done}`, 303)
    })
  }

  app.post<ById>('/integracoes/:id/testar', INTEGRATIONS, async (request, reply) => {
    const { id: endpointId, ...row } = await findRequestedEndpoint(needs, request)
    const { company } = request.visitor
    const limited = `test-event:${company.id}`
    await enforceLimit(needs.limiter, limited, TEST_EVENT_LIMIT, words.tooManyTests)
    const type = readEventType(toRecord(request.body).type)
    const { db, checkoutUrl } = needs
    const now = needs.now()
    const data = buildSampleData(type, { checkoutUrl, now })
    const test = { company, endpointId, type, data, now }
    const sent = await catchConflict('actions', sendTestEvent(db, test))
    if (sent.kind === 'invalid') return showEndpoint(needs, request, reply, sent)
    const endpoint = { id: endpointId, url: row.url }
    const act = { action: 'test_event_sent', endpoint, details: { type } } as const
    await recordOwnEndpointAct(needs, request, act)
    const [delivery] = await listEventDeliveries(db, sent.saved)
    return reply.redirect(`${deliveryPagePath(requireFound(delivery).id)}?feito=teste-enviado`, 303)
  })

  endpointRemovalPages(app, needs)
  endpointSecretPages(app, needs)
}

function endpointRemovalPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get<ById>('/integracoes/:id/remover', INTEGRATIONS, async (request, reply) => {
    const { id, url } = await findRequestedEndpoint(needs, request)
    const { question, consequences, button } = words.remove
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.remove, section: 'integracoes', isDangerous: true },
      ...{ question: question(stripUrlQuery(url)), consequences, button },
      ...{ action: `${endpointPath(id)}/remover`, back: endpointPath(id) },
    })
  })

  app.post<ById>('/integracoes/:id/remover', INTEGRATIONS, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    await removeEndpoint(needs.db, request.visitor.company.id, row.id, needs.now())
    await recordOwnEndpointAct(needs, request, { action: 'endpoint_removed', endpoint: row })
    return reply.redirect(`${INTEGRATIONS_PATH}?feito=endpoint-removido`, 303)
  })
}

function endpointSecretPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher } = needs
  const show = createPageRenderer(needs)

  app.post<ById>('/integracoes/:id/segredo', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const { companyId } = getAuditActor(request)
    const revealed = await catchConflict('segredo', revealSecret(db, cipher, companyId, row.id))
    if (revealed.kind === 'invalid') return showEndpoint(needs, request, reply, revealed)
    await recordOwnEndpointAct(needs, request, { action: 'secret_revealed', endpoint: row })
    return showEndpoint(needs, request, reply, { secret: revealed.saved })
  })

  const path = '/integracoes/:id/trocar-segredo'
  app.get<ById>(path, INTEGRATIONS_STEP_UP, async (request, reply) => {
    const { id, url, rotatingUntil } = await findRequestedEndpoint(needs, request)
    const { question, overlap, already, button } = words.rotate
    const isRotating = rotatingUntil !== null && rotatingUntil > needs.now().toISOString()
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.rotate, section: 'integracoes', button },
      question: question(stripUrlQuery(url)),
      consequences: [overlap, ...(isRotating ? [already(...formatDayAndTime(rotatingUntil))] : [])],
      action: `${endpointPath(id)}/trocar-segredo#segredo`,
      hidden: [{ name: 'version', value: toRotationVersion(rotatingUntil) }],
      back: endpointPath(id),
    })
  })

  app.post<ById>(path, INTEGRATIONS_STEP_UP, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const { id } = row
    // A form that is sent twice would show another secret, and make the first one a previous secret.
    if (toRecord(request.body).version !== toRotationVersion(row.rotatingUntil)) {
      return reply.redirect(`${endpointPath(id)}?feito=segredo-ja-trocado`, 303)
    }
    const { companyId } = getAuditActor(request)
    const secret = await rotateSecret(db, cipher, { companyId, id, now: needs.now() })
    await recordOwnEndpointAct(needs, request, { action: 'secret_rotated', endpoint: row })
    return showEndpoint(needs, request, reply, { secret })
  })
}

async function showEndpoint(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  { secret, errors = [] }: EndpointPageState = {},
) {
  const detail = await loadEndpointDetail(needs, request, secret)
  const show = createPageRenderer(needs)
  return show(request, reply, 'dashboard/webhooks/endpoint-detail', { ...detail, errors })
}

export async function loadEndpointDetail(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  secret: string | null = null,
) {
  const { id: companyId, testMode } = request.visitor.company
  const row = await findRequestedEndpoint(needs, request)
  const now = needs.now()
  const last = { cursor: MAX_UUID, limit: LAST_DELIVERIES, companyId, endpointId: row.id }
  const [health, deliveries] = await Promise.all([
    loadEndpointHealth(needs.db, companyId, now),
    listDeliveries(needs.db, last),
  ])
  return {
    title: row.url,
    section: 'integracoes' as const,
    endpoint: toEndpointDetails(row, health.get(row.id), now),
    deliveries: deliveries.slice(0, LAST_DELIVERIES).map((one) => toDeliveryRow(one, now)),
    allDeliveries: `${DELIVERIES_PATH}?endpoint=${row.id}`,
    /** Null when test events cannot be sent. */
    testTypes: testMode && !row.disabledAt ? EVENT_TYPE_OPTIONS : null,
    secret,
  }
}

/** Throws 404 when it belongs to another company. */
export function findRequestedEndpoint(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<ById>,
): Promise<EndpointRow> {
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

/** An unknown type becomes the most common one. */
function readEventType(given: unknown): EventType {
  return EVENT_TYPES.find((type) => type === given) ?? 'transaction.approved'
}

/** Changes with each rotation. */
function toRotationVersion(rotatingUntil: string | null) {
  return rotatingUntil ?? 'none'
}
