// Calls one bank for one company, each call with a token for only the scopes that it needs.

import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { v4 } from 'uuid'
import type { z } from 'zod'
import type { Lane } from '../provider.ts'
import { type CallNeeds, createTransport } from '../transport.ts'
import { type BankSettings, toIdentityOptions } from './config.ts'
import { toBankError } from './errors.ts'
import { parseBankResponse } from './responses.ts'
import { createTokenStore } from './tokens.ts'

type BankCall = {
  method: 'GET' | 'PUT' | 'PATCH'
  /** Already encoded. */
  path: string
  query?: Record<string, string>
  body?: object
  headers?: Record<string, string>
  /** The time limit after the token, if shorter than usual. */
  limitMs?: number
}

export type BankClient = {
  readonly settings: BankSettings
  /** How many hours the bank's clock is ahead of ours, as its last charge shows. */
  readonly clock: { offsetHours: number }
  /** Returns the text of a successful answer; its errors: ../refusal.ts. */
  call(call: BankCall): Promise<string>
  /** Returns the answer when it has the expected shape. */
  read<S extends z.ZodObject>(shape: S, call: BankCall): Promise<z.output<S>>
  /** Must be called with each field that could not be read. */
  reportUnreadable(field: string): void
  /** Gets a token as a charge would. Throws ProviderDown. */
  logIn(): Promise<void>
  /** The company's certificate and key; throws when they are invalid. */
  getSecureContext(): SecureContext
  close(): Promise<void>
}

/** `background` is for calls that no payer waits for; it uses the same connections. */
export function createBankClient(
  settings: BankSettings,
  needs: CallNeeds,
): BankClient & { background: BankClient } {
  let context: SecureContext | undefined
  const options = { provider: 'The bank', pausingStatuses: [429, 503], getSecureContext }
  const line = createTransport(options, needs)
  const tokens = createTokenStore(settings, { line, now: needs.now })

  const clock = { offsetHours: needs.clockOffsetHours ?? 0 }
  const client = { settings, clock, logIn, getSecureContext, close: line.close }
  return { ...openLane('payer'), background: openLane('background') }

  function openLane(lane: Lane): BankClient {
    const call = (asked: BankCall) => callBank(asked, lane)
    return {
      ...client,
      call,
      read: async (shape, asked) => parseBankResponse(shape, await call(asked), reportUnreadable),
      reportUnreadable,
    }
  }

  function reportUnreadable(field: string) {
    needs.onUnreadable?.(field)
  }

  function getSecureContext() {
    context ??= createSecureContext(toSecureContextOptions(settings))
    return context
  }

  async function callBank(asked: BankCall, lane: Lane) {
    const signal = line.deadline()
    const scope = getCallScope(settings, asked)
    const kept = tokens.getValidToken(scope)
    const token = kept ?? (await tokens.getTokenBefore(scope, signal, lane))
    let answer = await sendRequest(asked, token, signal, lane)
    if (kept && tokens.isSpent(scope, answer.status)) {
      // The token was revoked early; another call may already have a new one.
      tokens.evict(scope, kept)
      const fresh = await tokens.getTokenBefore(scope, signal, lane)
      answer = await sendRequest(asked, fresh, signal, lane)
    }
    if (answer.status < 200 || answer.status > 299) throw toBankError(answer)
    return answer.text
  }

  async function logIn() {
    const scope = getCallScope(settings, { method: 'PUT', path: '/cob' })
    tokens.evict(scope, tokens.getValidToken(scope))
    await tokens.getTokenBefore(scope, line.deadline(), 'payer')
  }

  function sendRequest(asked: BankCall, token: string, signal: AbortSignal, lane: Lane) {
    const { limitMs } = asked
    const ending = limitMs ? AbortSignal.any([signal, line.deadline(limitMs)]) : signal
    return line.exchange({ ...buildBankRequest(settings, asked, token), signal: ending, lane })
  }
}

function buildBankRequest(
  { baseUrl, extraHeaders, extraQuery, clientId }: BankSettings,
  { method, path, query = {}, body, headers = {} }: BankCall,
  token: string,
) {
  const search = new URLSearchParams({
    ...query,
    ...fillPlaceholders(extraQuery, clientId),
  }).toString()
  return {
    url: `${baseUrl}${path}${search && `?${search}`}`,
    method,
    headers: {
      ...fillPlaceholders(extraHeaders, clientId),
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

function toSecureContextOptions(settings: BankSettings) {
  const { ca } = settings
  return {
    ...toIdentityOptions(settings),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  }
}

function fillPlaceholders(values: Record<string, string>, clientId: string) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll('{clientId}', () => clientId).replaceAll('{uuid}', () => v4()),
    ]),
  )
}

/**
 * The parts of a call that decide the scope of its token. A token gets only that scope, since a bank may refuse the
 * whole token for one scope that the application lacks.
 */
type ScopedCall = { method: 'GET' | 'PUT' | 'PATCH'; path: string }

/** The configured scope for all calls, or else the scope of this call. */
function getCallScope({ scope }: Pick<BankSettings, 'scope'>, call: ScopedCall): string {
  if (scope !== null) return scope
  if (call.path.startsWith('/webhook')) return 'webhook.write webhook.read'
  if (call.path.startsWith('/cob')) return 'cob.write cob.read'
  return call.method === 'GET' ? 'pix.read' : 'pix.write pix.read'
}
