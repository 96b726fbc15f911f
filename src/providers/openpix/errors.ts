// Reads why Woovi refused a call.
import { toRecord } from '../../http/fields.ts'
import { isRequestRefused, type Problem, toAnswerError, toSingleLine } from '../refusal.ts'
import type { TransportResponse } from '../transport.ts'
import { readOpenPixAnswer } from './responses.ts'

const MISSING_PATTERN = /not\s+found|n[ãa]o\s+(foi\s+)?encontrad|n[ãa]o\s+existe/i

export function toOpenPixError(answer: TransportResponse) {
  return toAnswerError('Woovi', answer, parseOpenPixProblem(answer.text))
}

/** Whether Woovi does not know the object. Other refusals prove nothing. */
export function isMissing(error: unknown) {
  return isRequestRefused(error) && MISSING_PATTERN.test(error.detail ?? '')
}

/** Reads `{error}` as documented, and `{errors: [{message}]}`, the answer for a wrong AppID. */
function parseOpenPixProblem(body: string): Problem | null {
  const { error, errors, message } = toRecord(readOpenPixAnswer(body))
  const [first] = Array.isArray(errors) ? errors : []
  const texts = [error, toRecord(first).message, message]
  const detail = texts.map(toSingleLine).find((text) => text !== undefined)
  return detail === undefined ? null : { kind: null, detail }
}
