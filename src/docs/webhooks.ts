// The webhooks of the document: the requests that an endpoint receives, with their headers.

import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { isUuid } from '../database/id.ts'
import { describeField } from '../http/fields.ts'
import { EVENT_TEXT_NAMES } from '../payment-links/plain-texts.ts'
import { PaymentLink } from '../payment-links/schema.ts'
import { SendingTarget } from '../payment-links/sending/schema.ts'
import { buildRecord } from '../record.ts'
import { Dispute } from '../transactions/disputes/schema.ts'
import { IncomingPayment } from '../transactions/incoming/schema.ts'
import { Refund } from '../transactions/refunds/schema.ts'
import { TransactionResource } from '../transactions/schema.ts'
import { buildSampleData } from '../transactions/simulation/sample-event.ts'
import { UnmatchedPayment } from '../transactions/unmatched/schema.ts'
import { Event, EventWithDeliveries } from '../webhooks/events/schema.ts'
import { webhookTexts } from '../webhooks/texts.ts'
import { buildParameters, type SchemaWriter } from './json-schemas.ts'

const EventLink = PaymentLink.pick({
  id: true,
  slug: true,
  title: true,
  amountCents: true,
})
  .extend(buildRecord(EVENT_TEXT_NAMES, (name) => PaymentLink.shape[name]))
  .extend({
    tags: PaymentLink.shape.tags
      .optional()
      .describe('Ficam de fora de corpos que passariam de 20 kB.'),
    metadata: PaymentLink.shape.metadata
      .optional()
      .describe('Fica de fora de corpos que passariam de 20 kB.'),
  })
  .meta({ id: 'EventPaymentLink', description: 'O que um evento diz do link.' })

const transaction = { transaction: TransactionResource, paymentLink: EventLink }
const unmatched = { incomingPayment: UnmatchedPayment }
const returned = {
  refund: Refund,
  returnedCents: z
    .int()
    .optional()
    .describe(
      'Quanto este evento diz que voltou, em centavos: da venda ou do excedente, cada um com o seu. Eventos de antes de 28/11/2026 não o têm.',
    ),
}

const EVENT_NOTES: Record<EventType, { description: string; data: z.ZodRawShape }> = {
  'transaction.approved': {
    description: 'O pagador pagou. Libere o pedido neste evento, e não na volta do navegador.',
    data: transaction,
  },
  'transaction.created': {
    description:
      'O pagador escolheu como pagar. Um Pix já tem `pix.txid`, para o documento fiscal que o nomeia antes de pago; `pix.brCode` pode vir depois. Só existe enquanto um endpoint o pede.',
    data: transaction,
  },
  'transaction.declined': {
    description: 'O pagador pode já ter tentado de novo: use `declineCode` só para entender.',
    data: transaction,
  },
  'transaction.expired': {
    description: 'O código Pix não foi pago a tempo. Ainda pode ser aprovado depois (`paidLate`).',
    data: transaction,
  },
  'transaction.held': {
    description:
      'Entrou outro valor (`holdReason`), ou o que entrou não pôde ser lido (`unreadable`). É aprovado quando o resto entra pelo mesmo código Pix, ou quando pode ser lido; até lá, não entregue. Vem de novo a cada Pix que ainda não completa o valor, quando o banco devolve uma parte do que entrou, e quando uma contestação que o tinha levado acaba ganha. Com `status` `declined`, um cartão recusado foi cobrado e o provedor não o devolveu: devolva-o. Se, depois que tudo voltou, entra de novo menos que o preço, vem outra vez, e `status` passa de `canceled` a `expired`.',
    data: transaction,
  },
  'transaction.canceled': {
    description:
      'O banco retirou a cobrança sem pagamento, ou o que estava retido voltou por inteiro, por devolução ou contestação: nunca contou.',
    data: transaction,
  },
  'transaction.overpaid': {
    description:
      'A venda vale; `incomingPayment.surplusCents` é o que este Pix, ou esta cobrança do cartão, trouxe além dela, em geral porque o mesmo código ou a mesma página foi paga duas vezes. Devolva-o com `incomingPaymentId`.',
    data: { ...transaction, incomingPayment: IncomingPayment },
  },
  'transaction.surplus_refunded': {
    description: 'O que passou da venda voltou ao pagador. A venda continua como está.',
    data: { ...transaction, ...returned, incomingPayment: IncomingPayment },
  },
  'transaction.refunded': {
    description:
      'O dinheiro voltou ao pagador: todo ou em parte, veja `refundedCents`. Um para cada Pix de que saiu, cada um com a sua parte em `refund` e em `returnedCents`.',
    data: { ...transaction, ...returned },
  },
  'transaction.refund_failed': {
    description:
      'O provedor não fez a devolução, às vezes dias depois de aceitá-la como `pending`: nada voltou, e o valor pode ser devolvido de novo. `refund.failureReason` diz por quê. Se ela aparece feita depois, vem `transaction.refunded`.',
    data: { ...transaction, refund: Refund },
  },
  'transaction.charged_back': {
    description:
      'Contestações perdidas tomaram tudo o que restava do pagamento: um Pix (MED) ou um cartão.',
    data: transaction,
  },
  'dispute.opened': {
    description:
      'O pagador contesta o pagamento com um banco. O valor não pode ser devolvido enquanto isso; mande provas no provedor até `respondBy`, se houver.',
    data: { ...transaction, dispute: Dispute },
  },
  'dispute.closed': {
    description:
      'Foi ganha ou perdida: veja `dispute.status` e `chargedBackCents` do pagamento. É contada de novo se o resultado ou o valor perdido mudar.',
    data: { ...transaction, dispute: Dispute },
  },
  'incoming_payment.unmatched': {
    description:
      'Entrou um Pix que não é de nenhuma cobrança: case-o com um pagamento (`POST /incoming-payments/{id}/match`) ou devolva-o.',
    data: unmatched,
  },
  'incoming_payment.matched': {
    description:
      'Foi casado com `transaction`, que é então aprovada, ou retida, com o evento dela; os dois valem o mesmo dinheiro.',
    data: { ...unmatched, ...transaction },
  },
  'incoming_payment.refunded': {
    description:
      'Voltou a quem o mandou, por você ou pelo banco: veja `incomingPayment.refundedCents`.',
    data: unmatched,
  },
  'payment_link.completed': {
    description: 'Os pagamentos aprovados chegaram a `maxPayments`: não aceita mais nenhum.',
    data: { paymentLink: EventLink },
  },
  'payment_link.expired': {
    description: 'O `expiresAt` passou: não aceita mais pagamentos.',
    data: { paymentLink: EventLink },
  },
  'payment_link.sent': {
    description: 'O link foi enviado por e-mail; `recipient` diz a quem.',
    data: { paymentLink: EventLink, recipient: SendingTarget },
  },
  'payment_link.reminded': {
    description:
      'Era hora de lembrar quem deve pagar (`remindEveryDays`): um evento para cada um. Com `mailed` `false`, nenhum e-mail saiu, porque o cliente não tem um que sirva ou o servidor não envia e-mails: lembre-o você, por WhatsApp, se quiser. Quem pediu para parar não tem evento.',
    data: { paymentLink: EventLink, recipient: SendingTarget },
  },
}

