// The OpenAPI document as the running app serves it, resolved where tests look.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Schema } from '../../src/docs/json-schemas.ts'
import { toRecord } from '../../src/http/fields.ts'
import { getEntries } from '../../src/record.ts'

/** As much of OpenAPI 3.1 as tests read. */
type Ref = { $ref: string }

type MediaType = {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  style?: string
  example?: unknown
}

export type ApiResponse = {
  description: string
  headers?: Record<string, object>
  content?: Record<string, MediaType>
}

type Operation = {
  operationId: string
  description: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, ApiResponse | Ref>
}

type PathItem = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>

export type OpenApiDocument = {
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, ApiResponse>
    headers: Record<string, { required: boolean }>
    securitySchemes: object
  }
}

export async function loadOpenApiDocument(app: FastifyInstance) {
  const document: OpenApiDocument = (await app.inject('/api/openapi.json')).json()
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    getEntries(item).map(([method, operation]) => ({
      ...{ path, method, operation },
      id: operation.operationId,
    })),
  )

  function listResponses({ operation }: { operation: Operation }) {
    return Object.entries(operation.responses).map(([status, answer]) => ({
      status: Number(status),
      answer: resolveRef<ApiResponse>(document, answer),
    }))
  }

  const made = new Map<string, z.ZodType>()

  /** Finds what is wrong with a value by a schema of the document. Each schema is made once, as that takes long. */
  function findSchemaIssues(schema: object, value: unknown) {
    const text = JSON.stringify(schema)
    const known = made.get(text) ?? makeSchema(schema)
    made.set(text, known)
    return known.safeParse(value).error?.issues ?? []
  }

  function makeSchema(schema: object) {
    const $defs = Object.fromEntries(listReached(schema))
    const text = JSON.stringify({ ...schema, $defs })
    return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
  }

  /** Lists the components that a part of the document refers to, at whatever depth. */
  function listReached(part: unknown, seen = new Set<string>()): [name: string, schema: Schema][] {
    const names = [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)]
    return names.flatMap(([, name = '']) => {
      const schema = document.components.schemas[name]
      if (!schema || seen.has(name)) return []
      seen.add(name)
      return [[name, schema], ...listReached(schema, seen)]
    })
  }

  return { document, operations, listResponses, listReached, findSchemaIssues }
}

/** What `$ref` points at; the thing itself where it is none. */
export function resolveRef<Thing extends object>(
  document: OpenApiDocument,
  thing: Thing | Ref,
): Thing {
  if (!('$ref' in thing && typeof thing.$ref === 'string')) return thing as Thing
  const found = thing.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((within, name) => toRecord(within)[name], document)
  return resolveRef(document, found as Thing | Ref)
}
