import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { invalidFieldsError, tooManyRequestsError } from '../../http/errors.ts'
import { createPlaces } from '../../http/places.ts'
import type { Routes } from '../../http/zod.ts'
import { eventTypeField } from '../schema.ts'
import { webhookTexts } from '../texts.ts'
import { type EventFeed, findCurrentPlace, findEventPlace } from './feed.ts'
import { EVENT_STREAM_HEADERS, openEventStream } from './stream.ts'

type StreamRouteNeeds = { db: Database; eventFeed: EventFeed }

/** Both limits apply to each process. */
export const MAX_COMPANY_STREAMS = 20
export const MAX_STREAMS = 1_000
const FULL_RETRY_S = 30
/** Longer than a heartbeat: a client that reads nothing for once or twice this time is disconnected. */
const STALL_LIMIT_MS = 20 * SECOND_MS

const typesField = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(eventTypeField))
  .meta({
    description: 'Só estes tipos, separados por vírgula.',
    examples: ['transaction.approved,transaction.refunded'],
  })

const afterField = z.uuid().toLowerCase().meta({
  description: 'Eventos depois deste, que a conexão já enviou. Ausente: a partir de agora.',
})

export const eventStreamRoutes: Routes<StreamRouteNeeds> = async (app, needs) => {
  const { db, eventFeed } = needs
  const streams = createPlaces({
    max: MAX_STREAMS,
    maxOfCompany: MAX_COMPANY_STREAMS,
    refuse: () => tooManyRequestsError(FULL_RETRY_S, webhookTexts.streamsFull),
    refuseCompany: () =>
      tooManyRequestsError(FULL_RETRY_S, webhookTexts.tooManyStreams(MAX_COMPANY_STREAMS)),
  })

  app.get(
    '/events/stream',
    {
      config: { resource: 'events' },
      // A HEAD request would never get an answer.
      exposeHeadRoute: false,
      schema: {
        summary: 'Acompanhar os eventos na hora',
        description:
          'Server-sent events que não terminam: `id` é o do evento, `event` o tipo e `data` exatamente o corpo do webhook. Quem caiu manda o último `id` em `Last-Event-ID` e não perde nada; `stream.closed` diz por que encerramos. Um comentário a cada 15 segundos mantém a conexão viva. Abrir conta como uma requisição; podem ficar 20 abertas ao mesmo tempo.',
        operationId: 'streamEvents',
        tags: ['Events'],
        headers: z.looseObject({ 'last-event-id': afterField.optional() }),
        querystring: z.strictObject({
          after: afterField.optional(),
          types: typesField.optional(),
        }),
        response: { 200: z.string().meta({ contentMediaType: 'text/event-stream' }) },
      },
    },
    async (request, reply) => {
      const { company, query } = request
      const requested = await findRequestedPlace(db, company.id, {
        'Last-Event-ID': request.headers['last-event-id'],
        after: query.after,
      })
      // The connection of a client that has left closes no second time, so its slot would never be released.
      if (reply.raw.closed) return reply.hijack()
      const release = streams.reserve(company.id)
      reply.raw.once('close', release)
      const after = requested ?? (await findCurrentPlace(db, company.id))
      if (reply.raw.closed) return reply.hijack()
      reply.raw.setTimeout(STALL_LIMIT_MS, () => reply.raw.destroy())
      const stream = openEventStream({
        feed: eventFeed,
        companyId: company.id,
        after,
        types: query.types,
        isAllowed: () => request.isStillAllowed(),
      })
      return sendEventStream(reply, stream)
    },
  )
}

/** The type of the route's reply allows only text. */
function sendEventStream(reply: FastifyReply, stream: Readable) {
  return reply.headers(EVENT_STREAM_HEADERS).send(stream)
}

/** The first given parameter decides, because a client that reconnects keeps its first address. */
async function findRequestedPlace(
  db: Database,
  companyId: string,
  given: Record<string, string | undefined>,
) {
  const [field, id] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (field === undefined || id === undefined) return undefined
  const place = await findEventPlace(db, companyId, id)
  if (place) return place
  const message = webhookTexts.placeNotFound
  throw invalidFieldsError([{ field, code: 'unknown_event', message }])
}
