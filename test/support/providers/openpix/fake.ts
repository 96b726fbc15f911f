// A Woovi of our own, over HTTP: it signs its notifications with a key that it publishes, and it can be told
// to be slow, to fail before or after its work, to answer garbage. Prism holds it to the official
// description (test/contract).
import { generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { type Answer, type Asked, openFakeServer } from '../server.ts'
import { answerFrom, type BookedPix, bookRefund, newBook, payFakeCharge } from './ledger.ts'

export const APP_ID = 'Q2xpZW50X0lkX2Zha2U6Q2xpZW50X1NlY3JldF9mYWtl'
const ROOT = '/api/v1'

export async function openFakeOpenPix({ now = () => new Date() } = {}) {
  const book = newBook(now)
  const signer = openSigner()
  const server = await openFakeServer({
    answer: work,
    root: ROOT,
    speak: (body) => book.manner.speak(body as object),
  })

  function work(one: Asked): Answer {
    // Public by definition.
    if (one.path === '/webhook/public-keys') return { status: 200, body: signer.published() }
    if (one.headers.authorization === APP_ID) return answerFrom(book, one)
    return { status: 401, body: { errors: [{ message: 'appID inválido' }] } }
  }

  return {
    ...server,
    config: { appId: APP_ID, test: true, baseUrl: server.url },
    book,
    signer,
    pay: (transactionId: string, cents: number) => payFakeCharge(book, transactionId, cents),
    refundHere: (transactionId: string, cents: number) => bookRefund(book, transactionId, cents),
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
