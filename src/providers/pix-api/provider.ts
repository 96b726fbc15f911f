// Any Brazilian bank through Banco Central's API Pix 2.x. Charges have our txid and refunds our id, so that nothing is
// done twice; after a notification the bank is asked before anything is changed.

import { isRecord } from '../../http/fields.ts'
import type { Hint, Notification, NotificationReading } from '../notification.ts'
import { type Provider, ProviderDown } from '../provider.ts'
import type { CallNeeds } from '../transport.ts'
import { cancelCharge, createCharge, findCharge } from './charges.ts'
import { createBankClient } from './client.ts'
import { findInstitution, type PixApiConfig, toBankSettings } from './config.ts'
import { testBankConnection } from './connection-test.ts'
import { listAccountPix } from './list.ts'
import { findPixRefund, refundPix } from './refunds.ts'
import { readBankAnswer } from './responses.ts'
import { findWebhookTarget, registerWebhook } from './webhook.ts'

const MAX_NOTIFIED = 100
const MAX_NOTIFIED_DEPTH = 6
const ANY_TXID_PATTERN = /^[A-Za-z0-9]{1,35}$/
const END_TO_END_ID_PATTERN = /^E[A-Za-z0-9]{31}$/i

/** Keeps its token and its connections, so it is opened once for an account, and must be closed. */
export function createPixApiProvider(config: PixApiConfig, needs: CallNeeds): Provider {
  const bank = createBankClient(toBankSettings(config), needs)
  const { background } = bank
  return {
    name: 'pix-api',
    testMode: config.test,
    institution: findInstitution(config),

    async charge(charge, now) {
      if (charge.method !== 'pix') throw new ProviderDown('A bank takes no cards by Pix')
      return createCharge(bank, charge, now)
    },

    find: (key, now, lane) => findCharge(lane === 'background' ? background : bank, key, now),
    list: (window, now) => listAccountPix(background, window, now),
    cancel: (key, now, options) => cancelCharge(bank, key, now, options),
    refund: (request) => refundPix(bank, request),
    findRefund: (key) => findPixRefund(background, key),
    readNotification: readPixHints,
    testConnection: (now) => testBankConnection(bank, now),

    registerNotifications: (notifyUrl, options) => registerWebhook(bank, notifyUrl, options),
    findRegistration: (notifyUrl) => findWebhookTarget(background, notifyUrl),
    close: () => bank.close(),
  }
}

/** Banks do not sign: only those who know the address can send here, and the content is only a hint. */
function readPixHints({ body }: Notification): NotificationReading {
  const hints = listNotifiedPix(readBankAnswer(body.toString()))
    .slice(0, MAX_NOTIFIED)
    .flatMap(toHint)
  return { kind: 'read', hints: [...new Map(hints.map((hint) => [hint.id, hint.hint])).values()] }
}

/** Lists notified Pix in `pix`, in a list of another name, or alone. */
function listNotifiedPix(value: unknown, depth = 0): Record<string, unknown>[] {
  if (!isRecord(value) || depth > MAX_NOTIFIED_DEPTH) return []
  if (value.txid !== undefined || value.endToEndId !== undefined) return [value]
  const inner = value.pix === undefined ? Object.values(value) : [value.pix]
  return inner.flatMap((one) => listNotifiedPix(one, depth + 1))
}

/** Uses the end-to-end id when no charge is named, as for some returned payments. */
function toHint({ txid, endToEndId }: Record<string, unknown>): { id: string; hint: Hint }[] {
  if (typeof txid === 'string' && ANY_TXID_PATTERN.test(txid)) {
    return [{ id: txid, hint: { kind: 'txid', txid } }]
  }
  const isNamed = txid === undefined && typeof endToEndId === 'string'
  if (!isNamed || !END_TO_END_ID_PATTERN.test(endToEndId)) return []
  return [{ id: endToEndId, hint: { kind: 'endToEndId', endToEndId } }]
}
