// Adds to each operation what the whole API has in common and no route says: how it refuses, its
// headers, `Idempotency-Key`, and an example of everything.
import { buildExample } from './example.ts'
import { buildHeaderRefs, RESPONSE_HEADERS } from './headers.ts'
import { type DocumentedProblem, referToProblems } from './problems.ts'
import type {
  ApiResponse,
  HttpMethod,
  OpenApiDocument,
  Operation,
  Parameter,
  Schema,
} from './types.ts'
import { isRef, listOperations, resolveRef } from './types.ts'

/** Names the scope that a limited key needs. */
export const SCOPE_EXTENSION = 'x-scope'

/** Set by a route that refuses to run without the header; it does not reach the document. */
export const NEEDS_KEY_EXTENSION = 'x-needs-idempotency-key'

const STATUS_DESCRIPTIONS: Record<string, string> = {
  200: 'Feito.',
  201: 'Criado.',
  202: 'Aceito: será feito em instantes.',
  204: 'Feito. Não há o que dizer.',
}

const IDEMPOTENCY_KEY_PARAMETER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Um nome seu para esta requisição. A mesma, repetida em até 24 horas, recebe a mesma resposta e é feita uma vez só.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: 'pedido-1042',
}

/** Completes `document` in place. */
export function completeDocument(document: OpenApiDocument, problems: DocumentedProblem[]) {
  const { components } = document
  components.headers = RESPONSE_HEADERS
  components.parameters = { IdempotencyKey: IDEMPOTENCY_KEY_PARAMETER }
  for (const { method, operation } of listOperations(document)) {
    completeOperation(document, method, operation)
  }
  for (const schema of Object.values(components.schemas)) describeDefaults(schema)
  const code = components.schemas.Problem?.properties?.code
  // Those that there are by now; a client takes another for what its status says.
  if (code) code['x-extensible-enum'] = [...new Set(problems.map((one) => one.code))].sort()
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
    delete field.default
  }
}

function completeOperation(document: OpenApiDocument, method: HttpMethod, operation: Operation) {
  const isRepeatable = method === 'post' || method === 'patch'
  operation.description += `\n\nUma chave com escopos precisa de \`${operation[SCOPE_EXTENSION]}\`.`
  styleObjectParameters(operation)
  if (isRepeatable) addIdempotencyKey(operation)
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (Number(status) < 400 && !isRef(answer)) {
      completeAnswer(document, Number(status), answer, isRepeatable)
    }
  }
  referToProblems(method, operation)
  completeRequestBody(document, operation)
}

/** `metadata[key]=value` */
function styleObjectParameters({ parameters = [] }: Operation) {
  for (const parameter of parameters) {
    if (isRef(parameter) || parameter.schema.type !== 'object') continue
    Object.assign(parameter, { style: 'deepObject', explode: true })
  }
}

function addIdempotencyKey(operation: Operation) {
  const isNeeded = operation[NEEDS_KEY_EXTENSION]
  delete operation[NEEDS_KEY_EXTENSION]
  const key = isNeeded
    ? { ...IDEMPOTENCY_KEY_PARAMETER, required: true }
    : { $ref: '#/components/parameters/IdempotencyKey' }
  operation.parameters = [...(operation.parameters ?? []), key]
}

function completeRequestBody(document: OpenApiDocument, { requestBody }: Operation) {
  const media = requestBody?.content['application/json']
  if (!requestBody || !media) return
  const { type, anyOf = [] } = resolveRef<Schema>(document, media.schema)
  const types = [type, ...anyOf.map((choice) => choice.type)].flat()
  if (types.includes('null')) requestBody.required = false
  media.example ??= buildExample(document, media.schema)
}

/** Tables and pictures. */
const FILE_TYPES = /^(?:text\/csv|image\/)/

function completeAnswer(
  document: OpenApiDocument,
  status: number,
  answer: ApiResponse,
  isRepeatable: boolean,
) {
  if (status === 204) delete answer.content
  answer.description = STATUS_DESCRIPTIONS[status] ?? answer.description
  const isFile = Object.keys(answer.content ?? {}).some((type) => FILE_TYPES.test(type))
  answer.headers = buildHeaderRefs(status, { isRepeatable, isFile })
  const media = answer.content?.['application/json']
  if (media) media.example ??= buildExample(document, media.schema)
}
