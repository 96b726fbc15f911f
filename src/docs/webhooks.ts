// The webhooks of the document: what arrives at an endpoint of the company, and with which headers.

import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { isRecord, toRecord } from '../http/fields.ts'
import type { OpenApiDocument, Parameter, PathItem } from '../http/openapi/types.ts'
import { texts } from '../texts.ts'
import { Dispute } from '../transactions/disputes/schema.ts'
import { IncomingPayment } from '../transactions/incoming/schema.ts'
import { Refund } from '../transactions/refunds/schema.ts'
import { TransactionResource } from '../transactions/schema.ts'

const EventLink = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ examples: ['k7Pm3XwQzt'] }),
    title: z.string().meta({ examples: ['Bolo de cenoura'] }),
    amountCents: z.int().meta({ description: 'Price in cents.', examples: [1990] }),
    tags: z.array(z.string()).meta({ examples: [['balcao']] }),
    externalReference: z
      .string()
      .nullable()
      .meta({ examples: ['pedido-1042'] }),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Left out of bodies that would pass 20 kB.', examples: [{}] }),
  })
  .meta({ id: 'EventPaymentLink', description: 'What an event tells of the link.' })

const envelope = <Type extends EventType>(type: Type) => ({
  type: z.literal(type),
  timestamp: z.iso
    .datetime({ precision: 3 })
    .meta({ description: 'When it happened, not when it was sent.' }),
  testMode: z
    .boolean()
    .meta({ description: 'Whether it is of the test environment, where no money moves.' }),
})

const transaction = { transaction: TransactionResource, paymentLink: EventLink }

const TELLS: Record<EventType, { summary: string; description: string; data: z.ZodRawShape }> = {
  'transaction.approved': {
    summary: 'A payment was approved',
    description:
      'The payer has paid. Deliver what was bought on this event, and not on the return of the browser.',
    data: transaction,
  },
  'transaction.declined': {
    summary: 'A payment was declined',
    description: 'The payer may have tried again since: look at `declineCode` only to understand.',
    data: transaction,
  },
  'transaction.expired': {
    summary: 'A payment expired',
    description: 'The Pix code was not paid in time. It may yet be approved late (`paidLate`).',
    data: transaction,
  },
  'transaction.held': {
    summary: 'A payment is held',
    description:
      'Another amount than ours came in (`holdReason`). It is approved when the rest comes by the same Pix code; until then do not deliver. Told again with each Pix that still leaves it short, and where a dispute that had taken it is won after all.',
    data: transaction,
  },
  'transaction.canceled': {
    summary: 'A payment was canceled',
    description:
      'The bank removed its charge unpaid, or what was held went back whole, by refunds or disputes: it never counted.',
    data: transaction,
  },
  'transaction.overpaid': {
    summary: 'More came in than was asked for',
    description:
      'The sale stands; `incomingPayment.surplusCents` is what this Pix brought beyond it, often by paying the same code twice. Give it back by a refund with `incomingPaymentId`.',
    data: { ...transaction, incomingPayment: IncomingPayment },
  },
  'transaction.surplus_refunded': {
    summary: 'A surplus went back',
    description: 'Money beyond the sale went back to the payer. The sale stays as it is.',
    data: { ...transaction, refund: Refund, incomingPayment: IncomingPayment },
  },
  'transaction.refunded': {
    summary: 'A refund succeeded',
    description:
      'Money went back to the payer: all of it or a part, see `refundedCents`. One for each Pix that it was taken of.',
    data: { ...transaction, refund: Refund },
  },
  'transaction.charged_back': {
    summary: 'A payment was charged back',
    description:
      'Disputes that were lost have taken all that was left of the payment: a Pix (MED) or a card.',
    data: transaction,
  },
  'dispute.opened': {
    summary: 'A dispute was opened',
    description:
      'The payer contests the payment with a bank. Its amount cannot be refunded meanwhile; send evidence at the provider by `respondBy`, where there is one.',
    data: { ...transaction, dispute: Dispute },
  },
  'dispute.closed': {
    summary: 'A dispute was closed',
    description:
      'It was won or lost: see `dispute.status`, and `chargedBackCents` of the payment. Told again should it be turned around.',
    data: { ...transaction, dispute: Dispute },
  },
  'payment_link.completed': {
    summary: 'A link was completed',
    description: 'Approved payments reached `maxPayments`: it takes no more.',
    data: { paymentLink: EventLink },
  },
  'payment_link.expired': {
    summary: 'A link expired',
    description: 'Its `expiresAt` has passed: it takes no more payments.',
    data: { paymentLink: EventLink },
  },
}

