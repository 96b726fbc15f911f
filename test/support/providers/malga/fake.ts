// A Malga of our own, over HTTP: idempotency keys, acquirers, signed notifications. It can be told to be slow, to fail
// before or after its work, to answer garbage.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { type Asked, openFakeServer } from '../server.ts'
import {
  addCall,
  answerFrom,
  authorizeCharge,
  buildProblem,
  type FakeCharge,
  MERCHANT_ID,
  newMalgaBook,
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
  const good = { ...book.manner }
  const server = await openFakeServer({ answer: work, speak: (body) => book.manner.speak(body) })

  function work(one: Asked) {
    const { 'x-client-id': clientId, 'x-api-key': apiKey } = one.headers
    if (clientId !== CLIENT_ID || apiKey !== API_KEY) return buildProblem(401)
    return answerFrom(book, one)
  }

  const chargeOf = (transactionId: string): FakeCharge =>
    [...book.charges.values()].find(({ orderId }) => orderId === transactionId)!

  return {
    ...server,
    /** Behaves well again. */
    heal() {
      server.heal()
      Object.assign(book.manner, good)
    },
    config: { ...MALGA_KEYS, baseUrl: server.url },
    book,
    charges: () => [...book.charges.values()],
    chargeOf,
    /** The payer confirms a challenge, or an acquirer decides at last. */
    authorize: (transactionId: string) => authorizeCharge(book, chargeOf(transactionId)),
    /** As if Malga had not heeded the idempotency key. */
    chargeAgain(transactionId: string) {
      const second = structuredClone(chargeOf(transactionId))
      Object.assign(second, { id: randomUUID(), createdAt: now().toISOString() })
      book.charges.set(second.id, second)
      return second
    },
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
  }
}
