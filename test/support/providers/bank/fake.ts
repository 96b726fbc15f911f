// A bank of our own that offers the API Pix: it keeps charges, payments and refunds, and it can be told
// to behave as badly as real ones do. Prism holds it to the official description (test/contract).
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureVersion } from 'node:tls'
import { afterAll } from 'vitest'
import type { PixApiConfig } from '../../../../src/providers/pix-api/config.ts'
import { openDeadlines } from '../deadlines.ts'
import { breakResponse, isWorking, takeFault, type WireFault } from '../wire-faults.ts'
import type { BankRequest, BankResponse } from './answers.ts'
import { type BankPix, createBankLedger, handleBankRequest, payCob } from './ledger.ts'

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const CLIENT_ID = 'padaria'
const CLIENT_SECRET = 'pao:quente'

type FakeBankOptions = {
  now?: () => Date
  /** Serves over TLS: its certificate, and the authority of the client certificates that it accepts. */
  tls?: { key: string; cert: string; ca: string; maxVersion?: SecureVersion }
}

export async function openFakeBank({ now = () => new Date(), tls }: FakeBankOptions = {}) {
  const book = createBankLedger(PIX_KEY, now)
  const asked: BankRequest[] = []
  const faults: WireFault[] = []
  const tokens = createTokenEndpoint()
  const { createDeadline, endDeadlines } = openDeadlines()
  const server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, serve)
    : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  const shut = () => {
    server.close()
    server.closeAllConnections()
  }

  afterAll(shut)

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const one = await readBankRequest(request)
    asked.push(one)
    const fault = takeFault(faults, `${one.method} ${one.path}`)
    const answer = isWorking(fault) ? await work(one) : undefined
    if (fault?.does === 'wait') await fault.until
    if (fault?.does === 'say') fault.change(answer!.body as Record<string, unknown>)
    if (!breakResponse(response, fault)) sendBankResponse(response, answer!)
    if (fault?.does === 'hang') endDeadlines()
  }

  async function work(one: BankRequest): Promise<BankResponse> {
    if (one.path === '/oauth/token') return tokens.issue(one)
    const token = one.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!tokens.valid.has(token)) return { status: 401, body: { error: 'invalid_token' } }
    const { status, body } = handleBankRequest(book, one)
    return body ? { status, body: book.manner.speak(body) as object } : { status }
  }

  return {
    url,
    config: buildBankConfig(url),
    book,
    asked,
    tokens,
    /** For a caller that gives up when the bank hangs. */
    createDeadline,
    pay: (txid: string, amountCents: number, more?: Partial<BankPix>) =>
      payCob(book, txid, amountCents, more),
    next: (...more: WireFault[]) => void faults.push(...more),
    /** Behaves well again. */
    heal: () => void faults.splice(0),
    calls: (on: RegExp) => asked.filter(({ method, path }) => on.test(`${method} ${path}`)),
    /** As on its first day. */
    forget() {
      for (const list of [faults, asked, book.pix]) list.splice(0)
      book.cobs.clear()
    },
    /** Stops listening. */
    shut,
  }
}

export type FakeBank = Awaited<ReturnType<typeof openFakeBank>>

/** What a company configures to be served here. */
export function buildBankConfig(url: string): PixApiConfig {
  return {
    preset: 'custom',
    test: true,
    baseUrl: url,
    tokenUrl: `${url}/oauth/token`,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    pixKey: PIX_KEY,
  }
}

/** Takes the secret in a header or in the form. Clearing `valid` ends all tokens at once. */
function createTokenEndpoint() {
  const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`
  const tokens = {
    issued: 0,
    seconds: 3_600,
    valid: new Set<string>(),
    /** What the application was not given: a token that asks for it is refused. */
    ungranted: [] as string[],
    issue,
  }
  return tokens

  function issue({ headers, text }: BankRequest): BankResponse {
    tokens.issued++
    const isKnown =
      headers.authorization === basic ||
      new URLSearchParams(text).get('client_secret') === CLIENT_SECRET
    if (!isKnown) return { status: 401, body: { error: 'invalid_client' } }
    const scopes = new URLSearchParams(text).get('scope')?.split(' ') ?? []
    if (scopes.some((scope) => tokens.ungranted.includes(scope))) {
      return { status: 400, body: { error: 'invalid_scope' } }
    }
    const token = randomBytes(12).toString('hex')
    tokens.valid.add(token)
    const body = { access_token: token, token_type: 'Bearer', expires_in: tokens.seconds }
    return { status: 200, body }
  }
}

async function readBankRequest(request: IncomingMessage): Promise<BankRequest> {
  const { pathname, searchParams } = new URL(request.url!, 'http://bank')
  return {
    method: request.method!,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    text: Buffer.concat(await request.toArray()).toString(),
  }
}

function sendBankResponse(response: ServerResponse, { status, body }: BankResponse) {
  const isProblem = body && 'type' in body && 'title' in body
  const type = isProblem ? 'application/problem+json' : 'application/json'
  response.writeHead(status, body && { 'content-type': type }).end(body && JSON.stringify(body))
}
