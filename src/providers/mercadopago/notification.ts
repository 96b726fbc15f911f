// What Mercado Pago's notifications are about, once their signature is found to be its own. Even then
// they are a hint and no more: the order itself tells.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import { parseJson } from '../json.ts'
import type { Hint, Notification } from '../provider.ts'

const SIGNATURE_TOLERANCE_MS = 5 * MINUTE_MS
/** Seconds in the documentation, milliseconds in some deliveries: 1e11 s would be the year 5138. */
const MILLISECONDS_FROM = 1e11

/** Null when the signature is not Mercado Pago's, or too old; none when it is about no order. */
export function readOrderHints(
  notification: Notification,
  secret: string,
  now: Date,
): Hint[] | null {
  const { query } = notification
  if (!hasValidSignature(notification, secret, now)) return null
  const body = toRecord(parseJson(notification.body.toString()))
  const topic = query.type ?? query.topic ?? body.type
  const queryId = query['data.id'] ?? ''
  // The address may carry the id in lower case; the body has it as it is.
  const whole = toRecord(body.data).id
  const id =
    typeof whole === 'string' && (!queryId || equalsIgnoringCase(whole, queryId)) ? whole : queryId
  return topic === 'order' && /^[\w-]{8,64}$/.test(id) ? [{ reference: id }] : []
}

/** HMAC-SHA256 over what is there of id, request id and time; the id as it came or in lower case. */
function hasValidSignature({ headers, query }: Notification, secret: string, now: Date) {
  const parts = new Map(
    String(headers['x-signature'] ?? '')
      .split(',')
      .map((part) => part.trim().split('=', 2) as [string, string]),
  )
  const ts = parts.get('ts') ?? ''
  const signature = parts.get('v1') ?? ''
  if (!/^\d{10,13}$/.test(ts) || !/^[0-9a-f]{64}$/i.test(signature)) return false
  const at = Number(ts) * (Number(ts) < MILLISECONDS_FROM ? 1000 : 1)
  if (Math.abs(now.getTime() - at) > SIGNATURE_TOLERANCE_MS) return false

  const id = query['data.id']
  const requestId = headers['x-request-id']
  const given = Buffer.from(signature, 'hex')
  return [id, id?.toLowerCase()].some((one) => {
    const manifest = [one && `id:${one};`, requestId && `request-id:${requestId};`, `ts:${ts};`]
    const digest = createHmac('sha256', secret).update(manifest.filter(Boolean).join('')).digest()
    return timingSafeEqual(digest, given)
  })
}

function equalsIgnoringCase(one: string, other: string) {
  return one.toLowerCase() === other.toLowerCase()
}
