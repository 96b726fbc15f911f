// Mercado Pago's Orders API: Pix, and cards tokenised in its own fields with 3-D Secure always.

import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { type Charge, type Outcome, type Provider, ProviderDown } from '../provider.ts'
import { type LineNeeds, mercadoPagoClient } from './client.ts'
import { isTestKey, testMercadoPago } from './connection-test.ts'
import { refusalOf } from './decline-codes.ts'
import { mercadoPagoQuotes } from './installments.ts'
import { readOrderHints } from './notification.ts'
import { type Order, outcomeOf, paymentOf } from './order.ts'
import { mercadoPagoOrders } from './orders.ts'
import { findGivenBack, giveBack } from './refunds.ts'
import { mercadoPagoTexts } from './texts.ts'

const KEY = /^(TEST|APP_USR)-[\w-]{8,250}$/

export const mercadoPagoConfig = z.strictObject({
  accessToken: z.string().trim().regex(KEY, mercadoPagoTexts.key),
  publicKey: z.string().trim().regex(KEY, mercadoPagoTexts.key),
  /** "Assinatura secreta" of the webhooks in Suas integrações. */
  webhookSecret: z.string().trim().min(8).max(256),
  /** The keys are a test user's, though they look like production's. */
  test: z.boolean().default(false),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .default('https://api.mercadopago.com'),
})

/** The fields that are never shown again. */
export const mercadoPagoSecrets = ['accessToken', 'webhookSecret'] as const

export type MercadoPagoConfig = z.output<typeof mercadoPagoConfig>

type Needs = LineNeeds & { log: FastifyBaseLogger }

export function mercadoPagoProvider(config: MercadoPagoConfig, needs: Needs): Provider {
  const { accessToken, publicKey, webhookSecret } = config
  const baseUrl = config.baseUrl.replace(/\/$/, '')
  const client = mercadoPagoClient({ baseUrl, accessToken }, needs)
  const orders = mercadoPagoOrders(client)

  return {
    name: 'mercadopago',
    testMode: config.test || isTestKey(accessToken),
    cardFields: { publicKey },

    async charge(charge, now) {
      const { transactionId } = charge
      const made = await orders.make(charge, now)
      if ('id' in made) return chargedOf(outcomeOf(checked(made, charge), charge, now), charge)
      needs.log.warn({ transactionId, ...made }, 'Mercado Pago made no order')
      if (charge.method === 'pix') throw new ProviderDown(`Mercado Pago refused: ${made.problem}`)
      return refusalOf(null, made.problem, 'provider_error')
    },

    async find(key, now) {
      const order = await orders.find(key, now)
      if (!order) return { status: 'unknown' }
      const outcome = outcomeOf(order, key, now)
      return isOver(outcome, now) ? outcomeOf(await orders.giveUp(order, key), key, now) : outcome
    },

    async cancel(key, now) {
      const order = await orders.find(key, now)
      if (!order) return
      const waits = ['pending', 'awaiting_authentication', 'processing']
      const waiting = waits.includes(outcomeOf(order, key, now).status)
      const last = waiting ? await orders.giveUp(order, key) : order
      const { status } = outcomeOf(last, key, now)
      if (status === 'approved') await orders.giveAllBack(last, key)
      else if (waits.includes(status)) throw new Error(`Order ${order.id} cannot be canceled yet`)
    },

    refund: (request) => giveBack(client, orders.read, request),
    findRefund: (key) => findGivenBack(orders.read, key),
    readNotification: (notification, now) => readOrderHints(notification, webhookSecret, now),
    quotes: mercadoPagoQuotes(client),
    testConnection: (now) => testMercadoPago(client, { accessToken, publicKey }, now),
    close: client.close,
  }
}

/** Never another's order, nor another amount, in the place of what we asked for. */
function checked(order: Order, { transactionId, amountCents }: Charge) {
  const amount = paymentOf(order)?.amount ?? order.total_amount
  if (order.external_reference === transactionId && amount === amountCents) return order
  throw new Error(`Order ${order.id} of Mercado Pago is not what was asked for ${transactionId}`)
}

/** The payer is told our own expiry, which may be sooner than Mercado Pago's soonest. */
function chargedOf(outcome: Outcome, charge: Charge): Outcome {
  if (outcome.status !== 'pending' || charge.method !== 'pix') return outcome
  return { ...outcome, expiresAt: charge.expiresAt }
}

/** Mercado Pago leaves a challenge open for longer than a payer is asked to wait. */
function isOver(outcome: Outcome, now: Date) {
  return outcome.status === 'awaiting_authentication' && outcome.expiresAt <= now.toISOString()
}
