// A bank of our own that offers the API Pix: it keeps charges, payments and refunds, and it can be told
// to behave as badly as real ones do. Prism holds it to the official description (test/contract).
import { randomBytes } from 'node:crypto'
import type { PixApiConfig } from '../../../../src/providers/pix-api/config.ts'
import { type Answer, type Asked, openFakeServer } from '../server.ts'
import { type BankPix, createBankLedger, handleBankRequest, payCob } from './ledger.ts'

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const CLIENT_ID = 'padaria'
const CLIENT_SECRET = 'pao:quente'

type FakeBankOptions = { now?: () => Date; tls?: Parameters<typeof openFakeServer>[0]['tls'] }

export async function openFakeBank({ now = () => new Date(), tls }: FakeBankOptions = {}) {
  const book = createBankLedger(PIX_KEY, now)
  const tokens = createTokenEndpoint()
  const server = await openFakeServer({
    tls,
    answer: work,
    speak: (body) => book.manner.speak(body as object),
  })

  function work(one: Asked): Answer {
    if (one.path === '/oauth/token') return tokens.issue(one)
    const token = one.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!tokens.valid.has(token)) return { status: 401, body: { error: 'invalid_token' } }
    return handleBankRequest(book, one)
  }

  return {
    ...server,
    config: buildBankConfig(server.url),
    book,
    tokens,
    pay: (txid: string, amountCents: number, more?: Partial<BankPix>) =>
      payCob(book, txid, amountCents, more),
    /** As on its first day. */
    forget() {
      server.heal()
      for (const list of [server.asked, book.pix]) list.splice(0)
      book.cobs.clear()
    },
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

  function issue({ headers, text }: Asked): Answer {
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