/** `transaction.charged_back` → `TransactionChargedBackEvent` */
function nameOf(type: EventType) {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const HEADERS = [
  header(
    'webhook-id',
    'The id of the event: the same on every attempt. Do nothing twice for one id.',
    '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17',
  ),
  header('webhook-timestamp', 'When this attempt was made, in Unix seconds.', '1795269909'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the secret of the endpoint. Two, separated by a space, while a secret is being rotated.',
    'v1,IQQ41pSP7qrIhiH83GP2gfyLer/4VgvlrVEYiR3Kd+Y=',
  ),
]

/** Named, so that the document holds them. */
export const EVENT_BODIES = EVENT_TYPES.map((type) => ({
  type,
  name: nameOf(type),
  body: z
    .object({ ...envelope(type), data: z.object(TELLS[type].data) })
    .meta({ id: nameOf(type), description: TELLS[type].description }),
}))

/** Every event, as the request that brings it. */
export function webhooksOf(): Record<string, PathItem> {
  return Object.fromEntries(
    EVENT_BODIES.map(({ type, name }) => [type, { post: operationOf(type, name) }]),
  )
}

function operationOf(type: EventType, name: string) {
  const { summary, description } = TELLS[type]
  return {
    operationId: `receive${name}`,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
    responses: {
      '2XX': { description: 'Received. Answer within 15 seconds, before you work.' },
      '410': { description: 'No longer wanted: the endpoint is disabled.' },
      '4XX': { description: 'Anything else is tried again, ten times in about three days.' },
    },
  }
}

/** What the payment of each event's example has come to. */
const CAME_TO: Partial<Record<EventType, Partial<TransactionResource>>> = {
  'transaction.declined': {
    status: 'declined',
    declineCode: 'insufficient_funds',
    declineMessage: texts.declines.insufficient_funds,
    approvedAt: null,
  },
  'transaction.expired': { status: 'expired', method: 'pix', ...withoutCard(), approvedAt: null },
  'transaction.held': { status: 'pending', method: 'pix', ...withoutCard(), approvedAt: null },
  'transaction.canceled': { status: 'canceled', method: 'pix', ...withoutCard(), approvedAt: null },
  'transaction.overpaid': { method: 'pix', ...withoutCard() },
  'transaction.surplus_refunded': { method: 'pix', ...withoutCard() },
  'transaction.refunded': { status: 'partially_refunded', refundedCents: 500 },
  'transaction.charged_back': { status: 'charged_back', chargedBackCents: 1990 },
}

function withoutCard() {
  const code = { txid: 'PL7978c0c97ea847e78e8849630', endToEndId: null, brCode: '00020101021226…' }
  return { card: null, threeDs: null, pix: { ...code, expiresAt: '2026-11-21T14:35:09.120Z' } }
}

/** In place: an example of a payment that was declined shows one. */
export function suitExamples({ webhooks }: Pick<OpenApiDocument, 'webhooks'>) {
  for (const type of EVENT_TYPES) {
    const media = webhooks[type]?.post?.requestBody?.content['application/json']
    const { transaction } = toRecord(toRecord(media?.example).data)
    if (isRecord(transaction)) Object.assign(transaction, CAME_TO[type])
  }
}
