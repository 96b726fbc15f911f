// Makes what the generator wrote what a person would have written: one component for what comes in and goes
// out alike, no noise, `null` as one more type, and answers that may grow.
import { isRecord } from '../fields.ts'
import type { OpenApiDocument, Schema } from './types.ts'
import { listOperations } from './types.ts'

const INPUT_SUFFIX = 'Input'
const SCHEMA_REF = /"#\/components\/schemas\/(\w+)"/g
/** Their format says it all; the pattern beside it is hundreds of characters. */
const FORMATS_WITHOUT_PATTERN = ['uuid', 'date-time', 'email', 'uri']

export function simplifyDocument(given: OpenApiDocument): OpenApiDocument {
  const document = mapObjects(given, simplifySchema)
  const { schemas } = document.components
  for (const { operation } of listOperations(document)) {
    operation.responses = mapObjects(operation.responses, openSchema)
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (!name.endsWith(INPUT_SUFFIX)) schemas[name] = mapObjects(schema, openSchema)
  }
  return mergeInputSchemas(document)
}

/**
 * The generator makes each component twice: as it comes in (`…Input`) and as it goes out. One that is used both ways
 * is told as it goes out, and one that is used by nobody is left out.
 */
function mergeInputSchemas(document: OpenApiDocument): OpenApiDocument {
  const { schemas, ...others } = document.components
  const used = [...findUsedNames({ ...document, components: others }, schemas)]
  const isInput = (name: string) => name.endsWith(INPUT_SUFFIX)
  const inputsFirst = [...used.filter(isInput), ...used.filter((name) => !isInput(name))]
  const merged = Object.fromEntries(
    inputsFirst.map((name) => [removeInputSuffix(name), schemas[name] ?? {}]),
  )
  const components = { ...others, schemas: sortByName(merged) }
  const text = JSON.stringify({ ...document, components })
  const renamed = text.replace(SCHEMA_REF, (_ref, name) => {
    return `"#/components/schemas/${removeInputSuffix(name)}"`
  })
  // The same document by other names.
  return JSON.parse(renamed) as OpenApiDocument
}

function sortByName(schemas: Record<string, Schema>) {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function removeInputSuffix(name: string) {
  return name.endsWith(INPUT_SUFFIX) ? name.slice(0, -INPUT_SUFFIX.length) : name
}

/** The components that `part` refers to, and those that these refer to. */
function findUsedNames(part: unknown, schemas: Record<string, Schema>, used = new Set<string>()) {
  for (const [, name = ''] of JSON.stringify(part).matchAll(SCHEMA_REF)) {
    if (used.has(name)) continue
    used.add(name)
    findUsedNames(schemas[name], schemas, used)
  }
  return used
}

/**
 * Answers grow new fields and new words in time: a client that was generated earlier must not refuse them. A single
 * word that tells one choice from another (`const`) stays.
 */
function openSchema({ additionalProperties, enum: words, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(additionalProperties && { additionalProperties }),
    ...(words && { 'x-extensible-enum': words.filter((word) => word !== null) }),
  }
}

function simplifySchema({ pattern, propertyNames, minimum, maximum, ...rest }: Schema): Schema {
  const isNoise =
    FORMATS_WITHOUT_PATTERN.includes(rest.format ?? '') ||
    rest.type === 'integer' ||
    // Many tools compile patterns without the flag that knows these.
    pattern?.includes(String.raw`\p{`)
  const isAnyName = Object.keys(propertyNames ?? {}).join() === 'type'
  return mergeNull({
    ...rest,
    ...(pattern && !isNoise && { pattern }),
    ...(propertyNames && !isAnyName && { propertyNames }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  })
}

/** `anyOf: [string, null]` as `type: [string, null]`; a reference or a real choice stays one. */
function mergeNull({ anyOf, ...rest }: Schema): Schema {
  const [one, other] = anyOf ?? []
  if (anyOf?.length !== 2 || other?.type !== 'null' || typeof one?.type !== 'string') {
    return anyOf ? { ...rest, anyOf } : rest
  }
  const { type, enum: values, const: only, ...more } = one
  const choices = values ?? (only === undefined ? undefined : [only])
  return { ...more, type: [type, 'null'], ...(choices && { enum: [...choices, null] }), ...rest }
}

/** Every object of `value` that may be a schema, from the inside out. */
function mapObjects<Value>(value: Value, change: (part: Schema) => Schema): Value {
  return JSON.parse(JSON.stringify(value), (_key, part) =>
    isRecord(part) && !Array.isArray(part) ? change(part) : part,
  )
}
