// `/painel/integracoes/novo` and `/painel/integracoes/:id/editar`: an endpoint's address, its events and its headers.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import type { AppError } from '../../http/errors.ts'
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
import {
  catchRefusal,
  type FormRequest,
  type FormResult,
  readFormId,
  registerForm,
  type ShownForm,
} from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { endpointPagePath, INTEGRATIONS_PATH } from '../layout/paths.ts'
import { versionTexts } from '../layout/texts.ts'
import { saveVersionedForm } from '../layout/versioned.ts'
import { findRequestedEndpoint, recordOwnEndpointAct } from './endpoint.ts'
import { webhookPageTexts as words } from './texts.ts'

type EndpointForm = {
  id: string
  url: string
  events: EventType[]
  headers: HeaderField[]
}

const ACCESS = { right: 'integrations', stepUp: true } as const
const FREE_HEADER_ROWS = 3

export async function endpointEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerForm(app, '/integracoes/novo', {
    ...ACCESS,
    load: async () => null,
    toForm: () => ({ id: newId(), url: '', events: DEFAULT_EVENT_TYPES, headers: [] }),
    readForm: ({ body }) => readEndpointForm(body),
    parse: requireFields,
    save: (request, _row, form) => saveNewEndpoint(needs, request, form),
    view,
    done: ({ saved: id }) => `${endpointPagePath(id)}?feito=endpoint-criado`,
  })

  registerForm(app, '/integracoes/:id/editar', {
    ...ACCESS,
    load: (request) => findRequestedEndpoint(needs, request),
    toValues: toEndpointValues,
    toForm: ({ id, url, events, headerNames }): EndpointForm => {
      return { id, url, events, headers: headerNames.map((name) => ({ name })) }
    },
    readForm: ({ body }, { id }) => ({ ...readEndpointForm(body), id }),
    parse: requireFields,
    save: (request, _row, form) => saveEndpointChanges(needs, request, form),
    view,
    done: (_saved, { id }) => `${endpointPagePath(id)}?feito=endpoint-alterado`,
  })

  function view(
    request: FormRequest,
    reply: FastifyReply,
    { form, ...shown }: ShownForm<EndpointForm>,
    row: EndpointRow | null,
  ) {
    const page = { ...toEndpointPage(form, row), ...shown }
    return needs.show(request, reply, 'dashboard/webhooks/endpoint-edit', page)
  }
}

export function toEndpointPage(
  { id, url, events, headers }: EndpointForm,
  row: EndpointRow | null,
) {
  return {
    title: row ? words.titles.change : words.titles.create,
    form: { id, url },
    choices: EVENT_TYPES.map((value) => {
      const [name, about] = words.events[value]
      return { value, name, about, checked: events.includes(value) }
    }),
    headers: buildHeaderRows(headers, row?.headerNames ?? []),
    /** The endpoint that the form changes; null for a new one. */
    link: row && { text: stripUrlQuery(row.url), href: endpointPagePath(row.id) },
    action: row ? `${endpointPagePath(row.id)}/editar` : `${INTEGRATIONS_PATH}/novo`,
  }
}

async function saveNewEndpoint(
  needs: DashboardNeeds,
  request: FormRequest,
  { id: formId, url, events, headers }: EndpointForm,
) {
  const { db, cipher, allowPrivate = false } = needs
  const companyId = request.visitor.company.id
  // Created again, it would get another secret than the one that the receiver may have.
  const known = (await listEndpoints(db, companyId)).find((endpoint) => endpoint.id === formId)
  if (known && known.url === URL.parse(url)?.href) return { kind: 'saved' as const, saved: formId }
  // A form that was kept and sent with another address is another endpoint.
  const id = known ? newId() : formId
  const made = { id, companyId, url, events, headers, allowPrivate }
  const created = await catchRefusal(createEndpoint(db, cipher, made), toEndpointErrors)
  if (created.kind === 'invalid') return created
  await recordOwnEndpointAct(needs, request, { action: 'endpoint_created', endpoint: { id, url } })
  return { kind: 'saved' as const, saved: id }
}

