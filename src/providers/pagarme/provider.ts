// Cards through Pagar.me's hosted page: an order with one checkout, which the payer goes to and comes back from. Only
// the order decides, not the payer's return.

import { equalsIgnoringCase } from '../answers.ts'
import { deriveCallId } from '../call.ts'
import { createJsonClient } from '../json-client.ts'
import { toUnreadableOutcome } from '../named-charges.ts'
import {
  type ChargeKey,
  type ChargeOutcome,
  type Decline,
  type Provider,
  ProviderDown,
} from '../provider.ts'
import type { LoggedCallNeeds } from '../transport.ts'
import { getPagarmeUrl, isTestKey, type PagarmeConfig } from './config.ts'
import { testPagarme } from './connection-test.ts'
import { readOrderHints } from './notification.ts'
import { getCanceledCents, getPaidCents, listPaidCharges, toOrderOutcome } from './order.ts'
import { createOrderClient, type OrderClient } from './orders.ts'
import { findChargeRefund, refundCharge, refundWholeOrder } from './refunds.ts'
import { FIELD_NAMES, type PagarmeOrder } from './schema.ts'

const NOT_MADE: Decline = {
  status: 'declined',
  reference: null,
  declineCode: 'provider_error',
  abecsCode: null,
  retryable: true,
}
const WAITING = ['awaiting_payer', 'processing']

export function createPagarmeProvider(config: PagarmeConfig, needs: LoggedCallNeeds): Provider {
  const { secretKey } = config
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`
  const client = createJsonClient(
    {
      ...{ provider: 'Pagar.me', baseUrl: getPagarmeUrl(config), headers: { authorization } },
      ...{ keyHeader: 'idempotency-key', fieldNames: FIELD_NAMES },
    },
    needs,
  )
  const orders = createOrderClient(client)
  const background = createOrderClient(client.background)

  return {
    name: 'pagarme',
    testMode: isTestKey(secretKey),

    async charge(charge, now) {
      if (charge.method === 'pix') throw new ProviderDown('Pagar.me takes cards alone here')
      const { transactionId, totalCents } = charge
      const made = await orders.make(charge, now)
      if ('problem' in made) {
        needs.log.warn({ transactionId, ...made }, 'Pagar.me made no order')
        return NOT_MADE
      }
      const { code, amount = totalCents } = made
      if (!equalsIgnoringCase(code, transactionId) || amount !== totalCents)
        throw new Error(`Order ${made.id} of Pagar.me is not what was asked for ${transactionId}`)
      return toOrderOutcome(made, charge, now)
    },

    find: (key, now, lane) => findOutcome(lane === 'background' ? background : orders, key, now),

    async cancel(key, now, { keepsPaid = false } = {}) {
      const order = await orders.find(key, now)
      if (!order) return
      const isWaiting = WAITING.includes(toOrderOutcome(order, key, now).status)
      const last = isWaiting ? await orders.close(order, key) : order
      const { status } = toOrderOutcome(last, key, now)
      if (status === 'processing') throw new Error(`Order ${order.id} cannot be canceled yet`)
      if (status !== 'approved' || keepsPaid) return
      const left = listPaidCharges(last).filter(
        (charge) => getCanceledCents(charge) < getPaidCents(charge),
      )
      await refundWholeOrder(client, left, (id) => deriveCallId(key.transactionId, `void ${id}`))
    },

    refund: (request) => refundCharge(client, orders.read, request),
    findRefund: (key) => findChargeRefund(background.read, key),
    readNotification: readOrderHints,
    testConnection: (now) => testPagarme(client, now),
    close: client.close,
  }
}

async function findOutcome(orders: OrderClient, key: ChargeKey, now: Date): Promise<ChargeOutcome> {
  try {
    const order = await orders.find(key, now)
    return order ? await endLeftPage(orders, order, key, now) : { status: 'unknown' }
  } catch (error) {
    return toUnreadableOutcome(error, key)
  }
}

/** Closes the page when its time is over, so that it cannot be paid any more. */
async function endLeftPage(orders: OrderClient, order: PagarmeOrder, key: ChargeKey, now: Date) {
  const outcome = toOrderOutcome(order, key, now)
  const isOver = outcome.status === 'awaiting_payer' && outcome.expiresAt <= now.toISOString()
  if (!isOver) return outcome
  const last = toOrderOutcome(await orders.close(order, key), key, now)
  return last.status === 'canceled' ? outcome : last
}
