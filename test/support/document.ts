// The OpenAPI document as the running app serves it, resolved where tests look.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  type ApiResponse,
  listOperations,
  type OpenApiDocument,
  resolveRef,
} from '../../src/http/openapi/types.ts'

export async function loadOpenApiDocument(app: FastifyInstance) {
  const document: OpenApiDocument = (await app.inject('/api/openapi.json')).json()
  const operations = listOperations(document).map((one) => ({
    ...one,
    id: one.operation.operationId,
  }))

  function listResponses({ operation }: { operation: (typeof operations)[number]['operation'] }) {
    return Object.entries(operation.responses).map(([status, answer]) => ({
      status: Number(status),
      answer: resolveRef<ApiResponse>(document, answer),
    }))
  }

  // Read once, and each schema made once: the document is large, and most answers share a few schemas.
  const $defs = localizeRefs(document.components.schemas)
  const made = new Map<string, z.ZodType>()

  /** What is wrong with a value by a schema of the document. */
  function findSchemaIssues(schema: object, value: unknown) {
    const text = JSON.stringify(schema)
    const known = made.get(text) ?? z.fromJSONSchema({ ...localizeRefs(schema), $defs })
    made.set(text, known)
    return known.safeParse(value).error?.issues ?? []
  }

  return { document, operations, listResponses, findSchemaIssues }
}

/** As the schemas of one JSON Schema name one another. */
function localizeRefs(schemas: object) {
  return JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/'))
}
