// An example for whatever a schema describes, so that no request and no answer is without one.
import { type OpenApiDocument, resolveRef, type Schema } from './types.ts'

const FORMAT_EXAMPLES: Record<string, string> = {
  uuid: '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  'date-time': '2026-11-21T14:05:09.120Z',
  email: 'maria@example.com.br',
  uri: 'https://loja.com.br/obrigado',
}

/** The schema's own, or one made of those of its parts. */
export function buildExample(document: OpenApiDocument, given: Schema): unknown {
  const schema = resolveRef(document, given)
  const [example = schema.const] = schema.examples ?? []
  if (example !== undefined) return example
  if (isNullable(schema)) return null
  const [word = schema.default] = schema.enum ?? schema['x-extensible-enum'] ?? []
  if (word !== undefined) return word
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return buildExample(document, choice)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => buildExample(document, part)))
  }
  return buildExampleByType(document, schema)
}

/** An object that may be absent is worth showing. */
function isNullable({ type, properties }: Schema) {
  return Array.isArray(type) && type.includes('null') && !properties
}

function buildExampleByType(document: OpenApiDocument, schema: Schema): unknown {
  const { items, format = '', minimum = 0 } = schema
  const [type = schema.properties && 'object'] = [schema.type].flat()
  switch (type) {
    case 'object':
      return buildObjectExample(document, schema)
    case 'array':
      return items ? [buildExample(document, items)] : []
    case 'string':
      return FORMAT_EXAMPLES[format] ?? 'texto'
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return false
    default:
      return null
  }
}

/** Without what may be left out, unless it has an example of its own. */
function buildObjectExample(document: OpenApiDocument, { properties = {}, required = [] }: Schema) {
  const shown = Object.entries(properties).filter(
    ([name, { examples, readOnly }]) => required.includes(name) || (examples && !readOnly),
  )
  return Object.fromEntries(shown.map(([name, part]) => [name, buildExample(document, part)]))
}
