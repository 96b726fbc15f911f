import { z } from 'zod'
import { eventTypeField } from '../schema.ts'

export const Redelivery = z
  .strictObject({
    endpointId: z.uuid().toLowerCase().optional().meta({
      description: 'Only to this one, also if it never had the event. Default: all that had it.',
    }),
  })
  .nullish()
  .meta({ id: 'Redelivery', examples: [{}] })

export const Redelivered = z
  .object({ deliveries: z.int().meta({ description: 'How many are due now.', examples: [1] }) })
  .meta({ id: 'Redelivered' })

export const TestEvent = z
  .strictObject({ type: eventTypeField.default('transaction.approved') })
  .nullish()
  .meta({ id: 'TestEvent', examples: [{ type: 'transaction.approved' }] })

export const SentTestEvent = z.object({ eventId: z.uuid() }).meta({ id: 'SentTestEvent' })
