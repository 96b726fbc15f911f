// A Pagar.me of our own, over HTTP, after its reference (core v5): orders with a checkout, charges, idempotency keys, and
// the page at which a payer pays. It can be told to be slow, to fail before or after its work, to answer garbage.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { openDeadlines } from '../deadlines.ts'
import { breakResponse, isWorking, takeFault, type WireFault } from '../wire-faults.ts'
import {
  cancelFakeCharge,
  closeFakeOrder,
  createFakeOrder,
  type FakeCharge,
  formatFakeInstant,
  newPagarmeLedger,
  type PagarmeAnswer,
  type PagarmeLedger,
  type PagePayment,
  payAtFakePage,
  refundFakeCharge,
  searchFakeOrders,
  showFakeOrder,
} from './ledger.ts'

export const SECRET_KEY = 'sk_test_4815162342fake'
const AUTHORIZATION = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`

type Asked = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

export async function openFakePagarme({ now = () => new Date() } = {}) {
  const ledger = newPagarmeLedger(now)
  const { orders, manner } = ledger
  const good = { ...manner }
  const [asked, faults]: [Asked[], WireFault[]] = [[], []]
  const { createDeadline, endDeadlines } = openDeadlines()
  const keys = createIdempotencyKeys()
  const server = createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const one = await readAsked(request)
    if (/^.(page|favicon)/.test(one.path)) return servePage(ledger, one, response)
    asked.push(one)
    const fault = takeFault(faults, `${one.method} ${one.path}`)
    const answer = isWorking(fault) ? answerOddly(one, fault) : undefined
    if (!breakResponse(response, fault)) sendAnswer(response, answer!)
    if (fault?.does === 'hang') endDeadlines()
  }

  function answerOddly(one: Asked, fault: WireFault | undefined): PagarmeAnswer {
    const { status, body } = structuredClone(obey(one))
    const said = manner.speak(body)
    if (fault?.does === 'say') fault.change(said as Record<string, unknown>)
    return { status, body: said }
  }

  function obey(one: Asked): PagarmeAnswer {
    if (one.headers.authorization === AUTHORIZATION) return keys.once(one, () => work(one))
    return { status: 401, body: { message: 'Authorization has been denied for this request.' } }
  }

  function work({ method, path, query, body }: Asked): PagarmeAnswer {
    const [, , id = '', verb] = path.split('/')
    if (method === 'DELETE') return cancelFakeCharge(ledger, id, body)
    if (method === 'POST') return { status: 200, body: createFakeOrder(ledger, body, url) }
    if (!id) return { status: 200, body: { data: searchFakeOrders(ledger, query.code) } }
    const order = orders.get(id)
    if (!order) return { status: 404, body: { message: 'Order not found.' } }
    if (verb === 'closed') closeFakeOrder(ledger, order)
    return { status: 200, body: showFakeOrder(order) }
  }

  const lastChargeOf = (id: string) => orders.get(id)!.charges.at(-1)!
  return {
    ...{ url, orders, asked, manner, createDeadline },
    config: { secretKey: SECRET_KEY, baseUrl: url },
    pay: (id: string, payment?: PagePayment) => payAtFakePage(ledger, id, payment),
    ordersOf: (transactionId: string) =>
      [...orders.values()].filter(({ code }) => code === transactionId),
    /** What becomes of a charge without us: at the acquirer, or at Pagar.me. */
    change: (id: string, changes: Partial<FakeCharge>) =>
      void Object.assign(lastChargeOf(id), { updated_at: formatFakeInstant(now()), ...changes }),
    refundHere: (id: string, cents: number) => refundFakeCharge(ledger, lastChargeOf(id), cents),
    notification: (id: string, type = 'charge.paid') => ({
      ...{ headers: {}, query: {} },
      body: Buffer.from(
        JSON.stringify({ id: 'hook_1', type, data: { id: 'ch_1', order: { id } } }),
      ),
    }),
    calls: (on: RegExp) => asked.filter(({ method, path }) => on.test(`${method} ${path}`)),
    next: (...more: WireFault[]) => void faults.push(...more),
    /** Behaves well again. */
    heal: () => {
      faults.splice(0)
      Object.assign(manner, good)
    },
    /** A day later it has forgotten every idempotency key. */
    forgetKeys: keys.forget,
  }
}

/** The same key again answers the same. */
function createIdempotencyKeys() {
  const answered = new Map<string, PagarmeAnswer>()
  return {
    forget: () => answered.clear(),
    once({ method, path, headers }: Asked, act: () => PagarmeAnswer) {
      const key = headers['idempotency-key']
      if (method === 'GET' || !key) return act()
      const name = `${method} ${path} ${key}`
      const known = answered.get(name) ?? act()
      answered.set(name, structuredClone(known))
      return known
    },
  }
}

/** The page, which leads back as the real one does after a payment. */
function servePage(ledger: PagarmeLedger, { method, path, body }: Asked, response: ServerResponse) {
  const id = path.slice('/page/'.length)
  const order = ledger.orders.get(id)
  if (!order) return void response.writeHead(204).end()
  if (method === 'GET')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  payAtFakePage(ledger, id, body.answer === 'refuse' ? { code: '51' } : {})
  response.writeHead(302, { location: String(order.checkouts[0]!.success_url) }).end()
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const { pathname: path, searchParams } = new URL(request.url!, 'http://pagarme')
  const text = Buffer.concat(await request.toArray()).toString()
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')
  const query = Object.fromEntries(searchParams)
  return { method: request.method!, path, query, headers: request.headers, body }
}

function sendAnswer(response: ServerResponse, { status, body }: PagarmeAnswer) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const PAGE = `<!doctype html><title>Pagar.me</title><form method="post">
<button name="answer" value="pay">Pagar</button>
<button name="answer" value="refuse">Recusar</button></form>`
