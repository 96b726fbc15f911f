// Refusals in the document: one component for each status, with an example of each code.
import { STATUS_CODES } from 'node:http'
import { buildProblemPath, type FieldError, PlainProblem, Problem } from '../errors.ts'
import { buildHeaderRefs } from './headers.ts'

export type DocumentedProblem = {
  status: number
  /** The `code` of the body. The bodies of 401 and 429 have none; there it names the example alone. */
  code: string
  /** When this refusal occurs, for readers of the document. */
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
