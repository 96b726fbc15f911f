// How events and endpoints look to a company in the API's answers.
import type { EndpointRow } from '../endpoints/endpoint.ts'
import type { DeliveryRow, EventRow } from './log.ts'
import type { Delivery, Event, WebhookEndpoint } from './schema.ts'

/** The very body that was sent, and the id that its headers named. */
export function eventToWire({ id, body, createdAt }: EventRow): Event {
  const sent: Omit<Event, 'id' | 'createdAt'> = JSON.parse(body)
  return { id, ...sent, createdAt }
}

export function deliveryToWire({ dueAt, ...row }: DeliveryRow): Delivery {
  return { ...row, nextAttemptAt: dueAt }
}

export function endpointToWire({ rotatingUntil, ...row }: EndpointRow, now: Date): WebhookEndpoint {
  const rotating = rotatingUntil !== null && rotatingUntil > now.toISOString()
  return {
    ...row,
    disabled: row.disabledAt !== null,
    rotatingUntil: rotating ? rotatingUntil : null,
  }
}
