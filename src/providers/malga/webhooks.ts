// Registers our webhooks at Malga, one for each event, and reads the keys that sign them.
import { v4 } from 'uuid'
import type { JsonClient } from '../json-client.ts'
import { Webhook, WebhookList } from './schema.ts'

/** The documented events of a charge. */
const CHARGE_EVENTS = ['authorized', 'failed', 'canceled', 'voided', 'charged_back']
/** Events that only some accounts accept. */
const MORE_EVENTS = ['dispute', 'dispute_closed', 'refund_pending', 'revert_void']

/** A payer's notification waits for the answer. */
const LIST_LIMIT_MS = 3_000

/** Creates the webhooks that are missing at this address; the company's other webhooks stay. */
export async function registerMalgaWebhooks(client: JsonClient, notifyUrl: string) {
  const known = (await listWebhooks(client))
    .filter(({ endpoint, status }) => endpoint === notifyUrl && status !== false)
    .map(({ event }) => event)
  for (const name of [...CHARGE_EVENTS, ...MORE_EVENTS]) {
    const event = `transaction.${name}`
    if (known.includes(event)) continue
    const body = { event, endpoint: notifyUrl, version: 1.1, status: true }
    const { status } = await client.send('POST', '/v1/webhooks', body, v4())
    if (status >= 300 && (status >= 500 || CHARGE_EVENTS.includes(name))) {
      throw new Error(`Malga did not register ${event}: ${status}`)
    }
  }
}

export async function listWebhooks(client: JsonClient) {
  const { status, body } = await client.get('/v1/webhooks', { limit: '100' }, LIST_LIMIT_MS)
  if (status !== 200) throw new Error(`Malga could not list its webhooks: ${status}`)
  return WebhookList.parse(Array.isArray(body) ? { items: body } : body).items
}

/** Reads the keys from the list of webhooks, or else from each webhook. */
export async function fetchSignatureKeys(client: JsonClient): Promise<string[]> {
  const webhooks = await listWebhooks(client)
  const asked = webhooks.filter(({ publicKey }) => !publicKey).slice(0, MAX_ASKED)
  const more = await Promise.all(asked.map(({ id }) => (id ? readWebhookKey(client, id) : null)))
  const keys = [...webhooks.map(({ publicKey }) => publicKey), ...more]
  return [...new Set(keys.filter((key): key is string => typeof key === 'string'))]
}

const MAX_ASKED = 20

async function readWebhookKey(client: JsonClient, id: string) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const { status, body } = await client.get(path, undefined, LIST_LIMIT_MS)
  const read = status === 200 ? Webhook.safeParse(body).data : undefined
  return read?.publicKey ?? null
}
