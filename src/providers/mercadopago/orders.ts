// Creates, finds and cancels orders. Each has our id as its external reference and as its idempotency key, so that it
// is created once, and found even when the answer was lost.

import { z } from 'zod'
import { DAY_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { equalsIgnoringCase, nameUnreadable } from '../answers.ts'
import { deriveCallId, PIX_CHARGE_LIMIT_MS, rethrowAsUnknown } from '../call.ts'
import { catchUnavailable, type JsonClient } from '../json-client.ts'
import {
  type Charge,
  type ChargeKey,
  type ChargeOutcome,
  type LiabilityShift,
  ProviderDown,
} from '../provider.ts'
import { buildOrderHeaders, buildOrderRequest } from './request.ts'
import { Order, OrderErrorBody } from './schema.ts'

/** Statuses after which the order may exist: refused, created before, in progress, or failed there. */
const UNCERTAIN_STATUSES = [402, 409, 423, 424, 503]

const OrderSearchResult = z.object({ data: z.array(z.object({ id: z.string() })).max(100) })
/** The body of an error for a declined card: it has the failed order. */
const FailedOrderBody = z.object({ data: Order })

/** An order with a field that cannot be read. */
export class UnreadableOrder extends Error {
  override readonly name = 'UnreadableOrder'
  readonly field: string
  private readonly order: Record<string, unknown>

  constructor(field: string, order: Record<string, unknown>) {
    super(`An order of Mercado Pago could not be read: ${field}`)
    this.field = field
    this.order = order
  }

  /** Returns its outcome for this payment if it was paid; otherwise undefined. */
  toOutcome(transactionId: string): ChargeOutcome | undefined {
    const { id, status, external_reference: reference } = this.order
    const isOwn = equalsIgnoringCase(String(reference), transactionId)
    const isPaid = String(status).toLowerCase() === 'processed'
    if (!isOwn || !isPaid || typeof id !== 'string') return undefined
    return { status: 'unreadable', reference: id, field: this.field }
  }
}

export function createOrderClient(
  client: JsonClient,
  { liabilityShift }: { liabilityShift: LiabilityShift },
) {
  return {
    make: createOrder,
    find: findOrder,
    read: readOrder,
    giveUp: cancelOrder,
    giveAllBack: refundWholeOrder,
  }

  /** Creates an order. Returns it, or the reason why there is none. Throws when that is unknown. */
  async function createOrder(charge: Charge, now: Date): Promise<Order | { problem: string }> {
    const { transactionId } = charge
    const request = buildOrderRequest(charge, { liabilityShift, now })
    const limitMs = charge.method === 'pix' ? PIX_CHARGE_LIMIT_MS : undefined
    const options = { headers: buildOrderHeaders(charge), limitMs }
    const { status, body } = await client
      .send('POST', '/v1/orders', request, transactionId, options)
      .catch((error: unknown) => catchUnavailable(error))
    if (status < 300) return parseOrder(client, body)
    const failed = FailedOrderBody.safeParse(body)
    if (failed.success) return failed.data.data
    const problem = OrderErrorBody.safeParse(body).data
    // A refusal without a reason may come from a gateway, which does not know whether the order exists.
    const isUncertain = UNCERTAIN_STATUSES.includes(status) || problem === undefined
    return isUncertain ? recoverOrder(status, transactionId, now) : { problem }
  }

  async function recoverOrder(status: number, transactionId: string, now: Date) {
    const order = await rethrowAsUnknown(searchOrder(transactionId, now))
    if (order) return order
    if (status === 503) throw new ProviderDown('Mercado Pago answered 503 and made no order')
    throw new Error(`Mercado Pago answered ${status}, and its order cannot be found yet`)
  }

  async function findOrder({ reference, transactionId }: ChargeKey, now: Date) {
    const order = reference ? await readOrder(reference) : await searchOrder(transactionId, now)
    if (order && !equalsIgnoringCase(order.external_reference, transactionId)) {
      throw new Error(`Order ${order.id} of Mercado Pago is not of payment ${transactionId}`)
    }
    return order
  }

  async function readOrder(orderId: string): Promise<Order | undefined> {
    const { status, body } = await client.get(`/v1/orders/${encodeURIComponent(orderId)}`)
    // The 404 of a gateway, which is no JSON, does not say that there is no order.
    if (status === 404 && body !== null) return undefined
    if (status !== 200) throw new Error(`Mercado Pago could not read an order: ${status}`)
    return parseOrder(client, body)
  }

  /** Sending the charge again would find it too, but the token of a card can be used only once. */
  async function searchOrder(transactionId: string, now: Date) {
    const { status, body } = await client.get('/v1/orders', {
      begin_date: new Date(getUuidTimeMs(transactionId, now) - DAY_MS).toISOString(),
      end_date: new Date(now.getTime() + DAY_MS).toISOString(),
      external_reference: transactionId,
    })
    if (status !== 200) throw new Error(`Mercado Pago could not search its orders: ${status}`)
    const [found] = OrderSearchResult.parse(body).data
    return found && readOrder(found.id)
  }

  /** Cancels an order that waits for its payer; an order past that is returned as it is. */
  async function cancelOrder(order: Order, { transactionId }: ChargeKey): Promise<Order> {
    await postOrderAction(order, 'cancel', null, deriveCallId(transactionId, 'cancel'))
    return (await readOrder(order.id)) ?? order
  }

  async function refundWholeOrder(order: Order, { transactionId }: ChargeKey) {
    await postOrderAction(order, 'refund', {}, deriveCallId(transactionId, 'void'))
  }

  async function postOrderAction({ id }: Order, verb: string, body: object | null, key: string) {
    const path = `/v1/orders/${encodeURIComponent(id)}/${verb}`
    const { status } = await client.send('POST', path, body, key)
    // 409 is a conflict: the order has a state that does not allow it, or has already ended.
    if (status >= 300 && status !== 409) {
      throw new Error(`Mercado Pago did not ${verb} an order: ${status}`)
    }
  }
}

function parseOrder(client: JsonClient, body: unknown): Order {
  const read = Order.safeParse(body)
  if (read.success) return read.data
  const error = new UnreadableOrder(nameUnreadable(read.error), toRecord(body))
  client.reportUnreadable(error.field)
  throw error
}

/** Returns when a UUIDv7 was created; for other ids an instant far enough in the past. */
function getUuidTimeMs(id: string, now: Date) {
  if (id[14] !== '7') return now.getTime() - 90 * DAY_MS
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}
