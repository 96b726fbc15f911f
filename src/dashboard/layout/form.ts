// Parses forms of the dashboard into values, or into errors of their fields. Amounts in reais are read here alone, for
// forms, files and searches: as people write them and as systems do; an amount with two meanings is asked about.
import { z } from 'zod'
import { formatBrl } from '../../format.ts'
import { AppError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { removeUnseen } from '../../payer-rules.js'
import type { FormError } from './page.ts'
import { formTexts } from './texts.ts'

/** Formats 199000 as `1.990,00`, as a field shows it. */
export function formatBrlInput(cents: number) {
  return formatBrl(cents).replace(/^R\$\s*/, '')
}

/** An amount of money as people type it, converted to cents. */
export function moneyField(limits: { min: number; max: number }) {
  return z.string().transform((typed, context) => {
    const message = describeAmountError(typed, limits)
    const cents = parseBrl(typed)
    if (message === undefined && cents !== undefined) return cents
    context.issues.push({ code: 'custom', message, input: typed })
    return z.NEVER
  })
}

/** A field that `parse` converts; when that returns undefined, `sentence` is the error. */
export function parsedField<Value>(parse: (typed: string) => Value | undefined, sentence: string) {
  return z.string().transform((typed, context) => {
    const value = parse(typed)
    if (value !== undefined) return value
    context.issues.push({ code: 'custom', message: sentence, input: typed })
    return z.NEVER
  })
}

/** A password as typed; users/password.ts has the rules for a new one. */
export const passwordField = z.string().max(1024)

/** A checkbox; browsers do not send an unticked one. */
export const checkboxField = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** An empty field means no value. */
export function optionalField<Schema extends z.ZodType<unknown, string>>(schema: Schema) {
  return z
    .string()
    .trim()
    .optional()
    .transform((value) => value || undefined)
    .pipe(schema.optional())
    .transform((value) => value ?? null)
}

export type TypedFields = Record<string, string>

export type SelectOption = { value: string | number; text: string }

/** Returns the typed fields as text, to be shown again, without the named secrets. */
export function readTypedFields(body: unknown, secrets: readonly string[] = []): TypedFields {
  const entries = Object.entries(toRecord(body))
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && entry[0] !== '_csrf' && !secrets.includes(entry[0]),
    ),
  )
}

type InvalidForm = { kind: 'invalid'; errors: FormError[] }
export type FormResult<Values> = { kind: 'valid'; values: Values } | InvalidForm
export type SaveResult<Saved> = { kind: 'saved'; saved: Saved } | InvalidForm

/** Refuses a form because of one field. */
export function refuseField(field: string, message: string): InvalidForm {
  return { kind: 'invalid', errors: [{ field, message }] }
}

/** Returns the form's values, or one error for each invalid field, in the order of the schema. */
export function readForm<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): FormResult<z.output<Schema>> {
  const read = schema.safeParse(body ?? {})
  if (read.success) return { kind: 'valid', values: read.data }
  return { kind: 'invalid', errors: toFormErrors(read.error, Object.keys(schema.shape)) }
}

/** Turns a conflict (409) into an error of this field. */
export function catchConflict<Saved>(field: string, saving: Promise<Saved>) {
  return catchRefusal(saving, ({ statusCode, message }) =>
    statusCode === 409 ? [{ field, message }] : undefined,
  )
}

/** Turns refusals of the domain into errors of fields, unless `describe` returns undefined. */
export async function catchRefusal<Saved>(
  saving: Promise<Saved>,
  describe: (refusal: AppError) => FormError[] | undefined,
): Promise<SaveResult<Saved>> {
  try {
    return { kind: 'saved', saved: await saving }
  } catch (error) {
    const errors = error instanceof AppError ? describe(error) : undefined
    if (!errors) throw error
    return { kind: 'invalid', errors }
  }
}

export function toFormErrors({ issues }: z.ZodError, order: readonly string[]): FormError[] {
  const first = new Map<string, string>()
  for (const { path, message } of issues) {
    const field = String(path[0])
    if (!first.has(field)) first.set(field, message)
  }
  return [...first]
    .map(([field, message]) => ({ field, message }))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

type AmountReading =
  | { kind: 'read'; cents: number }
  /** `1.500`: fifteen hundred for people, one and a half for systems. */
  | { kind: 'ambiguous'; thousandsCents: number; decimalsCents: number }
  | { kind: 'unreadable' }

const CURRENCY = /^R\$\s*/i
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/
/** `150`, `150,00` and `150.00`; `1.500,00`; `1,500.00`. */
const AMOUNTS = [
  /^(\d{1,12})(?:[.,](\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/,
]

export function readAmount(typed: string): AmountReading {
  // Normalization would turn `150²` into 1502.
  if (/\p{No}/u.test(typed)) return { kind: 'unreadable' }
  const plain = removeUnseen(typed.normalize('NFKC')).trim().replace(CURRENCY, '')
  const [, thousands, rest] = plain.match(AMBIGUOUS) ?? []
  if (thousands !== undefined && rest !== undefined) {
    return {
      kind: 'ambiguous',
      thousandsCents: toCents(`${thousands}${rest}`),
      decimalsCents: toCents(thousands, rest.slice(0, 2)),
    }
  }
  for (const pattern of AMOUNTS) {
    const [, reais, cents] = plain.match(pattern) ?? []
    if (reais !== undefined) return { kind: 'read', cents: toCents(reais, cents) }
  }
  return { kind: 'unreadable' }
}

function toCents(reais: string, cents = '') {
  return Number(reais.replace(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Returns cents; undefined for an invalid or ambiguous amount. */
export function parseBrl(typed: string) {
  const reading = readAmount(typed)
  return reading.kind === 'read' ? reading.cents : undefined
}

/** Returns the error of an amount; undefined for a valid one. */
export function describeAmountError(typed: string, { min, max }: { min: number; max: number }) {
  const reading = readAmount(typed)
  if (reading.kind === 'unreadable') return formTexts.money
  if (reading.kind === 'ambiguous') {
    const { thousandsCents, decimalsCents } = reading
    const readings = [formatBrl(thousandsCents), formatBrl(decimalsCents)] as const
    return formTexts.ambiguousMoney(typed.trim(), ...readings)
  }
  if (reading.cents < min) return formTexts.minMoney(formatBrl(min))
  return reading.cents > max ? formTexts.maxMoney(formatBrl(max)) : undefined
}
