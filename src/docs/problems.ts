// Each refusal that the document names, once, and those that are of no operation: for the guide of errors.

import { toRecord } from '../http/fields.ts'
import { defineProblem } from '../http/openapi/problems.ts'
import { listResponses, type OpenApiDocument } from '../http/openapi/types.ts'
import { texts } from '../texts.ts'

export type Problem = { status: string; code: string; when: string; message: string }

/** What is refused before it is known which operation was meant. */
const UNROUTED_PROBLEMS: Problem[] = [
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
].map((problem) => ({ ...problem, status: String(problem.status) }))

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
    [...all, ...UNROUTED_PROBLEMS].map((problem) => [problem.status + problem.code, problem]),
  )
  return [...byCode.values()].sort((a, b) => Number(a.status) - Number(b.status))
}
