// Answers in the document: their headers, and one component for the refusals of each status, with an example of each
// code.
import { STATUS_CODES } from 'node:http'
import { buildProblemBody, PlainProblem, Problem } from '../http/errors.ts'
import { type DocumentedProblem, listProblems } from './problems.ts'

/** The bodies of these have no code. */
const PLAIN_STATUSES = [401, 429]

/** The service sends these before it looks for an operation. */
const STATUSES_OUTSIDE = [405, 408, 417, 431]

/** Returns, by status, the refusals that all operations of this method have and those that the route documents. */
export function buildRefusalRefs(method: string, isAddressed: boolean, documented: string[]) {
  const statuses = [
    ...[401, 403, 422, 429, 500, 503],
    ...(method === 'GET' ? [] : [400, 413, 415]),
    ...(isAddressed ? [400, 404] : []),
    ...(method === 'POST' || method === 'PATCH' ? [409] : []),
    ...documented.map(Number).filter((status) => status >= 400),
  ]
  return Object.fromEntries(
    statuses.map((one) => [one, { $ref: `#/components/responses/${nameStatus(one)}` }]),
  )
}

/** Returns `NotFound` for 404. */
function nameStatus(status: number) {
  return String(STATUS_CODES[status]).replaceAll(/\W/g, '')
}

export function buildRefusals(baseUrl: string) {
  const statuses = Map.groupBy(listProblems(), ({ status }) => status)
  const ofOperations = [...statuses].filter(([status]) => !STATUSES_OUTSIDE.includes(status))
  return Object.fromEntries(
    ofOperations.map(([status, problems]) => [
      nameStatus(status),
      buildRefusal(status, problems, baseUrl),
    ]),
  )
}

function buildRefusal(status: number, problems: DocumentedProblem[], baseUrl: string) {
  const isPlain = PLAIN_STATUSES.includes(status)
  const examples = problems.map(({ code, when, message, errors }) => {
    const value = buildProblemBody({ code: isPlain ? '' : code, message, errors }, baseUrl)
    return [code, { summary: when, value }]
  })
  const schema = { $ref: `#/components/schemas/${isPlain ? 'PlainProblem' : 'Problem'}` }
  return {
    description: problems.map(({ when }) => when).join(' '),
    headers: buildHeaderRefs(status),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

/** The codes are those that exist today; a client handles an unknown code by its status. */
export function buildProblemSchemas() {
  const coded = listProblems().filter(({ status }) => !PLAIN_STATUSES.includes(status))
  const codes = [...new Set(coded.map(({ code }) => code))].sort()
  const code = Problem.shape.code.meta({ 'x-extensible-enum': codes })
  return { Problem: Problem.extend({ code }).meta({ ...Problem.meta() }), PlainProblem }
}

/**
 * The day of the API's last change, as the guide of changes names it. Clients don't send it, since changes only add.
 */
export const API_VERSION = '2026-12-01'

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
