// Classifies failed calls to Woovi: not carried out (ProviderDown), refused (OpenPixRefusal), or unknown (other
// errors).
import { toRecord } from '../../http/fields.ts'
import { readSystemError } from '../../system-error.ts'
import { isUnsent } from '../call.ts'
import { ProviderDown } from '../provider.ts'
import { readOpenPixAnswer } from './responses.ts'

const MAX_DETAIL_LENGTH = 200
const MISSING_PATTERN = /not\s+found|n[ãa]o\s+(foi\s+)?encontrad|n[ãa]o\s+existe/i

/** An answer by which Woovi says that it did nothing. */
export class OpenPixRefusal extends Error {
  override readonly name = 'OpenPixRefusal'
  readonly status: number
  /** Woovi's message, one line; null when a gateway refused the call. */
  readonly detail: string | null

  constructor(status: number, body: string) {
    const detail = parseErrorDetail(body)
    super(['Woovi answered', status, detail].filter(Boolean).join(' '))
    this.status = status
    this.detail = detail
  }
}

/** Makes the error of an unsuccessful answer; `retryAt` is the end of the pause that Woovi asks for. */
export function toOpenPixError(status: number, body: string, retryAt: Date | undefined): Error {
  const refusal = new OpenPixRefusal(status, body)
  if (status === 429 || status === 503) {
    return new ProviderDown(refusal.message, { cause: refusal, ...(retryAt && { retryAt }) })
  }
  if (status >= 400 && status < 500 && status !== 408) return refusal
  return new Error(refusal.message, { cause: refusal })
}

/** Whether Woovi itself refused the request for its content, which the API always answers with 400. */
export function isRequestRefused(error: unknown): error is OpenPixRefusal {
  return (
    error instanceof OpenPixRefusal &&
    [400, 404, 409, 422].includes(error.status) &&
    error.detail !== null
  )
}

/** Whether Woovi does not know the object. Other refusals prove nothing. */
export function isMissing(error: unknown) {
  return isRequestRefused(error) && MISSING_PATTERN.test(error.detail ?? '')
}

/** Makes the error of a missing answer. */
export function toConnectionError(error: unknown): Error {
  const { code, message } = readSystemError(error)
  const text = `Woovi could not be asked: ${message || code || error}`
  return isUnsent(error)
    ? new ProviderDown(text, { cause: error })
    : new Error(text, { cause: error })
}

/** Reads `{error}` as documented, and `{errors: [{message}]}`, the answer for a wrong AppID. */
function parseErrorDetail(body: string): string | null {
  const { error, errors, message } = toRecord(readOpenPixAnswer(body))
  const [first] = Array.isArray(errors) ? errors : []
  const texts = [error, toRecord(first).message, message]
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '')
  return found
    ? String(found)
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, MAX_DETAIL_LENGTH)
    : null
}
