// Mercado Pago's Orders API: Pix, and cards tokenised in its own fields, always with 3-D Secure.

import { z } from 'zod'
import { equalsIgnoringCase } from '../answers.ts'
import { createJsonClient } from '../json-client.ts'
import { toUnreadableOutcome } from '../named-charges.ts'
import {
  type Charge,
  type ChargeKey,
  type ChargeOutcome,
  LIABILITY_SHIFTS,
  type Provider,
  ProviderDown,
} from '../provider.ts'
import type { LoggedCallNeeds } from '../transport.ts'
import { fillDisputeCases } from './chargebacks.ts'
import { isTestKey, testMercadoPago } from './connection-test.ts'
import { isListedDecline, toDecline } from './decline-codes.ts'
import { createQuoteFetcher } from './installments.ts'
import { listMercadoPagoCharges } from './list.ts'
import { readOrderHints } from './notification.ts'
import { getFailureDetail, getOrderPayment, toOrderOutcome } from './order.ts'
import { createOrderClient } from './orders.ts'
import { fillPayout } from './payout.ts'
import { findOrderRefund, refundOrder } from './refunds.ts'
import { FIELD_NAMES, type Order } from './schema.ts'
import { mercadoPagoTexts } from './texts.ts'

const KEY_PATTERN = /^(TEST|APP_USR)-[\w-]{8,250}$/

export const MERCADO_PAGO_URL = 'https://api.mercadopago.com'

export const mercadoPagoConfig = z.strictObject({
  accessToken: z.string().trim().regex(KEY_PATTERN, mercadoPagoTexts.key),
  publicKey: z.string().trim().regex(KEY_PATTERN, mercadoPagoTexts.key),
  /** "Assinatura secreta" of the webhooks in Suas integrações. */
  webhookSecret: z.string().trim().min(8).max(256),
  /** Whether cards are approved only when their bank bears fraud. 3-D Secure is requested in both cases. */
  liabilityShift: z.enum(LIABILITY_SHIFTS).default('required'),
  /** The keys belong to a test user, although they look like production keys. */
  test: z.boolean().default(false),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .default(MERCADO_PAGO_URL),
})

type MercadoPagoConfig = z.output<typeof mercadoPagoConfig>

export function createMercadoPagoProvider(
  config: MercadoPagoConfig,
  needs: LoggedCallNeeds,
): Provider {
  const { accessToken, publicKey, webhookSecret } = config
  const baseUrl = config.baseUrl.replace(/\/$/, '')
  const headers = { authorization: `Bearer ${accessToken}` }
  const address = { provider: 'Mercado Pago', baseUrl, headers, fieldNames: FIELD_NAMES }
  const client = createJsonClient(address, needs)
  const orders = createOrderClient(client, config)
  const lanes = {
    payer: { asked: orders, line: client },
    background: { asked: createOrderClient(client.background, config), line: client.background },
  }

  return {
    name: 'mercadopago',
    testMode: config.test || isTestKey(accessToken),
    cardFields: { publicKey },
    institution: {
      cnpj: '10573521000191',
      name: 'Mercado Pago Instituição de Pagamento Ltda.',
    },

    async charge(charge, now) {
      const { transactionId } = charge
      const made = await orders.make(charge, now)
      if ('id' in made) {
        const outcome = readOutcome(assertOwnOrder(made, charge), charge, now)
        return withRequestedExpiry(outcome, charge)
      }
      needs.log.warn({ transactionId, ...made }, 'Mercado Pago made no order')
      if (charge.method === 'pix') throw new ProviderDown(`Mercado Pago refused: ${made.problem}`)
      return toDecline(null, made.problem, 'provider_error')
    },

    async find(key, now, lane) {
      const { asked, line } = lanes[lane ?? 'payer']
      try {
        const order = await asked.find(key, now)
        if (!order) return { status: 'unknown' }
        const outcome = readOutcome(order, key, now)
        if (isChallengeOver(outcome, now)) {
          return readOutcome(await asked.giveUp(order, key), key, now)
        }
        if (outcome.status !== 'approved') return outcome
        const filled = await fillDisputeCases(line, order, outcome)
        return await fillPayout(line, key.transactionId, filled)
      } catch (error) {
        return toUnreadableOutcome(error, key)
      }
    },

    async cancel(key, now, { keepsPaid = false } = {}) {
      const order = await orders.find(key, now)
      if (!order) return
      const waits = ['pending', 'awaiting_authentication', 'processing']
      const waiting = waits.includes(toOrderOutcome(order, key, now).status)
      const last = waiting ? await orders.giveUp(order, key) : order
      const { status } = toOrderOutcome(last, key, now)
      if (status === 'approved' && !keepsPaid) await orders.giveAllBack(last, key)
      else if (waits.includes(status)) throw new Error(`Order ${order.id} cannot be canceled yet`)
    },

    refund: (request) => refundOrder(client, orders.read, request),
    findRefund: (key) => findOrderRefund(lanes.background.asked.read, key),
    readNotification: (notification) => readOrderHints(notification, webhookSecret),
    list: (window, now) => listMercadoPagoCharges(client.background, window, now),
    quotes: createQuoteFetcher(client),
    testConnection: (now) => testMercadoPago(client, { accessToken, publicKey }, now),
    close: client.close,
  }

  /** Reads the outcome from an order. An unknown reason for a decline is logged. */
  function readOutcome(order: Order, charge: Charge | ChargeKey, now: Date) {
    const reason = getFailureDetail(order)
    if (reason !== undefined && !isListedDecline(reason)) {
      const { transactionId } = charge
      needs.log.warn({ transactionId, reason }, 'Mercado Pago refused a card for an unknown reason')
    }
    return toOrderOutcome(order, charge, now)
  }
}

/** Throws for another payment's order, or for another amount. */
function assertOwnOrder(order: Order, { transactionId, amountCents }: Charge) {
  const amount = getOrderPayment(order)?.amount ?? order.total_amount
  const isOwn = equalsIgnoringCase(order.external_reference, transactionId)
  if (isOwn && amount === amountCents) return order
  throw new Error(`Order ${order.id} of Mercado Pago is not what was asked for ${transactionId}`)
}

/** Keeps our own expiry, which may be earlier than Mercado Pago's shortest one. */
function withRequestedExpiry(outcome: ChargeOutcome, charge: Charge): ChargeOutcome {
  if (outcome.status !== 'pending' || charge.method !== 'pix') return outcome
  return { ...outcome, expiresAt: charge.expiresAt }
}

/** Mercado Pago leaves a challenge open for longer than a payer should wait. */
function isChallengeOver(outcome: ChargeOutcome, now: Date) {
  return outcome.status === 'awaiting_authentication' && outcome.expiresAt <= now.toISOString()
}
