// Reads which order a notification of Mercado Pago is about, and checks its signature. Even a signed notification is
// only a hint: the order itself is then read.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { toRecord } from '../../http/fields.ts'
import { parseJson } from '../call.ts'
import type { Notification, NotificationReading } from '../notification.ts'

/** Seconds in the documentation, milliseconds in some deliveries. */
const TIME_PATTERN = /^\d{10,13}$/
/** Its signed address names the case, and its body the order of the case. */
const CHARGEBACK_TOPIC = 'topic_chargebacks_wh'
const ORDER_ID_PATTERN = /^[\w-]{8,64}$/

/**
 * Accepts a signature of any age: a notification that is repeated for days may have its first signature, and is still
 * useful after an outage. A notification that is about no order has no hints.
 */
export function readOrderHints(notification: Notification, secret: string): NotificationReading {
  const kind = hasValidSignature(notification, secret) ? 'read' : 'forged'
  const id = readOrderId(notification)
  const isOrder = ORDER_ID_PATTERN.test(id)
  return { kind, hints: isOrder ? [{ kind: 'reference', reference: id }] : [] }
}

/** Empty when the notification is about no order. */
function readOrderId({ query, body: sent }: Notification) {
  const body = toRecord(parseJson(sent.toString()))
  const { id } = toRecord(body.data)
  const named = typeof id === 'string' ? id : ''
  const topic = query.type ?? query.topic ?? body.type
  if (topic === CHARGEBACK_TOPIC) return body.type === 'order' ? named : ''
  if (topic !== 'order') return ''
  const queryId = query['data.id'] ?? ''
  // The address may have the id in lower case; the body has the original.
  return named && (!queryId || equalsIgnoringCase(named, queryId)) ? named : queryId
}

/** HMAC-SHA256 over id, request id and time, as far as they exist; the id as received or in lower case. */
function hasValidSignature({ headers, query }: Notification, secret: string) {
  const parts = new Map(
    String(headers['x-signature'] ?? '')
      .split(',')
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.trim().split('=', 2)
        return [name, value]
      }),
  )
  const ts = parts.get('ts') ?? ''
  const signature = parts.get('v1') ?? ''
  if (!TIME_PATTERN.test(ts) || !/^[0-9a-f]{64}$/i.test(signature)) return false

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
