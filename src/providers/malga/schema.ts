// The schemas of Malga's answers, as far as they are read. Accepted notations: ../answers.ts.
import { z } from 'zod'
import { listOf, reportedCents, reportedId, reportedInstant } from '../answers.ts'

/** The fields that are read, as the documentation and the SDKs spell them. */
export const FIELD_NAMES = [
  ...['id', 'items', 'status', 'orderId', 'amount', 'originalAmount', 'createdAt', 'updatedAt'],
  ...['isDispute', 'transactionRequests', 'requestType', 'requestStatus', 'idempotencyKey'],
  ...['providerError', 'declinedCode', 'networkDeniedReason', 'threeDSecure2', 'threeDSecure'],
  ...['authData', 'response', 'stepUrl', 'token', 'url', 'md', 'paReq', 'termUrl', 'eci', 'flow'],
  ...['error', 'type', 'message', 'details', 'event', 'endpoint', 'publicKey', 'collectUrl'],
  ...['object', 'data', 'providers', 'paymentSource', 'card', 'cardId', 'brand', 'last4digits'],
  'cardHolderName',
]

const MAX_CENTS = 1_000_000_000_000

const cents = reportedCents.refine((value) => value >= 0 && value <= MAX_CENTS)
const text = z.string().max(8_192)
const word = text.transform((value) => value.toLowerCase())
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/** One call of Malga to an acquirer, with its purpose and its result. */
export const AcquirerCall = z.object({
  id: reportedId,
  requestType: optional(word),
  requestStatus: optional(word),
  amount: optional(cents),
  idempotencyKey: optional(text),
  createdAt: optional(reportedInstant),
  updatedAt: optional(reportedInstant),
  providerError: optional(
    z.object({
      declinedCode: optional(word),
      networkDeniedReason: optional(text),
      message: optional(text),
    }),
  ),
})

/** The bank's page for 3-D Secure. The names of the fields depend on the acquirer that authenticates the card. */
const BankStep = z.object({
  stepUrl: optional(text),
  token: optional(text),
  url: optional(text),
  md: optional(text),
  paReq: optional(text),
  termUrl: optional(text),
  eci: optional(text),
})

export const MalgaCard = z.object({
  brand: optional(text),
  last4digits: optional(reportedId),
  cardHolderName: optional(text),
})

export const MalgaCharge = z.object({
  id: reportedId,
  status: word,
  orderId: optional(text),
  /** What is left after refunds. */
  amount: cents,
  /** What was paid. */
  originalAmount: cents.nullish(),
  createdAt: optional(reportedInstant),
  updatedAt: optional(reportedInstant),
  isDispute: optional(z.boolean()),
  transactionRequests: listOf(AcquirerCall),
  threeDSecure2: optional(
    z.object({
      eci: optional(text),
      authData: optional(z.object({ eci: optional(text), response: optional(BankStep) })),
    }),
  ),
  threeDSecure: optional(z.object({ eci: optional(text), flow: optional(word) })),
  /** Malga turns a charged token into a card. */
  paymentSource: optional(z.object({ cardId: optional(reportedId), card: optional(MalgaCard) })),
})

/** Each charge is read by itself, so that an unreadable charge hides no other. */
export const ChargeList = z.object({ items: z.array(z.unknown()).max(1_000) })

export const Setup = z.object({
  id: text,
  token: optional(text),
  collectUrl: optional(text),
})

export const ClientToken = z.object({ publicKey: text })

export const Webhook = z.object({
  id: optional(text),
  event: optional(text),
  endpoint: optional(text),
  /** Also false when Malga has turned the webhook off, because it was not answered for days. */
  status: optional(z.boolean()),
  publicKey: optional(text),
})
export const WebhookList = z.object({ items: z.array(Webhook).max(1_000) })

/** `{error: {type, declinedCode, message}}`; some answers have `declined_code`. */
export const MalgaError = z.object({
  error: z.object({
    type: optional(word),
    declinedCode: optional(word),
    message: optional(z.unknown()),
    details: optional(z.unknown()),
  }),
})

export type MalgaCard = z.output<typeof MalgaCard>
export type MalgaCharge = z.output<typeof MalgaCharge>
export type AcquirerCall = z.output<typeof AcquirerCall>
