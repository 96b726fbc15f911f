// `GET /api/events/stream`: a company's events as server-sent events. The text is made when the client takes it, so a
// client that does not read occupies only the buffer of its connection. The last message says why the stream ends.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import type { EventType } from '../../database/enums.ts'
import { SECOND_MS } from '../../database/instant.ts'
import { invalidFieldsError, tooManyRequestsError } from '../../http/errors.ts'
import { createSlots } from '../../http/limiter.ts'
import type { Routes } from '../../http/zod.ts'
import { eventTypeField } from '../endpoints/schema.ts'
import { webhookTexts } from '../texts.ts'
import { type EventCursor, type EventFeed, findCurrentCursor, findEventCursor } from './feed.ts'

/** Both limits apply to each process. */
export const MAX_COMPANY_STREAMS = 20
export const MAX_STREAMS = 1_000
const FULL_RETRY_S = 30
/** Proxies close connections that are silent for longer, some after 30 s. */
const HEARTBEAT_MS = 15 * SECOND_MS
/** Longer than a heartbeat: a client that reads nothing for once or twice this time is disconnected. */
const STALL_LIMIT_MS = 20 * SECOND_MS
const RECONNECT_MS = 2 * SECOND_MS
const BUFFER_BYTES = 16_384

/** The headers for event streams in the HTML standard. */
const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would otherwise hold messages back until its buffer is full.
  'x-accel-buffering': 'no',
  // The connection ends with the stream, since an idle one would delay a process that closes.
  connection: 'close',
}

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

export const eventStreamRoutes: Routes<{ eventFeed: EventFeed }> = async (
  app,
  { db, eventFeed: feed },
) => {
  const streams = createSlots({
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
      const requested = await findRequestedCursor(db, company.id, {
        'Last-Event-ID': request.headers['last-event-id'],
        after: query.after,
      })
      // The connection of a client that has left closes no second time, so its slot would never be released.
      if (reply.raw.closed) return reply.hijack()
      const release = streams.reserve(company.id)
      reply.raw.once('close', release)
      const after = requested ?? (await findCurrentCursor(db, company.id))
      if (reply.raw.closed) return reply.hijack()
      reply.raw.setTimeout(STALL_LIMIT_MS, () => reply.raw.destroy())
      const isAllowed = () => request.isStillAllowed()
      const followed = { feed, companyId: company.id, after, types: query.types, isAllowed }
      return sendEventStream(reply, openEventStream(followed))
    },
  )
}

/** The type of the route's reply allows only text. */
function sendEventStream(reply: FastifyReply, stream: Readable) {
  return reply.headers(EVENT_STREAM_HEADERS).send(stream)
}

/** The first given parameter decides, because a client that reconnects keeps its first address. */
async function findRequestedCursor(
  db: Database,
  companyId: string,
  given: Record<string, string | undefined>,
) {
  const [field, id] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (field === undefined || id === undefined) return undefined
  const cursor = await findEventCursor(db, companyId, id)
  if (cursor) return cursor
  const message = webhookTexts.cursorNotFound
  throw invalidFieldsError([{ field, code: 'unknown_event', message }])
}

type StreamOptions = {
  feed: EventFeed
  companyId: string
  after: EventCursor
  /** When absent, all types. */
  types: readonly EventType[] | undefined
  /** Whether the client may continue; asked at every heartbeat and before events are sent. */
  isAllowed: () => Promise<boolean>
  heartbeatMs?: number
}

export function openEventStream(options: StreamOptions): Readable {
  return Readable.from(generateText(options), { objectMode: false, highWaterMark: BUFFER_BYTES })
}

async function* generateText(options: StreamOptions): AsyncGenerator<string | Buffer, void> {
  const { feed, companyId, after, types, isAllowed, heartbeatMs = HEARTBEAT_MS } = options
  // A client that is disconnected before the first event continues after this one.
  yield `retry: ${RECONNECT_MS}\nid: ${after.id}\n\n`
  let idleAt = performance.now() + heartbeatMs
  for await (const events of feed.follow(companyId, { after, types })) {
    if (events.length === 0 && performance.now() < idleAt) continue
    // If the check fails now, it is repeated at the next heartbeat.
    if (!(await isAllowed().catch(() => true))) return yield formatEnd('unauthorized')
    if (events.length === 0) yield ':\n\n'
    for (const { message } of events) yield message
    idleAt = performance.now() + heartbeatMs
  }
  yield formatEnd('closing')
}

/** Without an id, so that the client still continues after the last event. */
function formatEnd(reason: keyof typeof webhookTexts.streamEnds) {
  const data = { reason, message: webhookTexts.streamEnds[reason] }
  return `event: stream.closed\ndata: ${JSON.stringify(data)}\n\n`
}
