import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { conflictError } from '../../http/errors.ts'
import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import { type RightFields, type Routes, refuseBody } from '../../http/zod.ts'
import { webhookTexts } from '../texts.ts'
import { describeEndpointChange, recordApiEndpointAct, type WebhookRouteNeeds } from './audit.ts'
import {
  createEndpoint,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  serializeEndpoint,
  updateEndpoint,
} from './endpoint.ts'
import {
  findEndpointErrors,
  findReadOnlyChangeErrors,
  findReadOnlyNewErrors,
} from './field-errors.ts'
import {
  NewWebhookEndpoint,
  RotatedSecret,
  Rotation,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
} from './schema.ts'
import { rotateSecret } from './secret.ts'

const tags = ['Webhook endpoints']
const config = { resource: 'webhook-endpoints' } as const
const params = IdParams

export const endpointRoutes: Routes<WebhookRouteNeeds> = async (app, needs) => {
  endpointReadRoutes(app, needs)
  endpointCreateRoutes(app, needs)
  endpointChangeRoutes(app, needs)
  endpointRemovalRoutes(app, needs)
  endpointSecretRoutes(app, needs)
}

type EndpointApp = Parameters<Routes<WebhookRouteNeeds>>[0]

function toAnswer({ now }: WebhookRouteNeeds, { company }: FastifyRequest, row: EndpointRow) {
  return serializeEndpoint(row, { testMode: company.testMode, now: now() })
}

function endpointReadRoutes(app: EndpointApp, needs: WebhookRouteNeeds) {
  app.get(
    '/webhook-endpoints',
    {
      config,
      schema: {
        summary: 'Listar endpoints',
        description: 'Sem os segredos.',
        operationId: 'listWebhookEndpoints',
        tags,
        querystring: PageQuery.strict(),
        response: { 200: buildPageSchema(WebhookEndpoint) },
      },
    },
    async (request) => {
      const { cursor, limit } = request.query
      const all = await listEndpoints(needs.db, request.company.id)
      const rows = all.reverse().filter(({ id }) => id < cursor)
      const { data, ...rest } = paginateRows(rows.slice(0, limit + 1), limit)
      return { data: data.map((row) => toAnswer(needs, request, row)), ...rest }
    },
  )

  app.get(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Consultar um endpoint',
        description: 'Sem o segredo.',
        operationId: 'getWebhookEndpoint',
        tags,
        params,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => {
      const row = await findEndpoint(needs.db, request.company.id, request.params.id)
      return toAnswer(needs, request, row)
    },
  )
}

function endpointCreateRoutes(app: EndpointApp, needs: WebhookRouteNeeds) {
  const { db, cipher, now, allowPrivate = false } = needs

  app.post(
    '/webhook-endpoints',
    {
      config,
      attachValidation: true,
      schema: {
        summary: 'Criar um endpoint',
        description:
          'O segredo vem nesta resposta e em nenhuma outra. No máximo 10 por ambiente; depois, 409 `too_many_endpoints`.',
        operationId: 'createWebhookEndpoint',
        tags,
        body: NewWebhookEndpoint,
        response: { 201: WebhookEndpointWithSecret },
      },
    },
    async (request, reply) => {
      const { id: companyId, testMode } = request.company
      await refuseBody(request, NewWebhookEndpoint, async (right) => [
        ...findReadOnlyNewErrors(right, testMode),
        ...(await findFieldErrors(right, allowPrivate)),
      ])
      const { url, events, headers, disabled } = request.body
      const { id, secret } = await createEndpoint(db, cipher, {
        id: request.resourceId,
        companyId,
        url,
        ...(events && { events }),
        ...(headers && { headers: toHeaderFields(headers) }),
        disabledAt: disabled ? now().toISOString() : null,
        allowPrivate,
      })
      const row = await findEndpoint(db, companyId, id)
      await recordApiEndpointAct(needs, request, { action: 'endpoint_created', endpoint: row })
      reply.code(201).header('location', `/api/webhook-endpoints/${id}`)
      return { ...toAnswer(needs, request, row), secret }
    },
  )
}

