// Builds one operation of the document from its route and from what the whole API has in common.
import type { FastifyContextConfig } from 'fastify'
import type { z } from 'zod'
import { buildHeaderRefs } from './headers.ts'
import { buildRefusalRefs } from './problems.ts'
import type { Schema, WrittenSchemas } from './schemas.ts'

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

/** The types of tables and pictures. */
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

function buildParameters(place: string, { properties = {}, required = [] }: Schema = {}) {
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
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
