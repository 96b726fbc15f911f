// What Woovi answers, read and bounded. The description and the documentation differ on some types, so
// that numbers may come as text.
import { z } from 'zod'

const MAX_CENTS = 1_000_000_000_000

const cents = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= MAX_CENTS)

const instant = z
  .string()
  .max(40)
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()))
  .transform((date) => date.toISOString())

const id = z.string().max(2_000).nullish()

export const OpenPixCharge = z.object({
  correlationID: z.string().max(200),
  value: cents,
  status: z.string().max(60),
  brCode: z.string().max(2_000).nullish(),
  /** The txid of its Pix. */
  transactionID: id,
  identifier: id,
  createdAt: instant.nullish(),
  expiresDate: instant.nullish(),
  /** What Woovi keeps of it. */
  fee: cents.nullish().catch(null),
  expiresIn: z.coerce.number().positive().max(1e10).nullish(),
})
export type OpenPixCharge = z.output<typeof OpenPixCharge>

export const ChargeResponse = z.object({ charge: OpenPixCharge })

/** Money that moved. What it was stands in `type` or in `status`, and how far it got in the other. */
const OpenPixMovement = z.object({
  /** Of what went out it may be negative. */
  value: z
    .union([z.number(), z.string().regex(/^-?\d{1,15}$/)])
    .transform(Number)
    .refine(Number.isSafeInteger),
  time: instant,
  endToEndId: id,
  endToEndID: id,
  transactionID: id,
  type: id,
  status: id,
  charge: z.object({ correlationID: id }).nullish().catch(null),
  payer: z
    .object({ name: id, taxID: z.object({ taxID: id }).nullish().catch(null) })
    .nullish()
    .catch(null),
})
export type OpenPixMovement = z.output<typeof OpenPixMovement>

export const MovementList = z.object({ transactions: z.array(OpenPixMovement).max(1_000) })

export const OpenPixRefund = z.object({
  value: cents,
  status: z.string().max(60),
  correlationID: id,
  comment: id,
})
export type OpenPixRefund = z.output<typeof OpenPixRefund>

export const RefundResponse = z.object({ refund: OpenPixRefund })
export const RefundList = z.object({ refunds: z.array(OpenPixRefund).max(1_000) })

/** Of a MED the amount is not told, nor, in the description, when it came. */
const OpenPixDispute = z.object({
  status: z.string().max(60),
  value: cents.nullish(),
  endToEndId: id,
  disputeReason: id.catch(null),
  createdAt: instant.nullish().catch(null),
  updatedAt: instant.nullish().catch(null),
})
export type OpenPixDispute = z.output<typeof OpenPixDispute>

export const DisputeResponse = z.object({ dispute: OpenPixDispute })

export const WebhookList = z.object({
  webhooks: z.array(z.object({ url: id, event: id, isActive: z.boolean().nullish() })).max(1_000),
})

export const PublicKeyList = z.object({
  public_keys: z
    .array(z.object({ key: z.string().max(4_096) }))
    .min(1)
    .max(20),
})

/** Of a whole account: there may be anything in it. */
export const AnyMovements = z.object({ transactions: z.array(z.unknown()) })

/** An answer of which only that there was one matters. */
export const AnyResponse = z.looseObject({})
