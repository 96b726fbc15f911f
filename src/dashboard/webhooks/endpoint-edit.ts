// `/painel/integracoes/novo` and `/painel/integracoes/:id/editar`: an address and what it is told.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { isId, newId } from '../../database/id.ts'
import { AppError } from '../../http/errors.ts'
import {
  addEndpoint,
  changeEndpoint,
  DEFAULT_EVENTS,
  type EndpointRow,
  listEndpoints,
} from '../../webhooks/endpoints/endpoint.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { addressOf, endpointPath, eventChoices, INTEGRATIONS } from './endpoint-view.ts'
import { type EndpointById, findOwnEndpoint, recordOnEndpoint } from './find-endpoint.ts'
import { webhookPageTexts } from './texts.ts'

type Form = {
  /** Of the endpoint that it makes: sent twice, the form makes one. */
  id: string
  url: string
  events: EventType[]
}

const owners = { config: { owners: true } }
const words = webhookPageTexts

export async function endpointEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = pagesOf(app, needs)

  app.get('/integracoes/novo', owners, (request, reply) =>
    showForm(request, reply, { id: newId(), url: '', events: DEFAULT_EVENTS }),
  )

  app.post('/integracoes/novo', owners, async (request, reply) => {
    const form = typed(request.body)
    const errors = await orProblems(form, () => create(needs, request, form))
    return errors
      ? showForm(request, reply, form, { errors })
      : reply.redirect(`${endpointPath(form.id)}?feito=endpoint-criado`, 303)
  })

  app.get<EndpointById>('/integracoes/:id/editar', owners, async (request, reply) => {
    const row = await findOwnEndpoint(needs, request)
    return showForm(request, reply, row, { row })
  })

  app.post<EndpointById>('/integracoes/:id/editar', owners, async (request, reply) => {
    const row = await findOwnEndpoint(needs, request)
    const form = { ...typed(request.body), id: row.id }
    const errors = await orProblems(form, () => change(needs, request, row, form))
    return errors
      ? showForm(request, reply, form, { row, errors })
      : reply.redirect(`${endpointPath(row.id)}?feito=endpoint-alterado`, 303)
  })

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, url, events }: Form,
    { row, errors = [] }: { row?: EndpointRow; errors?: Problem[] } = {},
  ) {
    return show(request, reply, 'integrations/form', {
      ...{ title: row ? words.titles.change : words.titles.create, section: 'integracoes', errors },
      form: { id, url },
      choices: eventChoices(events),
      link: row ? { text: addressOf(row.url), href: endpointPath(row.id) } : null,
      action: row ? `${endpointPath(row.id)}/editar` : `${INTEGRATIONS}/novo`,
    })
  }
}

async function create(needs: DashboardNeeds, request: FastifyRequest, { id, url, events }: Form) {
  const { db, seal, webhookAllowPrivate: allowPrivate = false } = needs
  const companyId = request.visitor.company.id
  // Made again, it would get another secret than the one that the receiver may have by now.
  const endpoints = await listEndpoints(db, companyId)
  if (endpoints.some((endpoint) => endpoint.id === id)) return
  await addEndpoint(db, seal, { id, companyId, url, events, allowPrivate })
  await recordOnEndpoint(needs, request, 'endpoint_created', { id, url })
}

async function change(
  needs: DashboardNeeds,
  request: FastifyRequest,
  row: EndpointRow,
  { url, events }: Form,
) {
  const { db, webhookAllowPrivate: allowPrivate = false } = needs
  const isSame = url === row.url && events.join() === inOrder(row.events).join()
  if (isSame) return
  const at = { companyId: request.visitor.company.id, allowPrivate, now: needs.now() }
  const changed = await changeEndpoint(db, row.id, { url, events }, at)
  await recordOnEndpoint(needs, request, 'endpoint_changed', changed)
}

/** What the form lacks, or else what the domain refuses; undefined when it is saved. */
async function orProblems({ url, events }: Form, save: () => Promise<void>) {
  const lacking: Problem[] = []
  if (url === '') lacking.push({ field: 'url', message: words.url })
  if (events.length === 0) lacking.push({ field: 'events', message: words.noEvent })
  if (lacking.length > 0) return lacking
  try {
    return await save()
  } catch (error) {
    if (!(error instanceof AppError) || ![409, 422].includes(error.statusCode)) throw error
    return [{ field: 'url', message: error.errors?.[0]?.message ?? error.message }]
  }
}

function typed(body: unknown): Form {
  const { id, url, events } = (body ?? {}) as Record<string, unknown>
  const chosen = [events].flat()
  return {
    id: typeof id === 'string' && isId(id) ? id : newId(),
    url: typeof url === 'string' ? url.trim() : '',
    events: EVENT_TYPES.filter((type) => chosen.includes(type)),
  }
}

function inOrder(events: EventType[]) {
  return EVENT_TYPES.filter((type) => events.includes(type))
}
