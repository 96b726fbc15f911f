// Makes what the generator wrote what a person would have written: no twins of one component, no
// noise, `null` as one more type.
import { isDeepStrictEqual } from 'node:util'
import type { OpenApi, Schema, Schemas } from './types.ts'

type Json = Record<string, unknown>

const PREFIX = '#/components/schemas/'
const TWIN = 'Input'
/** Their format says it all; the pattern beside it is hundreds of characters. */
const FORMATS = ['uuid', 'date-time', 'email', 'uri']
/** Holds values, not schemas. */
const VALUES = ['example', 'examples', 'default', 'enum', 'const', 'value']

/** `document` with every schema made plain; nothing of the one given is changed. */
export function tidy(document: OpenApi): OpenApi {
  return walk(document, (part) => plain(part)) as OpenApi
}

/**
 * Each component exists twice at first: as it comes in (`…Input`) and as it goes out. Where both say
 * the same, or only one is used, one name is enough. What nobody uses goes.
 */
export function joinTwins(document: OpenApi): OpenApi {
  const { schemas } = document.components
  const open = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name.endsWith(TWIN) ? schema : (walk(schema, (part) => tolerant(part)) as Schema),
    ]),
  )
  const used = usedBy({ ...document, components: undefined }, open)
  const names = new Map([...used].map((name) => [name, joinedName(name, { used, schemas: open })]))
  const renamed = [...used].map((name) => [names.get(name), open[name]])
  const joined = { ...document.components, schemas: Object.fromEntries(renamed.toSorted(byName)) }
  return walk({ ...document, components: joined }, (part) => withNewRef(part, names)) as OpenApi
}

function byName([a]: unknown[], [b]: unknown[]) {
  return String(a) < String(b) ? -1 : 1
}

function joinedName(name: string, { used, schemas }: { used: Set<string>; schemas: Schemas }) {
  if (!name.endsWith(TWIN)) return name
  const out = name.slice(0, -TWIN.length)
  const strip = (schema: Schema | undefined) =>
    walk(schema, (part) => withNewRef(tolerant(part), new Map(allOut(used))))
  if (!used.has(out) || isDeepStrictEqual(strip(schemas[name]), strip(schemas[out]))) return out
  return name
}

function allOut(used: Set<string>): [string, string][] {
  return [...used]
    .filter((name) => name.endsWith(TWIN))
    .map((name) => [name, name.slice(0, -TWIN.length)])
}

/** Answers grow new fields in time: a client that was generated earlier must not refuse them. */
function tolerant({ additionalProperties, ...part }: Json): Json {
  return additionalProperties === false || additionalProperties === undefined
    ? part
    : { ...part, additionalProperties }
}

function usedBy(start: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>()
  const visit = (part: unknown) =>
    walk(part, (within) => {
      const name = nameIn(within)
      if (name !== undefined && !used.has(name)) {
        used.add(name)
        visit(schemas[name])
      }
      return within
    })
  visit(start)
  return used
}

function nameIn({ $ref }: Json) {
  return typeof $ref === 'string' && $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined
}

function withNewRef(part: Json, names: Map<string, string | undefined>): Json {
  const name = nameIn(part)
  const renamed = name === undefined ? undefined : names.get(name)
  return renamed === undefined ? part : { ...part, $ref: PREFIX + renamed }
}

function plain(part: Json): Json {
  const { pattern, propertyNames, minimum, maximum, anyOf, ...rest } = part
  const noisyPattern =
    FORMATS.includes(String(rest.format)) ||
    rest.type === 'integer' ||
    // Many tools compile patterns without the flag that knows these.
    String(pattern).includes(String.raw`\p{`)
  return withNull({
    ...rest,
    ...(pattern !== undefined && !noisyPattern && { pattern }),
    ...(propertyNames !== undefined && !isJustText(propertyNames) && { propertyNames }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(anyOf !== undefined && { anyOf }),
  })
}

function isJustText(schema: unknown) {
  return isDeepStrictEqual(schema, { type: 'string' })
}

/** `anyOf: [string, null]` as `type: [string, null]`; a reference or a real choice stays one. */
function withNull(part: Json): Json {
  const { anyOf, ...rest } = part
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return part
  const [one, other] = anyOf as Schema[]
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
function walk(value: unknown, change: (part: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, isValue(key, inner) ? inner : walk(inner, change)] as const,
  )
  return change(Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)))
}

/** A field of ours may be named as a keyword is: then it holds a schema. */
function isValue(key: string, inner: unknown) {
  if (!VALUES.includes(key)) return false
  const schemaLike = typeof inner === 'object' && inner !== null && 'type' in inner
  return Array.isArray(inner) || !schemaLike
}
