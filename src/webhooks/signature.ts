// Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, so that none of them can be swapped
// and an old delivery can't pass for a new one.
import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const WEBHOOK_SECRET_BYTES = 32

/** `whsec_` and 32 bytes from a CSPRNG in standard base64: libraries refuse the URL-safe one. */
export function newWebhookSecret() {
  return SECRET_PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')
}

/**
 * The headers of one attempt. While a secret is being rotated both sign, the current one first: a
 * receiver accepts the message when any of the signatures is the one that it expects.
 */
export function signWebhook(secrets: string[], id: string, timestamp: Date, body: string) {
  const seconds = Math.floor(timestamp.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
