// `/painel/integracoes`: where the company's webhooks go and how each endpoint fares; one of them, with
// what can be done to it.

import type { FastifyInstance } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { enforceLimit } from '../../http/limiter.ts'
import { sendTestEvent } from '../../webhooks/deliveries/test-event.ts'
import {
  listEndpoints,
  MAX_ENDPOINTS,
  setEndpointDisabled,
} from '../../webhooks/endpoints/endpoint.ts'
import { loadEndpointHealth } from '../../webhooks/endpoints/health.ts'
import { removeEndpoint } from '../../webhooks/endpoints/remove.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/serialize.ts'
import { listEventDeliveries } from '../../webhooks/events/log.ts'
import { catchConflict } from '../layout/forms/form.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { deliveryPagePath, INTEGRATIONS_PATH } from '../layout/paths.ts'
import { sectionTitles } from '../layout/texts.ts'
import { loadEndpointDetail } from './endpoint-detail.ts'
import { endpointPath, toEndpointRow } from './endpoint-view.ts'
import { findRequestedEndpoint, recordOwnEndpointAct } from './find-endpoint.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')

const TEST_EVENT_LIMIT = { max: 20, windowMs: MINUTE_MS }

/** What is done at once, since the other undoes it. */
const ENDPOINT_SWITCHES = [
  { path: 'desativar', disabled: true, done: 'endpoint-desativado' },
  { path: 'reativar', disabled: false, done: 'endpoint-reativado' },
] as const

const words = webhookPageTexts

export async function endpointPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes', INTEGRATIONS, async (request, reply) => {
    const { company } = request.visitor
    const [rows, health] = await Promise.all([
      listEndpoints(db, company.id),
      loadEndpointHealth(db, company.id, needs.now()),
    ])
    return show(request, reply, 'dashboard/webhooks/endpoints', {
      title: sectionTitles.integracoes,
      section: 'integracoes',
      endpoints: rows.map((row) => toEndpointRow(row, health.get(row.id))),
      most: rows.length < MAX_ENDPOINTS ? null : MAX_ENDPOINTS,
    })
  })

  app.get<ById>('/integracoes/:id', INTEGRATIONS, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const detail = await loadEndpointDetail(needs, request.visitor.company, row)
    return show(request, reply, 'dashboard/webhooks/endpoint-detail', detail)
  })

  for (const { path, disabled, done } of ENDPOINT_SWITCHES) {
    app.post<ById>(`/integracoes/:id/${path}`, INTEGRATIONS, async (request, reply) => {
      const row = await findRequestedEndpoint(needs, request)
      const companyId = request.visitor.company.id
      await setEndpointDisabled(db, companyId, row.id, disabled ? needs.now() : null)
      if ((row.disabledAt !== null) !== disabled) {
        const details = { change: disabled ? 'disabled' : 'enabled' }
        const act = { action: 'endpoint_changed', endpoint: row, details } as const
        await recordOwnEndpointAct(needs, request, act)
      }
      return reply.redirect(`${endpointPath(row.id)}?feito=${done}`, 303)
    })
  }

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
    await removeEndpoint(db, request.visitor.company.id, row.id, needs.now())
    await recordOwnEndpointAct(needs, request, { action: 'endpoint_removed', endpoint: row })
    return reply.redirect(`${INTEGRATIONS_PATH}?feito=endpoint-removido`, 303)
  })

  app.post<ById>('/integracoes/:id/testar', INTEGRATIONS, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const { company } = request.visitor
    await enforceLimit(
      needs.limiter,
      `test-event:${company.id}`,
      TEST_EVENT_LIMIT,
      words.tooManyTests,
    )
    const type = readEventType(toRecord(request.body).type)
    const { checkoutUrl } = needs
    const test = { company, endpointId: row.id, type, checkoutUrl, now: needs.now() }
    const sent = await catchConflict('actions', sendTestEvent(db, test))
    if (sent.kind === 'invalid') {
      const { errors } = sent
      const detail = await loadEndpointDetail(needs, company, row)
      return show(request, reply, 'dashboard/webhooks/endpoint-detail', { ...detail, errors })
    }
    const act = { action: 'test_event_sent', endpoint: row, details: { type } } as const
    await recordOwnEndpointAct(needs, request, act)
    const [delivery] = await listEventDeliveries(db, sent.saved)
    return reply.redirect(`${deliveryPagePath(requireFound(delivery).id)}?feito=teste-enviado`, 303)
  })
}

/** What cannot be chosen is the one that is chosen mostly. */
function readEventType(given: unknown): EventType {
  return EVENT_TYPES.find((type) => type === given) ?? 'transaction.approved'
}
