// As much of OpenAPI 3.1 as we write and read.

import { requireFound } from '../../database/found.ts'
import { getEntries } from '../../record.ts'
import { toRecord } from '../fields.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  'x-default'?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  propertyNames?: Schema
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  /** What is known of a list that may grow. */
  'x-extensible-enum'?: string[]
  readOnly?: boolean
}

export type Schemas = Record<string, Schema>

export type Ref = { $ref: string }

export type MediaType = {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  style?: 'deepObject'
  explode?: boolean
  example?: unknown
}

export type ApiResponse = {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, MediaType>
}

export type RequestBody = {
  required?: boolean
  description?: string
  content: Record<string, MediaType>
}

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Ref)[]
  requestBody?: RequestBody
  responses: Record<string, ApiResponse | Ref>
  'x-scope'?: string
  'x-needs-idempotency-key'?: boolean
}

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type PathItem = Partial<Record<HttpMethod, Operation>>

export type Components = {
  schemas: Schemas
  responses: Record<string, ApiResponse>
  parameters: Record<string, Parameter>
  headers: Record<string, { description: string; required?: boolean; schema: Schema }>
  securitySchemes: Record<string, object>
}

export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: Components
}

/** What `$ref` points at; the thing itself where it is none. */
export function resolveRef<Thing extends object>(
  document: OpenApiDocument,
  thing: Thing | Ref,
): Thing {
  if (!isRef(thing)) return thing
  const found = thing.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((within, name) => toRecord(within)[name], document)
  // A reference leads to its own kind: the document is ours.
  return resolveRef(document, found as Thing | Ref)
}

/** The component that a schema's `$ref` names. */
export function getReferencedSchema(schemas: Schemas, ref: string): Schema {
  return requireFound(schemas[ref.slice(ref.lastIndexOf('/') + 1)])
}

export function isRef(thing: object): thing is Ref {
  return '$ref' in thing && typeof thing.$ref === 'string'
}

/** Every operation of the API, in the order of the document. */
export function listOperations({ paths }: Pick<OpenApiDocument, 'paths'>) {
  return Object.entries(paths).flatMap(([path, item]) =>
    getEntries(item).map(([method, operation]) => ({ path, method, operation })),
  )
}
