import { z } from 'zod'
import { DELIVERY_OUTCOMES, DELIVERY_STATUSES } from '../../database/enums.ts'
import { instantField, instantFilterField } from '../../http/fields.ts'
import { eventTypeField } from '../schema.ts'

export const Event = z
  .object({
    id: z.uuid().meta({ description: 'The `webhook-id` of each of its deliveries.' }),
    type: eventTypeField,
    timestamp: instantField,
    testMode: z
      .boolean()
      .meta({ description: 'Whether it is of the test environment, where no money moves.' }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What was sent, as it stood then.' }),
    createdAt: instantField,
  })
  .meta({ id: 'Event', description: 'What webhooks said.' })

export type Event = z.output<typeof Event>

export const Delivery = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    url: z.string().meta({ format: 'uri', examples: ['https://loja.com.br/webhooks'] }),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    outcome: z
      .enum(DELIVERY_OUTCOMES)
      .nullable()
      .meta({ description: 'Of the last attempt. `null` before the first has ended.' }),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: "The receiver's last HTTP status.", examples: [200] }),
    nextAttemptAt: instantField
      .nullable()
      .meta({ description: '`null` once it is delivered or given up.' }),
    deliveredAt: instantField.nullable(),
  })
  .meta({ id: 'Delivery', description: 'What became of an event at one endpoint.' })

export type Delivery = z.output<typeof Delivery>

export const EventWithDeliveries = Event.extend({ deliveries: z.array(Delivery) }).meta({
  id: 'EventWithDeliveries',
})

export const EventFilters = z.strictObject({
  type: eventTypeField.optional(),
  transactionId: z.uuid().toLowerCase().optional(),
  paymentLinkId: z.uuid().toLowerCase().optional(),
  createdFrom: instantFilterField.optional(),
  createdTo: instantFilterField.optional(),
})

export type EventFilters = z.output<typeof EventFilters>
