// `/painel/ao-vivo`: that payments came in, as a stream of server-sent events; and for browsers that cannot hold
// one, how many there are by now. Neither says anything of them: pages are shown by the server, to whoever may.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooManyRequestsError } from '../../http/errors.ts'
import { EVENT_STREAM_HEADERS } from '../../http/event-stream.ts'
import { toRecord } from '../../http/fields.ts'
import { endOnClosing } from '../../http/lifecycle/closing.ts'
import { getEntries } from '../../record.ts'
import type { EventFeed } from '../../webhooks/events/feed.ts'
import { countEventsBetween, findEventPlace, findLastPlaces } from '../../webhooks/events/order.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { HOME_PATH } from '../layout/paths.ts'
import { openLiveHub } from './hub.ts'
import { liveTexts } from './texts.ts'

const BACKGROUND = requireRight('read', { isBackground: true })
const FULL_RETRY_S = 30
/** Whereupon a browser does not connect again. */
const NOTHING_TO_TELL = 204

export async function liveRoutes(
  app: FastifyInstance,
  { eventFeed, ...needs }: DashboardNeeds & { eventFeed: EventFeed },
) {
  const { db } = needs
  const hub = openLiveHub({ ...needs, eventFeed })
  endOnClosing(app, hub.close)

  app.get('/ao-vivo', { ...BACKGROUND, exposeHeadRoute: false }, async (request, reply) => {
    if (!request.headers.accept?.includes('text/event-stream')) {
      return reply.redirect(HOME_PATH, 303)
    }
    if (!isOfEnvironment(request)) return reply.code(NOTHING_TO_TELL).send()
    const { sessionId, company } = request.visitor
    const after = await findPlace(request)
    // Nothing is waited for between the question and the place that is taken.
    if (!hub.hasRoom(sessionId)) throw tooManyRequestsError(FULL_RETRY_S, liveTexts.tooMany)
    const headers = getEntries(reply.getHeaders()).filter(([, value]) => value !== undefined)
    reply.hijack()
    const { raw: response } = reply
    response.writeHead(200, { ...Object.fromEntries(headers), ...EVENT_STREAM_HEADERS })
    const { id: companyId, testMode } = company
    // Where it cannot be told what it missed it is cut off, and comes again.
    hub.joinStream({ sessionId, companyId, testMode, response }, after).catch(() => response.end())
  })

  app.get('/ao-vivo/contagem', BACKGROUND, async (request, reply) => {
    if (!isOfEnvironment(request)) return reply.code(NOTHING_TO_TELL).send()
    const { id } = request.visitor.company
    const after = await findPlace(request)
    const until = (await findLastPlaces(db, [id])).get(id)
    const news = { payments: 0, last: until?.id ?? null }
    reply.type('application/json; charset=utf-8')
    if (!after || !until) return JSON.stringify(news)
    const { count } = await countEventsBetween(db, id, {
      type: 'transaction.approved',
      after,
      until,
    })
    return JSON.stringify({ ...news, payments: count })
  })

  /** The event that the client names; undefined without one, or where it is gone: since now. */
  async function findPlace({ headers, query, visitor }: FastifyRequest) {
    const { depois } = toRecord(query)
    const id = headers['last-event-id'] ?? depois
    return typeof id === 'string' ? findEventPlace(db, visitor.company.id, id) : undefined
  }
}

/** Whether the page that asks was opened in the environment that its session is in. */
function isOfEnvironment({ query, visitor }: FastifyRequest) {
  const { ambiente = visitor.company.id } = toRecord(query)
  return ambiente === visitor.company.id
}
