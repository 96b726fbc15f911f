// A Pagar.me of our own, over HTTP, after its reference (core v5): orders with a checkout, charges, idempotency keys, and
// the page at which a payer pays. It can be told to be slow, to fail before or after its work, to answer garbage.
import { type Answer, type Asked, openFakeServer, openIdempotencyKeys } from '../server.ts'
import {
  cancelFakeCharge,
  closeFakeOrder,
  createFakeOrder,
  type FakeCharge,
  formatFakeInstant,
  newPagarmeLedger,
  type PagarmeLedger,
  type PagePayment,
  payAtFakePage,
  refundFakeCharge,
  searchFakeOrders,
  showFakeOrder,
} from './ledger.ts'

export const SECRET_KEY = 'sk_test_4815162342fake'
const AUTHORIZATION = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`

export async function openFakePagarme({ now = () => new Date() } = {}) {
  const ledger = newPagarmeLedger(now)
  const { orders, manner } = ledger
  const good = { ...manner }
  const keys = openIdempotencyKeys({ header: 'idempotency-key' })
  const server = await openFakeServer({
    answer: obey,
    speak: (body) => manner.speak(body),
    page: (one) => (/^.(page|favicon)/.test(one.path) ? showPage(ledger, one) : undefined),
  })

  function obey(one: Asked): Answer {
    if (one.headers.authorization === AUTHORIZATION) return keys.once(one, () => work(one))
    return { status: 401, body: { message: 'Authorization has been denied for this request.' } }
  }

  function work({ method, path, query, body }: Asked): Answer {
    const [, , id = '', verb] = path.split('/')
    if (method === 'DELETE') return cancelFakeCharge(ledger, id, body)
    if (method === 'POST') return { status: 200, body: createFakeOrder(ledger, body, server.url) }
    if (!id) return { status: 200, body: { data: searchFakeOrders(ledger, query.code) } }
    const order = orders.get(id)
    if (!order) return { status: 404, body: { message: 'Order not found.' } }
    if (verb === 'closed') closeFakeOrder(ledger, order)
    return { status: 200, body: showFakeOrder(order) }
  }

  const lastChargeOf = (id: string) => orders.get(id)!.charges.at(-1)!
  return {
    ...{ ...server, orders, manner },
    config: { secretKey: SECRET_KEY, baseUrl: server.url },
    pay: (id: string, payment?: PagePayment) => payAtFakePage(ledger, id, payment),
    /** In another browser, where the page is still open; answers the charge. */
    payAgain(id: string, payment?: PagePayment) {
      orders.get(id)!.checkouts[0]!.status = 'open'
      payAtFakePage(ledger, id, payment)
      return lastChargeOf(id)
    },
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
    /** Behaves well again. */
    heal: () => {
      server.heal()
      Object.assign(manner, good)
    },
    /** A day later it has forgotten every idempotency key. */
    forgetKeys: keys.forget,
  }
}

/** The page, which leads back as the real one does after a payment. */
function showPage(ledger: PagarmeLedger, { method, path, body }: Asked) {
  const id = path.slice('/page/'.length)
  const order = ledger.orders.get(id)
  if (!order) return { status: 204 }
  if (method === 'GET') return { status: 200, html: PAGE }
  payAtFakePage(ledger, id, body.answer === 'refuse' ? { code: '51' } : {})
  return { status: 302, location: String(order.checkouts[0]!.success_url) }
}

const PAGE = `<!doctype html><title>Pagar.me</title><form method="post">
<button name="answer" value="pay">Pagar</button>
<button name="answer" value="refuse">Recusar</button></form>`
