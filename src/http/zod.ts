// Uses one Zod schema of a route for four things: types, validation, serialisation, OpenAPI.
import type {
  FastifyPluginAsync,
  FastifyPluginOptions,
  FastifyRequest,
  FastifyServerOptions,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import { z } from 'zod'
import { texts } from '../texts.ts'
import { AppError, type FieldError, invalidFieldsError } from './errors.ts'
import { toRecord } from './fields.ts'

interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
}

/** A plugin of routes: schemas give its handlers their types, and `Needs` are its options. */
export type Routes<Needs extends FastifyPluginOptions> = FastifyPluginAsync<
  Needs,
  RawServerDefault,
  ZodTypeProvider
>

type ZodIssue = z.core.$ZodIssue
type ZodRouteSchema = { schema: z.ZodType }

/** Passed to Fastify at its creation: else Fastify loads JSON Schema compilers that nothing uses. */
export const zodController = {
  compilersFactory: {
    buildValidator: () => compileValidator,
    buildSerializer: () => compileSerializer,
  },
  // Typed as if every schema were one of JSON Schema.
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
 * Parsing on the way out drops whatever the schema does not name, so a new column never leaks,
 * and a mismatch is our bug (500), never the caller's.
 */
function compileSerializer({ schema }: ZodRouteSchema) {
  return (data: unknown) => JSON.stringify(schema.parse(data))
}

/** The errors of one input, one for each field. */
export function toFieldErrors({ issues }: Pick<z.ZodError, 'issues'>): FieldError[] {
  const errors = issues.flatMap(expandIssue)
  const first = new Map(errors.toReversed().map((error) => [error.field, error]))
  return errors.filter((error) => first.get(error.field) === error)
}

type SentBody = Pick<FastifyRequest, 'body' | 'validationError'>

/**
 * When the shape of a body is wrong, throws its errors together with what `find` says of the fields that are
 * right by themselves: one answer names all errors. For a route that has `attachValidation`.
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

/** The same; when the shape is right, throws what `find` says of the whole body. */
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

/** The fields of a body that are right by themselves. */
export function pickRightFields<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  body: unknown,
) {
  const sent = toRecord(body)
  const right = Object.entries(shape).flatMap(([name, field]) => {
    const { success, data } = z.safeParse(field, sent[name])
    return success && data !== undefined ? [[name, data]] : []
  })
  // Each value was parsed by its field of the shape.
  return Object.fromEntries(right) as RightFields<Shape>
}

/** Joins both lists; for a field in both, the error of its shape wins. */
export function joinFieldErrors(ofShape: FieldError[], others: FieldError[]): FieldError[] {
  const named = new Set(ofShape.map(({ field }) => field))
  return [...ofShape, ...others.filter(({ field }) => !named.has(field))]
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
  // For a missing enum, Zod reports an invalid value.
  if (issue.message === texts.fields.required) return 'required'
  return issue.code
}

/** Our own sentence where Zod's Portuguese one would not tell a developer what to do. */
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
      return FORMAT_MESSAGES[issue.format]
    default:
      return undefined
  }
}

/** A request without a body, or with a list or a text as its body. */
function isWholeBody({ path = [], expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>) {
  return path.length === 0 && expected === 'object'
}

/** A query parameter that is given twice arrives as a list. */
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
}

const { tooFew, tooShort, tooSmall, tooMany, tooLong, tooBig } = texts.fields
const LOWER_BOUNDS = { array: tooFew, string: tooShort, value: tooSmall }
const UPPER_BOUNDS = { array: tooMany, string: tooLong, value: tooBig }

function formatBound(origin: string, limit: number | bigint, bounds: typeof LOWER_BOUNDS) {
  if (origin === 'array' || origin === 'string') return bounds[origin](Number(limit))
  return bounds.value(limit)
}
