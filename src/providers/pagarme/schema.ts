// The schemas of Pagar.me's answers (core v5), as far as they are read. Instants without a zone are in UTC.
import { z } from 'zod'
import { parseInstant, reportedCents, reportedId, reportedStatus } from '../answers.ts'

/** The fields that are read, as the documentation spells them. */
export const FIELD_NAMES = [
  ...['id', 'code', 'status', 'amount', 'paid_amount', 'canceled_amount', 'charges', 'checkouts'],
  ...[
    'payment_url',
    'expires_at',
    'paid_at',
    'created_at',
    'updated_at',
    'last_transaction',
    'card',
  ],
  ...['acquirer_return_code', 'brand', 'last_four_digits', 'holder_name', 'antifraud_response'],
  ...['authentication', 'threed_secure', 'threed_authentication_url', 'eci', 'data', 'message'],
  ...['errors', 'installments', 'number', 'total', 'credit_card', 'pending_cancellation', 'order'],
]

const MAX_CHARGES = 50
const text = z.string().max(4_096)

/** Undefined when it cannot be read, because no instant of Pagar.me decides about money. */
const instant = z
  .unknown()
  .transform((value) => {
    const isBare = typeof value === 'string' && !/(z|[+-]\d\d:?\d\d)$/i.test(value)
    return parseInstant(isBare ? `${value}Z` : value)
  })
  .optional()

const Authentication = z.object({ threed_secure: z.object({ eci: text.optional() }).optional() })

const Transaction = z.object({
  status: reportedStatus.optional(),
  acquirer_return_code: reportedId.optional(),
  threed_authentication_url: text.optional(),
  antifraud_response: z.object({ status: reportedStatus.optional() }).optional(),
  authentication: Authentication.optional(),
  threed_secure: z.object({ eci: text.optional() }).optional(),
  card: z
    .object({
      brand: text.optional(),
      last_four_digits: reportedId.optional(),
      holder_name: text.optional(),
    })
    .optional(),
})

export const PagarmeCharge = z.object({
  id: z.string().max(100),
  status: reportedStatus,
  amount: reportedCents,
  paid_amount: reportedCents.optional(),
  canceled_amount: reportedCents.optional(),
  pending_cancellation: z.boolean().optional(),
  paid_at: instant,
  created_at: instant,
  updated_at: instant,
  last_transaction: Transaction.optional(),
})

const Checkout = z.object({
  status: reportedStatus,
  payment_url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional(),
  expires_at: instant,
  credit_card: z
    .object({
      installments: z.array(z.object({ number: reportedId, total: reportedCents })).optional(),
    })
    .optional()
    .catch(undefined),
})

export const PagarmeOrder = z.object({
  id: z.string().max(100),
  code: reportedId.optional(),
  status: reportedStatus,
  amount: reportedCents.optional(),
  charges: z.array(PagarmeCharge).max(MAX_CHARGES).default([]),
  checkouts: z.array(Checkout).max(MAX_CHARGES).default([]),
})

/** The list may have other orders too, if Pagar.me ignores the filter. */
export const OrderList = z.object({
  data: z.array(z.object({ id: z.string().max(100), code: reportedId.optional() })).max(100),
})

export const PagarmeProblem = z.object({ message: text.optional(), errors: z.unknown().optional() })

export type PagarmeOrder = z.output<typeof PagarmeOrder>
export type PagarmeCharge = z.output<typeof PagarmeCharge>
