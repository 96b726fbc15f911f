// `/painel/integracoes`: where the company's webhooks go and how each endpoint fares; one of them, with
// what can be done to it.

import type { FastifyInstance } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { AppError, tooManyRequests } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { deliverTestEvent } from '../../webhooks/deliveries/test-event.ts'
import {
  changeEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  removeEndpoint,
} from '../../webhooks/endpoints/endpoint.ts'
import { healthOfEndpoints } from '../../webhooks/endpoints/health.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { loadEndpointDetail } from './endpoint-detail.ts'
import {
  DELIVERIES_PATH,
  endpointPath,
  INTEGRATIONS_PATH,
  stripUrlQuery,
  toEndpointRow,
} from './endpoint-view.ts'
import { type EndpointById, findRequestedEndpoint, recordEndpointAudit } from './find-endpoint.ts'
import { webhookPageTexts } from './texts.ts'

const TEST_EVENT_LIMIT = { max: 20, windowMs: 60_000 }

/** What is done at once, since the other undoes it. */
const ENDPOINT_SWITCHES = [
  { path: 'desativar', disabled: true, done: 'endpoint-desativado' },
  { path: 'reativar', disabled: false, done: 'endpoint-reativado' },
] as const

const OWNERS_ONLY = { config: { owners: true } }
const words = webhookPageTexts

export async function endpointPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get('/integracoes', OWNERS_ONLY, async (request, reply) => {
    const { company } = request.visitor
    const [rows, health] = await Promise.all([
      listEndpoints(db, company.id),
      healthOfEndpoints(db, company.id, needs.now()),
    ])
    return show(request, reply, 'dashboard/webhooks/endpoints', {
      title: sectionTitles.integracoes,
      section: 'integracoes',
      endpoints: rows.map((row) => toEndpointRow(row, health.get(row.id))),
      most: rows.length < MAX_ENDPOINTS ? null : MAX_ENDPOINTS,
    })
  })

  app.get<EndpointById>('/integracoes/:id', OWNERS_ONLY, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const detail = await loadEndpointDetail(needs, request.visitor.company.id, row)
    return show(request, reply, 'dashboard/webhooks/endpoint-detail', detail)
  })

  for (const { path, disabled, done } of ENDPOINT_SWITCHES) {
    app.post<EndpointById>(`/integracoes/:id/${path}`, OWNERS_ONLY, async (request, reply) => {
      const row = await findRequestedEndpoint(needs, request)
      const companyId = request.visitor.company.id
      await changeEndpoint(db, row.id, { disabled }, { companyId, now: needs.now() })
      if ((row.disabledAt !== null) !== disabled) {
        const details = { change: disabled ? 'disabled' : 'enabled' }
        await recordEndpointAudit(needs, request, 'endpoint_changed', { ...row, details })
      }
      return reply.redirect(`${endpointPath(row.id)}?feito=${done}`, 303)
    })
  }

  app.get<EndpointById>('/integracoes/:id/remover', OWNERS_ONLY, async (request, reply) => {
    const { id, url } = await findRequestedEndpoint(needs, request)
    const { question, consequences, button } = words.remove
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.remove, section: 'integracoes', isDangerous: true },
      ...{ question: question(stripUrlQuery(url)), consequences, button },
      ...{ action: `${endpointPath(id)}/remover`, back: endpointPath(id) },
    })
  })

  app.post<EndpointById>('/integracoes/:id/remover', OWNERS_ONLY, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    await removeEndpoint(db, request.visitor.company.id, row.id, needs.now())
    await recordEndpointAudit(needs, request, 'endpoint_removed', row)
    return reply.redirect(`${INTEGRATIONS_PATH}?feito=endpoint-removido`, 303)
  })

  app.post<EndpointById>('/integracoes/:id/testar', OWNERS_ONLY, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const companyId = request.visitor.company.id
    const { exceeded, retryAfterMs } = await needs.limiter.hit(
      `test-event:${companyId}`,
      TEST_EVENT_LIMIT,
    )
    if (exceeded) throw tooManyRequests(Math.ceil(retryAfterMs / 1000), words.tooManyTests)
    const { type } = toRecord(request.body)
    const test = {
      companyId,
      endpointId: row.id,
      type: readEventType(type),
      checkoutUrl: needs.checkoutUrl,
    }
    try {
      const deliveryId = await deliverTestEvent(needs, test, needs.now)
      const details = { type: test.type }
      await recordEndpointAudit(needs, request, 'test_event_sent', { ...row, details })
      return reply.redirect(`${DELIVERIES_PATH}/${deliveryId}?feito=teste-enviado`, 303)
    } catch (error) {
      if (!(error instanceof AppError) || error.statusCode !== 409) throw error
      const errors = [{ field: 'actions', message: error.message }]
      const detail = await loadEndpointDetail(needs, companyId, row)
      return show(request, reply, 'dashboard/webhooks/endpoint-detail', { ...detail, errors })
    }
  })
}

/** What cannot be chosen is the one that is chosen mostly. */
function readEventType(given: unknown): EventType {
  return EVENT_TYPES.find((type) => type === given) ?? 'transaction.approved'
}
