// What may go wrong with a request, as the document tells it: by status, with the very bodies.
import { texts } from '../../texts.ts'
import { describeFieldErrors, type FieldError } from '../errors.ts'
import type { ApiResponse, Header, Operation } from './types.ts'

export type DocumentedProblem = {
  status: number
  /** The `code` of the body; 401 and 429 have none there, and are named by this in the document. */
  code: string
  /** For who reads the document. */
  when: string
  message: string
  errors?: FieldError[]
  /** What it brings and others of its status do not. */
  headers?: Record<string, Header>
}

export const defineProblem = (status: number, code: string, when: string, message: string) => ({
  status,
  code,
  when,
  message,
})

const STATUSES_WITHOUT_CODE = [401, 429]

const COMMON_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    401,
    'unauthorized',
    'A chave falta, não é válida ou foi revogada.',
    texts.unauthorized,
  ),
  defineProblem(
    429,
    'rate_limited',
    'Mais de 100 requisições em 60 segundos com esta chave. Espere os segundos de `Retry-After`.',
    texts.rateLimited,
  ),
  defineProblem(
    500,
    'internal_error',
    'Uma falha nossa. Tente de novo, com a mesma `Idempotency-Key`.',
    texts.internal,
  ),
  defineProblem(
    503,
    'unavailable',
    'Fora do ar por um momento. Tente de novo depois dos segundos de `Retry-After`.',
    texts.unavailable,
  ),
]

/** What is refused before it is known which operation was meant. */
export const UNROUTED_PROBLEMS: DocumentedProblem[] = [
  defineProblem(400, 'invalid_request', 'Não é HTTP, ou falta `Host`.', texts.invalidRequest),
  defineProblem(
    405,
    'method_not_allowed',
    'O endereço existe, mas não com este método. Os que ele tem estão em `Allow`.',
    texts.methodNotAllowed,
  ),
  defineProblem(408, 'request_timeout', 'Não chegou inteira a tempo.', texts.requestTimeout),
  defineProblem(417, 'expectation_failed', '`Expect` pede outra coisa.', texts.expectationFailed),
  defineProblem(431, 'headers_too_large', 'Eles passam do limite.', texts.headersTooLarge),
]

const SCOPE_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    403,
    'insufficient_scope',
    'A chave é limitada a escopos que não incluem esta operação.',
    texts.insufficientScope('payment-links'),
  ),
  defineProblem(
    403,
    'ip_not_allowed',
    'A chave é limitada a redes em que não está o endereço de quem chama.',
    texts.ipNotAllowed,
  ),
]

/** Also in a query of names that no operation has. */
const CARD_PROBLEMS: DocumentedProblem[] = [
  {
    ...defineProblem(
      422,
      'card_data_refused',
      'O corpo ou o endereço traz o que parece um número de cartão ou um código de segurança.',
      texts.cardDataRefused,
    ),
    errors: [{ field: 'metadata.nota', code: 'card_data', message: texts.cardDataRefused }],
  },
]

const ADDRESS_PROBLEMS: DocumentedProblem[] = [
  defineProblem(400, 'invalid_url', 'O endereço não se deixa decodificar.', texts.invalidUrl),
]

/** `DELETE` takes none, and refuses what it is sent all the same. */
const BODY_PROBLEMS: DocumentedProblem[] = [
  defineProblem(400, 'invalid_json', 'O corpo não é um JSON válido.', texts.invalidJson),
  defineProblem(400, 'invalid_encoding', 'Os bytes do corpo não são UTF-8.', texts.invalidEncoding),
  defineProblem(
    413,
    'payload_too_large',
    'O corpo passa de 64 KB; o de um lote, de 1 MB.',
    texts.bodyTooLarge(65_536),
  ),
  defineProblem(
    415,
    'unsupported_media_type',
    'O corpo não foi enviado como `application/json`.',
    texts.unsupportedMediaType,
  ),
  defineProblem(
    415,
    'unsupported_charset',
    'O corpo diz não estar em UTF-8.',
    texts.unsupportedCharset,
  ),
  {
    ...defineProblem(
      415,
      'unsupported_encoding',
      'O corpo veio comprimido (`Content-Encoding`).',
      texts.unsupportedEncoding,
    ),
    headers: {
      'Accept-Encoding': {
        description: 'Com `unsupported_encoding`: sempre `identity`.',
        schema: { type: 'string', examples: ['identity'] },
      },
    },
  },
  defineProblem(
    422,
    'nested_too_deeply',
    'O corpo tem mais de 32 níveis de listas e objetos.',
    texts.nestedTooDeeply(32),
  ),
]

const IDEMPOTENCY_PROBLEMS: DocumentedProblem[] = [
  {
    ...defineProblem(
      409,
      'idempotency_in_progress',
      'A primeira requisição com esta `Idempotency-Key` ainda está em andamento.',
      texts.idempotency.inProgress,
    ),
    headers: {
      'Retry-After': {
        description: 'Com `idempotency_in_progress`: quantos segundos esperar até repetir.',
        schema: { type: 'integer', examples: [1] },
      },
    },
  },
  defineProblem(
    422,
    'idempotency_mismatch',
    'Esta `Idempotency-Key` foi usada com outro corpo.',
    texts.idempotency.mismatch,
  ),
]

const NOT_FOUND_PROBLEMS: DocumentedProblem[] = [
  defineProblem(404, 'not_found', 'Não existe, ou não na sua empresa.', texts.notFound),
]

/** What any operation of this shape may answer, apart from what is special to it. */
export function listProblems(
  method: string,
  { requestBody, parameters = [], responses, ...operation }: Operation,
): DocumentedProblem[] {
  const repeatable = method === 'post' || method === 'patch'
  const has = (place: string) => parameters.some((one) => 'in' in one && one.in === place)
  const invalid = requestBody ? INVALID_BODY_PROBLEM : INVALID_QUERY_PROBLEM
  return [
    ...(requestBody || has('query') || responses[422] ? [invalid] : []),
    ...COMMON_PROBLEMS,
    ...(operation['x-scope'] ? SCOPE_PROBLEMS : []),
    ...(method === 'get' ? [] : BODY_PROBLEMS),
    ...(has('path') ? ADDRESS_PROBLEMS : []),
    ...CARD_PROBLEMS,
    ...(repeatable ? IDEMPOTENCY_PROBLEMS : []),
    ...(responses[404] ? NOT_FOUND_PROBLEMS : []),
  ]
}

const INVALID_BODY_PROBLEM = defineInvalidFields([
  { field: 'title', code: 'required', message: texts.fields.required },
])
const INVALID_QUERY_PROBLEM = defineInvalidFields([
  { field: 'cursor', code: 'invalid', message: texts.fields.cursor },
])

function defineInvalidFields(errors: FieldError[]): DocumentedProblem {
  const when = 'Tudo o que está errado, campo a campo.'
  return { ...defineProblem(422, 'validation_error', when, describeFieldErrors(errors)), errors }
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
    headers: Object.assign({}, ...problems.map(({ headers }) => headers)),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(examples),
      },
    },
  }
}
