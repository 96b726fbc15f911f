// Builds the OpenAPI document from the schemas that the routes validate and serialise with, each operation from its
// route and from what the whole API has in common.
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { z } from 'zod'
import { memoizeValue } from '../record.ts'
import { type Schema, type WrittenSchemas, writeSchemas } from './json-schemas.ts'
import {
  API_VERSION,
  buildHeaderRefs,
  buildHeaders,
  buildProblemResponses,
  buildProblemSchemas,
  buildRefusalRefs,
  type DocumentedProblem,
} from './responses.ts'

/** `name` is what generated clients use, `x-displayName` the title that readers see. */
export type Tag = { name: string; 'x-displayName': string; description: string }

/** The parts of the document that no route has. */
export type ApiNotes = {
  description: string
  tags: Tag[]
  problems: DocumentedProblem[]
  webhooks: Record<string, object>
  /** Components that no route has, or that need more than their route says. */
  schemas: Record<string, z.ZodType>
}

export type OpenApiDocument = ReturnType<typeof buildDocument>

const API_INFO = {
  title: 'Vintém Payment Links API',
  version: API_VERSION,
  summary: 'Links de pagamento para o Brasil, pagos por Pix ou cartão numa página pronta.',
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
export function describeApi(app: FastifyInstance, baseUrl: string, notes: ApiNotes) {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema, config = {} }) => {
    if (method === 'HEAD' || !schema?.operationId) return
    // Fastify's type allows any schema; ours are Zod's.
    const documented = schema as DocumentedRoute['schema']
    routes.push({ method: String(method).toLowerCase(), url, config, schema: documented })
  })
  return memoizeValue(() => buildDocument(routes, baseUrl, notes))
}

function buildDocument(
  routes: DocumentedRoute[],
  baseUrl: string,
  { description, tags, webhooks, problems, schemas: more }: ApiNotes,
) {
  const schemas = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const { response, ...request } = route.schema
    const asked = writeSchemas(pickZod(request), 'input')
    const answered = writeSchemas(response, 'output')
    Object.assign(schemas, asked.$defs, answered.$defs)
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: buildOperation(route, asked, answered) }
  }
  const others = writeSchemas({ ...buildProblemSchemas(problems), ...more }, 'output')
  Object.assign(schemas, others.$defs, others.properties)
  return {
    openapi: '3.1.0',
    info: { ...API_INFO, description, contact: { name: 'Vintém', url: `${baseUrl}/api/docs` } },
    servers: [{ url: baseUrl, description: 'Este serviço.' }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks,
    components: {
      schemas,
      responses: buildProblemResponses(problems, baseUrl),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY_PARAMETER },
      headers: buildHeaders(),
      securitySchemes: { apiKey: API_KEY_SCHEME },
    },
  }
}

function pickZod(parts: object): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part instanceof z.ZodType))
}

declare module 'fastify' {
  interface FastifySchema {
    /** Only routes with an operationId are in the document. */
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
  }
}

export type DocumentedRoute = {
  method: string
  url: string
  config: FastifyContextConfig
  schema: {
    operationId: string
    summary: string
    description: string
    tags: string[]
    params?: z.ZodType
    querystring?: z.ZodType
    headers?: z.ZodType
    body?: z.ZodType
    /** A schema for an answer that is not JSON names its type in `contentMediaType`. */
    response: Record<string, z.ZodType>
  }
}

const FILE_TYPES = /^(?:text\/csv|image\/)/

const STATUS_DESCRIPTIONS: Record<string, string> = {
  200: 'Feito.',
  201: 'Criado.',
  202: 'Aceito: será feito em instantes.',
  204: 'Feito. Não há o que dizer.',
}

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Um nome seu para esta requisição. A mesma, repetida em até 24 horas, recebe a mesma resposta e é feita uma vez só.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'pedido-1042',
} as const

/**
 * Builds an operation. `request` has the params, querystring, headers and body, `answers` one schema for each status.
 */
export function buildOperation(
  { method, schema, config }: DocumentedRoute,
  request: WrittenSchemas,
  answers: WrittenSchemas,
) {
  const { operationId, summary, description, tags, response } = schema
  const { params, querystring, headers, body } = request.properties
  const isRepeatable = method === 'post' || method === 'patch'
  const scope = method === 'get' ? `${config.resource}:read` : String(config.resource)
  const statuses = Object.keys(response).map(Number)
  return {
    operationId,
    summary,
    description: `${description}\n\nUma chave com escopos precisa de \`${scope}\`.`,
    tags,
    parameters: [
      ...buildParameters('path', params),
      ...buildParameters('query', querystring),
      ...buildParameters('header', headers),
      ...(isRepeatable ? [buildKeyParameter(config.needsIdempotencyKey)] : []),
    ],
    ...(body && {
      requestBody: {
        required: request.required.includes('body'),
        content: { [config.upload ? 'multipart/form-data' : 'application/json']: { schema: body } },
      },
    }),
    responses: {
      ...buildRefusalRefs(method, params !== undefined, statuses),
      ...buildAnswers(answers, isRepeatable),
    },
    'x-scope': scope,
  }
}

function buildParameters(location: string, { properties = {}, required = [] }: Schema = {}) {
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: required.includes(name),
    description,
    schema: rest,
    // Written as `metadata[key]=value`.
    ...(rest.type === 'object' && { style: 'deepObject', explode: true }),
  }))
}

function buildKeyParameter(isNeeded = false) {
  if (isNeeded) return { ...IDEMPOTENCY_KEY_PARAMETER, required: true }
  return { $ref: '#/components/parameters/IdempotencyKey' }
}

function buildAnswers({ properties }: WrittenSchemas, isRepeatable: boolean) {
  const answers = Object.entries(properties).filter(([status]) => Number(status) < 400)
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
