// Random input of strangers: values that nearly fit a schema of the document, and garbage.
import fc from 'fast-check'
import type { Schema } from '../../src/docs/json-schemas.ts'
import type { OpenApiDocument } from './document.ts'

const NASTY_TEXTS = [
  '',
  ' ',
  'null',
  '0',
  '-1',
  '1e400',
  'a'.repeat(3_000),
  '\u0000',
  '\ud83c',
  '\u202e',
  '﷽'.repeat(200),
  "'; drop table payment_links; --",
  '%',
  '{{7*7}}',
  '../../etc/passwd',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  'MDAwMDAwMDA',
  '00000000-0000-0000-0000-000000000000',
  'https://user:pass@loja.com.br',
  'http://[::1]/',
  'https://93.184.216.34/hook',
  'javascript:alert(1)',
]

const NASTY_NUMBERS = [0, -0, -1, 0.5, 1, 999, 1_000, 20_000_001, 2 ** 31, 2 ** 53, 1e21, 1e308]

export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

const nastyKey = fc.constantFrom('__proto__', 'constructor', 'toString', '', 'maxInstalments', 'é')

/** Anything that JSON can say. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, [], {}, [[[]]], [null], { a: { b: null } }, ...NASTY_NUMBERS),
  nastyText,
  fc.array(nastyText, { maxLength: 3 }),
  fc.dictionary(nastyKey, nastyText, { maxKeys: 3 }),
)

/** Fits the schema for the most part; what it does not say (a check digit, a date in time) may be missed. */
export function buildFittingValue(
  document: OpenApiDocument,
  schema: Schema,
): fc.Arbitrary<unknown> {
  const full = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema
  const given = [...(full.examples ?? []), ...(full.enum ?? [])]
  if (full.const !== undefined) return fc.constant(full.const)
  if (full.enum) return fc.constantFrom(...given)
  const [type = 'any'] = [full.type ?? (full.properties ? 'object' : [])].flat()
  const made = buildValueByType(document, full, type)
  return given.length > 0 ? fc.oneof(fc.constantFrom(...given), made) : made
}

function buildValueByType(
  document: OpenApiDocument,
  schema: Schema,
  type: string,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return buildObjectValue(document, schema)
    case 'array':
      return fc.array(buildFittingValue(document, schema.items ?? {}), {
        maxLength: schema.maxItems ?? 3,
      })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return buildTextValue(schema)
    default:
      return garbage
  }
}

function buildTextValue({ format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  }
  if (format === 'uri') return fc.constantFrom('https://loja.com.br/', 'https://93.184.216.34/hook')
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 200) })
}

function buildObjectValue(document: OpenApiDocument, { properties = {}, required = [] }: Schema) {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    buildFittingValue(document, field),
  ])
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: required })
}

/** A fitting body with a field or two that are not: replaced, dropped, or unknown. */
export function buildNearlyFittingValue(
  document: OpenApiDocument,
  schema: Schema,
): fc.Arbitrary<unknown> {
  const fault = fc.tuple(fc.nat({ max: 99 }), fc.oneof(garbage, fc.constant(undefined)))
  return fc
    .tuple(
      buildFittingValue(document, schema),
      fc.array(fault, { maxLength: 2 }),
      fc.boolean(),
      nastyKey,
    )
    .map(([body, faults, unknown, key]) => {
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
      return isObject ? spoilFields(body, faults, unknown ? [[key, 1]] : []) : body
    })
}

function spoilFields(body: object, faults: [number, unknown][], more: [string, unknown][]) {
  const fields = Object.entries(body)
  for (const [at, value] of faults) {
    const field = fields[at % (fields.length || 1)]
    if (field) field[1] = value
  }
  return Object.fromEntries([...fields, ...more])
}
