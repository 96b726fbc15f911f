// `/painel/integracoes/entregas`: deliveries, page by page, with filters from the address. `/entregas/reenviar` resends
// those that were chosen in the list, or those of a period, after showing how many they are.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENT_TYPES } from '../../database/enums.ts'
import { isUuid } from '../../database/id.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { formatDayAndTime } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { DELIVERY_STATES, listDeliveries } from '../../webhooks/deliveries/history.ts'
import {
  countResendable,
  RESEND_WINDOW_DAYS,
  type ResendFilter,
  resendDeliveries,
} from '../../webhooks/deliveries/resend.ts'
import {
  type EndpointRow,
  listEndpoints,
  stripUrlQuery,
} from '../../webhooks/endpoints/endpoint.ts'
import {
  catchRefusal,
  type FormResult,
  readTypedFields,
  refuseField,
  registerPage,
} from '../layout/form.ts'
import {
  buildFilterOptions,
  buildListUrl,
  countFilters,
  loadPage,
  readListQuery,
  readShownAt,
} from '../layout/list.ts'
import { DAY_END, DAY_START, formatLocalInput, parseLocalTime } from '../layout/local-time.ts'
import { type DashboardNeeds, recordAct, requireRight } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { DELIVERIES_PATH } from '../layout/paths.ts'
import { toDeliveryRow } from './delivery.ts'
import { EVENT_TYPE_OPTIONS, formatEndpointName } from './endpoint-view.ts'
import { webhookPageTexts as words } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const RESEND_PATH = `${DELIVERIES_PATH}/reenviar`
const MAX_CHOSEN_DELIVERIES = 1_000
/** The API's names of fields, and those of the page. */
const FIELD_NAMES: Record<string, string> = {
  createdFrom: 'desde',
  createdTo: 'ate',
  endpointId: 'endpoint',
}

type ResendForm = Record<'quais' | 'desde' | 'ate' | 'type' | 'endpoint', string>
type ReadFilter = ResendFilter & { companyId: string; from: Date; to: Date }

export async function deliveryListPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(
    app,
    needs,
    '/integracoes/entregas',
    ['integrations', 'dashboard/webhooks/deliveries'],
    loadDeliveries,
  )
  registerResend(app, needs)
}

export async function loadDeliveries({ db, ...needs }: DashboardNeeds, request: FastifyRequest) {
  const companyId = request.visitor.company.id
  const now = needs.now()
  const endpoints = await listEndpoints(db, companyId)
  const { days, ...filters } = readDeliveryFilters(request, endpoints)
  const since = days ? new Date(now.getTime() - Number(days) * DAY_MS) : undefined
  const { endpointId: endpoint = '', type = '', state: status = '' } = filters
  const form = { endpoint, type, status, dias: days ?? '' }
  const { data, pager } = await loadPage(request, (page) =>
    listDeliveries(db, { ...page, ...filters, since, companyId }),
  )
  return {
    title: words.titles.deliveries,
    deliveries: data.map(toDeliveryRow),
    filters: form,
    filterCount: countFilters(form),
    options: { ...DELIVERY_OPTIONS, endpoints: buildEndpointOptions(endpoints) },
    hasEndpoints: endpoints.length > 0,
    filter: readListQuery(request.url),
    scripts: ['choose.js'],
    pager,
  }
}

const { any, states, since } = words
const DELIVERY_OPTIONS = {
  types: buildFilterOptions(any.types, EVENT_TYPE_OPTIONS),
  states: buildFilterOptions(
    any.states,
    DELIVERY_STATES.map((value) => ({ value, text: states[value] })),
  ),
  days: buildFilterOptions(
    any.time,
    Object.entries(since).map(([value, text]) => ({ value, text })),
  ),
}

function buildEndpointOptions(endpoints: EndpointRow[]) {
  const options = endpoints.map(({ id, url }) => ({ value: id, text: formatEndpointName(url) }))
  return buildFilterOptions(words.any.endpoints, options)
}

/** Ignores values that cannot be filters. */
function readDeliveryFilters(request: FastifyRequest, endpoints: EndpointRow[]) {
  const { endpoint, type, status, dias } = readTypedFields(request.query)
  return {
    endpointId: endpoints.find(({ id }) => id === endpoint)?.id,
    type: EVENT_TYPES.find((one) => one === type),
    state: DELIVERY_STATES.find((one) => one === status),
    days: Object.keys(words.since).find((one) => one === dias),
  }
}

