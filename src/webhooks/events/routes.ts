import type { Database } from '../../database/connect.ts'
import { notFoundError } from '../../http/errors.ts'
import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { webhookTexts } from '../texts.ts'
import {
  type EventDeliveryRow,
  type EventRow,
  findEvent,
  listEventDeliveries,
  listEvents,
} from './log.ts'
import { type Delivery, Event, EventFilters, EventWithDeliveries } from './schema.ts'

type LinkResolver = {
  /** Returns the id of a link by its id or slug. */
  resolveLinkId: (db: Database, companyId: string, idOrSlug: string) => Promise<string>
}

const tags = ['Events']
const config = { resource: 'events' } as const

export const eventRoutes: Routes<LinkResolver> = async (app, { db, resolveLinkId }) => {
  app.get(
    '/events',
    {
      config,
      schema: {
        summary: 'Listar eventos',
        description: 'Com ou sem endpoint que os quisesse.',
        operationId: 'listEvents',
        tags,
        querystring: PageQuery.extend(EventFilters.shape).strict(),
        response: { 200: buildPageSchema(Event) },
      },
    },
    async (request) => {
      const { company, query } = request
      const { paymentLinkId: name } = query
      const paymentLinkId = name && (await resolveLinkId(db, company.id, name))
      const rows = await listEvents(db, company.id, { ...query, paymentLinkId })
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
        description: 'Com uma entrega para cada endpoint que o recebeu.',
        operationId: 'getEvent',
        tags,
        params: IdParams,
        response: { 200: EventWithDeliveries },
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

/** Returns the body that was sent; only the id for events from before bodies were stored. */
function serializeEvent({ id, body, createdAt }: EventRow): Event {
  const sent: Omit<Event, 'id' | 'createdAt'> = JSON.parse(body)
  return { id, ...sent, createdAt }
}

function serializeDelivery({ dueAt, ...row }: EventDeliveryRow): Delivery {
  return { ...row, nextAttemptAt: dueAt }
}
