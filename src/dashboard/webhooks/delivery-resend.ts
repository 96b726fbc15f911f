// `/painel/integracoes/entregas/reenviar`: everything that was given up since a time, sent once more.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { DAY_MS } from '../../database/instant.ts'
import { notFoundError } from '../../http/errors.ts'
import {
  countFailedDeliveries,
  MAX_RESENT_DELIVERIES,
  RESEND_WINDOW_DAYS,
  resendFailedDeliveries,
} from '../../webhooks/deliveries/resend.ts'
import { type EndpointRow, listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/serialize.ts'
import { webhookTexts } from '../../webhooks/texts.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { DAY_START, formatLocalInput, parseLocalTime } from '../layout/forms/local-time.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { DELIVERIES_PATH } from '../layout/paths.ts'
import { buildEndpointOptions } from './deliveries.ts'
import { formatDayAndTime } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const words = webhookPageTexts

type ResendOrder = { since: Date; endpoint: EndpointRow | undefined }

export async function deliveryResendPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes/entregas/reenviar', INTEGRATIONS, async (request, reply) => {
    const { company } = request.visitor
    const typed = readTypedFields(request.query)
    const endpoints = await listEndpoints(db, company.id)
    const now = needs.now()
    const dayAgo = formatLocalInput(new Date(now.getTime() - DAY_MS))
    const form = { desde: typed.desde ?? dayAgo, endpoint: typed.endpoint ?? '' }
    const ask = (parts: { errors?: FormError[]; isNone?: boolean } = {}) =>
      show(request, reply, 'dashboard/webhooks/delivery-resend', {
        ...{ title: words.titles.resend, section: 'integracoes', isNone: false, form },
        ...{ endpoints: buildEndpointOptions(endpoints), days: RESEND_WINDOW_DAYS, ...parts },
      })
    if (typed.desde === undefined) return ask()
    const order = readResendOrder(typed, endpoints, now)
    if (!order) return ask({ errors: [{ field: 'desde', message: words.resend.since }] })
    const count = await countFailedDeliveries(db, toResendFilter(request, order), now)
    if (count === 0) return ask({ isNone: true })
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.resend, section: 'integracoes', button: words.resend.button },
      ...{
        question: words.resend.question(count),
        consequences: listResendConsequences(order, count),
      },
      action: `${DELIVERIES_PATH}/reenviar`,
      hidden: Object.entries(form).map(([name, value]) => ({ name, value })),
      back: DELIVERIES_PATH,
    })
  })

  app.post('/integracoes/entregas/reenviar', INTEGRATIONS, async (request, reply) => {
    const { company } = request.visitor
    const typed = readTypedFields(request.body)
    const now = needs.now()
    const order = readResendOrder(typed, await listEndpoints(db, company.id), now)
    if (!order) {
      return reply.redirect(`${DELIVERIES_PATH}/reenviar?${new URLSearchParams(typed)}`, 303)
    }
    const resent = await resendFailedDeliveries(db, toResendFilter(request, order), now)
    if (resent > 0) {
      const details = { since: order.since.toISOString(), count: String(resent) }
      const subject = order.endpoint && stripUrlQuery(order.endpoint.url)
      const entry = { subjectId: order.endpoint?.id, subject, details, now }
      await recordAudit(db, { ...getAuditActor(request), action: 'deliveries_resent', ...entry })
    }
    return reply.redirect(`${DELIVERIES_PATH}?feito=entregas-reenviadas`, 303)
  })
}

/** Undefined for a time that is none, to come, or too long ago. */
function readResendOrder(
  { desde = '', endpoint }: Record<string, string>,
  endpoints: EndpointRow[],
  now: Date,
): ResendOrder | undefined {
  const since = new Date(parseLocalTime(desde, DAY_START) ?? Number.NaN)
  const agoMs = now.getTime() - since.getTime()
  if (!(agoMs >= 0 && agoMs <= RESEND_WINDOW_DAYS * DAY_MS)) return undefined
  const chosen = endpoints.find(({ id }) => id === endpoint)
  // Else one that is gone by now would stand for all of them.
  if (endpoint && !chosen) throw notFoundError(webhookTexts.endpointNotFound)
  return { since, endpoint: chosen }
}

function toResendFilter({ visitor }: FastifyRequest, { since, endpoint }: ResendOrder) {
  return { companyId: visitor.company.id, endpointId: endpoint?.id, since }
}

function listResendConsequences({ since, endpoint }: ResendOrder, count: number) {
  const { sinceThen, to, toAll, most, twice } = words.resend
  return [
    sinceThen(...formatDayAndTime(since.toISOString())),
    endpoint ? to(stripUrlQuery(endpoint.url)) : toAll,
    ...(count === MAX_RESENT_DELIVERIES ? [most(MAX_RESENT_DELIVERIES)] : []),
    twice,
  ]
}
