// Registers our webhooks at Woovi, one for each event.
import type { OpenPixClient } from './client.ts'
import { AnyResponse, WebhookList } from './responses.ts'

const WEBHOOK_NAME = 'Vintém'

/** The events that change the money received for a charge. */
const OPENPIX_EVENTS = [
  'OPENPIX:CHARGE_COMPLETED',
  'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER',
  'OPENPIX:TRANSACTION_RECEIVED',
  'OPENPIX:TRANSACTION_REFUND_RECEIVED',
  'PIX_TRANSACTION_REFUND_SENT_CONFIRMED',
  'PIX_TRANSACTION_REFUND_SENT_REJECTED',
  'OPENPIX:DISPUTE_CREATED',
  'OPENPIX:DISPUTE_ACCEPTED',
  'OPENPIX:DISPUTE_REJECTED',
  'OPENPIX:DISPUTE_CANCELED',
] as const

/** Creates the webhooks that are missing at this address; the company's other webhooks stay. */
export async function registerOpenPixWebhooks(client: OpenPixClient, notifyUrl: string) {
  const query = { url: notifyUrl }
  const { webhooks } = await client.call(WebhookList, { method: 'GET', path: '/webhook', query })
  const known = webhooks
    .filter(({ url, isActive }) => url === notifyUrl && isActive !== false)
    .map(({ event }) => event)
  for (const event of OPENPIX_EVENTS.filter((name) => !known.includes(name))) {
    const webhook = { name: WEBHOOK_NAME, event, url: notifyUrl, isActive: true }
    await client.call(AnyResponse, { method: 'POST', path: '/webhook', body: { webhook } })
  }
}
