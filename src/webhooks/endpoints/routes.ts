import { z } from 'zod'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { bodyRefusals, notFoundError, Problem, refusals } from '../../http/errors.ts'
import { IdParams } from '../../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../../http/pagination.ts'
import { type RightFields, type Routes, refuseBody } from '../../http/zod.ts'
import { webhookTexts } from '../texts.ts'
import {
  type AuditNeeds,
  recordEndpointAct,
  recordEndpointChange,
  recordEndpointNotice,
} from './audit.ts'
import { createEndpoint, findEndpoint, listEndpointPage, updateEndpoint } from './endpoint.ts'
import {
  findEndpointErrors,
  findReadOnlyChangeErrors,
  findReadOnlyNewErrors,
} from './field-errors.ts'
import { removeEndpoint } from './remove.ts'
import {
  NewWebhookEndpoint,
  RotatedSecret,
  Rotation,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
} from './schema.ts'
import { rotateSecret } from './secret.ts'
import { serializeEndpoint } from './serialize.ts'

type EndpointRouteNeeds = AuditNeeds & {
  cipher: Cipher
  webhookAllowPrivate?: boolean
}

const writeRefusals = { ...bodyRefusals, 409: Problem }
const tags = ['Webhook endpoints']
const config = { resource: 'webhook-endpoints' } as const
const params = IdParams

export const endpointRoutes: Routes<EndpointRouteNeeds> = async (app, needs) => {
  endpointReadRoutes(app, needs)
  endpointCreateRoutes(app, needs)
  endpointChangeRoutes(app, needs)
  endpointRemovalRoutes(app, needs)
  endpointSecretRoutes(app, needs)
}

type EndpointApp = Parameters<Routes<EndpointRouteNeeds>>[0]

function endpointReadRoutes(app: EndpointApp, { db, now }: EndpointRouteNeeds) {
  app.get(
    '/webhook-endpoints',
    {
      config,
      schema: {
        summary: 'Listar endpoints',
        operationId: 'listWebhookEndpoints',
        tags,
        querystring: PageQuery.strict(),
        response: { 200: buildPageSchema(WebhookEndpoint), 422: Problem, ...refusals },
      },
    },
    async (request) => {
      const rows = await listEndpointPage(db, request.company.id, request.query)
      const { data, ...rest } = paginateRows(rows, request.query.limit)
      return {
        data: data.map((row) =>
          serializeEndpoint(row, { testMode: request.company.testMode, now: now() }),
        ),
        ...rest,
      }
    },
  )

  app.get(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Consultar um endpoint',
        operationId: 'getWebhookEndpoint',
        tags,
        params,
        response: { 200: WebhookEndpoint, 404: Problem, ...refusals },
      },
    },
    async (request) => {
      const row = await findEndpoint(db, request.company.id, request.params.id)
      return serializeEndpoint(row, { testMode: request.company.testMode, now: now() })
    },
  )
}

function endpointCreateRoutes(app: EndpointApp, needs: EndpointRouteNeeds) {
  const { db, cipher, now, webhookAllowPrivate = false } = needs
  const findOtherErrors = createErrorFinder(webhookAllowPrivate)

  app.post(
    '/webhook-endpoints',
    {
      config,
      attachValidation: true,
      schema: {
        summary: 'Criar um endpoint',
        operationId: 'createWebhookEndpoint',
        tags,
        body: NewWebhookEndpoint,
        response: { 201: WebhookEndpointWithSecret, ...writeRefusals, ...refusals },
      },
    },
    async (request, reply) => {
      const { testMode } = request.company
      await refuseBody(request, NewWebhookEndpoint, async (right) => [
        ...findReadOnlyNewErrors(right, testMode),
        ...(await findOtherErrors(right)),
      ])
      const { url, events, headers, disabled } = request.body
      const { id, secret } = await createEndpoint(db, cipher, {
        id: request.resourceId,
        companyId: request.company.id,
        url,
        ...(events && { events }),
        ...(headers && { headers: toHeaderFields(headers) }),
        disabledAt: disabled ? now().toISOString() : null,
        allowPrivate: webhookAllowPrivate,
      })
      const row = await findEndpoint(db, request.company.id, id)
      await recordEndpointNotice(needs, request, 'endpoint_created', row)
      reply.code(201).header('location', `/api/webhook-endpoints/${id}`)
      return {
        ...serializeEndpoint(row, { testMode: request.company.testMode, now: now() }),
        secret,
      }
    },
  )
}

