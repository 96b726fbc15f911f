// How events look to a company in the API's answers.
import type { EventDeliveryRow, EventRow } from './log.ts'
import type { Delivery, Event } from './schema.ts'

/** The very body that was sent; its id alone where it is from before bodies carried theirs. */
export function serializeEvent({ id, body, createdAt }: EventRow): Event {
  const sent: Omit<Event, 'id' | 'createdAt'> = JSON.parse(body)
  return { id, ...sent, createdAt }
}

export function serializeDelivery({ dueAt, ...row }: EventDeliveryRow): Delivery {
  return { ...row, nextAttemptAt: dueAt }
}
