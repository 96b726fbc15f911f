// Gives every field of the document its words and its example, where its own schema has none.
import type { OpenApiDocument, Operation, Parameter, Schema } from './types.ts'
import { isRef, listOperations } from './types.ts'

export type Glossary = Record<string, { description: string; example?: unknown }>

const MAX_SCHEMA_DEPTH = 6

/** In place. What the schema of a field says itself stays. */
export function applyGlossary(document: OpenApiDocument, glossary: Glossary) {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    explainFields(schema, [name, getBaseName(name, document)], glossary)
  }
  for (const { operation } of listOperations(document)) explainOperation(operation, glossary)
}

function explainOperation({ parameters = [], responses }: Operation, glossary: Glossary) {
  for (const parameter of parameters) {
    if (!isRef(parameter)) explainParameter(parameter, glossary)
  }
  for (const answer of Object.values(responses)) {
    const media = isRef(answer) ? undefined : answer.content?.['application/json']
    if (media) explainFields(media.schema, [], glossary)
  }
}

/** `TransactionWithRefunds` is told of as `Transaction` is. */
function getBaseName(name: string, { components }: OpenApiDocument) {
  const bases = Object.keys(components.schemas).filter(
    (other) => other !== name && name.startsWith(other),
  )
  return bases.toSorted((a, b) => b.length - a.length)[0] ?? name
}

function explainFields(schema: Schema, owners: string[], glossary: Glossary, depth = 0) {
  if (depth > MAX_SCHEMA_DEPTH) return
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const key = owners.map((owner) => `${owner}.${name}`).find((one) => one in glossary)
    explainField(field, glossary[key ?? name])
    explainFields(field, owners, glossary, depth + 1)
  }
  for (const inner of [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) {
    if (inner) explainFields(inner, owners, glossary, depth + 1)
  }
}

function explainField(field: Schema, entry: Glossary[string] | undefined) {
  if (!entry || (field.readOnly && !field.type)) return
  field.description ??= entry.description
  const shown = entry.example
  if (shown !== undefined && !field.examples && !field.$ref && fitsSchema(shown, field)) {
    field.examples = [shown]
  }
}

function explainParameter(parameter: Parameter, glossary: Glossary) {
  const entry = glossary[parameter.name]
  if (entry) parameter.description ??= entry.description
  const { schema, example } = parameter
  if (parameter.in === 'path' && example === undefined && entry?.example !== undefined) {
    if (fitsSchema(entry.example, schema)) parameter.example = entry.example
  }
}

/** One name may stand for fields of different types. */
function fitsSchema(example: unknown, { type, enum: values, const: only, anyOf }: Schema) {
  if (only !== undefined || (values && !values.includes(example))) return false
  const types = [type ?? anyOf?.map((one) => one.type ?? 'object') ?? []].flat()
  return types.some(
    (one) =>
      one === getJsonType(example) || (one === 'number' && getJsonType(example) === 'integer'),
  )
}

function getJsonType(example: unknown) {
  if (example === null) return 'null'
  if (Array.isArray(example)) return 'array'
  return typeof example === 'number' ? 'integer' : typeof example
}
