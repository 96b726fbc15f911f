// `/painel/integracoes/entregas/reenviar`: resends deliveries that were chosen in their list, or those of a period,
// after showing how many they are.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { EVENT_TYPES } from '../../database/enums.ts'
import { isUuid } from '../../database/id.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import {
  countResendable,
  RESEND_WINDOW_DAYS,
  type ResendFilter,
  resend,
} from '../../webhooks/deliveries/resend.ts'
import {
  type EndpointRow,
  listEndpoints,
  stripUrlQuery,
} from '../../webhooks/endpoints/endpoint.ts'
import { catchRefusal, type FormResult, readTypedFields } from '../layout/forms/form.ts'
import { DAY_END, DAY_START, formatLocalInput, parseLocalTime } from '../layout/forms/local-time.ts'
import { buildListUrl } from '../layout/lists/pager.ts'
import { readShownAt } from '../layout/lists/shown-at.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { DELIVERIES_PATH } from '../layout/paths.ts'
import { buildEndpointOptions, TYPE_FILTER_OPTIONS } from './deliveries.ts'
import { formatDayAndTime } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const words = webhookPageTexts
const RESEND_PATH = `${DELIVERIES_PATH}/reenviar`
const MAX_CHOSEN_DELIVERIES = 1_000
const WHICH_OPTIONS = Object.entries(words.which).map(([value, text]) => ({ value, text }))
/** The API's names of fields, and those of this page. */
const FIELD_NAMES: Record<string, string> = {
  createdFrom: 'desde',
  createdTo: 'ate',
  endpointId: 'endpoint',
}

type ResendForm = Record<'quais' | 'desde' | 'ate' | 'type' | 'endpoint', string>
type ReadFilter = ResendFilter & { companyId: string; from: Date; to: Date }

export async function resendPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes/entregas/reenviar', INTEGRATIONS, async (request, reply) => {
    const endpoints = await listEndpoints(db, request.visitor.company.id)
    const now = needs.now()
    const form = fillForm(request.query, now)
    const ids = readChosenIds(request.query)
    const ask = (parts: { errors?: FormError[]; isNone?: boolean } = {}) =>
      show(request, reply, 'dashboard/webhooks/resend', {
        title: words.titles.resend,
        section: 'integracoes',
        isNone: false,
        form,
        which: WHICH_OPTIONS,
        endpoints: buildEndpointOptions(endpoints),
        types: TYPE_FILTER_OPTIONS,
        days: RESEND_WINDOW_DAYS,
        ...parts,
      })
    const { desde, filtro = '' } = readTypedFields(request.query)
    if (desde === undefined && ids.length === 0) return ask()
    const read = readFilter(request, form, { ids, now })
    if (read.kind === 'invalid') return ask(read)
    const filter = { ...read.values, askedAt: now }
    const counted = await catchFieldRefusal(countResendable(db, filter, now))
    if (counted.kind === 'invalid') return ask(counted)
    if (counted.saved === 0) return ask({ isNone: true })
    const chosen = ids.map((id): [string, string] => ['delivery', id])
    const fields = { ...form, filtro, perguntado: now.toISOString() }
    return show(request, reply, 'dashboard/layout/confirm', {
      title: words.titles.resend,
      section: 'integracoes',
      question: words.resend.question(counted.saved),
      consequences: listConsequences(filter, endpoints, counted.saved),
      button: words.resend.button,
      action: RESEND_PATH,
      hidden: [...Object.entries(fields), ...chosen].map(([name, value]) => ({ name, value })),
      back: buildListUrl(DELIVERIES_PATH, filtro, {}),
    })
  })

  app.post('/integracoes/entregas/reenviar', INTEGRATIONS, async (request, reply) => {
    const now = needs.now()
    const typed = readTypedFields(request.body)
    const asked = { ids: readChosenIds(request.body), now }
    const read = readFilter(request, fillForm(request.body, now), asked)
    const again = `${RESEND_PATH}?${new URLSearchParams(typed)}`
    if (read.kind === 'invalid') return reply.redirect(again, 303)
    // Deliveries that were tried since the question was shown are left out, so that a second click sends nothing twice.
    const filter = { ...read.values, askedAt: readShownAt(typed.perguntado, now) }
    const resending = countResendable(db, filter, now).then(() => resend(db, filter, now))
    const resent = await catchFieldRefusal(resending)
    if (resent.kind === 'invalid') return reply.redirect(again, 303)
    if (resent.saved > 0) await recordResend(needs, request, filter, resent.saved)
    const done = { feito: 'entregas-reenviadas' }
    return reply.redirect(buildListUrl(DELIVERIES_PATH, typed.filtro ?? '', done), 303)
  })
}

