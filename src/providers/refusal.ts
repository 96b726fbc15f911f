// What an unsuccessful answer says about the call, for every provider:
//
// | answer                | error           | what was done there                 | sent again                  |
// |-----------------------|-----------------|-------------------------------------|-----------------------------|
// | 429, 503              | ProviderDown    | nothing                             | after the pause it asks for |
// | other 4xx, but no 408 | ProviderRefusal | nothing, as the provider's API says | if its reason allows it     |
// | 408, other 5xx, 3xx   | Error           | perhaps everything                  | only after asking           |
//
// json-client.ts asks after a 503 too, since a card cannot be sent again. Without an answer, transport.ts decides.
// findRefusal returns the answer of any of these errors.
import { ProviderDown } from './provider.ts'
import type { TransportResponse } from './transport.ts'

const MAX_DETAIL_LENGTH = 200

/** What a refusal says. */
export type Problem = {
  /** The provider's name of the problem, such as `CobNaoEncontrado` or `invalid_client`. */
  kind: string | null
  /** The provider's message, one line. */
  detail: string | null
}

/** An unsuccessful answer of a provider. Thrown as it is, it says that nothing was done. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly status: number
  readonly kind: string | null
  readonly detail: string | null
  /** Whether the provider's API itself answered, and not a gateway. */
  readonly isFromApi: boolean

  constructor(provider: string, status: number, problem: Problem | null) {
    const { kind = null, detail = null } = problem ?? {}
    super([provider, 'answered', status, kind, detail].filter(Boolean).join(' '))
    this.status = status
    this.kind = kind
    this.detail = detail
    this.isFromApi = problem !== null
  }
}

/** Makes the error of an unsuccessful answer; `problem` is null when a gateway answered. */
export function toAnswerError(
  provider: string,
  { status, retryAt }: Pick<TransportResponse, 'status' | 'retryAt'>,
  problem: Problem | null,
): Error {
  const refusal = new ProviderRefusal(provider, status, problem)
  if (status === 503 || status === 429) {
    return new ProviderDown(refusal.message, { cause: refusal, ...(retryAt && { retryAt }) })
  }
  if (status >= 400 && status < 500 && status !== 408) return refusal
  return new Error(refusal.message, { cause: refusal })
}

/** Returns the provider's answer that an error was made of; undefined for a missing answer. */
export function findRefusal(error: unknown): ProviderRefusal | undefined {
  if (error instanceof ProviderRefusal) return error
  return error instanceof Error ? findRefusal(error.cause) : undefined
}

/**
 * Whether the provider's API refused the request for its content. A refusal of the application itself may be fixed
 * soon, and does not count.
 */
export function isRequestRefused(error: unknown): error is ProviderRefusal {
  return (
    error instanceof ProviderRefusal &&
    [400, 404, 409, 422].includes(error.status) &&
    error.isFromApi
  )
}

/** Undefined when the value is no text, or a blank one. */
export function toSingleLine(value: unknown) {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL_LENGTH)
}