function endpointChangeRoutes(app: EndpointApp, needs: WebhookRouteNeeds) {
  const { db, cipher, now, allowPrivate = false } = needs

  app.patch(
    '/webhook-endpoints/:id',
    {
      config,
      attachValidation: true,
      schema: {
        summary: 'Alterar, desativar ou reativar um endpoint',
        description: 'Só mudam os campos do corpo. As entregas esperam enquanto está desativado.',
        operationId: 'updateWebhookEndpoint',
        tags,
        params,
        body: WebhookEndpointChanges,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => {
      const { id: companyId } = request.company
      await refuseBody(request, WebhookEndpointChanges, async (right) => {
        const others = await findFieldErrors(right, allowPrivate)
        // The endpoint is only read when there is something to compare.
        if (findReadOnlyChangeErrors(right).length === 0) return others
        const row = await findEndpoint(db, companyId, request.params.id)
        return [...findReadOnlyChangeErrors(right, toAnswer(needs, request, row)), ...others]
      })
      const { headers, ...changes } = request.body
      const all = { ...changes, ...(headers && { headers: toHeaderFields(headers) }) }
      const before = await findEndpoint(db, companyId, request.params.id)
      const context = { companyId, cipher, allowPrivate, now: now() }
      const row = await updateEndpoint(db, before, all, context)
      if (!row) throw conflictError('changed_meanwhile', webhookTexts.changedMeanwhile)
      const details = describeEndpointChange(before, row, Object.keys(headers ?? {}))
      if (Object.keys(details).length > 0) {
        const act = { action: 'endpoint_changed', endpoint: row, details } as const
        await recordApiEndpointAct(needs, request, act)
      }
      return toAnswer(needs, request, row)
    },
  )
}

function endpointRemovalRoutes(app: EndpointApp, needs: WebhookRouteNeeds) {
  const { db, now } = needs

  app.delete(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Remover um endpoint',
        description: 'O que ainda não foi entregue não será mais. Os eventos ficam.',
        operationId: 'deleteWebhookEndpoint',
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const row = await findEndpoint(db, request.company.id, request.params.id)
      if (await removeEndpoint(db, request.company.id, row.id, now())) {
        await recordApiEndpointAct(needs, request, { action: 'endpoint_removed', endpoint: row })
      }
      return reply.code(204).send()
    },
  )
}

function endpointSecretRoutes(app: EndpointApp, needs: WebhookRouteNeeds) {
  const { db, cipher } = needs

  app.post(
    '/webhook-endpoints/:id/rotate-secret',
    {
      config,
      schema: {
        summary: 'Trocar o segredo de um endpoint',
        description:
          'O segredo anterior também assina, por 24 horas ou pelo tempo que o corpo disser. Trocado de novo nesse tempo, os anteriores continuam assinando, até quatro; com `overlapHours` 0, todos deixam de valer agora.',
        operationId: 'rotateWebhookEndpointSecret',
        tags,
        params,
        body: Rotation,
        response: { 200: RotatedSecret },
      },
    },
    async (request) => {
      const { id: companyId } = request.company
      const { id } = await findEndpoint(db, companyId, request.params.id)
      const secret = await rotateSecret(db, cipher, {
        ...{ companyId, id, now: request.requestedAt, ...request.body },
        isRepeated: request.idempotency?.isTakeover ?? false,
      })
      const row = await findEndpoint(db, companyId, id)
      await recordApiEndpointAct(needs, request, { action: 'secret_rotated', endpoint: row })
      const { rotatingUntil } = toAnswer(needs, request, row)
      return { secret, rotatingUntil }
    },
  )
}

function findFieldErrors(
  { url, headers }: RightFields<typeof WebhookEndpointChanges.shape>,
  allowPrivate: boolean,
) {
  return findEndpointErrors({ url, headers: headers && toHeaderFields(headers) }, { allowPrivate })
}

function toHeaderFields(headers: Record<string, string>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}