function endpointChangeRoutes(app: EndpointApp, needs: EndpointRouteNeeds) {
  const { db, cipher, now, webhookAllowPrivate = false } = needs
  const findOtherErrors = createErrorFinder(webhookAllowPrivate)

  app.patch(
    '/webhook-endpoints/:id',
    {
      config,
      attachValidation: true,
      schema: {
        summary: 'Alterar, desativar ou reativar um endpoint',
        operationId: 'updateWebhookEndpoint',
        tags,
        params,
        body: WebhookEndpointChanges,
        response: { 200: WebhookEndpoint, 404: Problem, ...writeRefusals, ...refusals },
      },
    },
    async (request) => {
      await refuseBody(request, WebhookEndpointChanges, async (right) => {
        const others = await findOtherErrors(right)
        // The endpoint is only looked at where there is something to compare.
        if (findReadOnlyChangeErrors(right).length === 0) return others
        const { company, params } = request
        const row = await findEndpoint(db, company.id, params.id)
        const shown = serializeEndpoint(row, { testMode: company.testMode, now: now() })
        return [...findReadOnlyChangeErrors(right, shown), ...others]
      })
      const { headers, ...changes } = request.body
      const all = { ...changes, ...(headers && { headers: toHeaderFields(headers) }) }
      const before = await findEndpoint(db, request.company.id, request.params.id)
      const row = await updateEndpoint(db, request.params.id, all, {
        companyId: request.company.id,
        cipher,
        allowPrivate: webhookAllowPrivate,
        now: now(),
      })
      const sent = Object.keys(headers ?? {})
      await recordEndpointChange(needs, request, { before, after: row, sent })
      return serializeEndpoint(row, { testMode: request.company.testMode, now: now() })
    },
  )
}

function endpointRemovalRoutes(app: EndpointApp, needs: EndpointRouteNeeds) {
  const { db, now } = needs
  app.delete(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Remover um endpoint',
        operationId: 'deleteWebhookEndpoint',
        tags,
        params,
        response: { 204: z.undefined(), 404: Problem, ...refusals },
      },
    },
    async (request, reply) => {
      const row = await findEndpoint(db, request.company.id, request.params.id)
      const { kind } = await removeEndpoint(db, request.company.id, row.id, now())
      if (kind === 'removed') await recordEndpointAct(needs, request, 'endpoint_removed', row)
      return reply.code(204).send()
    },
  )
}

function createErrorFinder(allowPrivate: boolean) {
  return ({ url, headers }: RightFields<typeof WebhookEndpointChanges.shape>) =>
    findEndpointErrors({ url, headers: headers && toHeaderFields(headers) }, { allowPrivate })
}

function toHeaderFields(headers: Record<string, string>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

function endpointSecretRoutes(app: EndpointApp, needs: EndpointRouteNeeds) {
  const { db, cipher, now } = needs
  app.post(
    '/webhook-endpoints/:id/rotate-secret',
    {
      config,
      schema: {
        summary: 'Trocar o segredo de um endpoint',
        operationId: 'rotateWebhookEndpointSecret',
        tags,
        params,
        body: Rotation,
        response: { 200: RotatedSecret, 404: Problem, ...writeRefusals, ...refusals },
      },
    },
    async (request) => {
      const { id: companyId, testMode } = request.company
      const { id } = await findEndpoint(db, companyId, request.params.id)
      const rotated = await rotateSecret(db, cipher, {
        ...{ companyId, id, now: request.requestedAt, ...request.body },
        isRepeated: request.idempotency?.isTakeover ?? false,
      })
      if (rotated.kind === 'notFound') throw notFoundError(webhookTexts.endpointNotFound)
      const row = await findEndpoint(db, companyId, id)
      await recordEndpointNotice(needs, request, 'secret_rotated', row)
      const { rotatingUntil } = serializeEndpoint(row, { testMode, now: now() })
      return { secret: rotated.secret, rotatingUntil }
    },
  )
}
