// The OpenAPI document, made of the very schemas that the routes validate and serialise with.
import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { completeDocument, NEEDS_KEY_EXTENSION, SCOPE_EXTENSION } from './complete.ts'
import { API_VERSION } from './headers.ts'
import { buildProblemComponents, type DocumentedProblem } from './problems.ts'
import { simplifyDocument } from './simplify.ts'
import type { OpenApiDocument, PathItem, Tag } from './types.ts'

/** What the document says beyond the routes. */
export type ApiNotes = {
  description: string
  tags: Tag[]
  problems: DocumentedProblem[]
  webhooks: Record<string, PathItem>
  /** In place, before it is completed. */
  shapeDocument(document: OpenApiDocument): void
}

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

/** Writes the document of the routes that are registered after this. */
export async function describeApi(app: FastifyInstance, baseUrl: string, notes: ApiNotes) {
  const { description, tags, webhooks, problems } = notes
  const contact = { name: 'Vintém', url: `${baseUrl}/api/docs` }
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...API_INFO, description, contact },
      servers: [{ url: baseUrl, description: 'Este serviço.' }],
      security: [{ apiKey: [] }],
      tags,
      components: { securitySchemes: { apiKey: API_KEY_SCHEME } },
    },
    // Pages have no tags: the document is of the API alone.
    hideUntagged: true,
    transform: (given) => {
      if (given.route.method === 'HEAD' || !given.schema?.tags)
        return { schema: { hide: true }, url: given.url }
      const { schema, url } = jsonSchemaTransform(given)
      return { schema: { ...schema, ...toSchemaExtensions(given.route) }, url }
    },
    transformObject: (given) => {
      // Typed as a document of any version, by a package that we don't use.
      const made = jsonSchemaTransformObject(given) as unknown as OpenApiDocument
      const components = { ...made.components, responses: buildProblemComponents(problems) }
      const document = simplifyDocument({ ...made, webhooks, components })
      notes.shapeDocument(document)
      completeDocument(document, problems)
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
