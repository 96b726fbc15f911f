// `/painel/integracoes/entregas`: what was sent, a page at a time, narrowed by what the address says.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENT_TYPES } from '../../database/enums.ts'
import { page } from '../../http/pagination.ts'
import { DELIVERY_STATES, pageDeliveries } from '../../webhooks/deliveries/list.ts'
import { type EndpointRow, listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { typedOf } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { pagerOf, pagesOf, placeOf } from '../layout/page.ts'
import { deliveryRow } from './delivery-view.ts'
import { nameOf, TYPE_OPTIONS } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const DAY_MS = 86_400_000
const words = webhookPageTexts

export async function deliveryListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get('/integracoes/entregas', { config: { owners: true } }, async (request, reply) => {
    const { company } = request.visitor
    const now = needs.now()
    const endpoints = await listEndpoints(db, company.id)
    const { days, ...filters } = filtersOf(request, endpoints)
    const since = days ? new Date(now.getTime() - Number(days) * DAY_MS) : undefined
    const place = placeOf(request)
    const wanted = { ...place, ...filters, since }
    const { rows, resumeBelow } = await pageDeliveries(db, company.id, wanted)
    const { data, nextCursor } = page(rows, place.limit, resumeBelow)
    const pager = pagerOf(request, nextCursor)
    return show(request, reply, 'integrations/deliveries', {
      title: words.titles.deliveries,
      section: 'integracoes',
      deliveries: data.map((delivery) => deliveryRow(delivery, now)),
      filters: {
        endpoint: filters.endpointId ?? '',
        type: filters.type ?? '',
        status: filters.state ?? '',
        dias: days ?? '',
      },
      isFiltered: [days, ...Object.values(filters)].some((value) => value !== undefined),
      options: { endpoints: endpointOptions(endpoints), types: TYPES, states: STATES, days: DAYS },
      hasEndpoints: endpoints.length > 0,
      pager,
    })
  })
}

const any = (text: string) => ({ value: '', text })
const TYPES = [any(words.any.types), ...TYPE_OPTIONS]
const STATES = [
  any(words.any.states),
  ...DELIVERY_STATES.map((value) => ({ value, text: words.states[value] })),
]
const DAYS = [
  any(words.any.time),
  ...Object.entries(words.since).map(([value, text]) => ({ value, text })),
]

export function endpointOptions(endpoints: EndpointRow[]) {
  return [
    any(words.any.endpoints),
    ...endpoints.map(({ id, url }) => ({ value: id, text: nameOf(url) })),
  ]
}

/** What cannot be a filter narrows nothing. */
function filtersOf(request: FastifyRequest, endpoints: EndpointRow[]) {
  const { endpoint, type, status, dias } = typedOf(request.query)
  return {
    endpointId: endpoints.find(({ id }) => id === endpoint)?.id,
    type: EVENT_TYPES.find((one) => one === type),
    state: DELIVERY_STATES.find((one) => one === status),
    days: Object.keys(words.since).find((one) => one === dias),
  }
}
