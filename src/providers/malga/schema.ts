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
const told = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/** One call of Malga's to an acquirer: what it was for, and how it went. */
export const AcquirerCall = z.object({
  id: reportedId,
  requestType: told(word),
  requestStatus: told(word),
  amount: told(cents),
  idempotencyKey: told(text),
  createdAt: told(reportedInstant),
  updatedAt: told(reportedInstant),
  providerError: told(
    z.object({ declinedCode: told(word), networkDeniedReason: told(text), message: told(text) }),
  ),
})

/** By the acquirer that authenticated the card; each names what is to be posted to the bank as it likes. */
const BankStep = z.object({
  stepUrl: told(text),
  token: told(text),
  url: told(text),
  md: told(text),
  paReq: told(text),
  termUrl: told(text),
  eci: told(text),
})

export const MalgaCard = z.object({
  brand: told(text),
  last4digits: told(reportedId),
  cardHolderName: told(text),
})

export const MalgaCharge = z.object({
  id: reportedId,
  status: word,
  orderId: told(text),
  /** What is left of it after refunds. */
  amount: cents,
  /** What was paid. */
  originalAmount: cents.nullish(),
  createdAt: told(reportedInstant),
  updatedAt: told(reportedInstant),
  isDispute: told(z.boolean()),
  transactionRequests: listOf(AcquirerCall),
  threeDSecure2: told(
    z.object({
      eci: told(text),
      authData: told(z.object({ eci: told(text), response: told(BankStep) })),
    }),
  ),
  threeDSecure: told(z.object({ eci: told(text), flow: told(word) })),
  /** A token that was charged has become a card there. */
  paymentSource: told(z.object({ cardId: told(reportedId), card: told(MalgaCard) })),
})

/** Each charge is read by itself, so that one which can't be read hides no other. */
export const ChargeList = z.object({ items: z.array(z.unknown()).max(1_000) })

export const Setup = z.object({
  id: text,
  token: told(text),
  collectUrl: told(text),
})

export const ClientToken = z.object({ publicKey: text })

export const Webhook = z.object({
  id: told(text),
  event: told(text),
  endpoint: told(text),
  /** False too of one that Malga turned off after it was not answered for days. */
  status: told(z.boolean()),
  publicKey: told(text),
})
export const WebhookList = z.object({ items: z.array(Webhook).max(1_000) })

/** `{error: {type, declinedCode, message}}`, and the code as one word or as two. */
export const MalgaError = z.object({
  error: z.object({
    type: told(word),
    declinedCode: told(word),
    message: told(z.unknown()),
    details: told(z.unknown()),
  }),
})

export type MalgaCard = z.output<typeof MalgaCard>
export type MalgaCharge = z.output<typeof MalgaCharge>
export type AcquirerCall = z.output<typeof AcquirerCall>
