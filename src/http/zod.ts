// Uses one Zod schema of a route for four things: types, validation, serialisation, OpenAPI.
import type {
  FastifyBaseLogger,
  FastifyPluginAsync,
  FastifyRequest,
  FastifyServerOptions,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { texts } from '../texts.ts'
import { AppError, type FieldError, invalidFieldsError } from './errors.ts'
import { toRecord } from './fields.ts'
import type { Limiter } from './limiter.ts'

interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
}

/** What all routes of the API are given. */
export type ApiNeeds = {
  db: Database
  cipher: Cipher
  limiter: Limiter
  log: FastifyBaseLogger
  baseUrl: string
  checkoutUrl: string
  now: () => Date
}

/** A plugin of API routes: the schemas type its handlers, and `More` is what it needs besides. */
export type Routes<More = unknown> = FastifyPluginAsync<
  ApiNeeds & More,
  RawServerDefault,
  ZodTypeProvider
>

type ZodIssue = z.core.$ZodIssue
type ZodRouteSchema = { schema: z.ZodType }

/** Passed to Fastify when it is created, since Fastify would otherwise load JSON Schema compilers that are not used. */
export const zodController = {
  compilersFactory: {
    buildValidator: () => compileValidator,
    buildSerializer: () => compileSerializer,
  },
  // Fastify types this as if all schemas were JSON Schema.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

export function setZodMessages() {
  z.config({ ...z.locales.ptBR(), customError: getIssueMessage })
}

function compileValidator({ schema }: ZodRouteSchema) {
  return (data: unknown) => {
    const result = schema.safeParse(data)
    return result.success
      ? { value: result.data }
      : { error: invalidFieldsError(toFieldErrors(result.error)) }
  }
}

/**
 * Serialises an answer through its schema: fields that the schema lacks are dropped, so a new column never leaks, and a
 * mismatch is our bug (500), not the caller's.
 */
function compileSerializer({ schema }: ZodRouteSchema) {
  return (data: unknown) => JSON.stringify(schema.parse(data))
}

/** Returns the errors of one input, one for each field. */
export function toFieldErrors({ issues }: Pick<z.ZodError, 'issues'>): FieldError[] {
  const bounds = issues.filter(isSafeBound)
  const errors = [...issues.filter((one) => !isSafeBound(one)), ...bounds].flatMap(expandIssue)
  const first = new Map(errors.toReversed().map((error) => [error.field, error]))
  return errors.filter((error) => first.get(error.field) === error)
}

type SentBody = Pick<FastifyRequest, 'body' | 'validationError'>

/**
 * Throws the errors of a body with the wrong shape, together with the errors that `find` returns for the fields that
 * are valid, so that one answer names all errors. For routes with `attachValidation`.
 */
export async function refuseShape<Shape extends z.ZodRawShape>(
  { body, validationError: wrong }: SentBody,
  schema: z.ZodObject<Shape>,
  find: (right: RightFields<Shape>) => Promise<FieldError[]>,
) {
  if (!wrong) return
  if (!(wrong instanceof AppError && wrong.errors)) throw wrong
  throw invalidFieldsError(joinFieldErrors(wrong.errors, await find(pickRightFields(schema, body))))
}

/** Does the same; when the shape is right, throws the errors that `find` returns for the whole body. */
export async function refuseBody<Shape extends z.ZodRawShape>(
  request: SentBody,
  schema: z.ZodObject<Shape>,
  find: (right: RightFields<Shape>) => Promise<FieldError[]>,
) {
  await refuseShape(request, schema, find)
  const errors = await find(pickRightFields(schema, request.body))
  if (errors.length > 0) throw invalidFieldsError(errors)
}

export type RightFields<Shape extends z.ZodRawShape> = Partial<z.output<z.ZodObject<Shape>>>

/** Picks the valid fields of a body. */
export function pickRightFields<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  body: unknown,
) {
  const sent = toRecord(body)
  const right = Object.entries(shape).flatMap(([name, field]) => {
    const { success, data } = z.safeParse(field, sent[name])
    return success && data !== undefined ? [[name, data]] : []
  })
  // Object.fromEntries is typed for any keys.
  return Object.fromEntries(right) as RightFields<Shape>
}

/** Joins two lists of errors; for a field in both, the error of the shape wins. */
export function joinFieldErrors(ofShape: FieldError[], others: FieldError[]): FieldError[] {
  const named = new Set(ofShape.map(({ field }) => field))
  return [...ofShape, ...others.filter(({ field }) => !named.has(field))]
}

/** Whether a number is too large to be exact: a lower maximum of its field says more. */
function isSafeBound(issue: ZodIssue) {
  return issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER
}

function expandIssue(issue: ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join('.'),
      code: 'unknown_field',
      message: texts.fields.unknown,
    }))
  }
  // The error of a key is in its inner issues.
  const named = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue
  return [{ field: issue.path.join('.'), code: getIssueCode(named), message: named.message }]
}

function getIssueCode(issue: ZodIssue): string {
  if (issue.code === 'custom') return String(issue.params?.code ?? 'invalid')
  // Zod reports a missing enum as an invalid value.
  if (issue.message === texts.fields.required) return 'required'
  return issue.code
}

/** Returns our own text where Zod's Portuguese one would not tell a developer what to do. */
function getIssueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom') return texts.fields.required
  switch (issue.code) {
    case 'invalid_type':
      if (isWholeBody(issue)) return texts.fields.body
      return isListForText(issue) ? texts.fields.single : TYPE_MESSAGES[issue.expected]
    case 'invalid_value':
      return Array.isArray(issue.input) ? texts.fields.single : texts.fields.oneOf(issue.values)
    case 'too_small':
      return formatBound(issue.origin, issue.minimum, LOWER_BOUNDS)
    case 'too_big':
      return formatBound(issue.origin, issue.maximum, UPPER_BOUNDS)
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? texts.fields.format
    default:
      return undefined
  }
}

/** Whether the body is missing, or is a list or a text. */
function isWholeBody({ path = [], expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>) {
  return path.length === 0 && expected === 'object'
}

/** Whether a query parameter was given twice and so arrives as a list. */
function isListForText({ input, expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>) {
  return expected === 'string' && Array.isArray(input)
}

const TYPE_MESSAGES: Record<string, string> = {
  boolean: texts.fields.boolean,
  int: texts.fields.wholeNumber,
  number: texts.fields.wholeNumber,
  string: texts.fields.text,
  array: texts.fields.list,
  object: texts.fields.object,
  record: texts.fields.object,
}

const FORMAT_MESSAGES: Record<string, string> = {
  uuid: texts.fields.uuid,
  datetime: texts.fields.instant,
  url: texts.fields.url,
  email: texts.fields.email,
}

const { tooFew, tooShort, tooSmall, tooMany, tooLong, tooBig } = texts.fields
const LOWER_BOUNDS = { array: tooFew, string: tooShort, value: tooSmall }
const UPPER_BOUNDS = { array: tooMany, string: tooLong, value: tooBig }

function formatBound(origin: string, limit: number | bigint, bounds: typeof LOWER_BOUNDS) {
  if (origin === 'array' || origin === 'string') return bounds[origin](Number(limit))
  return bounds.value(limit)
}
