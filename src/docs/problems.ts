// Each refusal that the document names, once, and those that are of no operation: for the guide of errors.

import { toRecord } from '../http/fields.ts'
import { type DocumentedProblem, UNROUTED_PROBLEMS } from '../http/openapi/problems.ts'
import { listResponses, type OpenApiDocument } from '../http/openapi/types.ts'

export type Problem = { status: string; code: string; when: string; message: string }

/** By status. */
export function listAllProblems(document: OpenApiDocument): Problem[] {
  const all = listResponses(document).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(
      ([code, { summary = '', value }]) => ({
        status,
        code,
        when: summary,
        message: String(toRecord(value).message),
      }),
    ),
  )
  const byCode = new Map(
    [...all, ...UNROUTED_PROBLEMS.map(toText)].map((problem) => [
      problem.status + problem.code,
      problem,
    ]),
  )
  return [...byCode.values()].sort((a, b) => Number(a.status) - Number(b.status))
}

function toText({ status, ...problem }: DocumentedProblem): Problem {
  return { ...problem, status: String(status) }
}
