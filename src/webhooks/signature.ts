// Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, so that none of the three can be replaced, and an old
// delivery cannot be sent again as a new one.
import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const WEBHOOK_SECRET_BYTES = 32

/** Returns `whsec_` and 32 bytes from a CSPRNG in standard base64; libraries refuse the URL-safe variant. */
export function newWebhookSecret() {
  return SECRET_PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')
}

/**
 * Builds the headers of one attempt. During a rotation all secrets sign, the current one first: a receiver accepts a
 * message if one of the signatures is correct.
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
