// The schemas of the document: Zod's output, tidied up for readers and for generators of clients.
import { z } from 'zod'

export interface Schema extends z.core.JSONSchema.JSONSchema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  $defs?: Record<string, Schema>
}

type Direction = 'input' | 'output'
export type SchemaWriter = ReturnType<typeof createSchemaWriter>['write']

/** Returns a function that writes schemas by their names, and the components that they refer to. */
export function createSchemaWriter() {
  const components: Record<string, Schema> = {}

  function write(schemas: z.ZodRawShape, io: Direction): Record<string, Schema> {
    const made = z.toJSONSchema(z.object(schemas), {
      io,
      unrepresentable: 'any',
      // Zod leaves out the examples of fields that it transforms on input.
      override({ zodSchema, jsonSchema }) {
        const { examples } = z.globalRegistry.get(zodSchema) ?? {}
        if (Array.isArray(examples)) jsonSchema.examples = examples
      },
    })
    const text = JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/')
    const { properties = {}, $defs = {} } = tidySchema(JSON.parse(text), io)
    Object.assign(components, $defs)
    return properties
  }

  return { components, write }
}

export function buildParameters(location: string, { properties = {}, required = [] }: Schema = {}) {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    required: required.includes(name),
    description,
    schema,
    // Written as `metadata[key]=value`.
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
  }))
}

/** Tidies a schema in place, innermost parts first. */
function tidySchema(schema: Schema, io: Direction) {
  const { items, properties, $defs, additionalProperties, anyOf, oneOf, allOf } = schema
  const parts = [properties, $defs].flatMap((named) => Object.values(named ?? {}))
  for (const part of [...parts, items, additionalProperties, ...[anyOf, oneOf, allOf].flat()])
    if (typeof part === 'object') tidySchema(part, io)
  removeNoise(schema)
  joinNull(schema)
  describeDefault(schema)
  if (io === 'output') openSchema(schema)
  return schema
}

function removeNoise(schema: Schema) {
  const { format, type, pattern, minimum, maximum } = schema
  // A format says enough, and many tools compile patterns without the flag that `\p` needs.
  if (format || type === 'integer' || pattern?.includes(String.raw`\p{`)) delete schema.pattern
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** Writes `anyOf: [string, null]` as `type: [string, null]`; references and real choices stay. */
function joinNull(schema: Schema) {
  const [one, other, ...more] = schema.anyOf ?? []
  if (typeof one?.type !== 'string' || other?.type !== 'null' || more.length > 0) return
  delete schema.anyOf
  const { const: word, ...rest } = one
  const words = one.enum ?? (word === undefined ? undefined : [word])
  Object.assign(schema, { ...rest, ...schema, type: [one.type, 'null'] })
  if (words) schema.enum = [...words, null]
}

/**
 * Moves a default into the description. Generators of clients think that a field with a `default` is always present,
 * and would require it in requests.
 */
function describeDefault(schema: Schema) {
  if (schema.default === undefined) return
  const note = `Padrão: \`${JSON.stringify(schema.default)}\`.`
  schema.description = [schema.description, note].filter(Boolean).join('\n\n')
  delete schema.default
}

/** For fields without an example of their own, where the reference would show 1 and true. */
const PLAIN_EXAMPLES: Record<string, unknown> = { integer: 0, boolean: false }

/**
 * Allows new fields and new words in answers, so that a client generated earlier does not refuse them. A single word
 * (`const`) stays, since it marks one choice among several.
 */
function openSchema(schema: Schema) {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  const example = schema.enum?.[0] ?? PLAIN_EXAMPLES[String(schema.type)]
  if (example !== undefined) schema.examples ??= [example]
  if (!schema.enum) return
  schema['x-extensible-enum'] = schema.enum.filter((word) => word !== null)
  delete schema.enum
}
