// The OpenAPI document, made of the very schemas that the routes validate and serialise with.
import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import {
  completeDocument,
  NEEDS_KEY_EXTENSION,
  type OperationNotes,
  SCOPE_EXTENSION,
} from './complete.ts'
import { applyGlossary, type Glossary } from './glossary.ts'
import { mergeInputSchemas, simplifyDocument } from './simplify.ts'
import type { OpenApiDocument, PathItem } from './types.ts'

/** What the document says beyond the routes. */
export type ApiNotes = {
  description: string
  tags: { name: string; description: string }[]
  /** By operationId. */
  operations: Record<string, OperationNotes>
  webhooks: Record<string, PathItem>
  /** By the name of a field, or `Component.field`. */
  glossary: Glossary
  /** In place, before anything is said of its fields. */
  shapeDocument(document: OpenApiDocument): void
  /** The last word, on the whole document. */
  finishDocument(document: OpenApiDocument): void
}

const API_INFO = {
  title: 'Vintém Payment Links API',
  version: '1.0.0',
  summary: 'Payment links for Brazil, paid by Pix or card on a hosted checkout.',
  license: { name: 'MIT', identifier: 'MIT' },
}

const API_KEY_SCHEME = {
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
      info: { ...API_INFO, description, contact },
      servers: [{ url: baseUrl, description: 'This service.' }],
      security: [{ apiKey: [] }],
      tags,
      components: { securitySchemes: { apiKey: API_KEY_SCHEME } },
    },
    // Pages have no tags: the document is of the API alone.
    hideUntagged: true,
    transform: (given) => {
      const { schema, url } = jsonSchemaTransform(given)
      return { schema: { ...schema, ...toSchemaExtensions(given.route) }, url }
    },
    transformObject: (given) => {
      // Typed as a document of any version, by a package that we don't use.
      const made = jsonSchemaTransformObject(given) as unknown as OpenApiDocument
      const document = mergeInputSchemas(simplifyDocument({ ...made, webhooks }))
      notes.shapeDocument(document)
      applyGlossary(document, glossary)
      completeDocument(document, operations)
      notes.finishDocument(document)
      // And so it wants it back.
      return document as unknown as ReturnType<typeof jsonSchemaTransformObject>
    },
  })
}

export function getOpenApiDocument(app: FastifyInstance) {
  // As it left `transformObject` above.
  return app.swagger() as unknown as OpenApiDocument
}

function toSchemaExtensions({ config, method }: RouteOptions) {
  const { resource, needsIdempotencyKey } = config ?? {}
  return {
    ...(resource && { [SCOPE_EXTENSION]: method === 'GET' ? `${resource}:read` : resource }),
    ...(needsIdempotencyKey && { [NEEDS_KEY_EXTENSION]: true }),
  }
}
