import { z } from 'zod'
import { DELIVERY_OUTCOMES, DELIVERY_STATUSES, EVENT_TYPES } from '../../database/enums.ts'
import { echoed, instant, instantFilter, invalid } from '../../http/fields.ts'
import { texts } from '../../texts.ts'

const MAX_OVERLAP_HOURS = 168
export const DEFAULT_OVERLAP_HOURS = 24

const eventType = z.enum(EVENT_TYPES).meta({ examples: ['transaction.approved'] })

export const Event = z
  .object({
    id: z.uuid().meta({ description: 'The `webhook-id` of each of its deliveries.' }),
    type: eventType,
    timestamp: instant,
    testMode: z.boolean().meta({ description: 'Whether no money moved.' }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What was sent, as it stood then.' }),
    createdAt: instant,
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
    nextAttemptAt: instant
      .nullable()
      .meta({ description: '`null` once it is delivered or given up.' }),
    deliveredAt: instant.nullable(),
  })
  .meta({ id: 'Delivery', description: 'What became of an event at one endpoint.' })

export type Delivery = z.output<typeof Delivery>

export const EventWithDeliveries = Event.extend({ deliveries: z.array(Delivery) }).meta({
  id: 'EventWithDeliveries',
})

export const EventFilters = z.strictObject({
  type: eventType.optional(),
  transactionId: z.uuid().toLowerCase().optional(),
  paymentLinkId: z.uuid().toLowerCase().optional(),
  createdFrom: instantFilter.optional(),
  createdTo: instantFilter.optional(),
})

export type EventFilters = z.output<typeof EventFilters>

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

const url = z
  .string()
  .max(2048, texts.urls.too_long)
  .meta({
    format: 'uri',
    description: 'A public https address.',
    examples: ['https://loja.com.br/webhooks'],
  })

const subscription = z
  .array(eventType)
  .min(1)
  .refine((list) => new Set(list).size === list.length, invalid('repeated', texts.fields.repeated))

const echoes = { id: echoed, disabledAt: echoed, rotatingUntil: echoed, createdAt: echoed }

export const WebhookEndpoint = z
  .object({
    id: z.uuid(),
    url,
    events: z.array(eventType),
    disabled: z.boolean().meta({ description: 'Deliveries wait until it is enabled again.' }),
    disabledAt: instant.nullable(),
    rotatingUntil: instant
      .nullable()
      .meta({ description: 'Until when the secret before this one signs too.' }),
    createdAt: instant,
  })
  .meta({ id: 'WebhookEndpoint' })

export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

const secret = z.string().meta({
  description: 'Signs what is sent. Shown only now.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret }).meta({
  id: 'WebhookEndpointWithSecret',
})

export const NewWebhookEndpoint = z
  .strictObject({
    url,
    events: subscription.optional().meta({ description: 'Default: `transaction.approved` alone.' }),
    ...echoes,
  })
  .meta({ id: 'NewWebhookEndpoint', examples: [{ url: 'https://loja.com.br/webhooks' }] })

export const WebhookEndpointChanges = z
  .strictObject({
    url: url.optional(),
    events: subscription.optional(),
    disabled: z.boolean().optional(),
    ...echoes,
  })
  .meta({ id: 'WebhookEndpointChanges', examples: [{ disabled: true }] })

export const Rotation = z
  .strictObject({
    overlapHours: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .default(DEFAULT_OVERLAP_HOURS)
      .meta({ description: 'For so long the secret before signs too.' }),
  })
  .nullish()
  .meta({ id: 'Rotation', examples: [{ overlapHours: 24 }] })

export const RotatedSecret = z
  .object({ secret, rotatingUntil: instant.nullable() })
  .meta({ id: 'RotatedSecret' })

export const TestEvent = z
  .strictObject({ type: eventType.default('transaction.approved') })
  .nullish()
  .meta({ id: 'TestEvent', examples: [{ type: 'transaction.approved' }] })

export const SentTestEvent = z.object({ eventId: z.uuid() }).meta({ id: 'SentTestEvent' })
