// `/painel/integracoes/entregas/reenviar-periodo`: every event of a period, of one type or of any, sent once
// more to the endpoints that had it, or to one.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { EVENT_TYPES } from '../../database/enums.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { RESEND_WINDOW_DAYS } from '../../webhooks/deliveries/resend.ts'
import {
  countPeriodDeliveries,
  type ResendPeriod,
  resendPeriod,
} from '../../webhooks/deliveries/resend-period.ts'
import { type EndpointRow, listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/serialize.ts'
import { catchRefusal, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { DAY_END, DAY_START, formatLocalInput, parseLocalTime } from '../layout/forms/local-time.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { DELIVERIES_PATH } from '../layout/paths.ts'
import { buildEndpointOptions, TYPE_FILTER_OPTIONS } from './deliveries.ts'
import { formatDayAndTime } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const words = webhookPageTexts
const PERIOD_PATH = `${DELIVERIES_PATH}/reenviar-periodo`
/** What the API calls them, and this page. */
const FIELD_NAMES: Record<string, string> = {
  createdFrom: 'desde',
  createdTo: 'ate',
  endpointId: 'endpoint',
}

export async function periodResendPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes/entregas/reenviar-periodo', INTEGRATIONS, async (request, reply) => {
    const { company } = request.visitor
    const typed = readTypedFields(request.query)
    const endpoints = await listEndpoints(db, company.id)
    const now = needs.now()
    const form = fillForm(typed, now)
    const ask = (parts: { errors?: FormError[]; isNone?: boolean } = {}) =>
      show(request, reply, 'dashboard/webhooks/period-resend', {
        ...{ title: words.titles.period, section: 'integracoes', isNone: false, form },
        ...{ endpoints: buildEndpointOptions(endpoints), types: TYPE_FILTER_OPTIONS },
        ...{ days: RESEND_WINDOW_DAYS, ...parts },
      })
    if (typed.desde === undefined) return ask()
    const read = readPeriod(request, form)
    if (read.kind === 'invalid') return ask(read)
    const { period } = read
    const counted = await catchFieldRefusal(countPeriodDeliveries(db, period, now))
    if (counted.kind === 'invalid') return ask(counted)
    if (counted.saved === 0) return ask({ isNone: true })
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.period, section: 'integracoes', button: words.resend.button },
      ...{
        question: words.resend.question(counted.saved),
        consequences: listPeriodConsequences(period, endpoints),
      },
      action: PERIOD_PATH,
      hidden: Object.entries({ ...form, [ASKED_AT]: now.toISOString() }).map(([name, value]) => ({
        ...{ name, value },
      })),
      back: DELIVERIES_PATH,
    })
  })

  app.post('/integracoes/entregas/reenviar-periodo', INTEGRATIONS, async (request, reply) => {
    const typed = readTypedFields(request.body)
    const now = needs.now()
    const read = readPeriod(request, fillForm(typed, now))
    const at = new Date(typed[ASKED_AT] ?? Number.NaN)
    const askedAt = at <= now ? at : undefined
    const sent =
      read.kind === 'valid'
        ? await catchFieldRefusal(resendPeriod(db, { ...read.period, askedAt }, now))
        : read
    if (read.kind === 'invalid' || sent.kind !== 'saved') {
      return reply.redirect(`${PERIOD_PATH}?${new URLSearchParams(typed)}`, 303)
    }
    if (sent.saved > 0) await recordPeriodResend(needs, request, read.period, sent.saved)
    return reply.redirect(`${DELIVERIES_PATH}?feito=entregas-reenviadas`, 303)
  })
}

/** When the question was asked that this answers. */
const ASKED_AT = 'perguntado'

type PeriodForm = Record<'desde' | 'ate' | 'type' | 'endpoint', string>

function fillForm({ desde, ate, type = '', endpoint = '' }: TypedFields, now: Date): PeriodForm {
  const dayAgo = formatLocalInput(new Date(now.getTime() - DAY_MS))
  return { desde: desde ?? dayAgo, ate: ate ?? formatLocalInput(now), type, endpoint }
}

type ReadPeriod = { kind: 'valid'; period: ResendPeriod } | { kind: 'invalid'; errors: FormError[] }

function readPeriod({ visitor }: FastifyRequest, form: PeriodForm): ReadPeriod {
  const [from, to] = [parseLocalTime(form.desde, DAY_START), parseLocalTime(form.ate, DAY_END)]
  const wrong = { desde: from, ate: to }
  if (!from || !to) {
    const errors = Object.entries(wrong).flatMap(([field, at]) =>
      at ? [] : [{ field, message: words.resend.since }],
    )
    return { kind: 'invalid', errors }
  }
  const period = {
    companyId: visitor.company.id,
    from: new Date(from),
    // The minute that was typed, to its end.
    to: new Date(Date.parse(to) + MINUTE_MS - 1),
    type: EVENT_TYPES.find((one) => one === form.type),
    endpointId: form.endpoint || undefined,
  }
  return { kind: 'valid', period }
}

/** What the domain refuses stands at the field that it is about. */
function catchFieldRefusal<Saved>(saving: Promise<Saved>) {
  return catchRefusal(saving, ({ statusCode, message, errors }) => {
    if (statusCode === 409) return [{ field: 'endpoint', message }]
    return errors?.map((error) => ({
      field: FIELD_NAMES[error.field] ?? 'desde',
      message: error.message,
    }))
  })
}

function listPeriodConsequences({ from, to, type, endpointId }: ResendPeriod, all: EndpointRow[]) {
  const { between, ofType, ofAnyType, toOne, toAllThatHad, twice } = words.resend
  const endpoint = all.find(({ id }) => id === endpointId)
  return [
    between(formatDayAndTime(from.toISOString()), formatDayAndTime(to.toISOString())),
    type ? ofType(words.events[type][0]) : ofAnyType,
    endpoint ? toOne(stripUrlQuery(endpoint.url)) : toAllThatHad,
    twice,
  ]
}

async function recordPeriodResend(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  { companyId, from, to, type, endpointId }: ResendPeriod,
  count: number,
) {
  const endpoints = endpointId ? await listEndpoints(db, companyId) : []
  const url = endpoints.find(({ id }) => id === endpointId)?.url
  const period = { createdFrom: from.toISOString(), createdTo: to.toISOString() }
  await recordAudit(db, {
    ...getAuditActor(request),
    action: 'events_resent',
    ...{ subjectId: endpointId, subject: url && stripUrlQuery(url), now: now() },
    details: { ...period, ...(type && { type: words.events[type][0] }), count: String(count) },
  })
}
