// A Malga of our own, over HTTP: idempotency keys, acquirers, signed notifications. It can be told to be slow, to fail
// before or after its work, to answer garbage.
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDeadlines } from '../deadlines.ts'
import { breakResponse, isWorking, takeFault, type WireFault } from '../wire-faults.ts'
import {
  type Asked,
  addCall,
  answerFrom,
  authorize,
  type FakeCharge,
  MERCHANT_ID,
  newMalgaBook,
  problem,
  refundFakeCharge,
} from './book.ts'

export const CLIENT_ID = '4fd6f1a2-0b3c-4a51-9d5e-fake-client'
export const API_KEY = '9a1b2c3d-4e5f-6071-8293-fake-secret'
export const MALGA_KEYS = {
  clientId: CLIENT_ID,
  apiKey: API_KEY,
  merchantId: MERCHANT_ID,
  test: true,
}

export async function openFakeMalga(now: () => Date = () => new Date()) {
  const pair = generateKeyPairSync('ed25519')
  const book = newMalgaBook(now, pair.publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const asked: Asked[] = []
  const faults: WireFault[] = []
  const { createDeadline, endDeadlines } = openDeadlines()
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const one = await readAsked(request)
    asked.push(one)
    const fault = takeFault(faults, `${one.method} ${one.path}`)
    const answer = isWorking(fault) ? structuredClone(work(one)) : undefined
    if (fault?.does === 'say') fault.change(answer!.body as Record<string, unknown>)
    if (!breakResponse(response, fault)) {
      response.writeHead(answer!.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(book.manner.speak(answer!.body)))
    }
    if (fault?.does === 'hang') endDeadlines()
  }

  function work(one: Asked) {
    const { 'x-client-id': clientId, 'x-api-key': apiKey } = one.headers
    if (clientId !== CLIENT_ID || apiKey !== API_KEY) return problem(401)
    return answerFrom(book, one)
  }

  const chargeOf = (transactionId: string): FakeCharge =>
    [...book.charges.values()].find(({ orderId }) => orderId === transactionId)!

  return {
    url,
    config: { ...MALGA_KEYS, baseUrl: url },
    book,
    asked,
    createDeadline,
    chargeOf,
    /** The payer confirms a challenge, or an acquirer decides at last. */
    authorize: (transactionId: string) => authorize(book, chargeOf(transactionId)),
    refundHere: (transactionId: string, cents: number) =>
      refundFakeCharge(book, chargeOf(transactionId), cents),
    tell: (transactionId: string, requestType: string) =>
      addCall(book, chargeOf(transactionId), { requestType, requestStatus: 'success' }),
    /** As Malga sends it, signed with the key of its webhooks. */
    notification(id: string, { object = 'transaction', at = now() } = {}) {
      const body = Buffer.from(
        JSON.stringify({ id: 'e', object, event: 'authorized', data: { id } }),
      )
      const time = String(at.getTime())
      const signed = sign(null, Buffer.concat([Buffer.from(`${time}\n`), body]), pair.privateKey)
      const headers = { 'x-plug-date': time, 'x-plug-signature': signed.toString('hex') }
      return { headers, query: {}, body }
    },
    next: (...more: WireFault[]) => void faults.push(...more),
    /** Behaves well again. */
    heal: () => void faults.splice(0),
    calls: (on: RegExp) => asked.filter(({ method, path }) => on.test(`${method} ${path}`)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const { method = 'GET', headers, url = '' } = request
  const { pathname: path, searchParams } = new URL(url, 'http://malga')
  const text = Buffer.concat(await request.toArray()).toString()
  const query = Object.fromEntries(searchParams)
  return { method, path, query, headers, body: text ? JSON.parse(text) : {} }
}