/** Returns `TransactionChargedBackEvent` for `transaction.charged_back`. */
function nameEvent(type: EventType) {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const DeliveryHeaders = z.object({
  'webhook-id': describeField(
    z.string(),
    'O id do evento: o mesmo em toda tentativa. Não faça nada duas vezes para um id.',
    '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  ),
  'webhook-timestamp': describeField(
    z.string(),
    'Quando esta tentativa foi feita, em segundos Unix.',
    '1795269909',
  ),
  'webhook-signature': describeField(
    z.string(),
    '`v1,` e o HMAC-SHA256 em base64 de `id.timestamp.corpo` com o segredo do endpoint. Dois, separados por espaço, enquanto um segredo é trocado.',
    'v1,XjDuJx4uc7vv1suUbFbZMQDjCGTMq2EQDV1wHT8NS2g=',
  ),
})

/** Builds an event as the API lists it. */
function buildStored(type: EventType) {
  const { description, data } = EVENT_NOTES[type]
  return Event.extend({
    type: z.literal(type).describe('O que aconteceu.'),
    data: z.object(data).describe('O que se conta.'),
  }).meta({ id: `Stored${nameEvent(type)}`, description })
}

/** Builds an event as a webhook has it, without the time of recording. */
function buildBody(type: EventType) {
  const { description } = EVENT_NOTES[type]
  return buildStored(type)
    .omit({ createdAt: true })
    .meta({ id: nameEvent(type), description })
}

/**
 * The components of events as they are listed. `Event` is a choice by `type`, so that a generated client knows the data
 * of each type; the schema of the routes leaves the data open, since they answer what was stored.
 */
export const EVENT_SCHEMAS = {
  Event: z.xor(EVENT_TYPES.map(buildStored)).meta({
    description: 'O que os webhooks disseram; `type` diz qual é.',
    discriminator: {
      propertyName: 'type',
      mapping: buildRecord(EVENT_TYPES, (type) => `#/components/schemas/Stored${nameEvent(type)}`),
    },
  }),
  EventWithDeliveries: Event.and(EventWithDeliveries.pick({ deliveries: true })).describe(
    'Um evento, e o que foi dele.',
  ),
}

export function buildWebhooks(write: SchemaWriter) {
  const { headers } = write({ headers: DeliveryHeaders }, 'input')
  const parameters = buildParameters('header', headers)
  const bodies = write(buildRecord(EVENT_TYPES, buildBody), 'output')
  return buildRecord(EVENT_TYPES, (type) => ({
    post: {
      operationId: `receive${nameEvent(type)}`,
      summary: webhookTexts.events[type][0],
      description: EVENT_NOTES[type].description,
      tags: ['Webhooks'],
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bodies[type], example: buildExample(type) } },
      },
      responses: RESPONSES,
    },
  }))
}

const RESPONSES = {
  '2XX': { description: 'Recebido. Responda em até 15 segundos, antes de trabalhar.' },
  '410': { description: 'Não é mais desejado: o endpoint é desativado.' },
  '4XX': {
    description: 'Qualquer outra coisa é tentada de novo, nove vezes em cerca de três dias.',
  },
}

const EXAMPLE_ID = '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'
const EXAMPLE_TIME = new Date('2026-11-21T14:05:09.120Z')

/** All examples have one id, so that every process writes the same document. */
function buildExample(type: EventType) {
  const data = buildSampleData(type, {
    checkoutUrl: 'https://loja.com.br/pagar',
    now: EXAMPLE_TIME,
  })
  const body = { id: EXAMPLE_ID, type, timestamp: EXAMPLE_TIME, testMode: true, data }
  const text = JSON.stringify(body, (_key, value) => (isUuid(value) ? EXAMPLE_ID : value))
  const example: unknown = JSON.parse(text)
  return example
}
