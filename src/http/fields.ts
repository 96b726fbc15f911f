// Schemas of fields that several resources of the API share.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isUuid } from '../database/id.ts'
import { buildRecord } from '../record.ts'
import { texts } from '../texts.ts'
import type { FieldError } from './errors.ts'

/** The longest e-mail address that mail servers carry (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254
/** The maximum length of the name of a person, a company or a key. */
export const NAME_MAX_LENGTH = 128

/** Makes the options of a Zod check of ours, with the code that the answer names. */
export const buildFieldRule = (code: string, message: string) => ({ params: { code }, message })

export function describeField<Field extends z.ZodType>(
  field: Field,
  description: string,
  example: unknown,
) {
  return field.meta({ description, examples: [example] })
}

/** An optional field; `null`, which typed clients send for missing values, counts as absent. */
export function optionalField<Field extends z.ZodType>(field: Field) {
  return z.preprocess((value) => value ?? undefined, field.optional())
}

/** Makes an optional field with a default value; `null` counts as absent. */
export function defaultField<Field extends z.ZodType>(
  field: Field,
  value: z.core.util.NoUndefined<z.output<Field>>,
) {
  return z.preprocess((given) => given ?? undefined, field.default(value))
}

/** A nullable field; a blank text, which forms send for an empty input, counts as null. */
export function blankableField<Field extends z.ZodType>(field: Field) {
  return z.preprocess((value) => (isBlank(value) ? null : value), field.nullable()).optional()
}

/** PHP writes an object without fields as `[]`. */
export function emptyListAsPairs(sent: unknown) {
  return Array.isArray(sent) && sent.length === 0 ? {} : sent
}

function isBlank(value: unknown) {
  return typeof value === 'string' && value.trim() === ''
}

/**
 * A field that only answers have. It is ignored in an answer that is sent back; in other bodies findReadOnlyErrors
 * checks it.
 */
export const echoedField = z.unknown().optional().meta({ readOnly: true })
/** The same field, which may also be null in answers. */
export const echoedNullableField = z.unknown().optional().meta({ readOnly: true })

/**
 * Returns an error for each field of `echoed` that a body wants to differ from `known`, the values that the answer will
 * have: such a field would be ignored silently. A body with an id is an answer that was sent back.
 */
export function findReadOnlyErrors(
  echoed: Record<string, z.ZodType>,
  body: unknown,
  known: Record<string, unknown>,
): FieldError[] {
  const sent = toRecord(body)
  if (isEchoedAnswer(sent)) return []
  const { readOnly: message } = texts.fields
  return Object.entries(echoed)
    .filter(([name, field]) => sent[name] !== (field === echoedNullableField ? undefined : null))
    .filter(([name]) => sent[name] !== undefined && !isDeepStrictEqual(sent[name], known[name]))
    .map(([field]) => ({ field, code: 'read_only', message }))
}

export function isEchoedAnswer({ id }: { id?: unknown }) {
  return typeof id === 'string' && isUuid(id)
}

/** An instant with any time zone. */
export const instantWithOffsetField = () =>
  z
    .string({ error: describeWrongInstant })
    .overwrite(completeInstant)
    .check(z.iso.datetime({ offset: true, error: describeWrongInstant, abort: true }))

/** Java leaves out seconds that are zero; PHP and strftime write an offset without a colon. */
function completeInstant(given: string) {
  return given.replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00').replace(/(T.*[+-]\d\d)(\d\d)$/, '$1:$2')
}

function describeWrongInstant({ input }: { input?: unknown }) {
  if (input === undefined) return texts.fields.required
  if (Array.isArray(input)) return texts.fields.single
  const isPlusLost = typeof input === 'string' && LOST_PLUS.test(input)
  return isPlusLost ? texts.fields.instantInAddress : texts.fields.instant
}

/** An unencoded `+` in a URL is decoded as a space. */
const LOST_PLUS = /\d \d\d:?\d\d$/

/** The same field, limited to years that Postgres stores: a time zone can carry an instant into the year 0 or 10000. */
export const storableInstantField = () =>
  instantWithOffsetField().refine(
    isPostgresYear,
    buildFieldRule('invalid_date', texts.fields.instant),
  )

export const instantFilterField = storableInstantField().transform((value) =>
  new Date(value).toISOString(),
)

/** An instant as answers write it. */
export const instantField = z.iso
  .datetime({ precision: 3 })
  .meta({ examples: ['2026-11-21T14:05:09.120Z'] })

export const idField = describeField(
  z.uuid(),
  'Atribuído pelo serviço.',
  '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
)
export const IdParams = z.object({
  id: describeField(z.string(), 'O id.', '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'),
})
export const createdAtField = instantField.describe('Quando foi criado.')
export const updatedAtField = instantField.describe('Quando mudou pela última vez.')
export const testModeField = z
  .boolean()
  .describe('Se é do ambiente de teste, em que nenhum dinheiro se move.')

export const SLUG_PATTERN = /^[0-9A-Za-z]{1,32}$/

export const linkFilterField = z
  .string()
  .refine(
    (value) => isUuid(value) || SLUG_PATTERN.test(value),
    buildFieldRule('invalid_format', texts.fields.linkName),
  )
  .optional()
  .describe('O link pago: o id ou o slug.')

export const createdFromField = instantFilterField
  .optional()
  .describe('Criados a partir deste instante.')
export const createdToField = instantFilterField.optional().describe('Criados até este instante.')

function isPostgresYear(value: string) {
  const year = new Date(value).getUTCFullYear()
  return year >= 1 && year <= 9999
}

const DECIMAL_DIGITS = /^\d{1,15}$/

/** Reads decimal digits; NaN for other texts that `Number` accepts, such as `0x3`, `1e1`, `+3` or a blank. */
export function parseDecimal(typed: string) {
  return DECIMAL_DIGITS.test(typed) ? Number(typed) : Number.NaN
}

/** A whole number as forms send it, as text. */
export function decimalField({ min, max }: { min: number; max: number }) {
  return z.string().transform(parseDecimal).pipe(z.int().min(min).max(max))
}

/** Keeps the fields of the schema: the row behind a resource has more of them. */
export function toResource<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  values: z.output<z.ZodObject<Shape>>,
) {
  const known: Record<string, unknown> = values
  // The values have all fields of the schema.
  return buildRecord(Object.keys(shape), (name) => known[name]) as z.output<z.ZodObject<Shape>>
}

/** Returns the body or query as an object with unknown fields; an empty object for all other values. */
export function toRecord(given: unknown): Record<string, unknown> {
  return isRecord(given) ? given : {}
}

export function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null
}
