// An example for whatever a schema describes, so that no request and no answer is without one.
import { type OpenApiDocument, resolveRef, type Schema } from './types.ts'

const FORMAT_EXAMPLES: Record<string, string> = {
  uuid: '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  'date-time': '2026-11-21T14:05:09.120Z',
  email: 'maria@example.com.br',
  uri: 'https://loja.com.br/obrigado',
}

/** Of which side of a call an example is. */
export type ExampleSide = 'request' | 'answer'

/** Of a request only what has to be sent or has an example of its own; of an answer everything. */
export function buildExample(document: OpenApiDocument, given: Schema, side: ExampleSide): unknown {
  const schema = resolveRef(document, given)
  const [example] = schema.examples ?? []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (isNullable(schema)) return null
  const [word] = listWords(schema)
  if (word !== undefined) return word
  if (schema.default !== undefined) return schema.default
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return buildExample(document, choice, side)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => buildExample(document, part, side)))
  }
  return buildExampleByType(document, schema, side)
}

/** Of a request a closed list, of an answer an open one. */
function listWords(schema: Schema) {
  return schema.enum ?? schema['x-extensible-enum'] ?? []
}

/** An object that may be absent is worth showing. */
function isNullable({ type, properties }: Schema) {
  return Array.isArray(type) && type.includes('null') && !properties
}

function buildExampleByType(document: OpenApiDocument, schema: Schema, side: ExampleSide): unknown {
  const [type] = [schema.type ?? (schema.properties ? 'object' : 'null')].flat()
  switch (type) {
    case 'object':
      return buildObjectExample(document, schema, side)
    case 'array':
      return schema.items ? [buildExample(document, schema.items, side)] : []
    case 'string':
      return FORMAT_EXAMPLES[schema.format ?? ''] ?? 'texto'
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return null
  }
}

function buildObjectExample(
  document: OpenApiDocument,
  { properties = {}, required = [] }: Schema,
  side: ExampleSide,
) {
  const shown = Object.entries(properties).filter(
    ([name, property]) =>
      side === 'answer' || required.includes(name) || (property.examples && !property.readOnly),
  )
  return Object.fromEntries(
    shown.map(([name, property]) => [name, buildExample(document, property, side)]),
  )
}
