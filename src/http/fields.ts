// Schemas of fields that several resources of the API share.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isUuid } from '../database/id.ts'
import { texts } from '../texts.ts'
import type { FieldError } from './errors.ts'

/** The longest e-mail address that mail servers carry (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254
/** The maximum length of the name of a person, a company or a key. */
export const NAME_MAX_LENGTH = 128

/** A rule of ours that was broken, with the code that the answer names. */
export const buildFieldRule = (code: string, message: string) => ({ params: { code }, message })

/** A field with what it is, for who reads the document of the API, and a value that it may have. */
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

/** The same, with what stands for one that is left out. */
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
 * A field of answers only: ignored in an answer that is sent back; in any other body findReadOnlyErrors judges it.
 */
export const echoedField = z.unknown().optional().meta({ readOnly: true })
/** The same, and may be null in answers. */
export const echoedNullableField = z.unknown().optional().meta({ readOnly: true })

/**
 * The fields of `echoed` that a body wants otherwise than `known`, which is what will be answered: they would be
 * dropped in silence. An answer that is sent back carries its id.
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

/** An instant with its zone, whatever zone that is. */
export const instantWithOffsetField = () =>
  z.iso.datetime({
    offset: true,
    error: ({ input }) => describeWrongInstant(input),
    abort: true,
  })

function describeWrongInstant(input: unknown) {
  if (input === undefined) return texts.fields.required
  if (Array.isArray(input)) return texts.fields.single
  const isPlusLost = typeof input === 'string' && LOST_PLUS.test(input)
  return isPlusLost ? texts.fields.instantInAddress : texts.fields.instant
}

/** In a URL an unencoded `+` is a space. */
const LOST_PLUS = /\d \d\d:?\d\d$/

/** The same, such as Postgres reads: a time zone can carry it into the year 0 or 10000. */
export const storableInstantField = () =>
  instantWithOffsetField().refine(
    isPostgresYear,
    buildFieldRule('invalid_date', texts.fields.instant),
  )

/** The end of a range that a list is narrowed to. */
export const instantFilterField = storableInstantField().transform((value) =>
  new Date(value).toISOString(),
)

/** An instant as answers write it. */
export const instantField = z.iso
  .datetime({ precision: 3 })
  .meta({ examples: ['2026-11-21T14:05:09.120Z'] })

/** Fields that most resources have. */
export const idField = describeField(
  z.uuid(),
  'Atribuído pelo serviço.',
  '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
)
/** The id in a path. */
export const IdParams = z.object({
  id: describeField(z.string(), 'O id.', '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'),
})
export const createdAtField = instantField.describe('Quando foi criado.')
export const updatedAtField = instantField.describe('Quando mudou pela última vez.')
export const testModeField = z
  .boolean()
  .describe('Se é do ambiente de teste, em que nenhum dinheiro se move.')

export const SLUG_PATTERN = /^[0-9A-Za-z]{1,32}$/

/** The link that a list is narrowed to. */
export const linkFilterField = z
  .string()
  .refine(
    (value) => isUuid(value) || SLUG_PATTERN.test(value),
    buildFieldRule('invalid_format', texts.fields.linkName),
  )
  .optional()
  .describe('O link pago: o id ou o slug.')

/** Filters that most lists have. */
export const createdFromField = instantFilterField
  .optional()
  .describe('Criados a partir deste instante.')
export const createdToField = instantFilterField.optional().describe('Criados até este instante.')

function isPostgresYear(value: string) {
  const year = new Date(value).getUTCFullYear()
  return year >= 1 && year <= 9999
}

const DECIMAL_DIGITS = /^\d{1,15}$/

/** Decimal digits as a number; NaN for all else that `Number` takes: `0x3`, `1e1`, `+3`, a blank. */
export function parseDecimal(typed: string) {
  return DECIMAL_DIGITS.test(typed) ? Number(typed) : Number.NaN
}

/** A whole number as a form writes it. */
export function decimalField({ min, max }: { min: number; max: number }) {
  return z.string().transform(parseDecimal).pipe(z.int().min(min).max(max))
}

/** A form or a query as fields of which nothing is known yet; none where it is no object. */
export function toRecord(given: unknown): Record<string, unknown> {
  return isRecord(given) ? given : {}
}

export function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null
}
