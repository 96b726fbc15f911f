// What a schema allows, field by field, as a table can show it.
import { getReferencedSchema, type OpenApiDocument, type Schema } from '../http/openapi/types.ts'

export type Field = {
  /** With dots for what is inside of others and `[]` for what repeats. */
  name: string
  depth: number
  /** `string`, `integer`, `uuid`, `date-time`, `object` … */
  type: string
  list: boolean
  nullable: boolean
  required: boolean
  description: string
  values: unknown[]
  fallback: unknown
  limits: { kind: string; value: number }[]
}

type Named = { name: string; required: boolean; schema: Schema; depth?: number }

const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const
const MAX_DEPTH = 4

/** The fields of an object and, below each, those inside of it. */
export function fieldsOf(document: OpenApiDocument, schema: Schema, depth = 0): Field[] {
  const { properties = {}, required = [] } = whole(document, schema)
  return Object.entries(properties)
    .filter(([, property]) => !(property.readOnly && property.type === undefined))
    .flatMap(([name, property]) => {
      const field = fieldOf(document, {
        name,
        required: required.includes(name),
        schema: property,
        depth,
      })
      const inner = depth < MAX_DEPTH ? innerOf(document, property) : undefined
      return [field, ...(inner ? fieldsOf(document, inner, depth + 1) : [])]
    })
}

export function fieldOf(
  document: OpenApiDocument,
  { name, required, schema, depth = 0 }: Named,
): Field {
  const full = whole(document, schema)
  const item = full.items ? whole(document, full.items) : undefined
  const said = item ?? full
  const [description = ''] = (schema.description ?? full.description ?? '').split('\n\n')
  return {
    name,
    depth,
    type: typeOf(said),
    list: item !== undefined,
    nullable: isNullable(full),
    required,
    description,
    values: valuesOf(said),
    fallback: full['x-default'] ?? full.default,
    limits: LIMITS.flatMap((kind) => limitOf(kind, full, item)),
  }
}

function limitOf(kind: (typeof LIMITS)[number], full: Schema, item: Schema | undefined) {
  const value = full[kind] ?? item?.[kind]
  return value === undefined ? [] : [{ kind, value }]
}

function innerOf(document: OpenApiDocument, schema: Schema): Schema | undefined {
  const full = whole(document, schema)
  const inner = full.items ? whole(document, full.items) : full
  return inner.properties ? inner : undefined
}

/** Follows a reference and looks through `or null`; the words of whoever refers stay. */
function whole(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref) {
    const { $ref, ...own } = schema
    return { ...whole(document, getReferencedSchema(document.components.schemas, $ref)), ...own }
  }
  if (schema.allOf) return joinAll(document, schema)
  if (schema.oneOf) return joinChoices(document, schema)
  const other = schema.anyOf?.find(({ type }) => type !== 'null')
  if (!other) return schema
  const { anyOf, ...own } = schema
  const nullable = anyOf?.some(({ type }) => type === 'null')
  const found = whole(document, other)
  const type = [found.type ?? 'object'].flat()
  return { ...found, type: nullable ? [...type, 'null'] : type, ...own }
}

function joinAll(document: OpenApiDocument, { allOf = [], ...own }: Schema): Schema {
  const parts = allOf.map((part) => whole(document, part))
  const properties = Object.assign({}, ...parts.map((part) => part.properties))
  return {
    type: 'object',
    ...own,
    properties,
    required: parts.flatMap((part) => part.required ?? []),
  }
}

/** As the first of them is, whichever of them it may be. */
function joinChoices(
  document: OpenApiDocument,
  { oneOf: [first = {}] = [], discriminator, ...own }: Schema,
): Schema {
  const shown = { ...whole(document, first), ...own }
  if (!discriminator) return shown
  const { propertyName: name, mapping } = discriminator
  const { const: _, ...field } = shown.properties?.[name] ?? {}
  const told = { ...field, enum: Object.keys(mapping) }
  return { ...shown, properties: { ...shown.properties, [name]: told } }
}

function isNullable({ type }: Schema) {
  return Array.isArray(type) && type.includes('null')
}

function typeOf({ type, format, properties }: Schema) {
  const [first = properties ? 'object' : 'any'] = [type ?? []].flat()
  return format ?? first
}

function valuesOf({ enum: values, const: only }: Schema) {
  return (values ?? (only === undefined ? [] : [only])).filter((value) => value !== null)
}
