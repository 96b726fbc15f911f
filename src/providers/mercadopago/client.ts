// Speaks HTTP with Mercado Pago. What it throws says what may have happened there: ProviderDown means
// that nothing did; any other error leaves it open, and only asking again can tell.
import { Agent, buildConnector, request } from 'undici'
import { ProviderDown } from '../provider.ts'

export type Answer = { status: number; body: unknown }

export type Client = {
  get(path: string, query?: Record<string, string>): Promise<Answer>
  /** @param key a UUID: the same one again does nothing twice. */
  post(path: string, body: object | null, key: string): Promise<Answer>
  close(): Promise<void>
}

export type LineNeeds = {
  /** Makes what opens connections; where companies are strangers, one that keeps to public addresses. */
  connector?: (options: buildConnector.BuildOptions) => buildConnector.connector
  /** How long a call may take in all. */
  timeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
const CALL_TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 262_144
const JSON_BODY = { 'content-type': 'application/json' }

/** Before a connection stands, no request has been sent. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_PRIVATE_ADDRESS|ERR_TLS_\w+|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/
/** Refused at the door, before any work: a wrong token, one without the permission, too many calls. */
const REFUSED = [401, 403, 429]

export function mercadoPagoClient(
  { baseUrl, accessToken }: { baseUrl: string; accessToken: string },
  { connector = buildConnector, timeoutMs = CALL_TIMEOUT_MS }: LineNeeds = {},
): Client {
  const connect = connector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  const agent = new Agent({ allowH2: false, connect })

  return {
    get: (path, query) => call('GET', path, { query }),
    post: (path, body, key) =>
      call('POST', path, {
        ...(body && { body: JSON.stringify(body) }),
        headers: { ...(body && JSON_BODY), 'x-idempotency-key': key },
      }),
    close: () => agent.close(),
  }

  async function call(method: 'GET' | 'POST', path: string, sent: Sent): Promise<Answer> {
    const { statusCode: status, body } = await send(method, path, sent)
    const text = await read(body)
    if (status === 503) throw new Unavailable('Mercado Pago answered 503')
    if (status >= 500) throw new Error(`Mercado Pago answered ${status}`)
    if (REFUSED.includes(status)) {
      throw new ProviderDown(`Mercado Pago refused the call: ${status}`, { cause: status })
    }
    return { status, body: parse(text, status) }
  }

  async function send(method: 'GET' | 'POST', path: string, { query, body, headers }: Sent) {
    try {
      return await request(`${baseUrl}${path}`, {
        method,
        ...(query && { query }),
        ...(body && { body }),
        headers: { authorization: `Bearer ${accessToken}`, 'user-agent': 'Vintem', ...headers },
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      const neverSent = NEVER_SENT.test(code) || message.includes('before secure TLS connection')
      if (!neverSent) throw error
      throw new ProviderDown(`Mercado Pago could not be reached: ${code}`, { cause: error })
    }
  }
}

type Sent = {
  query?: Record<string, string> | undefined
  body?: string
  headers?: Record<string, string>
}

/** It says that it did nothing; whether that is so, its orders tell. */
export class Unavailable extends Error {}

/** The status that a call was refused with at the door; undefined where it did not come so far. */
export function refusalIn(error: unknown) {
  const { cause } = error instanceof ProviderDown ? error : {}
  return typeof cause === 'number' ? cause : undefined
}

async function read(body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    // Leaving the loop ends the body and with it the connection.
    if (length > MAX_ANSWER_BYTES) throw new Error('Mercado Pago answered more than is read')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A refusal may be said in any form; what came of a success must be legible. */
function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (status >= 400) return null
    throw new Error('Mercado Pago answered something other than JSON', { cause: error })
  }
}
