// A Mercado Pago of our own, over HTTP: idempotency keys, a bank's page for 3-D Secure, signed
// notifications. It can be told to be slow, to fail before or after its work, to answer garbage.
import { createHmac, randomBytes } from 'node:crypto'
import { type Answer, type Asked, openFakeServer, openIdempotencyKeys } from '../server.ts'
import {
  accreditOrder,
  disputeFakeOrder,
  type FakeOrder,
  getFakePayment,
  moveOrder,
  parseCents,
  payFakeOrderAgain,
  refundFakeOrder,
} from './orders.ts'
import {
  buildFakeErrors,
  buildFakeProblem,
  createFakeState,
  handleFakeRequest,
  payOrder,
} from './routes.ts'

export const ACCESS_TOKEN = 'TEST-4815162342-fake-access-token'
export const PUBLIC_KEY = 'TEST-7b1c0d2e-fake-public-key'
export const WEBHOOK_SECRET = 'fake-webhook-secret'
export const MERCADO_PAGO_KEYS = {
  accessToken: ACCESS_TOKEN,
  publicKey: PUBLIC_KEY,
  webhookSecret: WEBHOOK_SECRET,
}

export async function openFakeMercadoPago(now: () => Date = () => new Date()) {
  const state = createFakeState(now)
  const rules = { strict: false }
  /** The same key and another body conflict. */
  const keys = openIdempotencyKeys({
    header: 'x-idempotency-key',
    refuse: (isOtherBody) =>
      rules.strict || isOtherBody
        ? buildFakeErrors(409, 'idempotency_key_already_used')
        : undefined,
  })
  const server = await openFakeServer({
    answer: obey,
    speak: (body) => state.settings.speak(body as object),
    page: (one) =>
      one.path.startsWith('/3ds/')
        ? { status: 200, html: bank(one.path.slice('/3ds/'.length), one) }
        : undefined,
  })
  state.settings.bankUrl = server.url
  const events = createOrderEvents(state, now)
  const settings = { ...state.settings }

  function obey(one: Asked): Answer {
    if (one.headers.authorization !== `Bearer ${ACCESS_TOKEN}`)
      return buildFakeProblem(401, 'unauthorized')
    const isKeyed = one.method === 'GET' || one.headers['x-idempotency-key']
    if (!isKeyed) return buildFakeProblem(400, 'missing_idempotency_key')
    return keys.once(one, () => handleFakeRequest(state, one))
  }

  function bank(id: string, { method, body }: Asked) {
    if (method !== 'POST') return CHALLENGE_PAGE
    answerChallenge(id, body.answer === 'approve')
    return CHALLENGE_DONE_PAGE
  }

  function answerChallenge(id: string, approved: boolean) {
    const order = events.orderOf(id)
    if (order.status !== 'action_required') return
    const { payment_method: method } = getFakePayment(order)
    const status = approved ? 'success' : 'failed'
    method.transaction_security = { ...method.transaction_security, status }
    if (approved) payOrder(state, order)
    else moveOrder(order, 'failed', 'cc_rejected_3ds_challenge', now())
  }

  return {
    ...server,
    config: { ...MERCADO_PAGO_KEYS, baseUrl: server.url },
    /** Whether a key that is known is refused even with the same body. */
    keys: rules,
    settings: state.settings,
    answerChallenge,
    ...events,
    orders: () => [...state.orders.values()],
    /** As on its first day. */
    forget() {
      server.heal()
      server.asked.splice(0)
      Object.assign(state.settings, settings)
      for (const kept of [state.orders, state.chargebacks, state.payouts]) kept.clear()
    },
    ordersOf: (transactionId: string) =>
      [...state.orders.values()].filter((one) => one.external_reference === transactionId),
    notification: (id: string, how: SigningOptions = {}) =>
      signNotification(id, { at: now(), ...how }),
  }
}

/** What happens to an order without us: at the payer's, the company's or the bank's. */
function createOrderEvents(state: ReturnType<typeof createFakeState>, now: () => Date) {
  const orderOf = (id: string): FakeOrder => state.orders.get(id)!
  return {
    orderOf,
    payPix(id: string, paidCents?: number) {
      const order = orderOf(id)
      accreditOrder(order, paidCents ?? parseCents(getFakePayment(order).amount), now())
    },
    moveTo: (id: string, status: string, detail: string) =>
      moveOrder(orderOf(id), status, detail, now()),
    /** By the payer, at the bank; of a part in cents, or of all that the order does not tell. */
    dispute: (id: string, status: string, amount: number | null = null) =>
      disputeFakeOrder(orderOf(id), { status, amount }, now()),
    tellPayout: (reference: string, told: object) =>
      void state.payouts.set(reference, { external_reference: reference, ...told }),
    openCase: (id: string, told: object) => void state.chargebacks.set(id, told),
    accept: (id: string) => payOrder(state, orderOf(id)),
    /** By the company, at Mercado Pago itself; null is all that is left. */
    refundHere: (id: string, amount: number | null, paymentId?: string) =>
      refundFakeOrder(orderOf(id), { amount, paymentId }, now()),
    payAgain: (id: string) => payFakeOrderAgain(orderOf(id), now()),
  }
}

export type FakeMercadoPago = Awaited<ReturnType<typeof openFakeMercadoPago>>

type SigningOptions = {
  at?: Date
  secret?: string
  milliseconds?: boolean
  lowerCase?: boolean
  type?: string
  /** Of a chargeback: what the address names in the place of the order. */
  caseId?: string
}

/** As Mercado Pago sends it, for an order and with the signature of its secret. */
export function signNotification(
  id: string,
  {
    at = new Date(),
    secret = WEBHOOK_SECRET,
    milliseconds,
    lowerCase,
    type = 'order',
    caseId,
  }: SigningOptions = {},
) {
  const ts = String(Math.floor(at.getTime() / (milliseconds ? 1 : 1000)))
  const requestId = randomBytes(8).toString('hex')
  const told = caseId ?? (lowerCase ? id.toLowerCase() : id)
  const about = caseId ? 'order' : type
  const manifest = `id:${told};request-id:${requestId};ts:${ts};`
  const v1 = createHmac('sha256', secret).update(manifest).digest('hex')
  return {
    headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId },
    query: { 'data.id': told, type },
    body: Buffer.from(JSON.stringify({ action: `${about}.updated`, type: about, data: { id } })),
  }
}

const CHALLENGE_PAGE = `<!doctype html><title>Banco</title><form method="post">
<button name="answer" value="approve">Aprovar</button>
<button name="answer" value="refuse">Recusar</button></form>`
const CHALLENGE_DONE_PAGE = `<!doctype html><title>Banco</title><p>Pronto</p>
<script>parent.postMessage({ status: 'COMPLETE' }, '*')</script>`
