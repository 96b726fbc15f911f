// An example for whatever a schema describes, so that no request and no answer is without one.
import type { Schema, Schemas } from './types.ts'

const FORMATS: Record<string, string> = {
  uuid: '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  'date-time': '2026-11-21T14:05:09.120Z',
  email: 'maria@example.com.br',
  uri: 'https://loja.com.br/obrigado',
}

/** Of which side of a call an example is. */
export type Side = 'request' | 'answer'

/** Of a request only what has to be sent or has an example of its own; of an answer everything. */
export function exampleOf(schema: Schema, schemas: Schemas, side: Side): unknown {
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas, side)
  const [given] = schema.examples ?? []
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice, schemas, side)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, side)))
  }
  return ofType(schema, schemas, side)
}

function ofType(schema: Schema, schemas: Schemas, side: Side): unknown {
  const [type] = [schema.type ?? (schema.properties ? 'object' : 'null')].flat()
  switch (type) {
    case 'object':
      return objectOf(schema, schemas, side)
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, side)] : []
    case 'string':
      return FORMATS[schema.format ?? ''] ?? 'texto'
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return null
  }
}

function objectOf({ properties = {}, required = [] }: Schema, schemas: Schemas, side: Side) {
  const shown = Object.entries(properties).filter(
    ([name, property]) =>
      side === 'answer' || required.includes(name) || (property.examples && !property.readOnly),
  )
  return Object.fromEntries(
    shown.map(([name, property]) => [name, exampleOf(property, schemas, side)]),
  )
}
