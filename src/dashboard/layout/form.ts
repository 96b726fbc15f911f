// Parses forms of the dashboard into values, or into errors of their fields. Amounts in reais are read here alone, for
// forms, files and searches: as people write them and as systems do; an amount with two meanings is asked about.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isUuid, newId } from '../../database/id.ts'
import { formatBrl, formatTaxId } from '../../format.ts'
import { AppError } from '../../http/errors.ts'
import { parseDecimal, toRecord } from '../../http/fields.ts'
import { toFieldErrors } from '../../http/zod.ts'
import { removeUnseen, restoreZeros } from '../../payer-rules.js'
import { texts } from '../../texts.ts'
import type { Right } from '../../users/roles.ts'
import { type ById, type DashboardNeeds, requireRight } from './needs.ts'
import type { FormError, FormVersion, PageName, PageParts, RenderPage } from './page.ts'
import { formTexts } from './texts.ts'
import { buildFormVersion, type FieldValues } from './versioned.ts'

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

/** Reads `1000` and `1.000`; NaN for what is no number. */
export function parseCount(typed: string) {
  return parseDecimal(cleanNumber(typed).replace(/^([1-9]\d{0,2})\.(\d{3})$/, '$1$2'))
}

/** Returns a number as a keyboard types it: full-width digits converted, without what is not seen. */
export function cleanNumber(typed: string) {
  // Normalization would turn `150²` into 1502.
  return /\p{No}/u.test(typed) ? '' : removeUnseen(typed.normalize('NFKC')).trim()
}

/** A field that `parse` converts; when that returns undefined, `sentence` is the error, or makes it. */
export function parsedField<Value>(
  parse: (typed: string) => Value | undefined,
  sentence: string | ((typed: string) => string),
) {
  return z.string().transform((typed, context) => {
    const value = parse(typed)
    if (value !== undefined) return value
    const message = typeof sentence === 'string' ? sentence : sentence(typed)
    context.issues.push({ code: 'custom', message, input: typed })
    return z.NEVER
  })
}

