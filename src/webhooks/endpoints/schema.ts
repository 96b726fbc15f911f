import { z } from 'zod'
import { buildFieldRule, echoedField, instantField } from '../../http/fields.ts'
import { texts } from '../../texts.ts'
import { eventTypeField } from '../schema.ts'

const MAX_OVERLAP_HOURS = 168
export const DEFAULT_OVERLAP_HOURS = 24

const endpointUrlField = z
  .string()
  .max(2048, texts.urls.too_long)
  .meta({
    format: 'uri',
    description: 'A public https address.',
    examples: ['https://loja.com.br/webhooks'],
  })

const subscriptionField = z
  .array(eventTypeField)
  .min(1)
  .refine(
    (list) => new Set(list).size === list.length,
    buildFieldRule('repeated', texts.fields.repeated),
  )

const headersField = z.record(z.string(), z.string()).meta({
  description:
    'Headers of your own on each delivery, such as what your gateway asks for: up to 10, values of up to 500 visible characters. The values are not readable again. All that there are; `{}` for none.',
  examples: [{ 'X-Gateway-Key': 'abc123' }],
})

const echoedEndpointFields = {
  id: echoedField,
  testMode: echoedField,
  headerNames: echoedField,
  disabledAt: echoedField,
  rotatingUntil: echoedField,
  createdAt: echoedField,
}

export const WebhookEndpoint = z
  .object({
    id: z.uuid(),
    url: endpointUrlField,
    events: z.array(eventTypeField),
    headerNames: z.array(z.string()).meta({
      description: 'The names of your own headers on each delivery.',
      examples: [['X-Gateway-Key']],
    }),
    disabled: z.boolean().meta({ description: 'Deliveries wait until it is enabled again.' }),
    disabledAt: instantField.nullable(),
    rotatingUntil: instantField
      .nullable()
      .meta({ description: 'Until when the secret before this one signs too.' }),
    testMode: z.boolean(),
    createdAt: instantField,
  })
  .meta({ id: 'WebhookEndpoint' })

export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

const secretField = z.string().meta({
  description: 'Signs what is sent. Shown only now.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: secretField }).meta({
  id: 'WebhookEndpointWithSecret',
})

export const NewWebhookEndpoint = z
  .strictObject({
    url: endpointUrlField,
    events: subscriptionField
      .optional()
      .meta({ description: 'Default: `transaction.approved` alone.' }),
    headers: headersField.optional(),
    ...echoedEndpointFields,
  })
  .meta({ id: 'NewWebhookEndpoint', examples: [{ url: 'https://loja.com.br/webhooks' }] })

export const WebhookEndpointChanges = z
  .strictObject({
    url: endpointUrlField.optional(),
    events: subscriptionField.optional(),
    disabled: z.boolean().optional(),
    headers: headersField.optional(),
    ...echoedEndpointFields,
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
  .object({ secret: secretField, rotatingUntil: instantField.nullable() })
  .meta({ id: 'RotatedSecret' })
