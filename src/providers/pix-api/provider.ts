// Any Brazilian bank through Banco Central's API Pix 2.x. A charge is known by our txid and a refund by
// our id, so that nothing is done twice; a notification is believed only after the bank was asked.

import { toRecord } from '../../http/fields.ts'
import { parseJson } from '../call.ts'
import type { Notification, NotificationReading } from '../notification.ts'
import { type Provider, ProviderDown } from '../provider.ts'
import { cancelCharge, createCharge, findCharge } from './charges.ts'
import { type BankNeeds, createBankClient } from './client.ts'
import { type PixApiConfig, toBankSettings } from './config.ts'
import { testBankConnection } from './connection-test.ts'
import { findPixRefund, refundPix } from './refunds.ts'
import { findWebhookTarget, registerWebhook } from './webhook.ts'

const MAX_NOTIFIED_TXIDS = 100
const ANY_TXID_PATTERN = /^[A-Za-z0-9]{1,35}$/

/** Keeps its token and its connections: to be opened once for an account, and closed. */
export function createPixApiProvider(config: PixApiConfig, needs: BankNeeds): Provider {
  const bank = createBankClient(toBankSettings(config), needs)
  return {
    name: 'pix-api',
    testMode: config.test,

    async charge(charge, now) {
      if (charge.method !== 'pix') throw new ProviderDown('A bank takes no cards by Pix')
      return createCharge(bank, charge, now)
    },

    find: (key, now) => findCharge(bank, key, now),
    cancel: (key, now) => cancelCharge(bank, key, now),
    refund: (request) => refundPix(bank, request),
    findRefund: (key) => findPixRefund(bank, key),
    readNotification: readPixHints,
    testConnection: (now) => testBankConnection(bank, now),

    registerNotifications: (notifyUrl, options) => registerWebhook(bank, notifyUrl, options),
    findRegistration: (notifyUrl) => findWebhookTarget(bank, notifyUrl),
    close: () => bank.close(),
  }
}

/** Banks sign nothing: only who knows the address can come here, and what they say is a hint. */
function readPixHints({ body }: Notification): NotificationReading {
  const txids = parsePixList(body)
    .slice(0, MAX_NOTIFIED_TXIDS)
    .map((pix) => toRecord(pix).txid)
    .filter((txid) => typeof txid === 'string')
    .filter((txid) => ANY_TXID_PATTERN.test(txid))
  return { kind: 'read', hints: [...new Set(txids)].map((txid) => ({ kind: 'txid', txid })) }
}

function parsePixList(body: Buffer): unknown[] {
  const { pix } = toRecord(parseJson(body.toString()))
  return Array.isArray(pix) ? pix : []
}