/** Returns the error of a CPF or CNPJ; it suggests the one that was meant, if only its leading zeros are missing. */
export function describeTaxIdError(typed: string) {
  const { taxId } = texts.fields
  const meant = restoreZeros(typed)
  return meant ? `${taxId} ${formTexts.suggestion(formatTaxId(meant))}` : taxId
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

/**
 * Returns the id that the form has for what it creates, so that a form sent twice creates it once. In lower case as
 * Postgres writes it, since encrypted secrets are bound to it.
 */
export function readFormId(body: unknown) {
  const { id = '' } = readTypedFields(body)
  return isUuid(id) ? id.toLowerCase() : newId()
}

type InvalidForm = { kind: 'invalid'; errors: FormError[] }
export type FormResult<Values> = { kind: 'valid'; values: Values } | InvalidForm
export type SaveResult<Saved> = { kind: 'saved'; saved: Saved } | InvalidForm

/** Refuses a form because of one field. */
export function refuseField(field: string, message: string): InvalidForm {
  return { kind: 'invalid', errors: [{ field, message }] }
}

/** Returns the form's values, or one error for each invalid field. */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): FormResult<z.output<Schema>> {
  const read = schema.safeParse(body ?? {})
  if (read.success) return { kind: 'valid', values: read.data }
  return { kind: 'invalid', errors: toFormErrors(toFieldErrors(read.error)) }
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

/** The first error of each field: of a list or an object, one for all its parts. The page sorts them as its fields. */
export function toFormErrors(errors: readonly FormError[]): FormError[] {
  const first = new Map<string, string>()
  for (const { field, message } of errors) {
    const [root = field] = field.split('.')
    if (!first.has(root)) first.set(root, message)
  }
  return [...first].map(([field, message]) => ({ field, message }))
}

type AmountReading =
  | { kind: 'read'; cents: number }
  /** `1.500`: fifteen hundred for people, one and a half for systems. */
  | { kind: 'ambiguous'; thousandsCents: number; decimalsCents: number }
  | { kind: 'unreadable' }

const CURRENCY = /^R\$\s*|\s*reais$/gi
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/
/** `150`, `150,00` and `150.00`; `1.500,00`; `1,500.00`; `1 500,00`. */
const AMOUNTS = [
  /^(\d{1,12})(?:[.,](\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?: \d{3}){1,3})(?:[.,](\d{1,2}))?$/,
]

export function readAmount(typed: string): AmountReading {
  const plain = cleanNumber(typed).replace(CURRENCY, '')
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
  return Number(reais.replace(/[., ]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
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

/** Registers a page without a form: GET of a path below /painel. */
export function registerPage<Name extends PageName>(
  app: FastifyInstance,
  needs: DashboardNeeds,
  path: string,
  [right, view]: readonly [Right, Name],
  load: (needs: DashboardNeeds, request: FormRequest) => Promise<PageParts<Name>>,
) {
  app.get<ById>(path, requireRight(right), async (request, reply) =>
    needs.show(request, reply, view, await load(needs, request)),
  )
}

type FormAccess = {
  /** Null outside the session guard. */
  right: Right | null
  /** Asks for the password or a code before the form is shown. */
  stepUp?: true
  /** Accepts a form that was opened in the other environment. */
  anyEnvironment?: true
  /** The largest uploaded file, in bytes. */
  upload?: number
}

/** `id` is empty for an address without one. */
export type FormRequest = FastifyRequest<ById>

type FormPage<Row, Form, Outcome, Values> = FormAccess & {
  /** Loads the row of the form, or returns an address to redirect to when the form cannot be used. */
  load: (request: FormRequest) => Promise<Row | string>
  /** The values that make the form stale when another person changes them. */
  toValues?: (row: Row, request: FormRequest) => FieldValues
  /** The form as it is first shown. */
  toForm: (row: Row, request: FormRequest) => Form
  /** The form as it was typed. */
  readForm: (request: FormRequest, row: Row) => Form
  /** Converts the typed form to values or errors; when absent, `save` gets the typed form. */
  parse?: (form: Form, row: Row) => FormResult<Values>
  /** Saves and audits; a stale form is a conflict (versioned.ts). */
  save: (request: FormRequest, row: Row, values: Values) => Promise<Outcome>
  view: (
    request: FormRequest,
    reply: FastifyReply,
    shown: ShownForm<Form>,
    row: Row,
  ) => Promise<unknown>
  /** The address to redirect to after saving, or a function that sends its own answer, shown only once. */
  done:
    | string
    | ((
        saved: SavedOf<Outcome>,
        row: Row,
        request: FormRequest,
        reply: FastifyReply,
      ) => string | Promise<unknown>)
}

/** Without errors the form is only shown again; `form` replaces the sent values. */
type FormRefusal<Form> = { form?: Form } & (
  | { kind: 'invalid'; errors: FormError[] }
  | { kind: 'conflict'; conflicts: string[] }
)

type Refused = { kind: 'invalid' | 'conflict' }
type SavedOf<Outcome> = Exclude<Outcome, Refused>

export type ShownForm<Form> = { form: Form; errors: FormError[]; version?: FormVersion }

/** Registers GET and POST of a path below /painel. */
export function registerForm<
  Row,
  Form,
  Outcome extends { kind: 'saved' | 'unchanged' } | FormRefusal<Form>,
  Values = Form,
>(app: FastifyInstance, path: string, page: FormPage<Row, Form, Outcome, Values>) {
  const { right, stepUp, anyEnvironment, upload } = page
  const asked = { ...(stepUp && { stepUp }), ...(anyEnvironment && { anyEnvironment }) }
  const shown = right ? requireRight(right, asked) : {}
  const sent = right ? requireRight(right, { ...asked, ...(upload && { upload }) }) : {}

  app.get<ById>(path, shown, async (request, reply) => {
    const row = await page.load(request)
    if (typeof row === 'string') return reply.redirect(row, 303)
    return show(request, reply, row, page.toForm(row, request))
  })

  app.post<ById>(path, sent, async (request, reply) => {
    const row = await page.load(request)
    if (typeof row === 'string') return reply.redirect(row, 303)
    const form = page.readForm(request, row)
    const outcome = await parseAndSave(request, row, form)
    if (isRefused(outcome)) return show(request, reply, row, outcome.form ?? form, outcome)
    const { done } = page
    // TypeScript does not narrow a type parameter.
    const saved = outcome as SavedOf<Outcome>
    const next = typeof done === 'string' ? done : done(saved, row, request, reply)
    return typeof next === 'string' ? reply.redirect(next, 303) : next
  })

  async function parseAndSave(request: FormRequest, row: Row, form: Form) {
    // Without `parse` the values are the form, which TypeScript does not know.
    if (!page.parse) return page.save(request, row, form as unknown as Values)
    const parsed = page.parse(form, row)
    return parsed.kind === 'invalid' ? parsed : page.save(request, row, parsed.values)
  }

  function show(
    request: FormRequest,
    reply: FastifyReply,
    row: Row,
    form: Form,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: string[] } = {},
  ) {
    const values = page.toValues?.(row, request)
    if (!values) return page.view(request, reply, { form, errors }, row)
    const version = buildFormVersion(request, values, conflicts)
    return page.view(request, reply, { form, errors, version }, row)
  }
}

function isRefused<Form>(
  outcome: { kind: 'saved' | 'unchanged' } | FormRefusal<Form>,
): outcome is FormRefusal<Form> {
  return outcome.kind === 'invalid' || outcome.kind === 'conflict'
}

type Confirmation<Row> = FormAccess & {
  load: (request: FormRequest) => Promise<Row | string>
  ask: (row: Row, request: FormRequest) => Question
  /**
   * Acts, and returns the address to redirect to, or a function that sends an answer which is shown only once; a
   * conflict (409) is shown above the question.
   */
  confirm: (
    request: FormRequest,
    row: Row,
  ) => Promise<string | ((reply: FastifyReply) => Promise<unknown>)>
}

type ConfirmPage = PageParts<'dashboard/layout/confirm'>
/** Without an `action` it is sent to its own address. */
type Question = Omit<ConfirmPage, 'action'> & Partial<Pick<ConfirmPage, 'action'>>

/** Registers an action with a confirmation on its own page: GET asks, POST acts. */
export function registerConfirmation<Row>(
  app: FastifyInstance,
  path: string,
  show: RenderPage,
  { load, ask, confirm, ...access }: Confirmation<Row>,
): void {
  registerForm(app, path, {
    ...access,
    load,
    toForm: () => null,
    readForm: () => null,
    save: (request, row) => catchConflict('content', confirm(request, row)),
    view(request, reply, { errors }, row) {
      const [action = ''] = request.url.split('?')
      const question = { action, ...ask(row, request), errors }
      return show(request, reply, 'dashboard/layout/confirm', question)
    },
    done: ({ saved }, _row, _request, reply) => (typeof saved === 'string' ? saved : saved(reply)),
  })
}
