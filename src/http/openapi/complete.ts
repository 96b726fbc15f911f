// Adds to each operation what the whole API has in common and no route says: how it refuses, its
// headers, `Idempotency-Key`, and an example of everything.
import { isDeepStrictEqual } from 'node:util'
import { exampleOf, type Side } from './example.ts'
import { type DocumentedProblem, problemAnswer, problemsOf, sharedName } from './problems.ts'
import type {
  Answer,
  Components,
  Media,
  Method,
  OpenApi,
  Operation,
  Parameter,
  Schema,
} from './types.ts'
import { isRef, operationsOf, resolve } from './types.ts'

export type OperationNotes = {
  /** Where the route has none. */
  description?: string
  /** What only this operation refuses. */
  problems?: DocumentedProblem[]
  /** False: what it makes has no address of its own. */
  located?: boolean
}

/** Names the scope that a limited key needs. */
export const SCOPE = 'x-scope'

/** Set by a route that refuses to run without the header; it does not reach the document. */
export const NEEDS_KEY = 'x-needs-idempotency-key'

const DESCRIPTIONS: Record<string, string> = {
  200: 'Done.',
  201: 'Made. Its address is in `Location`.',
  202: 'Accepted: it will be done in a moment.',
  204: 'Done. There is nothing to say.',
}

const HEADERS: Components['headers'] = {
  'X-Request-Id': {
    description: 'The id of this request, which stands in our log too.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Limit': {
    description: 'How many requests this key may make in 60 seconds.',
    schema: { type: 'integer', examples: [100] },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer', examples: [99] },
  },
  'RateLimit-Reset': {
    description: 'In how many seconds the next one comes free.',
    schema: { type: 'integer', examples: [60] },
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', examples: [12] },
  },
  Location: {
    description: 'The address of what was made.',
    required: true,
    schema: {
      type: 'string',
      examples: ['/api/payment-links/019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'],
    },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'Always `Bearer`.',
    schema: { type: 'string', enum: ['Bearer'] },
  },
}

const KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your choice for this request. The same request sent again within 24 hours is answered again and carried out once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'pedido-1042',
}

/** Completes `document` in place. `notes` by operationId. */
export function complete(document: OpenApi, notes: Record<string, OperationNotes>) {
  document.components.headers = HEADERS
  document.components.parameters = { IdempotencyKey: KEY }
  document.components.responses = {}
  for (const { path, method, operation } of operationsOf(document)) {
    if (document.paths[`${path}.csv`]) addTable(operation)
    completeCall(document, { method, operation, note: notes[operation.operationId] })
  }
  for (const { operation } of operationsOf({ paths: document.webhooks })) {
    illustrateBody(document, operation, 'answer')
  }
  for (const schema of Object.values(document.components.schemas)) tellDefaults(schema)
}

/**
 * Generators of clients take a field with a `default` for one that is always there, and would ask
 * for all of them in a request: what we put in for a field is told in its words instead.
 */
function tellDefaults({ properties = {} }: Schema) {
  for (const field of Object.values(properties)) {
    if (field.default === undefined) continue
    const told = `Default: \`${JSON.stringify(field.default)}\`.`
    field.description = [field.description, told].filter(Boolean).join('\n\n')
    field['x-default'] = field.default
    delete field.default
  }
}

/** A list that is also a table answers as one to `Accept: text/csv`. */
function addTable({ responses }: Operation) {
  const answer = responses[200]
  if (answer && !isRef(answer)) {
    answer.content = { ...answer.content, 'text/csv': { schema: { type: 'string' } } }
  }
}

type Call = { method: Method; operation: Operation; note: OperationNotes | undefined }

function completeCall(document: OpenApi, { method, operation, note }: Call) {
  const repeatable = method === 'post' || method === 'patch'
  const located = note?.located ?? true
  describe(operation, operation.description ?? note?.description)
  if (repeatable) takeKey(operation)
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!isRef(answer)) completeAnswer(document, { status, answer, repeatable, located })
  }
  addProblems(document, operation, [...problemsOf(method, operation), ...(note?.problems ?? [])])
  illustrateBody(document, operation, 'request')
}

function describe(operation: Operation, description = '') {
  const scope = operation[SCOPE]
  const scoped = scope ? `A key limited to scopes needs \`${scope}\`.` : ''
  operation.description = [description, scoped].filter(Boolean).join('\n\n')
}

function takeKey(operation: Operation) {
  const needed = operation[NEEDS_KEY]
  delete operation[NEEDS_KEY]
  const key = needed
    ? { ...KEY, required: true }
    : { $ref: '#/components/parameters/IdempotencyKey' }
  operation.parameters = [...(operation.parameters ?? []), key]
}

function illustrateBody(document: OpenApi, { requestBody }: Operation, side: Side) {
  const media = requestBody?.content['application/json']
  if (!requestBody || !media) return
  const { type } = resolve<Schema>(document, media.schema)
  if (Array.isArray(type) && type.includes('null')) requestBody.required = false
  illustrate(document, media, side)
}

type Done = { status: string; answer: Answer; repeatable: boolean; located: boolean }

function completeAnswer(document: OpenApi, { status, answer, ...done }: Done) {
  if (Number(status) >= 400) return
  if (status === '204') delete answer.content
  answer.description = DESCRIPTIONS[status] ?? answer.description
  answer.headers = headersOf(Number(status), done)
  const media = answer.content?.['application/json']
  if (media) illustrate(document, media, 'answer')
}

function illustrate({ components }: OpenApi, media: Media, side: Side) {
  if (media.example !== undefined || media.examples) return
  media.example = exampleOf(media.schema, components.schemas, side)
}

/** In place of whatever the route said of its refusals: these say all of it, with examples. */
function addProblems({ components }: OpenApi, { responses }: Operation, all: DocumentedProblem[]) {
  const byStatus = Map.groupBy(all, ({ status }) => status)
  for (const status of Object.keys(responses).map(Number)) {
    if (status >= 400 && !byStatus.has(status)) delete responses[status]
  }
  for (const [status, problems] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    const answer = {
      headers: headersOf(status, { repeatable: false, located: false }),
      ...problemAnswer(status, problems),
    }
    const name = sharedName(status)
    if (name) components.responses[name] ??= answer
    const alike = name && isDeepStrictEqual(components.responses[name], answer)
    responses[status] = alike ? { $ref: `#/components/responses/${name}` } : answer
  }
}

/** Authentication, scopes and addresses are judged before the limit is counted. */
const UNCOUNTED = [401, 403]

function headersOf(
  status: number,
  { repeatable, located }: { repeatable: boolean; located: boolean },
) {
  const names = [
    'X-Request-Id',
    ...(UNCOUNTED.includes(status) ? [] : LIMIT_HEADERS),
    ...(status === 201 && located ? ['Location'] : []),
    ...(repeatable ? ['Idempotent-Replayed'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const LIMIT_HEADERS = Object.keys(HEADERS).filter((name) => name.startsWith('RateLimit-'))
