// Creates, finds and cancels orders. Each has our id as its external reference and as its idempotency key, so that it
// is created once, and found even when the answer was lost.

import { z } from 'zod'
import { DAY_MS } from '../../database/instant.ts'
import { deriveCallId, PIX_CHARGE_LIMIT_MS } from '../call.ts'
import type { JsonClient } from '../json-client.ts'
import { createChargeFinder } from '../named-charges.ts'
import type { Charge, ChargeKey, LiabilityShift } from '../provider.ts'
import { buildOrderHeaders, buildOrderRequest } from './request.ts'
import { Order, OrderErrorBody } from './schema.ts'

/** Statuses after which the order may exist: refused, created before, in progress, or failed there. */
const UNCERTAIN_STATUSES = [402, 409, 423, 424]

const OrderSearchResult = z.object({ data: z.array(z.object({ id: z.string() })).max(100) })
/** The body of an error for a declined card: it has the failed order. */
const FailedOrderBody = z.object({ data: Order })

export function createOrderClient(
  client: JsonClient,
  { liabilityShift }: { liabilityShift: LiabilityShift },
) {
  const { parseCharge, readCharge, findCharge, recoverCharge, buildChargePath } =
    createChargeFinder(client, {
      ...{ provider: 'Mercado Pago', schema: Order, path: '/v1/orders' },
      ...{ idField: 'external_reference', paidStatus: 'processed', search: searchOrder },
    })
  return {
    make: createOrder,
    find: findCharge,
    read: readCharge,
    giveUp: cancelOrder,
    giveAllBack: refundWholeOrder,
  }

  /** Creates an order. Returns it, or the reason why there is none. Throws when that is unknown. */
  async function createOrder(charge: Charge, now: Date): Promise<Order | { problem: string }> {
    const { transactionId } = charge
    const request = buildOrderRequest(charge, { liabilityShift, now })
    const limitMs = charge.method === 'pix' ? PIX_CHARGE_LIMIT_MS : undefined
    const options = { headers: buildOrderHeaders(charge), limitMs }
    const { status, body } = await client.send(
      'POST',
      '/v1/orders',
      request,
      transactionId,
      options,
    )
    if (status < 300) return parseCharge(body)
    const failed = FailedOrderBody.safeParse(body)
    if (failed.success) return failed.data.data
    const problem = OrderErrorBody.safeParse(body).data
    // A refusal without a reason may come from a gateway, which does not know whether the order exists.
    const isUncertain = UNCERTAIN_STATUSES.includes(status) || problem === undefined
    return isUncertain ? recoverCharge(status, transactionId, now) : { problem }
  }

  /** Sending the charge again would find it too, but the token of a card can be used only once. */
  async function searchOrder(transactionId: string, now: Date): Promise<Order | undefined> {
    const { status, body } = await client.get('/v1/orders', {
      begin_date: new Date(getUuidTimeMs(transactionId, now) - DAY_MS).toISOString(),
      end_date: new Date(now.getTime() + DAY_MS).toISOString(),
      external_reference: transactionId,
    })
    if (status !== 200) throw new Error(`Mercado Pago could not search its orders: ${status}`)
    const [found] = OrderSearchResult.parse(body).data
    return found && readCharge(found.id)
  }

  /** Cancels an order that waits for its payer; an order past that is returned as it is. */
  async function cancelOrder(order: Order, { transactionId }: ChargeKey): Promise<Order> {
    await postOrderAction(order, 'cancel', null, deriveCallId(transactionId, 'cancel'))
    return (await readCharge(order.id)) ?? order
  }

  async function refundWholeOrder(order: Order, { transactionId }: ChargeKey) {
    await postOrderAction(order, 'refund', {}, deriveCallId(transactionId, 'void'))
  }

  async function postOrderAction({ id }: Order, verb: string, body: object | null, key: string) {
    const path = `${buildChargePath(id)}/${verb}`
    const { status } = await client.send('POST', path, body, key)
    // 409 is a conflict: the order has a state that does not allow it, or has already ended.
    if (status >= 300 && status !== 409) {
      throw new Error(`Mercado Pago did not ${verb} an order: ${status}`)
    }
  }
}

/** Returns when a UUIDv7 was created; for other ids an instant far enough in the past. */
function getUuidTimeMs(id: string, now: Date) {
  if (id[14] !== '7') return now.getTime() - 90 * DAY_MS
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}
