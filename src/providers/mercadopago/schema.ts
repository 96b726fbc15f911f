// The schema of an order of Mercado Pago, as far as it is read. Accepted notations: ../answers.ts.
import { z } from 'zod'
import { parseInstant, reportedAmount, reportedId } from '../answers.ts'

/** The fields that are read, as the documentation spells them. */
export const FIELD_NAMES = [
  ...['id', 'status', 'status_detail', 'external_reference', 'total_amount', 'total_paid_amount'],
  ...['created_date', 'last_updated_date', 'transactions', 'payments', 'refunds', 'chargebacks'],
  ...['amount', 'paid_amount', 'refunded_amount', 'date_of_expiration', 'payment_method'],
  ...['installments', 'qr_code', 'e2e_id', 'transaction_security', 'url', 'redirect_url', 'type'],
  ...['liability_shift', 'transaction_id', 'case_id', 'results', 'data', 'errors', 'error', 'code'],
]

const cents = reportedAmount
const text = z.string().max(4_096)
const word = text.transform((value) => value.toLowerCase())

const PaymentMethodFields = z.object({
  installments: z.coerce.number().int().nullish().catch(null),
  qr_code: text.nullish(),
  e2e_id: text.nullish(),
  transaction_security: z
    .object({
      url: text.nullish(),
      redirect_url: text.nullish(),
      type: text.nullish(),
      status: word.nullish(),
      liability_shift: text.nullish(),
    })
    .nullish(),
})

const OrderPaymentSchema = z.object({
  id: text,
  status: word,
  status_detail: word.nullish(),
  amount: cents,
  paid_amount: cents.nullish(),
  refunded_amount: cents.nullish(),
  date_of_expiration: text.nullish(),
  payment_method: PaymentMethodFields.nullish(),
})

/** The amount is optional, since the payment also says how much was refunded. */
export const OrderRefundSchema = z.object({
  id: reportedId,
  /** The payment of the order. */
  transaction_id: reportedId.nullish().catch(null),
  amount: cents.nullish().catch(null),
  status: word.nullish(),
})

/** An unexpected value in a dispute must not make the order unreadable. */
const OrderChargebackSchema = z.object({
  id: reportedId,
  transaction_id: reportedId.nullish().catch(null),
  case_id: reportedId.nullish().catch(null),
  status: word.nullish().catch(null),
  amount: cents.nullish().catch(null),
})

export const Order = z.object({
  id: text,
  status: word,
  status_detail: word.nullish(),
  external_reference: text.nullish(),
  total_amount: cents,
  total_paid_amount: cents.nullish(),
  created_date: text.nullish(),
  last_updated_date: text.nullish(),
  transactions: z
    .object({
      payments: z.array(OrderPaymentSchema).max(20).nullish(),
      refunds: z.array(OrderRefundSchema).max(500).nullish(),
      chargebacks: z.array(OrderChargebackSchema).max(50).nullish().catch(null),
    })
    .nullish(),
})

/** Two formats of an error: of this API and of the older ones. */
export const OrderErrorBody = z.union([
  z
    .object({ errors: z.tuple([z.object({ code: z.string() })], z.unknown()) })
    .transform(({ errors: [{ code }] }) => code),
  z.object({ error: z.string() }).transform(({ error }) => error),
])

/** The fields of a chargeback's own case. */
export const ChargebackCase = z.object({
  reason: text.nullish().catch(null),
  date_created: text.nullish().catch(null),
  date_documentation_deadline: text.nullish().catch(null),
})

const optionalCents = cents.nullish().catch(null)

/**
 * The payment behind an order, as the Payments API answers it (mercadopago/openapi, `by-product/payments`), since
 * orders have neither fees nor the instant of the payment. Unexpected values must not make it unreadable.
 */
export const ChangedPayment = z.object({
  external_reference: text.nullish(),
  status: word,
  transaction_amount: cents,
  transaction_amount_refunded: optionalCents,
  transaction_details: z
    .object({ net_received_amount: optionalCents, total_paid_amount: optionalCents })
    .nullish()
    .catch(null),
  date_approved: text.nullish().catch(null),
  money_release_date: text.nullish().catch(null),
})

/** One that was paid. */
export const OrderPayout = ChangedPayment.extend({
  status: z.enum(['approved', 'in_mediation', 'charged_back', 'refunded']),
})

export type OrderPayout = z.output<typeof OrderPayout>
export type Order = z.output<typeof Order>
export type OrderPayment = z.output<typeof OrderPaymentSchema>
export type OrderRefund = z.output<typeof OrderRefundSchema>
export type OrderChargeback = z.output<typeof OrderChargebackSchema>

/** Reads an instant; undefined when the text is none. */
export function parseOrderInstant(text: string | null | undefined) {
  return parseInstant(text)
}
