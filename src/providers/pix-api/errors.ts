// Classifies failed calls to a bank: it never reached the bank (ProviderDown), it was refused (BankRefusal), or unknown
// (other errors).
import { isRecord, toRecord } from '../../http/fields.ts'
import { unwrapRecord } from '../answers.ts'
import { isUnsent } from '../call.ts'
import { ProviderDown } from '../provider.ts'
import { readBankAnswer } from './responses.ts'

const MAX_DETAIL_LENGTH = 200

/** An answer by which the bank says that it did nothing. */
export class BankRefusal extends Error {
  override readonly name = 'BankRefusal'
  readonly status: number
  /** Whether the bank's API itself answered, and not a gateway. */
  readonly isFromApi: boolean
  /** The last part of a problem's type (`CobNaoEncontrado`), or an OAuth2 error (`invalid_client`). */
  readonly kind: string | null
  /** The bank's message, one line. */
  readonly detail: string | null

  constructor(status: number, body: string) {
    const problem = parseBankProblem(body)
    super(['The bank answered', status, problem?.kind, problem?.detail].filter(Boolean).join(' '))
    this.status = status
    this.isFromApi = problem !== null
    this.kind = problem?.kind ?? null
    this.detail = problem?.detail ?? null
  }
}

export type BankAnswer = {
  status: number
  text: string
  /** Until when the bank wants no calls, if it said so. */
  retryAt: Date | undefined
}

/** Makes the error of an unsuccessful answer. */
export function toBankError({ status, text, retryAt }: BankAnswer): Error {
  const refusal = new BankRefusal(status, text)
  if (status === 503 || status === 429) {
    return new ProviderDown(refusal.message, { cause: refusal, ...(retryAt && { retryAt }) })
  }
  if (status >= 400 && status < 500 && status !== 408) return refusal
  return new Error(refusal.message, { cause: refusal })
}

/** Whether the API does not know the object; a gateway's 404 does not say that. */
export function isNotFound(error: unknown) {
  return error instanceof BankRefusal && error.status === 404 && error.isFromApi
}

/** Makes the error of a missing answer. */
export function toTransportError(error: unknown): Error {
  const message = `The bank could not be asked: ${error instanceof Error ? error.message : error}`
  return isUnsent(error)
    ? new ProviderDown(message, { cause: error })
    : new Error(message, { cause: error })
}

type BankProblem = { kind: string | null; detail: string | null }

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
function parseBankProblem(body: string): BankProblem | null {
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

function toSingleLine(value: unknown) {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL_LENGTH)
}
