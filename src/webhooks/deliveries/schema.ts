import { z } from 'zod'
import { instantFilterField } from '../../http/fields.ts'
import { eventTypeField } from '../schema.ts'

export const Redelivery = z
  .strictObject({
    endpointId: z.uuid().toLowerCase().optional().meta({
      description: 'Only to this one, also if it never had the event. Default: all that had it.',
    }),
  })
  .nullish()
  .meta({ id: 'Redelivery', examples: [{}] })

export const PeriodRedelivery = z
  .strictObject({
    createdFrom: instantFilterField.meta({ description: 'At most 30 days ago.' }),
    createdTo: instantFilterField.optional().meta({ description: 'Default: now.' }),
    type: eventTypeField.optional().meta({ description: 'Events of this type. Default: of any.' }),
    endpointId: z.uuid().toLowerCase().optional().meta({
      description:
        'Only to this one, also what it never had; without `type` what it subscribes to. Default: all that had them.',
    }),
  })
  .meta({
    id: 'PeriodRedelivery',
    examples: [{ createdFrom: '2026-11-21T00:00:00-03:00', type: 'transaction.approved' }],
  })

export const Redelivered = z
  .object({ deliveries: z.int().meta({ description: 'How many are due now.', examples: [1] }) })
  .meta({ id: 'Redelivered' })

export const TestEvent = z
  .strictObject({ type: eventTypeField.default('transaction.approved') })
  .nullish()
  .meta({ id: 'TestEvent', examples: [{ type: 'transaction.approved' }] })

export const SentTestEvent = z.object({ eventId: z.uuid() }).meta({ id: 'SentTestEvent' })
