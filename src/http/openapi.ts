// The OpenAPI document, made of the very schemas that the routes validate and serialise with.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

const INFO = {
  title: 'Vintém Payment Links API',
  version: '1.0.0',
  description: 'Creates payment links for Brazil, paid by Pix or card on a hosted checkout.',
}

/** Must come before the routes it describes. */
export async function describeApi(app: FastifyInstance, baseUrl: string) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: baseUrl }],
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    },
    // Pages have no tags: the document is of the API alone.
    hideUntagged: true,
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}
