// A Mercado Pago of our own, over HTTP: idempotency keys, a bank's page for 3-D Secure, signed
// notifications. It can be told to be slow, to fail before or after its work, to answer garbage.
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Deadlines, openDeadlines } from './deadlines.ts'
import {
  accredit,
  cents,
  type FakeOrder,
  move,
  paymentIn,
  refund,
} from './fake-mercadopago-book.ts'
import {
  type Answer,
  type Asked,
  errors,
  openDesk,
  pay,
  problem,
  work,
} from './fake-mercadopago-desk.ts'

export const ACCESS_TOKEN = 'TEST-4815162342-fake-access-token'
export const PUBLIC_KEY = 'TEST-7b1c0d2e-fake-public-key'
export const WEBHOOK_SECRET = 'fake-webhook-secret'

/** What happens to a call: before its work nothing was done, after it the answer alone is lost. */
export type Fault = {
  after: boolean
  how: 'passes' | 'hangs' | 'resets' | 'garbage' | 'too much' | number
}
type Call = Asked & { key: string }

export async function openFakeMercadoPago(now: () => Date = () => new Date()) {
  const desk = openDesk(now)
  const [calls, faults]: [Call[], Fault[]] = [[], []]
  const [keys, deadlines] = [keyring(), openDeadlines()]
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  desk.settings.bankUrl = url
  const settings = { ...desk.settings }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const call = await read(request)
    if (call.path.startsWith('/3ds/')) return showBank(response, bank(call.path.slice(5), call))
    if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) {
      return send(response, problem(401, 'unauthorized'))
    }
    calls.push(call)
    const fault = faults.shift()
    const result = fault?.after === false ? undefined : obey(call)
    if (!fault || fault.how === 'passes') return send(response, result!)
    return fail(response, fault, deadlines)
  }

  function obey(call: Call) {
    return call.method === 'GET' ? work(desk, call) : keys.once(call, () => work(desk, call))
  }

  function bank(id: string, { method, body }: Call) {
    if (method === 'POST') answerChallenge(id, String(body).includes('approve'))
    return method === 'POST' ? BANK_DONE : BANK_ASKS
  }

  function answerChallenge(id: string, approved: boolean) {
    const order = orderOf(id)
    if (order.status !== 'action_required') return
    if (approved) pay(desk, order)
    else move(order, 'failed', 'cc_rejected_3ds_challenge', now())
  }

  function orderOf(id: string): FakeOrder {
    return desk.orders.get(id)!
  }

  return {
    url,
    calls,
    keys,
    ...deadlines,
    settings: desk.settings,
    answerChallenge,
    orderOf,
    orders: () => [...desk.orders.values()],
    /** Behaves well again. */
    heal: () => void faults.splice(0),
    /** As on its first day. */
    forget: () => clear(desk, settings, [calls, faults]),
    ordersOf: (transactionId: string) =>
      [...desk.orders.values()].filter((one) => one.external_reference === transactionId),
    callsTo: (method: string, path: RegExp) =>
      calls.filter((call) => call.method === method && path.test(call.path)),
    /** What happens to the next calls, one after another. */
    next: (...coming: Fault[]) => void faults.push(...coming),
    payPix(id: string, paidCents?: number) {
      const order = orderOf(id)
      accredit(order, paidCents ?? cents(paymentIn(order).amount), now())
    },
    moveTo: (id: string, status: string, detail: string) =>
      move(orderOf(id), status, detail, now()),
    accept: (id: string) => pay(desk, orderOf(id)),
    /** By the company, at Mercado Pago itself; null is all that is left. */
    refundHere: (id: string, amount: number | null) => refund(orderOf(id), amount, now()),
    notification: (id: string, how: Signing = {}) => notification(id, { at: now(), ...how }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type FakeMercadoPago = Awaited<ReturnType<typeof openFakeMercadoPago>>

function clear(
  { orders, settings }: ReturnType<typeof openDesk>,
  good: object,
  lists: unknown[][],
) {
  for (const list of lists) list.splice(0)
  Object.assign(settings, good)
  orders.clear()
}

async function read(request: IncomingMessage): Promise<Call> {
  const { method = 'GET', headers, url = '' } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://fake')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const isJson = headers['content-type'] === 'application/json'
  const key = String(headers['x-idempotency-key'] ?? '')
  return { method, path, query, key, body: isJson ? JSON.parse(text) : text }
}

/** The same key and body again answer the same; the same key and another body conflict. */
function keyring() {
  const answered = new Map<string, { body: string; answer: Answer }>()
  const ring = { strict: false, once: only }
  return ring

  function only({ path, key, body }: Call, act: () => Answer): Answer {
    if (!key) return problem(400, 'missing_idempotency_key')
    const name = `${path} ${key}`
    const text = JSON.stringify(body)
    const known = answered.get(name)
    if (known && (ring.strict || known.body !== text)) {
      return errors(409, 'idempotency_key_already_used')
    }
    const answer = known?.answer ?? act()
    answered.set(name, { body: text, answer: structuredClone(answer) })
    return answer
  }
}

type Signing = {
  at?: Date
  secret?: string
  milliseconds?: boolean
  lowerCase?: boolean
  type?: string
}

/** As Mercado Pago sends it, for an order and with the signature of its secret. */
export function notification(
  id: string,
  {
    at = new Date(),
    secret = WEBHOOK_SECRET,
    milliseconds,
    lowerCase,
    type = 'order',
  }: Signing = {},
) {
  const ts = String(Math.floor(at.getTime() / (milliseconds ? 1 : 1000)))
  const requestId = randomBytes(8).toString('hex')
  const told = lowerCase ? id.toLowerCase() : id
  const manifest = `id:${told};request-id:${requestId};ts:${ts};`
  const v1 = createHmac('sha256', secret).update(manifest).digest('hex')
  return {
    headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId },
    query: { 'data.id': told, type },
    body: Buffer.from(JSON.stringify({ action: `${type}.updated`, type, data: { id } })),
  }
}

function send(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function showBank(response: ServerResponse, page: string) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

function fail(response: ServerResponse, { how }: Fault, { endDeadlines }: Deadlines) {
  if (how === 'hangs' || how === 'passes') return endDeadlines()
  if (how === 'resets') return response.destroy()
  if (how === 'garbage') return response.writeHead(201).end('<h1>Oops</h1>')
  if (how === 'too much') return response.writeHead(200).end(`"${'x'.repeat(300_000)}"`)
  return response.writeHead(how).end()
}

const BANK_ASKS = `<!doctype html><title>Banco</title><form method="post">
<button name="answer" value="approve">Aprovar</button>
<button name="answer" value="refuse">Recusar</button></form>`
const BANK_DONE = `<!doctype html><title>Banco</title><p>Pronto</p>
<script>parent.postMessage({ status: 'COMPLETE' }, '*')</script>`
