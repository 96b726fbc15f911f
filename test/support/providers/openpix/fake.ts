// A Woovi of our own, over HTTP: it signs its notifications with a key that it publishes, and it can be told
// to be slow, to fail before or after its work, to answer garbage. Prism holds it to the official
// description (test/contract).
import { generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { openDeadlines } from '../deadlines.ts'
import { breakResponse, isWorking, takeFault, type WireFault } from '../wire-faults.ts'
import {
  type Answer,
  type Asked,
  answerFrom,
  type BookedPix,
  giveBack,
  newBook,
  pay,
} from './ledger.ts'

export const APP_ID = 'Q2xpZW50X0lkX2Zha2U6Q2xpZW50X1NlY3JldF9mYWtl'
const ROOT = '/api/v1'

export async function openFakeOpenPix({ now = () => new Date() } = {}) {
  const book = newBook(now)
  const asked: Asked[] = []
  const faults: WireFault[] = []
  const signer = openSigner()
  const { createDeadline, endDeadlines } = openDeadlines()
  const server = createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const one = await askedBy(request)
    asked.push(one)
    const fault = takeFault(faults, `${one.method} ${one.path}`)
    const answer = isWorking(fault) ? structuredClone(work(one)) : undefined
    if (answer?.body) answer.body = book.manner.speak(answer.body) as object
    if (fault?.does === 'say') fault.change(answer!.body as Record<string, unknown>)
    if (!breakResponse(response, fault)) sendAnswer(response, answer!)
    if (fault?.does === 'hang') endDeadlines()
  }

  function work(one: Asked): Answer {
    // Public by definition.
    if (one.path === '/webhook/public-keys') return { status: 200, body: signer.published() }
    if (one.headers.authorization === APP_ID) return answerFrom(book, one)
    return { status: 401, body: { errors: [{ message: 'appID inválido' }] } }
  }

  return {
    url,
    config: { appId: APP_ID, test: true, baseUrl: url },
    book,
    asked,
    signer,
    /** For a caller that gives up when Woovi hangs. */
    createDeadline,
    pay: (transactionId: string, cents: number) => pay(book, transactionId, cents),
    refundHere: (transactionId: string, cents: number) => giveBack(book, transactionId, cents),
    /** A payer's bank asks for the money back; without an amount, as Woovi tells of a MED. */
    dispute: ({ endToEndId }: BookedPix, status: string, value?: number) =>
      book.disputes.set(endToEndId, { status, type: 'MED', ...(value !== undefined && { value }) }),
    notification: (event: string, payload: object) => signer.notify({ event, ...payload }),
    /** As Woovi tells that a charge was paid. */
    completed: (transactionId: string) =>
      signer.notify({
        event: 'OPENPIX:CHARGE_COMPLETED',
        charge: book.charges.get(transactionId) ?? { correlationID: transactionId },
        pix: book.pix.find(({ charge }) => charge === transactionId),
      }),
    next: (...more: WireFault[]) => void faults.push(...more),
    /** Behaves well again. */
    heal: () => void faults.splice(0),
    calls: (on: RegExp) => asked.filter(({ method, path }) => on.test(`${method} ${path}`)),
  }
}

/** Of all fakes until it is changed: one takes a tenth of a second to make. */
let firstPair: KeyPairKeyObjectResult | undefined

/** RSA with SHA-256 over the body; the key may be changed for another. */
function openSigner() {
  firstPair ??= createKeyPair()
  let pair = firstPair
  return { notify, published, renew }

  function notify(payload: object) {
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
    const signature = sign('RSA-SHA256', body, pair.privateKey).toString('base64')
    return { headers: { 'x-webhook-signature': signature }, query: {}, body }
  }

  function published() {
    const key = pair.publicKey.export({ type: 'spki', format: 'pem' })
    return { public_keys: [{ key_identifier: 'fake', is_current: true, key }] }
  }

  function renew() {
    pair = createKeyPair()
  }
}

function createKeyPair() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url!, 'http://woovi')
  const text = Buffer.concat(await request.toArray()).toString()
  return {
    method: request.method!,
    path: pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : `outside ${pathname}`,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: text ? JSON.parse(text) : {},
  }
}

function sendAnswer(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
}
