// The OpenAPI document, made of the very schemas that the routes validate and serialise with.
import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { complete, NEEDS_KEY, type OperationNotes, SCOPE } from './complete.ts'
import { explain, type Glossary } from './glossary.ts'
import { joinTwins, tidy } from './simplify.ts'
import type { OpenApi, PathItem } from './types.ts'

/** What the document says beyond the routes. */
export type ApiNotes = {
  description: string
  tags: { name: string; description: string }[]
  /** By operationId. */
  operations: Record<string, OperationNotes>
  webhooks: Record<string, PathItem>
  /** By the name of a field, or `Component.field`. */
  glossary: Glossary
  /** The last word, on the whole document. */
  finish(document: OpenApi): void
}

const INFO = {
  title: 'Vintém Payment Links API',
  version: '1.0.0',
  summary: 'Payment links for Brazil, paid by Pix or card on a hosted checkout.',
  license: { name: 'MIT', identifier: 'MIT' },
}

const KEY = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'sk_live_…',
  description:
    'A secret key of your company. A key may be limited to scopes: `read`, a resource such as `payment-links`, or `payment-links:read`; each operation names the one that it needs.',
} as const

/** Must come before the routes it describes. */
export async function describeApi(app: FastifyInstance, baseUrl: string, notes: ApiNotes) {
  const { description, tags, webhooks, operations, glossary } = notes
  const contact = { name: 'Vintém', url: `${baseUrl}/api/docs` }
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...INFO, description, contact },
      servers: [{ url: baseUrl, description: 'This service.' }],
      security: [{ apiKey: [] }],
      tags,
      components: { securitySchemes: { apiKey: KEY } },
    },
    // Pages have no tags: the document is of the API alone.
    hideUntagged: true,
    transform: (given) => {
      const { schema, url } = jsonSchemaTransform(given)
      return { schema: { ...schema, ...fromConfig(given.route) }, url }
    },
    transformObject: (given) => {
      const made = jsonSchemaTransformObject(given) as unknown as OpenApi
      const document = joinTwins(tidy({ ...made, webhooks }))
      explain(document, glossary)
      complete(document, operations)
      notes.finish(document)
      return document as unknown as ReturnType<typeof jsonSchemaTransformObject>
    },
  })
}

function fromConfig({ config, method }: RouteOptions) {
  const { resource, needsIdempotencyKey } = config ?? {}
  return {
    ...(resource && { [SCOPE]: method === 'GET' ? `${resource}:read` : resource }),
    ...(needsIdempotencyKey && { [NEEDS_KEY]: true }),
  }
}
