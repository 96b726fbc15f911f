// Pix through Woovi (OpenPix), with an AppID in place of a bank's credentials and certificate. Charges and refunds have
// our ids, so that nothing is done twice; after a notification Woovi is asked before anything is changed.
import { openSignatureKeys } from '../notification.ts'
import { type Provider, ProviderDown } from '../provider.ts'
import type { CallNeeds } from '../transport.ts'
import { cancelOpenPixCharge, createOpenPixCharge, findOpenPixCharge } from './charges.ts'
import { createOpenPixClient } from './client.ts'
import { getOpenPixUrl, type OpenPixConfig } from './config.ts'
import { testOpenPix } from './connection-test.ts'
import { listWooviPix } from './list.ts'
import { readOpenPixHints } from './notification.ts'
import { fetchPublicKeys, getDocumentedKey, isSignedBy } from './public-keys.ts'
import { findOpenPixRefund, refundOpenPixCharge } from './refunds.ts'
import { registerOpenPixWebhooks } from './webhooks.ts'

const WOOVI = { cnpj: '54811417000163', name: 'Woovi Instituição de Pagamento Ltda.' }

/** Keeps its connections, so it is opened once for an account, and must be closed. */
export function createOpenPixProvider(config: OpenPixConfig, needs: CallNeeds): Provider {
  const { appId, test } = config
  const client = createOpenPixClient({ baseUrl: getOpenPixUrl(config), appId }, needs)
  const { background } = client
  const keys = openSignatureKeys({
    known: [getDocumentedKey({ test })],
    fetchKeys: () => fetchPublicKeys(background),
    verify: isSignedBy,
    now: needs.now,
  })

  return {
    name: 'openpix',
    testMode: test,
    institution: WOOVI,

    async charge(charge, now) {
      if (charge.method !== 'pix') throw new ProviderDown('Woovi takes no cards here')
      return createOpenPixCharge(client, charge, now)
    },

    find: (key, now, lane) =>
      findOpenPixCharge(lane === 'background' ? background : client, key, now),
    list: (window, now) => listWooviPix(background, window, now),
    cancel: (key, _now, options) => cancelOpenPixCharge(client, key, options),
    refund: (request) => refundOpenPixCharge(client, request),
    findRefund: (key) => findOpenPixRefund(background, key),
    readNotification: (notification) => readOpenPixHints(notification, keys),
    testConnection: (now) => testOpenPix(client, now),
    async registerNotifications(notifyUrl) {
      await registerOpenPixWebhooks(client, notifyUrl)
      return { kind: 'registered' }
    },
    close: client.close,
  }
}
