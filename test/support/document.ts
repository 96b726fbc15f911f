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

  /** What is wrong with a value by a schema of the document. */
  function findSchemaIssues(schema: object, value: unknown) {
    const all = { ...schema, $defs: document.components.schemas }
    const local = JSON.stringify(all).replaceAll('#/components/schemas/', '#/$defs/')
    return z.fromJSONSchema(JSON.parse(local)).safeParse(value).error?.issues ?? []
  }

  return { document, operations, listResponses, findSchemaIssues }
}
