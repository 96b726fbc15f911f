import type { Database } from '../../database/connect.ts'
import { notFoundError, Problem, refusals } from '../../http/errors.ts'
import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { webhookTexts } from '../texts.ts'
import { findEvent, listEventDeliveries, listEvents } from './log.ts'
import { Event, EventFilters, EventWithDeliveries } from './schema.ts'
import { serializeDelivery, serializeEvent } from './serialize.ts'

type EventRouteNeeds = { db: Database }

const tags = ['Events']
const config = { resource: 'events' } as const

export const eventRoutes: Routes<EventRouteNeeds> = async (app, { db }) => {
  app.get(
    '/events',
    {
      config,
      schema: {
        summary: 'Listar eventos',
        operationId: 'listEvents',
        tags,
        querystring: PageQuery.extend(EventFilters.shape).strict(),
        response: { 200: buildPageSchema(Event), 422: Problem, ...refusals },
      },
    },
    async (request) => {
      const rows = await listEvents(db, request.company.id, request.query)
      const { data, ...rest } = paginateRows(rows, request.query.limit)
      return { data: data.map(serializeEvent), ...rest }
    },
  )

  app.get(
    '/events/:id',
    {
      config,
      schema: {
        summary: 'Consultar um evento e suas entregas',
        operationId: 'getEvent',
        tags,
        params: IdParams,
        response: { 200: EventWithDeliveries, 404: Problem, ...refusals },
      },
    },
    async (request) => {
      const event = await findEvent(db, request.company.id, request.params.id)
      if (!event) throw notFoundError(webhookTexts.eventNotFound)
      const deliveries = await listEventDeliveries(db, event.id)
      return { ...serializeEvent(event), deliveries: deliveries.map(serializeDelivery) }
    },
  )
}
