// Makes, finds and closes orders. Each has our id as its code and as its idempotency key, so that it is made once and is
// found even when the answer with its name was lost.

import { toRecord } from '../../http/fields.ts'
import { equalsIgnoringCase, nameUnreadable } from '../answers.ts'
import { deriveCallId, rethrowAsUnknown } from '../call.ts'
import { catchUnavailable, type JsonClient } from '../json-client.ts'
import { type Charge, type ChargeKey, type ChargeOutcome, ProviderDown } from '../provider.ts'
import { buildOrderRequest } from './request.ts'
import { OrderList, PagarmeOrder, PagarmeProblem } from './schema.ts'

/** Said of an order that may be there: made before, being worked on, or not worked on at all. */
const UNCERTAIN_STATUSES = [409, 423, 424, 503]
const SEARCH_SIZE = 30

/** An order of which some field cannot be read. */
export class UnreadableOrder extends Error {
  override readonly name = 'UnreadableOrder'
  readonly field: string
  private readonly order: Record<string, unknown>

  constructor(field: string, order: Record<string, unknown>) {
    super(`An order of Pagar.me could not be read: ${field}`)
    this.field = field
    this.order = order
  }

  /** What it says of this payment all the same; undefined unless it was paid. */
  toOutcome(transactionId: string): ChargeOutcome | undefined {
    const { id, code, status } = this.order
    const isOwn = equalsIgnoringCase(String(code), transactionId)
    if (!isOwn || !/^paid$/i.test(String(status)) || typeof id !== 'string') return undefined
    return { status: 'unreadable', reference: id, field: this.field }
  }
}

export type OrderClient = ReturnType<typeof createOrderClient>

export function createOrderClient(client: JsonClient) {
  return { make: makeOrder, find: findOrder, read: readOrder, close: closeOrder }

  /** The order, or why there is none. Throws when that is not known. */
  async function makeOrder(
    charge: Charge & { method: 'credit_card' },
  ): Promise<PagarmeOrder | { problem: string }> {
    const { transactionId } = charge
    const { status, body } = await client
      .send('POST', '/orders', buildOrderRequest(charge), transactionId)
      .catch(catchUnavailable)
    if (status < 300) return parseOrder(client, body)
    const { message } = PagarmeProblem.safeParse(body).data ?? {}
    // Without a reason it may be a gateway's on the way, which knows nothing of the order.
    const isUncertain = UNCERTAIN_STATUSES.includes(status) || message === undefined
    return isUncertain ? recoverOrder(status, transactionId) : { problem: `${status} ${message}` }
  }

  async function recoverOrder(status: number, transactionId: string) {
    const order = await rethrowAsUnknown(searchOrder(transactionId))
    if (order) return order
    if (status === 503) throw new ProviderDown('Pagar.me answered 503 and made no order')
    throw new Error(`Pagar.me answered ${status}, and its order is not to be found yet`)
  }

  async function findOrder({ reference, transactionId }: ChargeKey) {
    const order = reference ? await readOrder(reference) : await searchOrder(transactionId)
    if (order && !equalsIgnoringCase(order.code, transactionId)) {
      throw new Error(`Order ${order.id} of Pagar.me is not of payment ${transactionId}`)
    }
    return order
  }

  async function readOrder(orderId: string): Promise<PagarmeOrder | undefined> {
    const { status, body } = await client.get(`/orders/${encodeURIComponent(orderId)}`)
    // A gateway's, which is no JSON, does not say that there is none.
    if (status === 404 && body !== null) return undefined
    if (status !== 200) throw new Error(`Pagar.me could not read an order: ${status}`)
    return parseOrder(client, body)
  }

  async function searchOrder(transactionId: string) {
    const query = { code: transactionId, size: String(SEARCH_SIZE) }
    const { status, body } = await client.get('/orders', query)
    if (status !== 200) throw new Error(`Pagar.me could not search its orders: ${status}`)
    const found = OrderList.parse(body).data.find(({ code }) =>
      equalsIgnoringCase(code, transactionId),
    )
    return found && readOrder(found.id)
  }

  /** Ends the page of an order that nobody has paid; one that was paid meanwhile is answered as it stands. */
  async function closeOrder(order: PagarmeOrder, { transactionId }: ChargeKey) {
    const path = `/orders/${encodeURIComponent(order.id)}/closed`
    const key = deriveCallId(transactionId, 'close')
    const { status } = await client.send('PATCH', path, { status: 'canceled' }, key)
    // It is not in a state for that, or was closed before.
    const isRefused = [400, 404, 409, 412, 422].includes(status)
    if (status >= 300 && !isRefused) throw new Error(`Pagar.me did not close an order: ${status}`)
    return (await readOrder(order.id)) ?? order
  }
}

function parseOrder(client: JsonClient, body: unknown): PagarmeOrder {
  const read = PagarmeOrder.safeParse(body)
  if (read.success) return read.data
  const error = new UnreadableOrder(nameUnreadable(read.error), toRecord(body))
  client.reportUnreadable(error.field)
  throw error
}
