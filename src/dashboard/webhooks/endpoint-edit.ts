// `/painel/integracoes/novo` and `/painel/integracoes/:id/editar`: an endpoint's address and its events.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { toRecord } from '../../http/fields.ts'
import {
  createEndpoint,
  DEFAULT_EVENT_TYPES,
  type EndpointRow,
  listEndpoints,
  stripUrlQuery,
  updateEndpoint,
} from '../../webhooks/endpoints/endpoint.ts'
import { type HeaderField, MAX_HEADERS } from '../../webhooks/endpoints/headers.ts'
import { catchRefusal, type SaveResult } from '../layout/forms/form.ts'
import { versionTexts } from '../layout/forms/texts.ts'
import { buildFormVersion, saveVersionedForm } from '../layout/forms/versioned.ts'
import { type ById, type DashboardNeeds, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { INTEGRATIONS_PATH } from '../layout/paths.ts'
import { findRequestedEndpoint, recordOwnEndpointAct } from './endpoint.ts'
import { buildEventChoices, endpointPath } from './endpoint-view.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS_STEP_UP = requireRight('integrations', STEP_UP)

type EndpointForm = {
  /** The id of the new endpoint, so that a form sent twice creates one. */
  id: string
  url: string
  events: EventType[]
  headers: HeaderField[]
}

/** `row`: the endpoint that the form changes. */
type EndpointFormState = { row?: EndpointRow; errors?: FormError[]; conflicts?: FieldConflict[] }

const FREE_HEADER_ROWS = 3

const words = webhookPageTexts

export async function endpointEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/integracoes/novo', INTEGRATIONS_STEP_UP, (request, reply) =>
    showEndpointForm(request, reply, {
      ...{ id: newId(), url: '', events: DEFAULT_EVENT_TYPES, headers: [] },
    }),
  )

  app.post('/integracoes/novo', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const form = readEndpointForm(request.body)
    const result = await trySaveEndpoint(form, () => saveNewEndpoint(needs, request, form))
    return result.kind === 'invalid'
      ? showEndpointForm(request, reply, form, { errors: result.errors })
      : reply.redirect(`${endpointPath(form.id)}?feito=endpoint-criado`, 303)
  })

  app.get<ById>('/integracoes/:id/editar', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const headers = row.headerNames.map((name) => ({ name }))
    return showEndpointForm(request, reply, { ...row, headers }, { row })
  })

  app.post<ById>('/integracoes/:id/editar', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const form = { ...readEndpointForm(request.body), id: row.id }
    const result = await trySaveEndpoint(form, () => saveEndpointChanges(needs, request, form))
    if (result.kind === 'invalid') {
      return showEndpointForm(request, reply, form, { row, errors: result.errors })
    }
    const { saved } = result
    return saved.kind === 'conflict'
      ? showEndpointForm(request, reply, form, { row, conflicts: saved.conflicts })
      : reply.redirect(`${endpointPath(row.id)}?feito=endpoint-alterado`, 303)
  })

  async function showEndpointForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, url, events, headers }: EndpointForm,
    { row, errors = [], conflicts }: EndpointFormState = {},
  ) {
    return show(request, reply, 'dashboard/webhooks/endpoint-edit', {
      ...{ title: row ? words.titles.change : words.titles.create, section: 'integracoes', errors },
      ...(row && { version: buildFormVersion(request, toEndpointValues(row), conflicts) }),
      form: { id, url },
      choices: buildEventChoices(events),
      headers: buildHeaderRows(headers, row?.headerNames ?? []),
      link: row ? { text: stripUrlQuery(row.url), href: endpointPath(row.id) } : null,
      action: row ? `${endpointPath(row.id)}/editar` : `${INTEGRATIONS_PATH}/novo`,
    })
  }
}

async function saveNewEndpoint(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { id, url, events, headers }: EndpointForm,
) {
  const { db, cipher, webhookAllowPrivate: allowPrivate = false } = needs
  const companyId = request.visitor.company.id
  // Created again, it would get another secret than the one that the receiver may have.
  const endpoints = await listEndpoints(db, companyId)
  if (endpoints.some((endpoint) => endpoint.id === id)) return
  await createEndpoint(db, cipher, { id, companyId, url, events, headers, allowPrivate })
  await recordOwnEndpointAct(needs, request, { action: 'endpoint_created', endpoint: { id, url } })
}

