// Creates, finds and closes orders. Each has our id as its code and as its idempotency key, so that it is created once,
// and found even when the answer was lost.

import { equalsIgnoringCase } from '../answers.ts'
import { deriveCallId } from '../call.ts'
import type { JsonClient } from '../json-client.ts'
import { createChargeFinder } from '../named-charges.ts'
import type { CardCharge, ChargeKey } from '../provider.ts'
import { buildOrderRequest } from './request.ts'
import { OrderList, PagarmeOrder, PagarmeProblem } from './schema.ts'

/** Statuses after which the order may exist: created before, in progress, or failed there. */
const UNCERTAIN_STATUSES = [409, 423, 424]
const SEARCH_SIZE = 30

export type OrderClient = ReturnType<typeof createOrderClient>

export function createOrderClient(client: JsonClient) {
  const { parseCharge, readCharge, findCharge, recoverCharge, buildChargePath } =
    createChargeFinder(client, {
      ...{ provider: 'Pagar.me', schema: PagarmeOrder, path: '/orders' },
      ...{ idField: 'code', paidStatus: 'paid', search: searchOrder },
    })
  return { make: makeOrder, find: findCharge, read: readCharge, close: closeOrder }

  /** Creates an order. Returns it, or the reason why there is none. Throws when that is unknown. */
  async function makeOrder(
    charge: CardCharge,
    now: Date,
  ): Promise<PagarmeOrder | { problem: string }> {
    const { transactionId } = charge
    const { status, body } = await client.send(
      'POST',
      '/orders',
      buildOrderRequest(charge),
      transactionId,
    )
    if (status < 300) return parseCharge(body)
    const { message } = PagarmeProblem.safeParse(body).data ?? {}
    // A refusal without a reason may come from a gateway, which does not know whether the order exists.
    const isUncertain = UNCERTAIN_STATUSES.includes(status) || message === undefined
    return isUncertain
      ? recoverCharge(status, transactionId, now)
      : { problem: `${status} ${message}` }
  }

  async function searchOrder(transactionId: string): Promise<PagarmeOrder | undefined> {
    const query = { code: transactionId, size: String(SEARCH_SIZE) }
    const { status, body } = await client.get('/orders', query)
    if (status !== 200) throw new Error(`Pagar.me could not search its orders: ${status}`)
    const found = OrderList.parse(body).data.find(({ code }) =>
      equalsIgnoringCase(code, transactionId),
    )
    return found && readCharge(found.id)
  }

  /** Closes the page of an unpaid order; an order that was paid meanwhile is returned as it is. */
  async function closeOrder(order: PagarmeOrder, { transactionId }: ChargeKey) {
    const path = `${buildChargePath(order.id)}/closed`
    const key = deriveCallId(transactionId, 'close')
    const { status } = await client.send('PATCH', path, { status: 'canceled' }, key)
    // The order's state does not allow it, or the order was closed before.
    const isRefused = [400, 404, 409, 412, 422].includes(status)
    if (status >= 300 && !isRefused) throw new Error(`Pagar.me did not close an order: ${status}`)
    return (await readCharge(order.id)) ?? order
  }
}
