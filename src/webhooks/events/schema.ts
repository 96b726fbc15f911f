import { z } from 'zod'
import { DELIVERY_OUTCOMES, DELIVERY_STATUSES } from '../../database/enums.ts'
import {
  createdAtField,
  createdFromField,
  createdToField,
  describeField,
  idField,
  instantField,
  linkFilterField,
  testModeField,
} from '../../http/fields.ts'
import { eventTypeField } from '../endpoints/schema.ts'

export const Event = z
  .object({
    id: z.uuid().describe('O do evento, como em `webhook-id`.'),
    type: eventTypeField.describe('O que aconteceu.'),
    timestamp: instantField.describe('Quando aconteceu, não quando foi enviado.'),
    testMode: testModeField,
    data: z.record(z.string(), z.unknown()).describe('O que foi enviado, como estava então.'),
    createdAt: createdAtField,
  })
  .meta({ id: 'Event', description: 'O que os webhooks disseram.' })

export type Event = z.output<typeof Event>

export const Delivery = z
  .object({
    id: idField,
    endpointId: z.uuid().describe('O endpoint em questão.'),
    url: z.string().meta({
      description: 'Para onde foi enviado.',
      format: 'uri',
      examples: ['https://loja.com.br/webhooks'],
    }),
    status: describeField(
      z.enum(DELIVERY_STATUSES),
      'Em que situação está a entrega.',
      'delivered',
    ),
    attempts: describeField(z.int(), 'Quantas foram feitas.', 1),
    outcome: describeField(
      z.enum(DELIVERY_OUTCOMES).nullable(),
      'Da última tentativa. `null` antes de a primeira terminar.',
      'delivered',
    ),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'O último status HTTP de quem recebeu.', examples: [200] }),
    nextAttemptAt: instantField.nullable().describe('`null` depois de entregue ou abandonada.'),
    deliveredAt: describeField(
      instantField.nullable(),
      'Quando foi recebido.',
      '2026-11-21T14:05:09.120Z',
    ),
  })
  .meta({ id: 'Delivery', description: 'O que foi de um evento em um endpoint.' })

export type Delivery = z.output<typeof Delivery>

export const EventWithDeliveries = Event.extend({
  deliveries: z.array(Delivery).describe('Uma para cada endpoint que o recebeu.'),
}).meta({
  id: 'EventWithDeliveries',
})

export const EventFilters = z.strictObject({
  type: eventTypeField.optional().describe('O que aconteceu.'),
  transactionId: z.uuid().toLowerCase().optional().describe('O pagamento em questão.'),
  paymentLinkId: linkFilterField,
  createdFrom: createdFromField,
  createdTo: createdToField,
})

export type EventFilters = z.output<typeof EventFilters>
