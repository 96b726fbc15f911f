// Refusals in the document: one component for each status, with an example of each code that it may have.
import { type FieldError, PlainProblem, Problem } from '../errors.ts'
import { buildHeaderRefs, REFUSAL_HEADERS } from './headers.ts'
import type { ApiResponse, Components, Operation } from './types.ts'

export type DocumentedProblem = {
  status: number
  /** The `code` of the body; 401 and 429 have none there, and are named by this in the document. */
  code: string
  /** For the reader of the document. */
  when: string
  message: string
  errors: FieldError[] | undefined
}

const COMPONENT_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

const STATUSES_WITHOUT_CODE = [401, 429]

/** The statuses that no operation has, such as 405, are no components: they are answered before one is found. */
export function buildProblemComponents(problems: DocumentedProblem[]): Components['responses'] {
  const byStatus = Map.groupBy(problems, ({ status }) => status)
  return Object.fromEntries(
    Object.entries(COMPONENT_NAMES).map(([status, name]) => [
      name,
      buildProblemResponse(Number(status), byStatus.get(Number(status)) ?? []),
    ]),
  )
}

function buildProblemResponse(status: number, problems: DocumentedProblem[]): ApiResponse {
  const hasCode = !STATUSES_WITHOUT_CODE.includes(status)
  const examples = problems.map(({ code, when, message, errors }) => {
    const value = { status: 'error', message, ...(hasCode && { code }), ...(errors && { errors }) }
    return [code, { summary: when, value }] as const
  })
  return {
    description: problems.map(({ when }) => when).join(' '),
    headers: { ...buildHeaderRefs(status), ...REFUSAL_HEADERS[status] },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${(hasCode ? Problem : PlainProblem).meta()?.id}` },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Says of an operation with which statuses it may refuse, in place of what its route says of them. */
export function referToProblems(method: string, { parameters = [], responses }: Operation) {
  const isAddressed = parameters.some((one) => 'in' in one && one.in === 'path')
  const statuses = [
    ...[401, 403, 422, 429, 500, 503],
    ...(method === 'get' ? [] : [400, 413, 415]),
    ...(isAddressed ? [400, 404] : []),
    ...(method === 'post' || method === 'patch' ? [409] : []),
    ...Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400),
  ]
  for (const status of statuses) {
    responses[status] = { $ref: `#/components/responses/${COMPONENT_NAMES[status]}` }
  }
}
