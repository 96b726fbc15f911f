import { z } from 'zod'
import type { EventType } from '../../database/enums.ts'
import { defaultField, IdParams, instantFilterField, optionalField } from '../../http/fields.ts'
import type { Routes } from '../../http/zod.ts'
import { recordApiEndpointAct, type WebhookRouteNeeds } from '../endpoints/audit.ts'
import { findEndpoint } from '../endpoints/endpoint.ts'
import { eventTypeField } from '../endpoints/schema.ts'
import { sendTestEvent } from '../events/event.ts'
import { countResendable, resendDeliveries } from './resend.ts'

type DeliveryRouteNeeds = WebhookRouteNeeds & {
  /** Builds the data of an event of this type, about a sample payment. */
  buildSampleData: (
    type: EventType,
    options: { checkoutUrl: string; now: Date },
  ) => Record<string, unknown>
}

const params = IdParams

export const deliveryRoutes: Routes<DeliveryRouteNeeds> = async (app, needs) => {
  redeliveryRoutes(app, needs)
  testEventRoutes(app, needs)
}

type DeliveryApp = Parameters<Routes<DeliveryRouteNeeds>>[0]

function redeliveryRoutes(app: DeliveryApp, { db, now }: DeliveryRouteNeeds) {
  app.post(
    '/events/redeliver',
    {
      config: { resource: 'events' },
      schema: {
        summary: 'Enviar de novo os eventos de um período',
        description:
          'Se o seu sistema perdeu o que tinha recebido, ou para um endpoint que veio depois. Até 10.000 entregas por pedido; os ids não mudam, e o que já foi feito se reconhece pelo `webhook-id`. 409 `not_resendable` quando o endpoint de `endpointId` está desativado.',
        operationId: 'redeliverEvents',
        tags: ['Events'],
        body: PeriodRedelivery,
        response: { 202: Redelivered },
      },
    },
    async (request, reply) => {
      const { createdFrom, createdTo, type, endpointId } = request.body
      const at = now()
      const filter = {
        companyId: request.company.id,
        from: new Date(createdFrom),
        to: createdTo ? new Date(createdTo) : at,
        type,
        endpointId,
      }
      await countResendable(db, filter, at)
      const deliveries = await resendDeliveries(db, filter, at)
      reply.code(202)
      return { deliveries }
    },
  )

  app.post(
    '/events/:id/redeliver',
    {
      config: { resource: 'events' },
      schema: {
        summary: 'Enviar um evento de novo',
        description:
          'A todo endpoint ativo que o recebeu, ou a um só. Por 30 dias; depois, 409 `event_too_old`. 409 `not_resendable` quando o endpoint de `endpointId` está desativado, ou a entrega a ele em andamento.',
        operationId: 'redeliverEvent',
        tags: ['Events'],
        params,
        body: Redelivery,
        response: { 202: Redelivered },
      },
    },
    async (request, reply) => {
      const filter = {
        companyId: request.company.id,
        eventId: request.params.id,
        endpointId: request.body?.endpointId,
      }
      const deliveries = await resendDeliveries(db, filter, now())
      reply.code(202)
      return { deliveries }
    },
  )
}

function testEventRoutes(app: DeliveryApp, needs: DeliveryRouteNeeds) {
  const { db, checkoutUrl, buildSampleData } = needs
  app.post(
    '/webhook-endpoints/:id/test',
    {
      config: { resource: 'webhook-endpoints' },
      schema: {
        summary: 'Enviar um evento de teste a um endpoint do ambiente de teste',
        description:
          'Um evento como os de verdade, com `testMode` true, só a este endpoint; `Location` diz onde está. 409 `endpoint_disabled` quando ele está desativado, `test_environment_only` quando é do ambiente real.',
        operationId: 'testWebhookEndpoint',
        tags: ['Webhook endpoints'],
        params,
        body: TestEvent,
        response: { 202: SentTestEvent },
      },
    },
    async (request, reply) => {
      const { company, resourceId: eventId } = request
      const type = request.body?.type ?? 'transaction.approved'
      const at = request.requestedAt
      await sendTestEvent(db, {
        company,
        endpointId: request.params.id,
        id: eventId,
        type,
        data: buildSampleData(type, { checkoutUrl, now: at }),
        now: at,
      })
      const endpoint = await findEndpoint(db, company.id, request.params.id)
      const act = { action: 'test_event_sent', endpoint, details: { type } } as const
      await recordApiEndpointAct(needs, request, act)
      reply.code(202).header('location', `/api/events/${eventId}`)
      return { eventId }
    },
  )
}

const Redelivery = z
  .strictObject({
    endpointId: optionalField(z.uuid().toLowerCase()).describe(
      'Só a este, mesmo que nunca tenha recebido o evento. Sem ele, a todos os que o receberam.',
    ),
  })
  .nullish()
  .meta({ id: 'Redelivery', examples: [{}] })

const PeriodRedelivery = z
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

const Redelivered = z
  .object({ deliveries: z.int().meta({ description: 'Quantas saem agora.', examples: [1] }) })
  .meta({ id: 'Redelivered' })

const TestEvent = z
  .strictObject({ type: defaultField(eventTypeField, 'transaction.approved') })
  .nullish()
  .meta({ id: 'TestEvent', examples: [{ type: 'transaction.approved' }] })

const SentTestEvent = z
  .object({ eventId: z.uuid().describe('O evento criado.') })
  .meta({ id: 'SentTestEvent' })
