// Adds to each operation what the whole API has in common and no route says: how it refuses, its
// headers, `Idempotency-Key`, and an example of everything.
import { isDeepStrictEqual } from 'node:util'
import { buildExample, type ExampleSide } from './example.ts'
import { buildHeaderRefs, RESPONSE_HEADERS } from './headers.ts'
import {
  buildProblemResponse,
  type DocumentedProblem,
  getSharedResponseName,
  listProblems,
  UNROUTED_PROBLEMS,
} from './problems.ts'
import type {
  ApiResponse,
  HttpMethod,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Schema,
} from './types.ts'
import { isRef, listOperations, resolveRef } from './types.ts'

export type OperationNotes = {
  /** Where the route has none. */
  description?: string
  /** What only this operation refuses. */
  problems?: DocumentedProblem[]
  /** Whether `Location` says where what it makes is; it does with a 201. */
  located?: boolean
}

/** Names the scope that a limited key needs. */
export const SCOPE_EXTENSION = 'x-scope'

/** Set by a route that refuses to run without the header; it does not reach the document. */
export const NEEDS_KEY_EXTENSION = 'x-needs-idempotency-key'

const PROBLEM_REF = '#/components/schemas/Problem'

const STATUS_DESCRIPTIONS: Record<string, string> = {
  200: 'Feito.',
  201: 'Criado.',
  202: 'Aceito: será feito em instantes.',
  204: 'Feito. Não há o que dizer.',
}

const LOCATED_DESCRIPTION = 'O endereço está em `Location`.'

const IDEMPOTENCY_KEY_PARAMETER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Um nome seu para esta requisição. A mesma, repetida em até 24 horas, recebe a mesma resposta e é feita uma vez só.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'pedido-1042',
}

/** Completes `document` in place. `notes` by operationId. */
export function completeDocument(document: OpenApiDocument, notes: Record<string, OperationNotes>) {
  document.components.headers = RESPONSE_HEADERS
  document.components.parameters = { IdempotencyKey: IDEMPOTENCY_KEY_PARAMETER }
  document.components.responses = {}
  for (const { method, operation } of listOperations(document)) {
    completeOperation(document, { method, operation, note: notes[operation.operationId] })
  }
  for (const { operation } of listOperations({ paths: document.webhooks })) {
    addBodyExample(document, operation, 'answer')
  }
  for (const schema of Object.values(document.components.schemas)) describeDefaults(schema)
  nameProblemCodes(document)
}

/** Those that there are by now; a client takes another for what its status says. */
function nameProblemCodes({ paths, components }: OpenApiDocument) {
  const code = components.schemas.Problem?.properties?.code
  if (!code) return
  const answers = listOperations({ paths }).flatMap(({ operation }) => [
    ...Object.values(operation.responses).filter((answer) => !isRef(answer)),
  ])
  const codes = [...answers, ...Object.values(components.responses)].flatMap((answer) =>
    isRef(answer) || answer.content?.['application/json']?.schema.$ref !== PROBLEM_REF
      ? []
      : Object.keys(answer.content['application/json'].examples ?? {}),
  )
  const unrouted = UNROUTED_PROBLEMS.map((problem) => problem.code)
  code['x-extensible-enum'] = [...new Set([...codes, ...unrouted])].sort()
}

/**
 * Generators of clients take a field with a `default` for one that is always there, and would ask
 * for all of them in a request: what we put in for a field is told in its words instead.
 */
function describeDefaults({ properties = {} }: Schema) {
  for (const field of Object.values(properties)) {
    if (field.default === undefined) continue
    const note = `Padrão: \`${JSON.stringify(field.default)}\`.`
    field.description = [field.description, note].filter(Boolean).join('\n\n')
    field['x-default'] = field.default
    delete field.default
  }
}

type NotedOperation = { method: HttpMethod; operation: Operation; note: OperationNotes | undefined }

