// A Mercado Pago of our own, over HTTP: idempotency keys, a bank's page for 3-D Secure, signed
// notifications. It can be told to be slow, to fail before or after its work, to answer garbage.
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Deadlines, openDeadlines } from '../deadlines.ts'
import {
  accreditOrder,
  disputeFakeOrder,
  type FakeOrder,
  getFakePayment,
  moveOrder,
  parseCents,
  refundFakeOrder,
} from './orders.ts'
import {
  buildFakeErrors,
  buildFakeProblem,
  createFakeState,
  type FakeRequest,
  type FakeResponse,
  handleFakeRequest,
  payOrder,
} from './routes.ts'

export const ACCESS_TOKEN = 'TEST-4815162342-fake-access-token'
export const PUBLIC_KEY = 'TEST-7b1c0d2e-fake-public-key'
export const WEBHOOK_SECRET = 'fake-webhook-secret'

/** What happens to a call: before its work nothing was done, after it the answer alone is lost. */
export type MercadoPagoFault = {
  after: boolean
  how: 'passes' | 'hangs' | 'resets' | 'garbage' | 'too much' | number
  /** Of an answer that is a number. */
  retryAfter?: string
  body?: object
}
type FakeCall = FakeRequest & {
  key: string
  /** What the payer's device is called. */
  deviceId: string | undefined
}

export async function openFakeMercadoPago(now: () => Date = () => new Date()) {
  const state = createFakeState(now)
  const [calls, faults]: [FakeCall[], MercadoPagoFault[]] = [[], []]
  const [keys, deadlines] = [createIdempotencyKeys(), openDeadlines()]
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.settings.bankUrl = url
  const events = createOrderEvents(state, now)
  const settings = { ...state.settings }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const call = await readFakeRequest(request)
    if (call.path.startsWith('/3ds/')) return sendBankPage(response, bank(call.path.slice(5), call))
    if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) {
      return sendFakeResponse(response, buildFakeProblem(401, 'unauthorized'))
    }
    calls.push(call)
    const fault = faults.shift()
    const result = fault?.after === false ? undefined : obey(call)
    if (!fault || fault.how === 'passes') {
      const { status, body } = result!
      return sendFakeResponse(response, {
        status,
        body: state.settings.speak(body ?? {}) as object,
      })
    }
    return sendFault(response, fault, deadlines)
  }

  function obey(call: FakeCall) {
    return call.method === 'GET'
      ? handleFakeRequest(state, call)
      : keys.once(call, () => handleFakeRequest(state, call))
  }

  function bank(id: string, { method, body }: FakeCall) {
    if (method !== 'POST') return CHALLENGE_PAGE
    answerChallenge(id, String(body).includes('approve'))
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
    url,
    calls,
    keys,
    ...deadlines,
    settings: state.settings,
    answerChallenge,
    ...events,
    orders: () => [...state.orders.values()],
    /** Behaves well again. */
    heal: () => void faults.splice(0),
    /** As on its first day. */
    forget: () => resetFake(state, settings, [calls, faults]),
    ordersOf: (transactionId: string) =>
      [...state.orders.values()].filter((one) => one.external_reference === transactionId),
    callsTo: (method: string, path: RegExp) =>
      calls.filter((call) => call.method === method && path.test(call.path)),
    /** What happens to the next calls, one after another. */
    next: (...coming: MercadoPagoFault[]) => void faults.push(...coming),
    notification: (id: string, how: SigningOptions = {}) =>
      signNotification(id, { at: now(), ...how }),
    close: () => closeServer(server),
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
    refundHere: (id: string, amount: number | null) => refundFakeOrder(orderOf(id), amount, now()),
  }
}

async function closeServer(server: Server) {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

export type FakeMercadoPago = Awaited<ReturnType<typeof openFakeMercadoPago>>

function resetFake(
  { orders, chargebacks, payouts, settings }: ReturnType<typeof createFakeState>,
  good: object,
  lists: unknown[][],
) {
  for (const list of lists) list.splice(0)
  Object.assign(settings, good)
  orders.clear()
  chargebacks.clear()
  payouts.clear()
}

async function readFakeRequest(request: IncomingMessage): Promise<FakeCall> {
  const { method = 'GET', headers, url = '' } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://fake')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const isJson = headers['content-type'] === 'application/json'
  const key = String(headers['x-idempotency-key'] ?? '')
  const deviceId = headers['x-meli-session-id']?.toString()
  return { method, path, query, key, deviceId, body: isJson ? JSON.parse(text) : text }
}

/** The same key and body again answer the same; the same key and another body conflict. */
function createIdempotencyKeys() {
  const answered = new Map<string, { body: string; answer: FakeResponse }>()
  const ring = { strict: false, once: only }
  return ring

  function only({ path, key, body }: FakeCall, act: () => FakeResponse): FakeResponse {
    if (!key) return buildFakeProblem(400, 'missing_idempotency_key')
    const name = `${path} ${key}`
    const text = JSON.stringify(body)
    const known = answered.get(name)
    if (known && (ring.strict || known.body !== text)) {
      return buildFakeErrors(409, 'idempotency_key_already_used')
    }
    const answer = known?.answer ?? act()
    answered.set(name, { body: text, answer: structuredClone(answer) })
    return answer
  }
}

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

function sendFakeResponse(response: ServerResponse, { status, body }: FakeResponse) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendBankPage(response: ServerResponse, page: string) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

function sendFault(
  response: ServerResponse,
  { how, retryAfter, body }: MercadoPagoFault,
  { endDeadlines }: Deadlines,
) {
  if (how === 'hangs' || how === 'passes') return endDeadlines()
  if (how === 'resets') return response.destroy()
  if (how === 'garbage') return response.writeHead(201).end('<h1>Oops</h1>')
  if (how === 'too much') return response.writeHead(200).end(`"${'x'.repeat(300_000)}"`)
  return response
    .writeHead(how, { ...(retryAfter && { 'retry-after': retryAfter }) })
    .end(body && JSON.stringify(body))
}

const CHALLENGE_PAGE = `<!doctype html><title>Banco</title><form method="post">
<button name="answer" value="approve">Aprovar</button>
<button name="answer" value="refuse">Recusar</button></form>`
const CHALLENGE_DONE_PAGE = `<!doctype html><title>Banco</title><p>Pronto</p>
<script>parent.postMessage({ status: 'COMPLETE' }, '*')</script>`
