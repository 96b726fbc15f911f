// Builds the OpenAPI document: each operation from its route, with the schemas that the route validates and serialises
// with, and from what the whole API has in common.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import { memoizeValue } from '../record.ts'
import {
  buildParameters,
  createSchemaWriter,
  type Schema,
  type SchemaWriter,
} from './json-schemas.ts'
import { API_DESCRIPTION, TAGS } from './notes.ts'
import {
  API_VERSION,
  buildHeaderRefs,
  buildHeaders,
  buildProblemSchemas,
  buildRefusalRefs,
  buildRefusals,
} from './responses.ts'
import { buildWebhooks, EVENT_SCHEMAS } from './webhooks.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Only routes with an operationId are in the document. */
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
  }
}

export type OpenApiDocument = ReturnType<typeof buildDocument>

const API_INFO = {
  title: 'Vintém Payment Links API',
  version: API_VERSION,
  summary: 'Links de pagamento para o Brasil, pagos por Pix ou cartão numa página pronta.',
  description: API_DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
}

const API_KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'sk_live_…',
  description:
    'Uma chave secreta da sua empresa. Pode ser limitada a escopos: `read`, um recurso como `payment-links`, ou `payment-links:read`; cada operação diz o de que precisa.',
} as const

/** Returns a function that builds the document of the routes registered afterwards. */
export function describeApi(app: FastifyInstance, baseUrl: string) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema?.operationId) routes.push(route)
  })
  return memoizeValue(() => buildDocument(routes, baseUrl))
}

function buildDocument(routes: RouteOptions[], baseUrl: string) {
  const { components, write } = createSchemaWriter()
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const method = String(route.method).toLowerCase()
    paths[path] = { ...paths[path], [method]: buildOperation(route, write) }
  }
  const webhooks = buildWebhooks(write)
  Object.assign(components, write({ ...buildProblemSchemas(), ...EVENT_SCHEMAS }, 'output'))
  return {
    openapi: '3.1.0',
    info: { ...API_INFO, contact: { name: 'Vintém', url: `${baseUrl}/api/docs` } },
    servers: [{ url: baseUrl, description: 'Este serviço.' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      schemas: components,
      responses: buildRefusals(baseUrl),
      headers: buildHeaders(),
      securitySchemes: { apiKey: API_KEY_SCHEME },
    },
  }
}

/** A schema for an answer that is not JSON names its type in `contentMediaType`. */
type RouteSchemas = { body?: z.ZodType; response: Record<string, z.ZodType> }

function buildOperation({ method, config = {}, schema = {} }: RouteOptions, write: SchemaWriter) {
  const { operationId, summary, description, tags } = schema
  // Fastify's type allows any schema; ours are Zod's.
  const { body, response } = schema as RouteSchemas
  const asked = write(pickZod(schema), 'input')
  const answered = write(response, 'output')
  const isRepeatable = method === 'POST' || method === 'PATCH'
  const scope = method === 'GET' ? `${config.resource}:read` : String(config.resource)
  return {
    operationId,
    summary,
    description: `${description}\n\nUma chave com escopos precisa de \`${scope}\`.`,
    tags,
    parameters: [
      ...buildParameters('path', asked.params),
      ...buildParameters('query', asked.querystring),
      ...buildParameters('header', asked.headers),
      ...(isRepeatable ? [{ ...KEY_PARAMETER, required: !!config.needsIdempotencyKey }] : []),
    ],
    ...(body && {
      requestBody: {
        required: !body.isOptional(),
        content: {
          [config.upload ? 'multipart/form-data' : 'application/json']: { schema: asked.body },
        },
      },
    }),
    responses: {
      ...buildRefusalRefs(String(method), asked.params !== undefined, Object.keys(response)),
      ...buildAnswers(answered, isRepeatable),
    },
    'x-scope': scope,
  }
}

function pickZod(parts: object): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part instanceof z.ZodType))
}

const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Um nome seu para esta requisição. A mesma, repetida em até 24 horas, recebe a mesma resposta e é feita uma vez só.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'pedido-1042',
}

const STATUS_DESCRIPTIONS: Record<string, string> = {
  200: 'Feito.',
  201: 'Criado.',
  202: 'Aceito: será feito em instantes.',
  204: 'Feito. Não há o que dizer.',
}
const FILE_TYPES = /^(?:text\/csv|image\/)/

function buildAnswers(answered: Record<string, Schema>, isRepeatable: boolean) {
  const answers = Object.entries(answered).filter(([status]) => Number(status) < 400)
  return Object.fromEntries(
    answers.map(([status, schema]) => {
      const type = schema.contentMediaType ?? 'application/json'
      const isFile = FILE_TYPES.test(type)
      const headers = buildHeaderRefs(Number(status), { isRepeatable, isFile })
      const content = status !== '204' && { content: { [type]: { schema } } }
      return [status, { description: STATUS_DESCRIPTIONS[status] ?? '', headers, ...content }]
    }),
  )
}
