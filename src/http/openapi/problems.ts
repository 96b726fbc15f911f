// What may go wrong with a request, as the document tells it: by status, with the very bodies.
import { texts } from '../../texts.ts'
import type { ApiResponse, Operation } from './types.ts'

export type DocumentedProblem = {
  status: number
  /** The `code` of the body; 401 and 429 have none there, and are named by this in the document. */
  code: string
  /** In English, for who reads the document. */
  when: string
  message: string
  errors?: { field: string; code: string; message: string }[]
}

export const defineProblem = (status: number, code: string, when: string, message: string) => ({
  status,
  code,
  when,
  message,
})

const STATUSES_WITHOUT_CODE = [401, 429]

const COMMON_PROBLEMS: DocumentedProblem[] = [
  defineProblem(401, 'unauthorized', 'The key is missing, invalid or revoked.', texts.unauthorized),
  defineProblem(
    429,
    'rate_limited',
    'More than 100 requests in 60 seconds with this key. Wait for `Retry-After` seconds.',
    texts.rateLimited,
  ),
  defineProblem(
    500,
    'internal_error',
    'A failure of ours. Try again, with the same `Idempotency-Key`.',
    texts.internal,
  ),
  defineProblem(
    503,
    'unavailable',
    'Down for a moment. Try again after `Retry-After` seconds.',
    texts.unavailable,
  ),
]

const SCOPE_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    403,
    'insufficient_scope',
    'The key is limited to scopes that do not hold this operation.',
    texts.insufficientScope('payment-links'),
  ),
  defineProblem(
    403,
    'ip_not_allowed',
    'The key is limited to networks that do not hold the address of the caller.',
    texts.ipNotAllowed,
  ),
]

const BODY_PROBLEMS: DocumentedProblem[] = [
  defineProblem(400, 'invalid_json', 'The body is not valid JSON.', texts.invalidJson),
  defineProblem(
    400,
    'invalid_encoding',
    'The bytes of the body are not UTF-8.',
    texts.invalidEncoding,
  ),
  defineProblem(
    413,
    'payload_too_large',
    'The body is larger than 64 KB; that of a batch, than 1 MB.',
    texts.payloadTooLarge,
  ),
  defineProblem(
    415,
    'unsupported_media_type',
    'The body is not sent as `application/json`.',
    texts.unsupportedMediaType,
  ),
  defineProblem(
    415,
    'unsupported_charset',
    'The body says that it is not UTF-8.',
    texts.unsupportedCharset,
  ),
  defineProblem(
    415,
    'unsupported_encoding',
    'The body is compressed (`Content-Encoding`).',
    texts.unsupportedEncoding,
  ),
  defineProblem(
    422,
    'card_data_refused',
    'The body holds what looks like a card number or a security code.',
    texts.cardDataRefused,
  ),
]

const IDEMPOTENCY_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    409,
    'idempotency_in_progress',
    'The first request with this `Idempotency-Key` is still running.',
    texts.idempotency.inProgress,
  ),
  defineProblem(
    422,
    'idempotency_mismatch',
    'This `Idempotency-Key` was used with another body.',
    texts.idempotency.mismatch,
  ),
]

const NOT_FOUND_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    404,
    'not_found',
    'There is no such thing, or not in your company.',
    texts.notFound,
  ),
]

/** What any operation of this shape may answer, apart from what is special to it. */
export function listProblems(
  method: string,
  { requestBody, parameters = [], responses, ...operation }: Operation,
): DocumentedProblem[] {
  const repeatable = method === 'post' || method === 'patch'
  const queried = parameters.some((one) => 'in' in one && one.in === 'query')
  const invalid = requestBody ? INVALID_BODY_PROBLEM : INVALID_QUERY_PROBLEM
  return [
    ...(requestBody || queried || responses[422] ? [invalid] : []),
    ...COMMON_PROBLEMS,
    ...(operation['x-scope'] ? SCOPE_PROBLEMS : []),
    ...(requestBody ? BODY_PROBLEMS : []),
    ...(repeatable ? IDEMPOTENCY_PROBLEMS : []),
    ...(responses[404] ? NOT_FOUND_PROBLEMS : []),
  ]
}

const INVALID_BODY_PROBLEM: DocumentedProblem = {
  ...defineProblem(
    422,
    'validation_error',
    'All that is wrong, field by field.',
    texts.invalidFields,
  ),
  errors: [{ field: 'title', code: 'required', message: texts.fields.required }],
}

const INVALID_QUERY_PROBLEM: DocumentedProblem = {
  ...defineProblem(
    422,
    'validation_error',
    'All that is wrong, field by field.',
    texts.invalidFields,
  ),
  errors: [{ field: 'cursor', code: 'invalid', message: texts.fields.cursor }],
}

const SHARED_RESPONSE_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

/** Where answers of this status are all alike: the name of the component that they share. */
export function getSharedResponseName(status: number) {
  return SHARED_RESPONSE_NAMES[status]
}

/** The answer of one status with an example of each problem that it can be. */
export function buildProblemResponse(status: number, problems: DocumentedProblem[]): ApiResponse {
  const schema = STATUSES_WITHOUT_CODE.includes(status) ? 'PlainProblem' : 'Problem'
  const examples = problems.map(({ code, when, message, errors }) => {
    const body = {
      status: 'error',
      message,
      ...(!STATUSES_WITHOUT_CODE.includes(status) && { code }),
    }
    return [code, { summary: when, value: { ...body, ...(errors && { errors }) } }] as const
  })
  return {
    description: problems.map(({ when }) => when).join(' '),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(examples),
      },
    },
  }
}
