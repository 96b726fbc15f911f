// `/painel/integracoes/entregas/reenviar`: everything that was given up since a time, sent once more.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { notFound } from '../../http/errors.ts'
import {
  countFailed,
  MAX_RESENT,
  REPLAY_DAYS,
  resendFailed,
} from '../../webhooks/deliveries/history.ts'
import { type EndpointRow, listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { webhookTexts } from '../../webhooks/texts.ts'
import { typedOf } from '../layout/form.ts'
import { localField, parseLocal } from '../layout/local-time.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { endpointOptions } from './deliveries.ts'
import { addressOf, DELIVERIES, dayAndTime } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const DAY_MS = 86_400_000
const owners = { config: { owners: true } }
const words = webhookPageTexts

type Order = { since: Date; endpoint: EndpointRow | undefined }

export async function deliveryResendPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get('/integracoes/entregas/reenviar', owners, async (request, reply) => {
    const { company } = request.visitor
    const typed = typedOf(request.query)
    const endpoints = await listEndpoints(db, company.id)
    const now = needs.now()
    const dayAgo = localField(new Date(now.getTime() - DAY_MS))
    const form = { desde: typed.desde ?? dayAgo, endpoint: typed.endpoint ?? '' }
    const ask = (parts: { errors?: Problem[]; isNone?: boolean } = {}) =>
      show(request, reply, 'integrations/resend', {
        ...{ title: words.titles.resend, section: 'integracoes', isNone: false, form },
        ...{ endpoints: endpointOptions(endpoints), days: REPLAY_DAYS, ...parts },
      })
    if (typed.desde === undefined) return ask()
    const order = orderOf(typed, endpoints, now)
    if (!order) return ask({ errors: [{ field: 'desde', message: words.resend.since }] })
    const count = await countFailed(db, whichOf(request, order), now)
    if (count === 0) return ask({ isNone: true })
    return show(request, reply, 'confirm', {
      ...{ title: words.titles.resend, section: 'integracoes', button: words.resend.button },
      ...{ question: words.resend.question(count), consequences: consequencesOf(order, count) },
      action: `${DELIVERIES}/reenviar`,
      hidden: Object.entries(form).map(([name, value]) => ({ name, value })),
      back: DELIVERIES,
    })
  })

  app.post('/integracoes/entregas/reenviar', owners, async (request, reply) => {
    const { company } = request.visitor
    const typed = typedOf(request.body)
    const now = needs.now()
    const order = orderOf(typed, await listEndpoints(db, company.id), now)
    if (!order) {
      return reply.redirect(`${DELIVERIES}/reenviar?${new URLSearchParams(typed)}`, 303)
    }
    const resent = await resendFailed(db, whichOf(request, order), now)
    if (resent > 0) {
      const details = { since: order.since.toISOString(), count: String(resent) }
      const subject = order.endpoint && addressOf(order.endpoint.url)
      const entry = { subjectId: order.endpoint?.id, subject, details, now }
      await recordAudit(db, { ...actorOf(request), action: 'deliveries_resent', ...entry })
    }
    return reply.redirect(`${DELIVERIES}?feito=entregas-reenviadas`, 303)
  })
}

/** Undefined for a time that is none, to come, or too long ago. */
function orderOf(
  { desde = '', endpoint }: Record<string, string>,
  endpoints: EndpointRow[],
  now: Date,
): Order | undefined {
  const since = new Date(parseLocal(desde) ?? Number.NaN)
  const agoMs = now.getTime() - since.getTime()
  if (!(agoMs >= 0 && agoMs <= REPLAY_DAYS * DAY_MS)) return undefined
  const chosen = endpoints.find(({ id }) => id === endpoint)
  // Else one that is gone by now would stand for all of them.
  if (endpoint && !chosen) throw notFound(webhookTexts.endpointNotFound)
  return { since, endpoint: chosen }
}

function whichOf({ visitor }: FastifyRequest, { since, endpoint }: Order) {
  return { companyId: visitor.company.id, endpointId: endpoint?.id, since }
}

function consequencesOf({ since, endpoint }: Order, count: number) {
  const { sinceThen, to, toAll, most, twice } = words.resend
  return [
    sinceThen(...dayAndTime(since.toISOString())),
    endpoint ? to(addressOf(endpoint.url)) : toAll,
    ...(count === MAX_RESENT ? [most(MAX_RESENT)] : []),
    twice,
  ]
}
