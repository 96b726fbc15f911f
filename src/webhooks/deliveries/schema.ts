import { z } from 'zod'
import { defaultField, instantFilterField, optionalField } from '../../http/fields.ts'
import { eventTypeField } from '../schema.ts'

export const Redelivery = z
  .strictObject({
    endpointId: optionalField(z.uuid().toLowerCase()).describe(
      'Só a este, mesmo que nunca tenha recebido o evento. Sem ele, a todos os que o receberam.',
    ),
  })
  .nullish()
  .meta({ id: 'Redelivery', examples: [{}] })

export const PeriodRedelivery = z
  .strictObject({
    createdFrom: instantFilterField.describe('No máximo 30 dias atrás.'),
    createdTo: optionalField(instantFilterField).describe('Sem ele, agora.'),
    type: optionalField(eventTypeField).describe('Só os eventos deste tipo. Sem ele, de todos.'),
    endpointId: optionalField(z.uuid().toLowerCase()).describe(
      'Só a este, também o que ele nunca recebeu; sem `type`, o que ele assina. Sem ele, a todos os que os receberam.',
    ),
  })
  .meta({
    id: 'PeriodRedelivery',
    examples: [{ createdFrom: '2026-11-21T00:00:00-03:00', type: 'transaction.approved' }],
  })

export const Redelivered = z
  .object({ deliveries: z.int().meta({ description: 'Quantas saem agora.', examples: [1] }) })
  .meta({ id: 'Redelivered' })

export const TestEvent = z
  .strictObject({ type: defaultField(eventTypeField, 'transaction.approved') })
  .nullish()
  .meta({ id: 'TestEvent', examples: [{ type: 'transaction.approved' }] })

export const SentTestEvent = z
  .object({ eventId: z.uuid().describe('O evento criado.') })
  .meta({ id: 'SentTestEvent' })
