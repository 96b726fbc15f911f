// The line to one bank: mutual TLS with the company's own certificate, a limit on time and on what is read.

import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Agent, buildConnector, request } from 'undici'
import {
  type CallNeeds,
  CONNECT_TIMEOUT_MS,
  createCallDeadline,
  MAX_RESPONSE_BYTES,
} from '../call.ts'
import type { BankSettings } from './config.ts'
import { toTransportError } from './errors.ts'

const MAX_CONNECTIONS = 20

type TransportRequest = {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** Nothing is opened before it is needed, so that a certificate that cannot be read fails a call. */
export function createTransport(settings: BankSettings, needs: CallNeeds) {
  const { connector = buildConnector, createDeadline = createCallDeadline } = needs
  let context: SecureContext | undefined
  let agent: Agent | undefined

  return {
    exchange: sendRequest,
    identity: getSecureContext,
    deadline: createDeadline,
    close: closeAgent,
  }

  /** No redirect is followed. */
  async function sendRequest({ url, headers, ...rest }: TransportRequest) {
    const all = { accept: 'application/json', 'user-agent': 'Vintem', ...headers }
    try {
      const response = await request(url, { ...rest, headers: all, dispatcher: getAgent() })
      return { status: response.statusCode, text: await response.body.text() }
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

function toSecureContextOptions({ pfx, cert, key, passphrase, ca }: BankSettings) {
  return {
    ...(pfx !== undefined && { pfx: Buffer.from(pfx, 'base64') }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  }
}
