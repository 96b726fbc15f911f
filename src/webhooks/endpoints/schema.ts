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

const echoedEndpointFields = {
  id: echoedField,
  testMode: echoedField,
  disabledAt: echoedField,
  rotatingUntil: echoedField,
  createdAt: echoedField,
}

export const WebhookEndpoint = z
  .object({
    id: z.uuid(),
    url: endpointUrlField,
    events: z.array(eventTypeField),
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
    ...echoedEndpointFields,
  })
  .meta({ id: 'NewWebhookEndpoint', examples: [{ url: 'https://loja.com.br/webhooks' }] })

export const WebhookEndpointChanges = z
  .strictObject({
    url: endpointUrlField.optional(),
    events: subscriptionField.optional(),
    disabled: z.boolean().optional(),
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
