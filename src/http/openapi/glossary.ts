// Gives every field of the document its words and its example, where its own schema has none.
import type { OpenApi, Operation, Parameter, Schema } from './types.ts'
import { isRef, operationsOf } from './types.ts'

export type Glossary = Record<string, { description: string; example?: unknown }>

const DEEPEST = 6

/** In place. What the schema of a field says itself stays. */
export function explain(document: OpenApi, glossary: Glossary) {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    explainFields(schema, [name, baseOf(name, document)], glossary)
  }
  for (const { operation } of operationsOf(document)) explainCall(operation, glossary)
}

function explainCall({ parameters = [], responses }: Operation, glossary: Glossary) {
  for (const parameter of parameters) {
    if (!isRef(parameter)) explainParameter(parameter, glossary)
  }
  for (const answer of Object.values(responses)) {
    const media = isRef(answer) ? undefined : answer.content?.['application/json']
    if (media) explainFields(media.schema, [], glossary)
  }
}

/** `TransactionWithRefunds` is told of as `Transaction` is. */
function baseOf(name: string, { components }: OpenApi) {
  const bases = Object.keys(components.schemas).filter(
    (other) => other !== name && name.startsWith(other),
  )
  return bases.toSorted((a, b) => b.length - a.length)[0] ?? name
}

function explainFields(schema: Schema, owners: string[], glossary: Glossary, depth = 0) {
  if (depth > DEEPEST) return
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
  if (shown !== undefined && !field.examples && !field.$ref && fits(shown, field)) {
    field.examples = [shown]
  }
}

function explainParameter(parameter: Parameter, glossary: Glossary) {
  const entry = glossary[parameter.name]
  if (entry) parameter.description ??= entry.description
  const { schema, example } = parameter
  if (parameter.in === 'path' && example === undefined && entry?.example !== undefined) {
    if (fits(entry.example, schema)) parameter.example = entry.example
  }
}

/** One name may stand for fields of different types. */
function fits(example: unknown, { type, enum: values, const: only, anyOf }: Schema) {
  if (only !== undefined || (values && !values.includes(example))) return false
  const types = [type ?? anyOf?.map((one) => one.type ?? 'object') ?? []].flat()
  return types.some(
    (one) => one === typeOf(example) || (one === 'number' && typeOf(example) === 'integer'),
  )
}

function typeOf(example: unknown) {
  if (example === null) return 'null'
  if (Array.isArray(example)) return 'array'
  return typeof example === 'number' ? 'integer' : typeof example
}
