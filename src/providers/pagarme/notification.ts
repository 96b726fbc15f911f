// Reads which order a webhook of Pagar.me is about. It bears no signature that is documented: that it comes to an address
// which nobody guesses is all, and it is a hint as any other.
import { toRecord } from '../../http/fields.ts'
import { parseJson } from '../call.ts'
import type { Notification, NotificationReading } from '../notification.ts'

const ORDER_ID_PATTERN = /^or_\w{8,60}$/

/** Of an order's event the order itself, of a charge's its order. */
export function readOrderHints({ body }: Notification): NotificationReading {
  const data = toRecord(toRecord(parseJson(body.toString())).data)
  const ids = [data.id, toRecord(data.order).id, data.order_id]
  const references = ids.filter(
    (id): id is string => typeof id === 'string' && ORDER_ID_PATTERN.test(id),
  )
  const distinct = [...new Set(references)]
  return { kind: 'read', hints: distinct.map((reference) => ({ kind: 'reference', reference })) }
}
