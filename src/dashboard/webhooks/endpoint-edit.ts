// `/painel/integracoes/novo` and `/painel/integracoes/:id/editar`: an address and what it is told.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { toRecord } from '../../http/fields.ts'
import {
  createEndpoint,
  DEFAULT_EVENT_TYPES,
  type EndpointRow,
  listEndpoints,
  updateEndpoint,
} from '../../webhooks/endpoints/endpoint.ts'
import { catchRefusal } from '../layout/form.ts'
import { type ById, type DashboardNeeds, OWNERS_ONLY } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { INTEGRATIONS_PATH } from '../layout/paths.ts'
import { buildEventChoices, endpointPath, stripUrlQuery } from './endpoint-view.ts'
import { findRequestedEndpoint, recordEndpointAudit } from './find-endpoint.ts'
import { webhookPageTexts } from './texts.ts'

type EndpointForm = {
  /** Of the endpoint that it makes: sent twice, the form makes one. */
  id: string
  url: string
  events: EventType[]
}

const words = webhookPageTexts

export async function endpointEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(app, needs)

  app.get('/integracoes/novo', OWNERS_ONLY, (request, reply) =>
    showEndpointForm(request, reply, { id: newId(), url: '', events: DEFAULT_EVENT_TYPES }),
  )

  app.post('/integracoes/novo', OWNERS_ONLY, async (request, reply) => {
    const form = readEndpointForm(request.body)
    const result = await trySaveEndpoint(form, () => saveNewEndpoint(needs, request, form))
    return result.kind === 'invalid'
      ? showEndpointForm(request, reply, form, { errors: result.errors })
      : reply.redirect(`${endpointPath(form.id)}?feito=endpoint-criado`, 303)
  })

  app.get<ById>('/integracoes/:id/editar', OWNERS_ONLY, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    return showEndpointForm(request, reply, row, { row })
  })

  app.post<ById>('/integracoes/:id/editar', OWNERS_ONLY, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const form = { ...readEndpointForm(request.body), id: row.id }
    const result = await trySaveEndpoint(form, () => saveEndpointChanges(needs, request, row, form))
    return result.kind === 'invalid'
      ? showEndpointForm(request, reply, form, { row, errors: result.errors })
      : reply.redirect(`${endpointPath(row.id)}?feito=endpoint-alterado`, 303)
  })

  async function showEndpointForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, url, events }: EndpointForm,
    { row, errors = [] }: { row?: EndpointRow; errors?: FormError[] } = {},
  ) {
    return show(request, reply, 'dashboard/webhooks/endpoint-edit', {
      ...{ title: row ? words.titles.change : words.titles.create, section: 'integracoes', errors },
      form: { id, url },
      choices: buildEventChoices(events),
      link: row ? { text: stripUrlQuery(row.url), href: endpointPath(row.id) } : null,
      action: row ? `${endpointPath(row.id)}/editar` : `${INTEGRATIONS_PATH}/novo`,
    })
  }
}

async function saveNewEndpoint(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { id, url, events }: EndpointForm,
) {
  const { db, cipher, webhookAllowPrivate: allowPrivate = false } = needs
  const companyId = request.visitor.company.id
  // Made again, it would get another secret than the one that the receiver may have by now.
  const endpoints = await listEndpoints(db, companyId)
  if (endpoints.some((endpoint) => endpoint.id === id)) return
  await createEndpoint(db, cipher, { id, companyId, url, events, allowPrivate })
  await recordEndpointAudit(needs, request, 'endpoint_created', { id, url })
}

async function saveEndpointChanges(
  needs: DashboardNeeds,
  request: FastifyRequest,
  row: EndpointRow,
  { url, events }: EndpointForm,
) {
  const { db, webhookAllowPrivate: allowPrivate = false } = needs
  const isSame = url === row.url && events.join() === sortEventTypes(row.events).join()
  if (isSame) return
  const at = { companyId: request.visitor.company.id, allowPrivate, now: needs.now() }
  const changed = await updateEndpoint(db, row.id, { url, events }, at)
  await recordEndpointAudit(needs, request, 'endpoint_changed', changed)
}

/** Refused for what the form lacks, or else by the domain. */
async function trySaveEndpoint({ url, events }: EndpointForm, save: () => Promise<void>) {
  const lacking: FormError[] = []
  if (url === '') lacking.push({ field: 'url', message: words.url })
  if (events.length === 0) lacking.push({ field: 'events', message: words.noEvent })
  if (lacking.length > 0) return { kind: 'invalid', errors: lacking } as const
  return catchRefusal(save(), ({ statusCode, errors, message }) =>
    [409, 422].includes(statusCode)
      ? [{ field: 'url', message: errors?.[0]?.message ?? message }]
      : undefined,
  )
}

function readEndpointForm(body: unknown): EndpointForm {
  const { id, url, events } = toRecord(body)
  const chosen = [events].flat()
  return {
    id: typeof id === 'string' && isUuid(id) ? id : newId(),
    url: typeof url === 'string' ? url.trim() : '',
    events: EVENT_TYPES.filter((type) => chosen.includes(type)),
  }
}

function sortEventTypes(events: EventType[]) {
  return EVENT_TYPES.filter((type) => events.includes(type))
}
