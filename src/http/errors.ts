// Errors that callers read: domain code throws them, and one handler for each kind of page answers them.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { toPlainSpaces } from '../format.ts'
import { isOutage, readSystemError, toError } from '../system-error.ts'
import { texts } from '../texts.ts'

/** The headers of every answer: no guessing of its type, and no storing unless the answer allows it. */
export const PLAIN_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

export type FieldError = { field: string; code: string; message: string }

type AppErrorExtras = { errors?: FieldError[]; headers?: Record<string, string> }

/** A failure that the caller may read about. Any other thrown error is a bug and becomes a bare 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly statusCode: number
  /** Empty for 401 and 429, which have no code in the contract. */
  readonly code: string
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>

  constructor(statusCode: number, code: string, message: string, extras: AppErrorExtras = {}) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.errors = extras.errors
    this.headers = extras.headers ?? {}
  }
}

export const notFoundError = (message: string = texts.notFound) =>
  new AppError(404, 'not_found', message)

export const conflictError = (code: string, message: string) => new AppError(409, code, message)

export const invalidFieldsError = (errors: FieldError[]) =>
  new AppError(422, 'validation_error', describeFieldErrors(errors), { errors })

/** Names the first error with its field and the number of the others, since many programs print the message alone. */
export function describeFieldErrors([first, ...others]: FieldError[]) {
  if (!first) return texts.fields.body
  const { field, message } = first
  const said = field ? `${field}: ${toLowerStart(message)}` : message
  return others.length > 0 ? `${said} ${texts.moreFields(others.length)}` : said
}

/** Leaves abbreviations and other words in capitals as they are. */
function toLowerStart(sentence: string) {
  return /^\p{Lu}\p{Lu}/u.test(sentence)
    ? sentence
    : sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

export const tooManyRequestsError = (
  retryAfterSeconds: number,
  message: string = texts.rateLimited,
) => new AppError(429, '', message, { headers: { 'retry-after': String(retryAfterSeconds) } })

export const unavailableError = (retryAfterSeconds = 2) =>
  new AppError(503, 'unavailable', texts.unavailable, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

/**
 * Turns every failure into an AppError: ours stays as it is, those of the framework and the database get a text of
 * ours.
 * @param maxBodyBytes is named in the error of a body that is too long, for callers that are programs
 */
export function toAppError(error: unknown, maxBodyBytes?: number): AppError {
  if (error instanceof AppError) return error
  if (isOutage(error)) return unavailableError()
  const { code } = readSystemError(error)
  const statusCode = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  if (statusCode === 413) {
    const message = maxBodyBytes ? texts.bodyTooLarge(maxBodyBytes) : texts.payloadTooLarge
    return new AppError(413, 'payload_too_large', message)
  }
  if (statusCode === 415) {
    return new AppError(415, 'unsupported_media_type', texts.unsupportedMediaType)
  }
  if (code === 'FST_ERR_BAD_URL') return new AppError(400, 'invalid_url', texts.invalidUrl)
  if (statusCode === 400) return new AppError(400, 'invalid_json', texts.invalidJson)
  return new AppError(500, 'internal_error', texts.internal)
}

/** Logs unexpected failures, and not those that the caller caused. */
export function logFailure(
  { id: reqId, log }: FastifyRequest,
  error: unknown,
  { statusCode }: AppError,
) {
  // The log line has our own message: that of a failed statement contains its parameters, which are personal data.
  if (statusCode === 500) log.error({ reqId, err: error }, 'a request failed')
  if (isOutage(error))
    log.warn({ reqId, reason: getRootCauseMessage(error) }, 'database unavailable')
}

function getRootCauseMessage(error: unknown): string {
  const { cause, message } = toError(error)
  return cause instanceof Error ? getRootCauseMessage(cause) : message
}

const messageField = z.string().describe('Uma frase que diz o que fazer. Pode mudar.')
const codeField = z.string().describe('Uma palavra para programas. Não muda.')

export const Problem = z
  .object({
    status: z.literal('error').describe('Sempre `error`.'),
    message: messageField,
    code: codeField.optional(),
    type: z.string().optional().describe('O endereço do parágrafo do guia que explica `code`.'),
    errors: z
      .array(
        z.object({
          field: z.string().describe('O caminho do campo.'),
          code: codeField,
          message: messageField,
        }),
      )
      .optional()
      .describe(
        'Num 422 que diz o campo, como `validation_error`: tudo o que está errado, um item por problema.',
      ),
  })
  .describe('O que deu errado.')

/** The contract gives 401 and 429 exactly these two fields. */
export const PlainProblem = z
  .object({ status: z.literal('error').describe('Sempre `error`.'), message: messageField })
  .describe('O que deu errado, sem código.')

export function sendProblem(reply: FastifyReply, problem: AppError, baseUrl: string) {
  return reply
    .code(problem.statusCode)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(buildProblemBody(problem, baseUrl))
}

export function buildProblemBody(
  { code, message, errors }: Pick<AppError, 'code' | 'message' | 'errors'>,
  baseUrl: string,
) {
  const fields = errors?.map((one) => ({ ...one, message: toPlainSpaces(one.message) }))
  return {
    status: 'error',
    message: toPlainSpaces(message),
    ...(code && { code, type: `${baseUrl}/api/docs/erros#${code}` }),
    ...(fields && { errors: fields }),
  }
}