function fillForm(given: unknown, now: Date): ResendForm {
  const dayAgo = formatLocalInput(new Date(now.getTime() - DAY_MS))
  const {
    quais = 'falhas',
    desde = dayAgo,
    ate = formatLocalInput(now),
    type = '',
    endpoint = '',
  } = readTypedFields(given)
  return { quais, desde, ate, type, endpoint }
}

function readChosenIds(given: unknown) {
  const ids = [toRecord(given).delivery].flat().map(String)
  return [...new Set(ids)].filter(isUuid).slice(0, MAX_CHOSEN_DELIVERIES)
}

function readFilter(
  { visitor }: FastifyRequest,
  form: ResendForm,
  { ids, now }: { ids: string[]; now: Date },
): FormResult<ReadFilter> {
  const companyId = visitor.company.id
  if (ids.length > 0) {
    const from = new Date(now.getTime() - RESEND_WINDOW_DAYS * DAY_MS)
    return { kind: 'valid', values: { companyId, deliveryIds: ids, from, to: now } }
  }
  const [from, to] = [parseLocalTime(form.desde, DAY_START), parseLocalTime(form.ate, DAY_END)]
  if (!from || !to) {
    const errors = Object.entries({ desde: from, ate: to }).flatMap(([field, at]) =>
      at ? [] : [{ field, message: words.resend.since }],
    )
    return { kind: 'invalid', errors }
  }
  const type = EVENT_TYPES.find((one) => one === form.type)
  if (form.type !== '' && !type) {
    return { kind: 'invalid', errors: [{ field: 'type', message: words.resend.type }] }
  }
  const values = {
    companyId,
    from: new Date(from),
    // To the end of the typed minute.
    to: new Date(Date.parse(to) + MINUTE_MS - 1),
    type,
    isGivenUp: form.quais !== 'todas',
    endpointId: form.endpoint || undefined,
  }
  return { kind: 'valid', values }
}

/** Shows refusals of the domain at their fields. */
function catchFieldRefusal<Saved>(saving: Promise<Saved>) {
  return catchRefusal(saving, ({ statusCode, message, errors }) => {
    if (statusCode === 409) return [{ field: 'endpoint', message }]
    return errors?.map((error) => ({
      field: FIELD_NAMES[error.field] ?? 'desde',
      message: error.message,
    }))
  })
}

function listConsequences(filter: ReadFilter, endpoints: EndpointRow[], count: number) {
  const { from, to, type, isGivenUp, endpointId, deliveryIds } = filter
  const { resend: said } = words
  if (deliveryIds) {
    const left = deliveryIds.length - count
    return left > 0 ? [said.left(left), said.twice] : [said.twice]
  }
  const endpoint = endpoints.find(({ id }) => id === endpointId)
  const toOne = isGivenUp ? said.to : said.toOne
  return [
    said.between(formatDayAndTime(from.toISOString()), formatDayAndTime(to.toISOString())),
    ...(isGivenUp ? [] : [said.deliveredToo]),
    ...(type ? [said.ofType(words.events[type][0])] : []),
    ...(endpoint ? [toOne(stripUrlQuery(endpoint.url))] : []),
    said.twice,
  ]
}

async function recordResend(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  { companyId, from, to, type, isGivenUp, endpointId, deliveryIds }: ReadFilter,
  resent: number,
) {
  const entry = { ...getAuditActor(request), now: now() }
  const count = String(resent)
  if (deliveryIds) return recordAudit(db, { ...entry, action: 'chosen_resent', details: { count } })
  const endpoints = endpointId ? await listEndpoints(db, companyId) : []
  const url = endpoints.find(({ id }) => id === endpointId)?.url
  const period = { createdFrom: from.toISOString(), createdTo: to.toISOString() }
  await recordAudit(db, {
    ...entry,
    action: isGivenUp ? 'deliveries_resent' : 'events_resent',
    subjectId: endpointId,
    subject: url && stripUrlQuery(url),
    details: { ...period, ...(type && { type: words.events[type][0] }), count },
  })
}