function completeOperation(document: OpenApiDocument, { method, operation, note }: NotedOperation) {
  const repeatable = method === 'post' || method === 'patch'
  describeOperation(operation, operation.description ?? note?.description)
  styleObjectParameters(operation)
  if (repeatable) addIdempotencyKey(operation)
  for (const [status, answer] of Object.entries(operation.responses)) {
    const located = note?.located ?? status === '201'
    if (!isRef(answer)) completeResponse(document, { status, answer, repeatable, located })
  }
  addProblemResponses(document, operation, [
    ...listProblems(method, operation),
    ...(note?.problems ?? []),
  ])
  addBodyExample(document, operation, 'request')
}

/** `metadata[key]=value` */
function styleObjectParameters({ parameters = [] }: Operation) {
  for (const parameter of parameters) {
    if (isRef(parameter) || parameter.schema.type !== 'object') continue
    Object.assign(parameter, { style: 'deepObject', explode: true })
  }
}

function describeOperation(operation: Operation, description = '') {
  const scope = operation[SCOPE_EXTENSION]
  const scoped = scope ? `Uma chave com escopos precisa de \`${scope}\`.` : ''
  operation.description = [description, scoped].filter(Boolean).join('\n\n')
}

function addIdempotencyKey(operation: Operation) {
  const needed = operation[NEEDS_KEY_EXTENSION]
  delete operation[NEEDS_KEY_EXTENSION]
  const key = needed
    ? { ...IDEMPOTENCY_KEY_PARAMETER, required: true }
    : { $ref: '#/components/parameters/IdempotencyKey' }
  operation.parameters = [...(operation.parameters ?? []), key]
}

function addBodyExample(document: OpenApiDocument, { requestBody }: Operation, side: ExampleSide) {
  const media = requestBody?.content['application/json']
  if (!requestBody || !media) return
  const { type, anyOf = [] } = resolveRef<Schema>(document, media.schema)
  const types = [type, ...anyOf.map((choice) => choice.type)].flat()
  if (types.includes('null')) requestBody.required = false
  addExample(document, media, side)
}

type ResponseContext = {
  status: string
  answer: ApiResponse
  repeatable: boolean
  located: boolean
}

/** Tables and pictures. */
const FILE_TYPES = /^(?:text\/csv|image\/)/

function completeResponse(document: OpenApiDocument, { status, answer, ...done }: ResponseContext) {
  if (Number(status) >= 400) return
  if (status === '204') delete answer.content
  answer.description = STATUS_DESCRIPTIONS[status] ?? answer.description
  if (done.located) answer.description += ` ${LOCATED_DESCRIPTION}`
  const isFile = Object.keys(answer.content ?? {}).some((type) => FILE_TYPES.test(type))
  answer.headers = buildHeaderRefs(Number(status), { ...done, isFile })
  const media = answer.content?.['application/json']
  if (media) addExample(document, media, 'answer')
}

function addExample({ components }: OpenApiDocument, media: MediaType, side: ExampleSide) {
  if (media.example !== undefined || media.examples) return
  media.example = buildExample(media.schema, components.schemas, side)
}

/** In place of whatever the route said of its refusals: these say all of it, with examples. */
function addProblemResponses(
  { components }: OpenApiDocument,
  { responses }: Operation,
  all: DocumentedProblem[],
) {
  const byStatus = Map.groupBy(all, ({ status }) => status)
  for (const status of Object.keys(responses).map(Number)) {
    if (status >= 400 && !byStatus.has(status)) delete responses[status]
  }
  for (const [status, problems] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    const { headers, ...problem } = buildProblemResponse(status, problems)
    const shared = buildHeaderRefs(status, { repeatable: false, located: false, isFile: false })
    const answer = { headers: { ...shared, ...headers }, ...problem }
    const name = getSharedResponseName(status)
    if (name) components.responses[name] ??= answer
    const alike = name && isDeepStrictEqual(components.responses[name], answer)
    responses[status] = alike ? { $ref: `#/components/responses/${name}` } : answer
  }
}
