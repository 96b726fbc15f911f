import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import type { Seal } from '../../database/encryption.ts'
import { bodyRefusals, notFound, Problem, refusals } from '../../http/errors.ts'
import { PageQuery, page, pageOf } from '../../http/pagination.ts'
import type { Routes } from '../../http/zod.ts'
import { webhookTexts } from '../texts.ts'
import {
  addEndpoint,
  changeEndpoint,
  findEndpoint,
  pageEndpoints,
  removeEndpoint,
} from './endpoint.ts'
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

type Needs = {
  db: Database
  seal: Seal
  now: () => Date
  webhookAllowPrivate?: boolean
}

const wrongBody = { ...bodyRefusals, 409: Problem }
const tags = ['Webhook endpoints']
const config = { resource: 'webhook-endpoints' } as const
const params = z.object({ id: z.string() })

export const endpointRoutes: Routes<Needs> = async (app, needs) => {
  readingRoutes(app, needs)
  writingRoutes(app, needs)
  secretRoutes(app, needs)
}

type App = Parameters<Routes<Needs>>[0]

function readingRoutes(app: App, { db, now }: Needs) {
  app.get(
    '/webhook-endpoints',
    {
      config,
      schema: {
        summary: 'List webhook endpoints, newest first',
        operationId: 'listWebhookEndpoints',
        tags,
        querystring: PageQuery.strict(),
        response: { 200: pageOf(WebhookEndpoint), 422: Problem, ...refusals },
      },
    },
    async (request) => {
      const rows = await pageEndpoints(db, request.company.id, request.query)
      const { data, ...rest } = page(rows, request.query.limit)
      return { data: data.map((row) => serializeEndpoint(row, now())), ...rest }
    },
  )

  app.get(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Retrieve a webhook endpoint',
        operationId: 'getWebhookEndpoint',
        tags,
        params,
        response: { 200: WebhookEndpoint, 404: Problem, ...refusals },
      },
    },
    async (request) => {
      const row = await findEndpoint(db, request.company.id, request.params.id)
      return serializeEndpoint(row, now())
    },
  )
}

function writingRoutes(app: App, { db, seal, now, webhookAllowPrivate = false }: Needs) {
  app.post(
    '/webhook-endpoints',
    {
      config,
      schema: {
        summary: 'Create a webhook endpoint and see its secret',
        operationId: 'createWebhookEndpoint',
        tags,
        body: NewWebhookEndpoint,
        response: { 201: WebhookEndpointWithSecret, ...wrongBody, ...refusals },
      },
    },
    async (request, reply) => {
      const { url, events } = request.body
      const { id, secret } = await addEndpoint(db, seal, {
        id: request.resourceId,
        companyId: request.company.id,
        url,
        ...(events && { events }),
        allowPrivate: webhookAllowPrivate,
      })
      const row = await findEndpoint(db, request.company.id, id)
      reply.code(201).header('location', `/api/webhook-endpoints/${id}`)
      return { ...serializeEndpoint(row, now()), secret }
    },
  )

  app.patch(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Change, disable or enable a webhook endpoint',
        operationId: 'updateWebhookEndpoint',
        tags,
        params,
        body: WebhookEndpointChanges,
        response: { 200: WebhookEndpoint, 404: Problem, ...wrongBody, ...refusals },
      },
    },
    async (request) => {
      const row = await changeEndpoint(db, request.params.id, request.body, {
        companyId: request.company.id,
        allowPrivate: webhookAllowPrivate,
        now: now(),
      })
      return serializeEndpoint(row, now())
    },
  )

  app.delete(
    '/webhook-endpoints/:id',
    {
      config,
      schema: {
        summary: 'Delete a webhook endpoint and its deliveries',
        operationId: 'deleteWebhookEndpoint',
        tags,
        params,
        response: { 204: z.undefined(), 404: Problem, ...refusals },
      },
    },
    async (request, reply) => {
      const { id } = await findEndpoint(db, request.company.id, request.params.id)
      await removeEndpoint(db, request.company.id, id, now())
      return reply.code(204).send()
    },
  )
}

function secretRoutes(app: App, { db, seal, now }: Needs) {
  app.post(
    '/webhook-endpoints/:id/rotate-secret',
    {
      config,
      schema: {
        summary: 'Give a webhook endpoint a new secret and see it',
        operationId: 'rotateWebhookEndpointSecret',
        tags,
        params,
        body: Rotation,
        response: { 200: RotatedSecret, 404: Problem, ...wrongBody, ...refusals },
      },
    },
    async (request) => {
      const companyId = request.company.id
      const { id } = await findEndpoint(db, companyId, request.params.id)
      const rotation = { companyId, id, now: request.askedAt, ...request.body }
      const secret = await rotateSecret(db, seal, rotation)
      if (!secret) throw notFound(webhookTexts.endpointNotFound)
      const { rotatingUntil } = serializeEndpoint(await findEndpoint(db, companyId, id), now())
      return { secret, rotatingUntil }
    },
  )
}
