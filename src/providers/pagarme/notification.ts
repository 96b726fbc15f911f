// Reads which order a notification of Pagar.me is about. No signature is documented: only the secret address protects
// the notification, which is a hint like any other.
import { toRecord } from '../../http/fields.ts'
import { parseJson } from '../call.ts'
import type { Notification, NotificationReading } from '../notification.ts'

const ORDER_ID_PATTERN = /^or_\w{8,60}$/

/** An order's event names the order itself, and a charge's event names the order of the charge. */
export function readOrderHints({ body }: Notification): NotificationReading {
  const data = toRecord(toRecord(parseJson(body.toString())).data)
  const ids = [data.id, toRecord(data.order).id, data.order_id]
  const references = ids.filter(
    (id): id is string => typeof id === 'string' && ORDER_ID_PATTERN.test(id),
  )
  const distinct = [...new Set(references)]
  return { kind: 'read', hints: distinct.map((reference) => ({ kind: 'reference', reference })) }
}
