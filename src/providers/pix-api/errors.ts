// Reads why a bank refused a call, in Banco Central's form and in those that banks use instead.
import { isRecord, toRecord } from '../../http/fields.ts'
import { unwrapRecord } from '../answers.ts'
import { type Problem, ProviderRefusal, toAnswerError, toSingleLine } from '../refusal.ts'
import type { TransportResponse } from '../transport.ts'
import { readBankAnswer } from './responses.ts'

export function toBankError(answer: TransportResponse) {
  return toAnswerError('The bank', answer, parseBankProblem(answer.text))
}

/** Whether the API does not know the object; a gateway's 404 does not say that. */
export function isNotFound(error: unknown) {
  return error instanceof ProviderRefusal && error.status === 404 && error.isFromApi
}

const PROBLEM_FIELDS = [
  'type',
  'title',
  'detail',
  'violacoes',
  'erros',
  'mensagens',
  'message',
  'error',
]

/** Reads RFC 7807 as Banco Central profiles it, and the formats that banks send instead. */
function parseBankProblem(body: string): Problem | null {
  const [problem] = [unwrapRecord(readBankAnswer(body), PROBLEM_FIELDS)].flat()
  if (!isRecord(problem)) return null
  const { type, violacoes, erros, mensagens } = problem
  const kind = toSingleLine(type)?.split('/').at(-1) || toSingleLine(problem.error)
  const said =
    toSingleLine(getFirstRecord(violacoes).razao) ??
    toSingleLine(problem.detail) ??
    toSingleLine(getFirstRecord(erros).mensagem) ??
    toSingleLine(getFirstRecord(mensagens).mensagem) ??
    toSingleLine(problem.error_description) ??
    toSingleLine(problem.message) ??
    toSingleLine(problem.title)
  return { kind: kind ?? null, detail: said ?? null }
}

function getFirstRecord(list: unknown) {
  return toRecord(Array.isArray(list) ? list[0] : undefined)
}