function registerResend(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  app.get('/integracoes/entregas/reenviar', INTEGRATIONS, async (request, reply) => {
    const endpoints = await listEndpoints(db, request.visitor.company.id)
    const now = needs.now()
    const form = fillForm(request.query, now)
    const ids = readChosenIds(request.query)
    const ask = ({
      errors = [],
      isNone = false,
    }: {
      errors?: FormError[]
      isNone?: boolean
    } = {}) =>
      show(request, reply, 'dashboard/webhooks/resend', {
        ...toResendPage(form, endpoints, isNone),
        errors,
      })
    const { desde, filtro = '' } = readTypedFields(request.query)
    if (desde === undefined && ids.length === 0) return ask()
    const read = readFilter(request, form, { ids, now })
    if (read.kind === 'invalid') return ask(read)
    const filter = { ...read.values, askedAt: now }
    const counted = await catchFieldRefusal(countResendable(db, filter, now))
    if (counted.kind === 'invalid') return ask(counted)
    if (counted.saved === 0) return ask({ isNone: true })
    const fields = Object.entries({ ...form, filtro, perguntado: now.toISOString() })
    const chosen = ids.map((id) => ['delivery', id] as const)
    return show(request, reply, 'dashboard/layout/confirm', {
      title: words.titles.resend,
      question: words.resend.question(counted.saved),
      consequences: listConsequences(filter, endpoints, counted.saved),
      button: words.resend.button,
      action: RESEND_PATH,
      hidden: [...fields, ...chosen].map(([name, value]) => ({ name, value })),
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
    const resending = countResendable(db, filter, now).then(() => resendDeliveries(db, filter, now))
    const resent = await catchFieldRefusal(resending)
    if (resent.kind === 'invalid') return reply.redirect(again, 303)
    if (resent.saved > 0) await recordResend(needs, request, filter, resent.saved)
    const done = { feito: 'entregas-reenviadas' }
    return reply.redirect(buildListUrl(DELIVERIES_PATH, typed.filtro ?? '', done), 303)
  })
}

/** @param isNone there are no deliveries to resend */
export function toResendPage(form: ResendForm, endpoints: EndpointRow[], isNone: boolean) {
  return {
    title: words.titles.resend,
    isNone,
    form,
    which: Object.entries(words.which).map(([value, text]) => ({ value, text })),
    endpoints: buildEndpointOptions(endpoints),
    types: DELIVERY_OPTIONS.types,
    days: RESEND_WINDOW_DAYS,
  }
}

function fillForm(given: unknown, now: Date): ResendForm {
  const { quais = 'falhas', desde, ate, type = '', endpoint = '' } = readTypedFields(given)
  return {
    quais,
    desde: desde ?? formatLocalInput(new Date(now.getTime() - DAY_MS)),
    ate: ate ?? formatLocalInput(now),
    type,
    endpoint,
  }
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
  if (form.type !== '' && !type) return refuseField('type', words.resend.type)
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
    return errors?.map(({ field, ...error }) => ({
      field: FIELD_NAMES[field] ?? 'desde',
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
    said.between(formatDayAndTime(from), formatDayAndTime(to)),
    ...(isGivenUp ? [] : [said.deliveredToo]),
    ...(type ? [said.ofType(words.events[type][0])] : []),
    ...(endpoint ? [toOne(stripUrlQuery(endpoint.url))] : []),
    said.twice,
  ]
}

async function recordResend(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { companyId, from, to, type, isGivenUp, endpointId, deliveryIds }: ReadFilter,
  resent: number,
) {
  const count = String(resent)
  if (deliveryIds) return recordAct(needs, request, { action: 'chosen_resent', details: { count } })
  const endpoints = endpointId ? await listEndpoints(needs.db, companyId) : []
  const url = endpoints.find(({ id }) => id === endpointId)?.url
  const period = { createdFrom: from.toISOString(), createdTo: to.toISOString() }
  return recordAct(needs, request, {
    action: isGivenUp ? 'deliveries_resent' : 'events_resent',
    subjectId: endpointId,
    subject: url && stripUrlQuery(url),
    details: { ...period, ...(type && { type: words.events[type][0] }), count },
  })
}
