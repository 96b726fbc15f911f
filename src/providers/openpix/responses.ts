// Schemas of Woovi's answers. Its API description and its documentation differ on some types, so numbers may arrive as
// text.
import { z } from 'zod'
import {
  listOf,
  parseAnswer,
  readAnswer,
  reportedCents,
  reportedInstant,
  reportedStatus,
} from '../answers.ts'

const MAX_CENTS = 1_000_000_000_000

/** The fields that are read, as Woovi's description spells them. */
const FIELD_NAMES = [
  ...[
    'charge',
    'charges',
    'transactions',
    'refund',
    'refunds',
    'pixTransactionRefund',
    'dispute',
    'disputes',
    'webhooks',
    'pix',
  ],
  ...['correlationID', 'identifier', 'transactionID', 'endToEndId', 'value', 'status', 'brCode'],
  ...['createdAt', 'expiresDate', 'expiresIn', 'updatedAt', 'time', 'fee', 'type', 'payer', 'name'],
  ...['taxID', 'comment', 'disputeReason', 'url', 'event', 'evento', 'isActive', 'pageInfo'],
  ...['hasNextPage', 'public_keys', 'key', 'error', 'errors', 'message', 'transaction'],
]

export function readOpenPixAnswer(text: string) {
  return readAnswer(text, FIELD_NAMES)
}

/** Reads a successful answer; unexpected content decides nothing. */
export function parseOpenPixResponse<S extends z.ZodObject>(
  shape: S,
  text: string,
  onUnreadable: (field: string) => void,
) {
  return parseAnswer(shape, { value: readOpenPixAnswer(text), from: 'Woovi', onUnreadable })
}

const cents = reportedCents.refine((value) => value >= 0 && value <= MAX_CENTS)
const instant = reportedInstant

const id = z.string().max(2_000).nullish()
const word = reportedStatus.nullish().catch(null)

const OpenPixChargeFields = z.object({
  /** The address of the request has it too. */
  correlationID: z.string().max(200).nullish(),
  value: cents.nullish().catch(null),
  status: reportedStatus,
  brCode: z.string().max(2_000).nullish(),
  /** The txid of its Pix. */
  transactionID: id,
  identifier: id,
  createdAt: instant.nullish().catch(null),
  expiresDate: instant.nullish().catch(null),
  fee: cents.nullish().catch(null),
  /** Where the description has the fee. */
  paymentMethods: z
    .object({ pix: z.object({ fee: cents }) })
    .nullish()
    .catch(null),
  expiresIn: z.coerce.number().positive().max(1e10).nullish().catch(null),
})
export type AnsweredCharge = z.output<typeof OpenPixChargeFields>
/** With our id as we write it. */
export type OpenPixCharge = AnsweredCharge & { correlationID: string }

export const ChargeResponse = z.object({ charge: OpenPixChargeFields })

/** A movement of money. `type` and `status` have its kind and its progress, in either order. */
export const OpenPixMovement = z.object({
  value: reportedCents,
  /** When missing, the end-to-end id has it (receipts.ts). */
  time: instant.nullish().catch(null),
  endToEndId: id,
  transactionID: id,
  type: word,
  status: word,
  charge: z.object({ correlationID: id }).nullish().catch(null),
  payer: z
    .object({ name: id, taxID: z.object({ taxID: id }).nullish().catch(null) })
    .nullish()
    .catch(null),
})
export type OpenPixMovement = z.output<typeof OpenPixMovement>

const pageInfo = z.object({ hasNextPage: z.boolean().nullish() }).nullish().catch(null)

export const MovementList = z.object({ transactions: listOf(OpenPixMovement), pageInfo })

export const OpenPixRefund = z.object({
  value: cents.nullish().catch(null),
  status: reportedStatus,
  correlationID: id,
  comment: id,
  time: instant.nullish().catch(null),
})
export type OpenPixRefund = z.output<typeof OpenPixRefund>

export const RefundResponse = z.object({ refund: OpenPixRefund })
/** Of a Pix without a charge. */
export const PixRefundResponse = z.object({
  pixTransactionRefund: OpenPixRefund.extend({ status: word }),
})
export const RefundList = z.object({ refunds: listOf(OpenPixRefund) })

/** Woovi gives no amount for a MED and, by the description, no date. */
const OpenPixDispute = z.object({
  status: reportedStatus,
  value: cents.nullish().catch(null),
  endToEndId: id,
  disputeReason: id.catch(null),
  createdAt: instant.nullish().catch(null),
  updatedAt: instant.nullish().catch(null),
})
export type OpenPixDispute = z.output<typeof OpenPixDispute>

export const DisputeResponse = z.object({ dispute: OpenPixDispute })
export const DisputeList = z.object({ disputes: listOf(OpenPixDispute), pageInfo })

export const WebhookList = z.object({
  webhooks: z.array(z.object({ url: id, event: id, isActive: z.boolean().nullish() })).max(1_000),
})

export const PublicKeyList = z.object({
  public_keys: z
    .array(z.object({ key: z.string().max(4_096) }))
    .min(1)
    .max(20),
})

/** Movements of a whole account, with any content. */
export const AnyMovements = z.object({ transactions: z.array(z.unknown()).nullish() })

/** An answer with any content. */
export const AnyResponse = z.looseObject({})
