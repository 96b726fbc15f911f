import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import { notFound, Problem, refusals } from '../../http/errors.ts'
import { PageQuery, page, pageOf } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { webhookTexts } from '../texts.ts'
import { findEvent, listDeliveriesOf, listEvents } from './log.ts'
import { Event, EventFilters, EventWithDeliveries } from './schema.ts'
import { deliveryToWire, eventToWire } from './serialize.ts'

type Needs = { db: Database }

const tags = ['Events']
const config = { resource: 'events' } as const

export const eventRoutes: Routes<Needs> = async (app, { db }) => {
  app.get(
    '/events',
    {
      config,
      schema: {
        summary: 'List events, newest first',
        operationId: 'listEvents',
        tags,
        querystring: PageQuery.extend(EventFilters.shape).strict(),
        response: { 200: pageOf(Event), 422: Problem, ...refusals },
      },
    },
    async (request) => {
      const rows = await listEvents(db, request.company.id, request.query)
      const { data, ...rest } = page(rows, request.query.limit)
      return { data: data.map(eventToWire), ...rest }
    },
  )

  app.get(
    '/events/:id',
    {
      config,
      schema: {
        summary: 'Retrieve an event and what became of it at each endpoint',
        operationId: 'getEvent',
        tags,
        params: z.object({ id: z.string() }),
        response: { 200: EventWithDeliveries, 404: Problem, ...refusals },
      },
    },
    async (request) => {
      const event = await findEvent(db, request.company.id, request.params.id)
      if (!event) throw notFound(webhookTexts.eventNotFound)
      const deliveries = await listDeliveriesOf(db, event.id)
      return { ...eventToWire(event), deliveries: deliveries.map(deliveryToWire) }
    },
  )
}
