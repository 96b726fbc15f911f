// The line to one bank: mutual TLS with the company's own certificate, a limit on time and on what is read.
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Agent, buildConnector, request } from 'undici'
import type { BankSettings } from './config.ts'
import { transportFailure } from './errors.ts'

const CONNECT_TIMEOUT_MS = 5_000
const DEADLINE_MS = 15_000
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_CONNECTIONS = 20

export type LineNeeds = {
  /** Makes what opens connections; where companies are strangers, one that keeps to public addresses. */
  connector?: (options: buildConnector.BuildOptions) => buildConnector.connector
  /** How long one call may take in all, its token included. */
  deadlineMs?: number
}

type Exchange = {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** Nothing is opened before it is needed, so that a certificate that cannot be read fails a call. */
export function openLine(settings: BankSettings, needs: LineNeeds) {
  const { connector = buildConnector, deadlineMs = DEADLINE_MS } = needs
  let context: SecureContext | undefined
  let agent: Agent | undefined

  return { exchange, identity, deadline, close }

  /** No redirect is followed. */
  async function exchange({ url, headers, ...rest }: Exchange) {
    const all = { accept: 'application/json', 'user-agent': 'Vintem', ...headers }
    try {
      const response = await request(url, { ...rest, headers: all, dispatcher: opened() })
      return { status: response.statusCode, text: await response.body.text() }
    } catch (error) {
      throw transportFailure(error)
    }
  }

  function opened() {
    agent ??= new Agent({
      allowH2: false,
      connections: MAX_CONNECTIONS,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: connector({
        timeout: Math.min(CONNECT_TIMEOUT_MS, deadlineMs),
        allowH2: false,
        secureContext: identity(),
      }),
    })
    return agent
  }

  function identity() {
    context ??= createSecureContext(identityOf(settings))
    return context
  }

  function deadline() {
    return AbortSignal.timeout(deadlineMs)
  }

  async function close() {
    await agent?.close()
  }
}

function identityOf({ pfx, cert, key, passphrase, ca }: BankSettings) {
  return {
    ...(pfx !== undefined && { pfx: Buffer.from(pfx, 'base64') }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  }
}