async function saveEndpointChanges(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  { id, url, events, headers }: EndpointForm,
) {
  const { db, cipher, webhookAllowPrivate: allowPrivate = false } = needs
  const typedValues = headers.filter(({ value }) => value !== undefined)
  const headerValues = typedValues.length > 0 ? typedValues : undefined
  const names = headers.map(({ name }) => name)
  return saveVersionedForm(needs, request, {
    find: () => findRequestedEndpoint(needs, request),
    ...{ toValues: toEndpointValues, describe: describeEndpoint, labels: words.fields },
    // Normalized as it is saved, so that the same address is no change.
    typed: { url: URL.parse(url)?.href ?? url, events, headers: names, headerValues },
    audited: { action: 'endpoint_changed', subjectId: id },
    async save(before, { changed, details }) {
      const areNames = changed.includes('headers')
      const values = changed.includes('headerValues') ? typedValues : []
      const wanted = (areNames ? names : before.headerNames).map((name) => ({
        ...{ name, value: values.find((header) => header.name === name)?.value },
      }))
      const changes = {
        ...(changed.includes('url') && { url }),
        ...(changed.includes('events') && { events }),
        ...((areNames || values.length > 0) && { headers: wanted }),
      }
      const at = { companyId: request.visitor.company.id, cipher, allowPrivate, now: needs.now() }
      const row = await updateEndpoint(db, before, changes, at)
      if (!row) return undefined
      await recordOwnEndpointAct(needs, request, {
        action: 'endpoint_changed',
        endpoint: row,
        details,
      })
      return { kind: 'saved' } as const
    },
  })
}

type EndpointValues = {
  url: string
  events: EventType[]
  headers: string[]
  /** Saved headers are represented by a hash of their values. */
  headerValues: string | null | HeaderField[]
}

function toEndpointValues({ url, events, headerNames, headersMark }: EndpointRow): EndpointValues {
  const headers = { headers: headerNames, headerValues: headersMark }
  return { url, events: sortEventTypes(events), ...headers }
}

/** Queries and values may be secrets. */
function describeEndpoint({ url, events, headers, headerValues }: EndpointValues) {
  const typedNames = Array.isArray(headerValues) && headerValues.map(({ name }) => name).join(', ')
  return {
    url: URL.canParse(url) ? stripUrlQuery(url) : url,
    events: events.map((type) => words.events[type][0]).join(', '),
    headers: headers.join(', ') || versionTexts.none,
    headerValues: typedNames ? words.typedValues(typedNames) : words.savedValues,
  }
}

/** Refuses for missing fields, or else saves and returns the refusals of the domain. */
async function trySaveEndpoint<Saved>(
  { url, events }: EndpointForm,
  save: () => Promise<Saved>,
): Promise<SaveResult<Saved>> {
  const lacking: FormError[] = []
  if (url === '') lacking.push({ field: 'url', message: words.url })
  if (events.length === 0) lacking.push({ field: 'events', message: words.noEvent })
  if (lacking.length > 0) return { kind: 'invalid', errors: lacking }
  return catchRefusal(save(), ({ statusCode, errors, message }) =>
    [409, 422].includes(statusCode)
      ? [toFormError(errors?.[0] ?? { field: 'url', message })]
      : undefined,
  )
}

function toFormError({ field, message }: FormError) {
  return { field: field.startsWith('headers') ? 'headers' : 'url', message }
}

function readEndpointForm(body: unknown): EndpointForm {
  const { id, url, events } = toRecord(body)
  const chosen = [events].flat()
  return {
    // In lower case as Postgres writes it, since the encrypted secret is bound to it.
    id: typeof id === 'string' && isUuid(id) ? id.toLowerCase() : newId(),
    url: typeof url === 'string' ? url.trim() : '',
    events: EVENT_TYPES.filter((type) => chosen.includes(type)),
    headers: readHeaders(body),
  }
}

/** Empty rows are ignored; a header without a value keeps its value. */
function readHeaders(body: unknown): HeaderField[] {
  const { headerName, headerValue } = toRecord(body)
  const values = [headerValue].flat()
  return [headerName].flat().flatMap((typed, i) => {
    const [name, value] = [typed, values[i]].map((text) => String(text ?? '').trim())
    return name || value ? [{ name: name ?? '', value: value || undefined }] : []
  })
}

/** The existing headers, and some empty rows. */
function buildHeaderRows(headers: HeaderField[], knownNames: string[]) {
  const rows = headers.map(({ name, value = '' }) => ({
    ...{ name, value, isKept: knownNames.includes(name) },
  }))
  const left = Math.max(0, Math.min(FREE_HEADER_ROWS, MAX_HEADERS - rows.length))
  return [...rows, ...Array.from({ length: left }, () => ({ name: '', value: '', isKept: false }))]
}

function sortEventTypes(events: EventType[]) {
  return EVENT_TYPES.filter((type) => events.includes(type))
}
