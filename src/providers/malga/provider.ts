// Cards through Malga, which passes them on to the acquirer that a company already has: tokens from Malga's own fields,
// 3-D Secure always, our own installments.

import { createJsonClient } from '../json-client.ts'
import { toUnreadableOutcome } from '../named-charges.ts'
import { openSignatureKeys } from '../notification.ts'
import {
  type CardApproval,
  type Charge,
  type ChargeKey,
  type Provider,
  ProviderDown,
} from '../provider.ts'
import type { LoggedCallNeeds } from '../transport.ts'
import { createClientToken, setUpCard } from './card-fields.ts'
import { createChargeClient } from './charges.ts'
import { getMalgaUrl, type MalgaConfig } from './config.ts'
import { testMalga } from './connection-test.ts'
import { isListedDecline, toDecline } from './decline-codes.ts'
import { isSignedBy, parseSignatureKey, readChargeHints } from './notification.ts'
import { addPaidCharges, findAcquirerError, getPaidCents, toChargeOutcome } from './outcome.ts'
import { findChargeRefund, refundCharge } from './refunds.ts'
import { FIELD_NAMES, type MalgaCharge } from './schema.ts'
import { fetchSignatureKeys, registerMalgaWebhooks } from './webhooks.ts'

export function createMalgaProvider(config: MalgaConfig, needs: LoggedCallNeeds): Provider {
  const { clientId, apiKey, test } = config
  const headers = { 'x-client-id': clientId, 'x-api-key': apiKey }
  const address = { provider: 'Malga', baseUrl: getMalgaUrl(config), fieldNames: FIELD_NAMES }
  const client = createJsonClient({ ...address, headers }, needs)
  const charges = createChargeClient(client, config)
  const background = createChargeClient(client.background, config)
  const keys = openSignatureKeys({
    async fetchKeys() {
      const pems = await fetchSignatureKeys(client.background)
      return pems.map(parseSignatureKey).filter((key) => key !== undefined)
    },
    verify: isSignedBy,
    now: needs.now,
  })

  return {
    name: 'malga',
    testMode: test,
    cardFields: { publicKey: clientId },
    openCardFields: async () => ({ key: await createClientToken(client), isTest: test }),
    setUpCard: (token) => setUpCard(client, token, needs.log),

    async charge(charge, now) {
      if (charge.method !== 'credit_card') throw new ProviderDown('Malga takes cards alone here')
      const { transactionId } = charge
      const made = await charges.make(charge, now)
      if ('id' in made) return readOutcome(assertOwnCharge(made, charge), charge, now)
      const { problem, declinedCode } = made
      needs.log.warn({ transactionId, problem }, 'Malga made no charge')
      return toDecline({ reference: null, reason: declinedCode, unlisted: 'provider_error' })
    },

    async find(key, now, lane) {
      const asked = lane === 'background' ? background : charges
      try {
        const charge = await asked.find(key, now)
        if (!charge) return { status: 'unknown' }
        const outcome = await readOutcome(charge, key, now)
        const isCard = outcome.status === 'approved' && !outcome.received
        return isCard && lane === 'background' ? await addOthers(outcome, key, now) : outcome
      } catch (error) {
        return toUnreadableOutcome(error, key)
      }
    },

    cancel: (key, now, options) => charges.giveUp(key, now, options),
    refund: (request) => refundCharge(client, charges, request),
    findRefund: (key) => findChargeRefund(background, key),
    readNotification: (notification) => readChargeHints(notification, keys),
    testConnection: () => testMalga(client, config),

    async registerNotifications(notifyUrl) {
      await registerMalgaWebhooks(client, notifyUrl)
      return { kind: 'registered' }
    },

    close: client.close,
  }

  /** Adds other charges of the payment. A payer does not wait for them. */
  async function addOthers(outcome: CardApproval, { transactionId }: ChargeKey, now: Date) {
    try {
      return addPaidCharges(outcome, await background.listAll(transactionId), now)
    } catch (err) {
      needs.log.warn({ err, transactionId }, 'Malga did not list the charges of a payment')
      return outcome
    }
  }

  /** Reads the outcome from a charge, with its card. An unknown reason for a decline is logged. */
  async function readOutcome(charge: MalgaCharge, asked: Charge | ChargeKey, now: Date) {
    const reason = findAcquirerError(charge)?.declinedCode
    if (charge.status === 'failed' && reason && !isListedDecline(reason)) {
      const { transactionId } = asked
      needs.log.warn({ transactionId, reason }, 'Malga refused a card for an unknown reason')
    }
    const outcome = toChargeOutcome(charge, asked, now)
    if (outcome.status !== 'approved' && outcome.status !== 'declined') return outcome
    const card = await background.readCard(charge).catch(() => undefined)
    return card ? { ...outcome, card } : outcome
  }
}

/** Throws for another payment's charge, or for another amount. */
function assertOwnCharge(charge: MalgaCharge, { transactionId, totalCents }: Charge) {
  const isOwn = charge.orderId?.toLowerCase() === transactionId
  if (isOwn && getPaidCents(charge) === totalCents) return charge
  throw new Error(`Charge ${charge.id} of Malga is not what was asked for ${transactionId}`)
}
