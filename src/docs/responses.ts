// Answers in the document: their headers, and one component for the refusals of each status, with an example of each
// code.
import { STATUS_CODES } from 'node:http'
import { buildProblemPath, type FieldError, PlainProblem, Problem } from '../http/errors.ts'

export type DocumentedProblem = {
  status: number
  /** The `code` of the body. The bodies of 401 and 429 have none; there it names the example alone. */
  code: string
  when: string
  message: string
  errors: FieldError[] | undefined
}

/** The service sends these before it looks for an operation. */
const STATUSES_OUTSIDE = [405, 408, 417, 431]

/** Returns `NotFound` for 404. */
const nameStatus = (status: number) => String(STATUS_CODES[status]).replaceAll(/\W/g, '')

const hasCode = (status: number) => status !== 401 && status !== 429

/**
 * Builds one schema for each status, with the codes that exist today; a client handles an unknown code by its status.
 */
export function buildProblemSchemas(problems: DocumentedProblem[]) {
  const codes = problems.filter(({ status }) => hasCode(status)).map(({ code }) => code)
  const known = { 'x-extensible-enum': [...new Set(codes)].sort() }
  const { code } = Problem.shape
  const extended = Problem.extend({ code: code.meta({ ...code.meta(), ...known }) })
  return { Problem: extended.meta({ ...Problem.meta() }), PlainProblem }
}

export function buildProblemResponses(problems: DocumentedProblem[], baseUrl: string) {
  const ofOperations = problems.filter(({ status }) => !STATUSES_OUTSIDE.includes(status))
  const byStatus = [...Map.groupBy(ofOperations, ({ status }) => status)]
  return Object.fromEntries(
    byStatus.map(([status, some]) => [
      nameStatus(status),
      buildProblemResponse(status, some, baseUrl),
    ]),
  )
}

function buildProblemResponse(status: number, problems: DocumentedProblem[], baseUrl: string) {
  const examples = problems.map(({ code, when, message, errors }) => {
    const named = hasCode(status) && { code, type: `${baseUrl}${buildProblemPath(code)}` }
    return [code, { summary: when, value: { status: 'error', message, ...named, errors } }] as const
  })
  const schema = `#/components/schemas/${hasCode(status) ? 'Problem' : 'PlainProblem'}`
  return {
    description: problems.map(({ when }) => when).join(' '),
    headers: buildHeaderRefs(status),
    content: {
      'application/json': { schema: { $ref: schema }, examples: Object.fromEntries(examples) },
    },
  }
}

/** Returns, by status, the refusals that all operations of this method have and those that the route documents. */
export function buildRefusalRefs(method: string, isAddressed: boolean, documented: number[]) {
  const statuses = [
    ...[401, 403, 422, 429, 500, 503],
    ...(method === 'get' ? [] : [400, 413, 415]),
    ...(isAddressed ? [400, 404] : []),
    ...(method === 'post' || method === 'patch' ? [409] : []),
    ...documented.filter((status) => status >= 400),
  ]
  return Object.fromEntries(
    statuses.map((one) => [one, { $ref: `#/components/responses/${nameStatus(one)}` }]),
  )
}

/**
 * The day of the API's last change, as the guide of changes names it. Clients don't send it, since changes only add.
 */
export const API_VERSION = '2026-11-30'

const HEADERS: Record<string, [description: string, example: string | number]> = {
  'X-Request-Id': [
    'O id desta requisição, que está também no registro do serviço.',
    '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  ],
  'API-Version': ['A data da última mudança da API.', API_VERSION],
  'RateLimit-Limit': ['Quantas requisições esta chave pode fazer em 60 segundos.', 100],
  'RateLimit-Remaining': ['Quantas delas restam.', 99],
  'RateLimit-Reset': ['Segundos até estarem livres todas; num 429, até a próxima.', 60],
  'RateLimit-Policy': [
    'O limite, como o rascunho da IETF o escreve: quantas (`q`) em quantos segundos (`w`).',
    '"key";q=100;w=60',
  ],
  RateLimit: [
    'Quantas restam (`r`), e segundos (`t`) como em `RateLimit-Reset`.',
    '"key";r=99;t=60',
  ],
  'Retry-After': ['Quantos segundos esperar até a próxima tentativa.', 12],
  Location: [
    'O endereço do que foi feito, se ele tem um.',
    '/api/payment-links/019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  ],
  'Content-Disposition': [
    'Com que nome o arquivo é salvo.',
    'attachment; filename="transacoes.csv"',
  ],
  'Idempotent-Replayed': [
    '`true` quando é a resposta a uma requisição anterior com a mesma chave.',
    'true',
  ],
  'WWW-Authenticate': ['Sempre `Bearer`.', 'Bearer'],
}

const LIMIT_HEADERS = Object.keys(HEADERS).filter((name) => name.startsWith('RateLimit'))

/** Headers that every answer documented with them has. */
const SURE_HEADERS = ['X-Request-Id', 'Retry-After', 'Content-Disposition']

export function buildHeaders() {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, [description, example]]) => {
      const type = typeof example === 'number' ? 'integer' : 'string'
      const required = SURE_HEADERS.includes(name)
      return [name, { description, required, schema: { type, examples: [example] } }]
    }),
  )
}

export function buildHeaderRefs(status: number, { isRepeatable = false, isFile = false } = {}) {
  const names = [
    'X-Request-Id',
    // Some refusals are sent before the API is reached, without its version.
    ...(status < 400 ? ['API-Version'] : []),
    // Requests are counted by key, so an answer without a valid key has no limits.
    ...(status === 401 ? ['WWW-Authenticate'] : LIMIT_HEADERS),
    ...(status === 201 || status === 202 ? ['Location'] : []),
    ...(isFile ? ['Content-Disposition'] : []),
    ...(isRepeatable ? ['Idempotent-Replayed'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