async function saveEndpointChanges(
  needs: DashboardNeeds,
  request: FormRequest,
  { id, url, events, headers }: EndpointForm,
) {
  const { db, cipher, allowPrivate = false } = needs
  const typedValues = headers.filter(({ value }) => value !== undefined)
  const names = headers.map(({ name }) => name)
  return saveVersionedForm(needs, request, {
    find: () => findRequestedEndpoint(needs, request),
    toValues: toEndpointValues,
    describe: describeEndpoint,
    labels: words.fields,
    typed: {
      // Normalized as it is saved, so that the same address is no change.
      url: URL.parse(url)?.href ?? url,
      events,
      headers: names,
      headerValues: typedValues.length > 0 ? typedValues : undefined,
    },
    audited: { action: 'endpoint_changed', subjectId: id },
    async save(before, { changed, details }) {
      const changes = {
        ...(changed.includes('url') && { url }),
        ...(changed.includes('events') && { events }),
        headers: toChangedHeaders(before, headers, changed),
      }
      const at = { companyId: request.visitor.company.id, cipher, allowPrivate, now: needs.now() }
      const updated = await catchRefusal(updateEndpoint(db, before, changes, at), toEndpointErrors)
      if (updated.kind === 'invalid') return updated
      const { saved: endpoint } = updated
      if (!endpoint) return undefined
      const act = { action: 'endpoint_changed', endpoint, details } as const
      await recordOwnEndpointAct(needs, request, act)
      return { kind: 'saved' } as const
    },
  })
}

/** The header names of before stay, and so do their values, unless they were typed; undefined when nothing changes. */
function toChangedHeaders(
  { headerNames }: EndpointRow,
  headers: HeaderField[],
  changed: (keyof EndpointValues)[],
): HeaderField[] | undefined {
  const [areNames, areValues] = [changed.includes('headers'), changed.includes('headerValues')]
  if (!areNames && !areValues) return undefined
  const names = areNames ? headers.map(({ name }) => name) : headerNames
  return names.map((name) => ({
    name,
    value: areValues ? headers.find((header) => header.name === name)?.value : undefined,
  }))
}

type EndpointValues = {
  url: string
  events: EventType[]
  headers: string[]
  /** Saved headers are represented by a hash of their values. */
  headerValues: string | null | HeaderField[]
}

function toEndpointValues({ url, events, headerNames, headersMark }: EndpointRow): EndpointValues {
  const sorted = EVENT_TYPES.filter((type) => events.includes(type))
  return { url, events: sorted, headers: headerNames, headerValues: headersMark }
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

function requireFields(form: EndpointForm): FormResult<EndpointForm> {
  const errors: FormError[] = []
  if (form.url === '') errors.push({ field: 'url', message: words.url })
  if (form.events.length === 0) errors.push({ field: 'events', message: words.noEvent })
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', values: form }
}

/** Shows refusals of the domain at the field of the headers or of the address. */
function toEndpointErrors({ statusCode, errors, message: whole }: AppError) {
  if (statusCode !== 409 && statusCode !== 422) return undefined
  const { field, message } = errors?.[0] ?? { field: 'url', message: whole }
  return [{ field: field.startsWith('headers') ? 'headers' : 'url', message }]
}

function readEndpointForm(body: unknown): EndpointForm {
  const { url, events, headerName, headerValue } = toRecord(body)
  const chosen = [events].flat()
  const values = [headerValue].flat()
  return {
    id: readFormId(body),
    url: typeof url === 'string' ? url.trim() : '',
    events: EVENT_TYPES.filter((type) => chosen.includes(type)),
    // Empty rows are ignored; a header without a value keeps its value.
    headers: [headerName].flat().flatMap((typed, i) => {
      const [name = '', value] = [typed, values[i]].map((text) => String(text ?? '').trim())
      return name || value ? [{ name, value: value || undefined }] : []
    }),
  }
}

/** The existing headers, and some empty rows; a stored value is not shown. */
function buildHeaderRows(headers: HeaderField[], knownNames: string[]) {
  const rows = headers.map(({ name, value = '' }) => {
    return { name, value, isKept: knownNames.includes(name) }
  })
  const left = Math.max(0, Math.min(FREE_HEADER_ROWS, MAX_HEADERS - rows.length))
  return [...rows, ...Array.from({ length: left }, () => ({ name: '', value: '', isKept: false }))]
}
