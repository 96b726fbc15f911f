// Makes one Zod schema serve a route four times: types, validation, serialisation, OpenAPI.
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyPluginOptions,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { texts } from '../texts.ts'
import { type FieldError, invalidFields } from './errors.ts'

/** A plugin of routes whose handlers are typed by their schemas, and whose needs are its options. */
export type Routes<Needs extends FastifyPluginOptions> = FastifyPluginAsync<
  Needs,
  RawServerDefault,
  ZodTypeProvider
>

type Issue = z.core.$ZodIssue

export function useZod(app: FastifyInstance) {
  z.config({ ...z.locales.ptBR(), customError: sentence })

  app.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
    const result = schema.safeParse(data)
    return result.success
      ? { value: result.data }
      : { error: invalidFields(fieldErrors(result.error)) }
  })

  // Parsing on the way out drops whatever the schema does not name, so a new column never leaks,
  // and a mismatch is our bug (500), never the caller's.
  app.setSerializerCompiler<z.ZodType>(
    ({ schema }) =>
      (data) =>
        JSON.stringify(schema.parse(data)),
  )
}

/** All that is wrong with one input, one entry per field. */
export function fieldErrors({ issues }: Pick<z.ZodError, 'issues'>): FieldError[] {
  const errors = issues.flatMap(errorsOf)
  const first = new Map(errors.toReversed().map((error) => [error.field, error]))
  return errors.filter((error) => first.get(error.field) === error)
}

function errorsOf(issue: Issue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join('.'),
      code: 'unknown_field',
      message: texts.fields.unknown,
    }))
  }
  // What is wrong with a key is told by the issues inside.
  const named = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue
  return [{ field: issue.path.join('.'), code: codeOf(named), message: named.message }]
}

function codeOf(issue: Issue): string {
  if (issue.code === 'custom') return String(issue.params?.code ?? 'invalid')
  if (issue.code === 'invalid_type' && issue.message === texts.fields.required) return 'required'
  return issue.code
}

/** Our own sentence where Zod's Portuguese one would not tell a developer what to do. */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom') return texts.fields.required
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected]
    case 'invalid_value':
      return texts.fields.oneOf(issue.values)
    case 'too_small':
      return bound(issue.origin, issue.minimum, texts.fields.tooFew, texts.fields.tooSmall)
    case 'too_big':
      return bound(issue.origin, issue.maximum, texts.fields.tooMany, texts.fields.tooBig)
    case 'invalid_format':
      return FORMATS[issue.format]
    default:
      return undefined
  }
}

const TYPES: Record<string, string> = {
  int: texts.fields.wholeNumber,
  number: texts.fields.wholeNumber,
  string: texts.fields.text,
  array: texts.fields.list,
  object: texts.fields.object,
  record: texts.fields.object,
}

const FORMATS: Record<string, string> = { uuid: texts.fields.uuid, datetime: texts.fields.instant }

function bound(
  origin: string,
  limit: number | bigint,
  items: (n: number) => string,
  value: (n: number | bigint) => string,
) {
  return origin === 'array' ? items(Number(limit)) : value(limit)
}
