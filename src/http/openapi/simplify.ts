// Makes what the generator wrote what a person would have written: no twins of one component, no
// noise, `null` as one more type.
import { isDeepStrictEqual } from 'node:util'
import type { OpenApiDocument, Schema, Schemas } from './types.ts'

type JsonObject = Record<string, unknown>

const SCHEMA_REF_PREFIX = '#/components/schemas/'
const INPUT_SUFFIX = 'Input'
/** Their format says it all; the pattern beside it is hundreds of characters. */
const FORMATS_WITHOUT_PATTERN = ['uuid', 'date-time', 'email', 'uri']
/** Holds values, not schemas. */
const VALUE_KEYWORDS = ['example', 'examples', 'default', 'enum', 'const', 'value']

/** `document` with every schema made plain; nothing of the one given is changed. */
export function simplifyDocument(document: OpenApiDocument): OpenApiDocument {
  return transformObjects(document, (part) => simplifySchema(part))
}

/**
 * Each component exists twice at first: as it comes in (`…Input`) and as it goes out. Where both say
 * the same, or only one is used, one name is enough. What nobody uses goes.
 */
export function mergeInputSchemas(given: OpenApiDocument): OpenApiDocument {
  const document = { ...given, paths: openAnswers(given.paths) }
  const { schemas } = document.components
  const open = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name.endsWith(INPUT_SUFFIX) ? schema : transformObjects(schema, openSchema),
    ]),
  )
  const used = findUsedSchemas({ ...document, components: undefined }, open)
  const names = new Map(
    [...used].map((name) => [name, getMergedName(name, { used, schemas: open })]),
  )
  const renamed = [...used].map((name) => [names.get(name), open[name]])
  const joined = {
    ...document.components,
    schemas: Object.fromEntries(renamed.toSorted(compareNames)),
  }
  return transformObjects({ ...document, components: joined }, (part) => renameRef(part, names))
}

function compareNames([a]: unknown[], [b]: unknown[]) {
  return String(a) < String(b) ? -1 : 1
}

function getMergedName(name: string, { used, schemas }: { used: Set<string>; schemas: Schemas }) {
  if (!name.endsWith(INPUT_SUFFIX)) return name
  const out = name.slice(0, -INPUT_SUFFIX.length)
  const strip = (schema: Schema | undefined) =>
    transformObjects(schema, (part) => renameRef(openSchema(part), new Map(mapInputNames(used))))
  if (!used.has(out) || isDeepStrictEqual(strip(schemas[name]), strip(schemas[out]))) return out
  return name
}

function mapInputNames(used: Set<string>): [string, string][] {
  return [...used]
    .filter((name) => name.endsWith(INPUT_SUFFIX))
    .map((name) => [name, name.slice(0, -INPUT_SUFFIX.length)])
}

function openAnswers(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          { ...operation, responses: transformObjects(operation.responses, openSchema) },
        ]),
      ),
    ]),
  )
}

/**
 * Answers grow new fields and new words in time: a client that was generated earlier must not refuse them. A single
 * word that tells one choice from another (`const`) stays.
 */
function openSchema(part: JsonObject): JsonObject {
  const { additionalProperties, enum: words, ...rest } = part
  return {
    ...rest,
    ...(additionalProperties ? { additionalProperties } : {}),
    ...(Array.isArray(words) && { 'x-extensible-enum': words.filter((word) => word !== null) }),
  }
}

function findUsedSchemas(start: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>()
  const visit = (part: unknown) =>
    transformObjects(part, (within) => {
      const name = getRefName(within)
      if (name !== undefined && !used.has(name)) {
        used.add(name)
        visit(schemas[name])
      }
      return within
    })
  visit(start)
  return used
}

function getRefName({ $ref }: JsonObject) {
  return typeof $ref === 'string' && $ref.startsWith(SCHEMA_REF_PREFIX)
    ? $ref.slice(SCHEMA_REF_PREFIX.length)
    : undefined
}

function renameRef(part: JsonObject, names: Map<string, string | undefined>): JsonObject {
  const name = getRefName(part)
  const renamed = name === undefined ? undefined : names.get(name)
  return renamed === undefined ? part : { ...part, $ref: SCHEMA_REF_PREFIX + renamed }
}

function simplifySchema(part: JsonObject): JsonObject {
  const { pattern, propertyNames, minimum, maximum, anyOf, ...rest } = part
  const noisyPattern =
    FORMATS_WITHOUT_PATTERN.includes(String(rest.format)) ||
    rest.type === 'integer' ||
    // Many tools compile patterns without the flag that knows these.
    String(pattern).includes(String.raw`\p{`)
  return mergeNull({
    ...rest,
    ...(pattern !== undefined && !noisyPattern && { pattern }),
    ...(propertyNames !== undefined && !isPlainString(propertyNames) && { propertyNames }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(anyOf !== undefined && { anyOf }),
  })
}

function isPlainString(schema: unknown) {
  return isDeepStrictEqual(schema, { type: 'string' })
}

/** `anyOf: [string, null]` as `type: [string, null]`; a reference or a real choice stays one. */
function mergeNull(part: JsonObject): JsonObject {
  const { anyOf, ...rest } = part
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return part
  const [one, other]: Schema[] = anyOf
  if (other?.type !== 'null' || typeof one?.type !== 'string') return part
  const { type, enum: values, const: only, ...more } = one
  const choices = values ?? (only === undefined ? undefined : [only])
  return {
    ...more,
    type: [type, 'null'],
    ...(choices && { enum: [...choices, null] }),
    ...rest,
  }
}

/** Every object of `value`, from the inside out; examples and defaults are left as they are. */
function transformObjects<Value>(value: Value, change: (part: JsonObject) => JsonObject) {
  // What is changed is how a part is written, not what it is.
  return transformUnknown(value, change) as Value
}

function transformUnknown(value: unknown, change: (part: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one) => transformUnknown(one, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, inner]) =>
      [key, isValueKeyword(key, inner) ? inner : transformUnknown(inner, change)] as const,
  )
  return change(Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)))
}

/** A field of ours may be named as a keyword is: then it holds a schema. */
function isValueKeyword(key: string, inner: unknown) {
  if (!VALUE_KEYWORDS.includes(key)) return false
  const schemaLike = typeof inner === 'object' && inner !== null && 'type' in inner
  return Array.isArray(inner) || !schemaLike
}
