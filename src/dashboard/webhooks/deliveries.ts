// `/painel/integracoes/entregas`: deliveries, page by page, with filters from the address.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENT_TYPES } from '../../database/enums.ts'
import { DAY_MS } from '../../database/instant.ts'
import { paginateRows } from '../../http/pagination.ts'
import { DELIVERY_STATES, listDeliveries } from '../../webhooks/deliveries/history.ts'
import { type EndpointRow, listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { countFilters } from '../layout/lists/filters.ts'
import { buildPager, readListQuery, readPageQuery } from '../layout/lists/pager.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { toDeliveryRow } from './delivery-view.ts'
import { EVENT_TYPE_OPTIONS, formatEndpointName } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const words = webhookPageTexts

export async function deliveryListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes/entregas', INTEGRATIONS, async (request, reply) => {
    const { company } = request.visitor
    const now = needs.now()
    const endpoints = await listEndpoints(db, company.id)
    const { days, ...filters } = readDeliveryFilters(request, endpoints)
    const since = days ? new Date(now.getTime() - Number(days) * DAY_MS) : undefined
    const form = {
      endpoint: filters.endpointId ?? '',
      type: filters.type ?? '',
      status: filters.state ?? '',
      dias: days ?? '',
    }
    const place = readPageQuery(request)
    const wanted = { ...place, ...filters, since, companyId: company.id }
    const rows = await listDeliveries(db, wanted)
    const { data, nextCursor } = paginateRows(rows, place.limit)
    const pager = buildPager(request, nextCursor)
    return show(request, reply, 'dashboard/webhooks/deliveries', {
      title: words.titles.deliveries,
      section: 'integracoes',
      deliveries: data.map((delivery) => toDeliveryRow(delivery, now)),
      filters: form,
      filterCount: countFilters(form),
      options: {
        endpoints: buildEndpointOptions(endpoints),
        types: TYPE_FILTER_OPTIONS,
        states: STATE_FILTER_OPTIONS,
        days: DAY_FILTER_OPTIONS,
      },
      hasEndpoints: endpoints.length > 0,
      filter: readListQuery(request.url),
      scripts: ['choose.js'],
      pager,
    })
  })
}

const buildAnyOption = (text: string) => ({ value: '', text })
export const TYPE_FILTER_OPTIONS = [buildAnyOption(words.any.types), ...EVENT_TYPE_OPTIONS]
const STATE_FILTER_OPTIONS = [
  buildAnyOption(words.any.states),
  ...DELIVERY_STATES.map((value) => ({ value, text: words.states[value] })),
]
const DAY_FILTER_OPTIONS = [
  buildAnyOption(words.any.time),
  ...Object.entries(words.since).map(([value, text]) => ({ value, text })),
]

export function buildEndpointOptions(endpoints: EndpointRow[]) {
  return [
    buildAnyOption(words.any.endpoints),
    ...endpoints.map(({ id, url }) => ({ value: id, text: formatEndpointName(url) })),
  ]
}

/** Ignores values that cannot be filters. */
function readDeliveryFilters(request: FastifyRequest, endpoints: EndpointRow[]) {
  const { endpoint, type, status, dias } = readTypedFields(request.query)
  return {
    endpointId: endpoints.find(({ id }) => id === endpoint)?.id,
    type: EVENT_TYPES.find((one) => one === type),
    state: DELIVERY_STATES.find((one) => one === status),
    days: Object.keys(words.since).find((one) => one === dias),
  }
}
