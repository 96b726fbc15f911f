// Classifies failed calls to Woovi: the call was not carried out (ProviderDown), it was refused (OpenPixRefusal),
// or nobody knows (other errors).
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
  /** Woovi's sentence, one line; null when it was a gateway on the way that refused. */
  readonly detail: string | null

  constructor(status: number, body: string) {
    const detail = parseErrorDetail(body)
    super(['Woovi answered', status, detail].filter(Boolean).join(' '))
    this.status = status
    this.detail = detail
  }
}

/** The error of an unsuccessful answer; `retryAt`: the end of the pause that Woovi asks for. */
export function toOpenPixError(status: number, body: string, retryAt: Date | undefined): Error {
  const refusal = new OpenPixRefusal(status, body)
  if (status === 429 || status === 503) {
    return new ProviderDown(refusal.message, { cause: refusal, ...(retryAt && { retryAt }) })
  }
  if (status >= 400 && status < 500 && status !== 408) return refusal
  return new Error(refusal.message, { cause: refusal })
}

/** Refused for what was asked, by Woovi itself: the API answers all of that with 400. */
export function isRequestRefused(error: unknown): error is OpenPixRefusal {
  return (
    error instanceof OpenPixRefusal &&
    [400, 404, 409, 422].includes(error.status) &&
    error.detail !== null
  )
}

/** Whether Woovi knows nothing of what was asked about. What it says in other words proves nothing. */
export function isMissing(error: unknown) {
  return isRequestRefused(error) && MISSING_PATTERN.test(error.detail ?? '')
}

/** The error of a missing answer. */
export function toConnectionError(error: unknown): Error {
  const { code, message } = readSystemError(error)
  const text = `Woovi could not be asked: ${message || code || error}`
  return isUnsent(error)
    ? new ProviderDown(text, { cause: error })
    : new Error(text, { cause: error })
}

/** `{error}` as documented, and `{errors: [{message}]}`, which a wrong AppID is answered with. */
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
