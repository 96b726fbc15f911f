import { z } from 'zod'
import { EVENT_TYPES } from '../../database/enums.ts'
import {
  buildFieldRule,
  createdAtField,
  defaultField,
  describeField,
  echoedField,
  echoedNullableField,
  emptyListAsPairs,
  idField,
  instantField,
  optionalField,
  testModeField,
} from '../../http/fields.ts'
import { texts } from '../../texts.ts'

const MAX_OVERLAP_HOURS = 168
export const DEFAULT_OVERLAP_HOURS = 24

export const eventTypeField = z.enum(EVENT_TYPES).meta({ examples: ['transaction.approved'] })

const endpointUrlField = z
  .string()
  .max(2048, texts.urls.too_long)
  .meta({
    format: 'uri',
    description: 'Um endereço https público.',
    examples: ['https://loja.com.br/webhooks'],
  })

const subscriptionField = z
  .array(eventTypeField)
  .min(1)
  .refine(
    (list) => new Set(list).size === list.length,
    buildFieldRule('repeated', texts.fields.repeated),
  )

const headersField = z.preprocess(emptyListAsPairs, z.record(z.string(), z.string())).meta({
  description:
    'Cabeçalhos seus em cada entrega, por exemplo o que o seu gateway pede: até 10, com valores de até 500 caracteres visíveis. Os valores não podem ser lidos de novo. São todos os que há; `{}` para nenhum. Se a `url` muda para outra origem (protocolo, servidor ou porta), envie-os de novo junto com ela.',
  examples: [{ 'X-Gateway-Key': 'abc123' }],
})

export const echoedEndpointFields = {
  id: echoedField,
  testMode: echoedField,
  headerNames: echoedField,
  disabledAt: echoedNullableField,
  rotatingUntil: echoedNullableField,
  createdAt: echoedField,
  secret: echoedField,
}

const disabledField = z.boolean().describe('As entregas esperam até que seja reativado.')

export const WebhookEndpoint = z
  .object({
    id: idField,
    url: endpointUrlField,
    events: describeField(z.array(eventTypeField), 'Os tipos de evento enviados para lá.', [
      'transaction.approved',
    ]),
    headerNames: describeField(
      z.array(z.string()),
      'Os nomes dos seus cabeçalhos em cada entrega.',
      ['X-Gateway-Key'],
    ),
    disabled: disabledField,
    disabledAt: instantField.nullable().describe('Desde quando está desativado.'),
    rotatingUntil: instantField.nullable().describe('Até quando o segredo anterior também assina.'),
    testMode: testModeField,
    createdAt: createdAtField,
  })
  .meta({ id: 'WebhookEndpoint' })

export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

const secretField = z.string().meta({
  description: 'Assina o que é enviado. Só aparece agora.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: secretField }).meta({
  id: 'WebhookEndpointWithSecret',
})

export const NewWebhookEndpoint = z
  .strictObject({
    url: endpointUrlField,
    events: optionalField(subscriptionField).describe('Sem ele, só `transaction.approved`.'),
    disabled: defaultField(z.boolean(), false).describe(
      'Se nasce desativado. As entregas esperam até que seja reativado.',
    ),
    headers: optionalField(headersField),
    ...echoedEndpointFields,
  })
  .meta({ id: 'NewWebhookEndpoint', examples: [{ url: 'https://loja.com.br/webhooks' }] })

export const WebhookEndpointChanges = z
  .strictObject({
    url: endpointUrlField.optional(),
    events: optionalField(subscriptionField).describe('Os tipos de evento enviados para lá.'),
    disabled: optionalField(disabledField),
    headers: optionalField(headersField),
    ...echoedEndpointFields,
  })
  .meta({ id: 'WebhookEndpointChanges', examples: [{ disabled: true }] })

export const Rotation = z
  .strictObject({
    overlapHours: defaultField(
      z.int().min(0).max(MAX_OVERLAP_HOURS),
      DEFAULT_OVERLAP_HOURS,
    ).describe(
      'Por quantas horas os segredos anteriores também assinam; com 0 deixam de valer agora.',
    ),
  })
  .nullish()
  .meta({ id: 'Rotation', examples: [{ overlapHours: 24 }] })

export const RotatedSecret = z
  .object({ secret: secretField, rotatingUntil: WebhookEndpoint.shape.rotatingUntil })
  .meta({ id: 'RotatedSecret' })
