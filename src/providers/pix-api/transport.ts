// The connection to one bank: mutual TLS with the company's own certificate, and limits on time and size. During a
// pause that the bank asks for (Retry-After) nothing is sent, neither charges nor token requests; a pause of background
// calls does not delay payers (pauses.ts).

import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Agent, buildConnector, request } from 'undici'
import {
  type CallNeeds,
  CONNECT_TIMEOUT_MS,
  createCallDeadline,
  MAX_RESPONSE_BYTES,
  readPauseEnd,
} from '../call.ts'
import { createPauses } from '../pauses.ts'
import type { Lane } from '../provider.ts'
import { type BankSettings, toIdentityOptions } from './config.ts'
import { type BankAnswer, toTransportError } from './errors.ts'

const MAX_CONNECTIONS = 20
const PAUSING_STATUSES = [429, 503]

type TransportNeeds = CallNeeds & { now: () => Date }

type TransportRequest = {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  lane: Lane
}

/** Connects at the first call, so that an unreadable certificate makes that call fail. */
export function createTransport(settings: BankSettings, needs: TransportNeeds) {
  const { connector = buildConnector, createDeadline = createCallDeadline, now } = needs
  const { requireNoPause, notePause } = createPauses(now)
  let context: SecureContext | undefined
  let agent: Agent | undefined

  return {
    exchange: sendRequest,
    identity: getSecureContext,
    deadline: createDeadline,
    close: closeAgent,
  }

  /** Redirects are not followed. */
  async function sendRequest({
    url,
    headers,
    lane,
    ...rest
  }: TransportRequest): Promise<BankAnswer> {
    requireNoPause(lane)
    const all = { accept: 'application/json', 'user-agent': 'Vintem', ...headers }
    try {
      const response = await request(url, { ...rest, headers: all, dispatcher: getAgent() })
      const { statusCode: status, headers: said } = response
      const pauses = PAUSING_STATUSES.includes(status)
      const retryAt = pauses ? readPauseEnd(said['retry-after'], now()) : undefined
      notePause(lane, retryAt)
      return { status, text: await response.body.text(), retryAt }
    } catch (error) {
      throw toTransportError(error)
    }
  }

  function getAgent() {
    agent ??= new Agent({
      allowH2: false,
      connections: MAX_CONNECTIONS,
      maxResponseSize: MAX_RESPONSE_BYTES,
      connect: connector({
        timeout: CONNECT_TIMEOUT_MS,
        allowH2: false,
        secureContext: getSecureContext(),
      }),
    })
    return agent
  }

  function getSecureContext() {
    context ??= createSecureContext(toSecureContextOptions(settings))
    return context
  }

  async function closeAgent() {
    await agent?.close()
  }
}

function toSecureContextOptions(settings: BankSettings) {
  const { ca } = settings
  return {
    ...toIdentityOptions(settings),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  }
}
