// An order of Mercado Pago: its shape, as much of it as is read, and what it says about our charge. The
// payment inside tells about the money; the order as a whole only sums it up.

import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import type { Approval, ChargeOutcome, ThreeDs } from '../provider.ts'
import { toDecline } from './decline-codes.ts'

/** `"100.00"`, and in some answers 100.5, as cents. */
const cents = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,9}(\.\d{1,2})?0*$/))
  .transform((text) => {
    const [whole = '0', part = ''] = text.split('.')
    return Number(whole) * 100 + Number(part.slice(0, 2).padEnd(2, '0'))
  })
const text = z.string().max(4_096)

const PaymentMethodFields = z.object({
  installments: z.int().nullish(),
  qr_code: text.nullish(),
  e2e_id: text.nullish(),
  transaction_security: z
    .object({ url: text.nullish(), redirect_url: text.nullish(), type: text.nullish() })
    .nullish(),
})

const OrderPaymentSchema = z.object({
  id: text,
  status: text,
  status_detail: text.nullish(),
  amount: cents,
  paid_amount: cents.nullish(),
  refunded_amount: cents.nullish(),
  date_of_expiration: text.nullish(),
  payment_method: PaymentMethodFields.nullish(),
})

export const OrderRefundSchema = z.object({ id: text, amount: cents, status: text.nullish() })

export const Order = z.object({
  id: text,
  status: text,
  status_detail: text.nullish(),
  external_reference: text.nullish(),
  total_amount: cents,
  total_paid_amount: cents.nullish(),
  created_date: text.nullish(),
  last_updated_date: text.nullish(),
  transactions: z
    .object({
      payments: z.array(OrderPaymentSchema).max(20).nullish(),
      refunds: z.array(OrderRefundSchema).max(500).nullish(),
    })
    .nullish(),
})

export type Order = z.output<typeof Order>
type OrderPayment = z.output<typeof OrderPaymentSchema>
export type OrderRefund = z.output<typeof OrderRefundSchema>

/** What was asked for, and what the payer was to pay, Mercado Pago's interest included. */
type ExpectedCharge = {
  method: 'pix' | 'credit_card'
  amountCents: number
  totalCents: number
}

const ORDER_CHALLENGE_MS = 5 * MINUTE_MS
const UNDECIDED_DISPUTES = ['in_process', 'reimbursed']

export function toOrderOutcome(order: Order, asked: ExpectedCharge, now: Date): ChargeOutcome {
  const payment = getOrderPayment(order)
  const { id: reference } = order
  if (!payment) return { status: 'processing', reference }
  switch (payment.status) {
    case 'processed':
    case 'refunded':
    case 'charged_back':
      return toOrderApproval(order, payment, asked, now)
    case 'failed':
    case 'rejected':
      return {
        ...toDecline(reference, payment.status_detail ?? '', 'generic'),
        ...toFailedThreeDs(payment),
      }
    case 'action_required':
      return toWaitingOutcome(order, payment, now)
    case 'canceled':
    case 'cancelled':
    case 'expired':
      return toUnpaidOutcome(order, payment, asked, now)
    default:
      return { status: 'processing', reference }
  }
}

export function getOrderPayment(order: Order): OrderPayment | undefined {
  return order.transactions?.payments?.[0]
}

export function getOrderRefunds(order: Order): OrderRefund[] {
  return order.transactions?.refunds ?? []
}

export function getOrderRefundStatus({
  status,
}: OrderRefund): 'succeeded' | 'processing' | 'failed' {
  if (/^(processed|approved|refunded|accredited)$/.test(status ?? '')) return 'succeeded'
  return /^(failed|rejected|cancell?ed)$/.test(status ?? '') ? 'failed' : 'processing'
}

/** All that has left, or is leaving, the payment, on Mercado Pago's side: without its interest. */
export function sumOrderRefunds(order: Order, counted: ReturnType<typeof getOrderRefundStatus>[]) {
  return getOrderRefunds(order)
    .filter((refund) => counted.includes(getOrderRefundStatus(refund)))
    .reduce((sum, { amount }) => sum + amount, 0)
}

function toOrderApproval(
  order: Order,
  payment: OrderPayment,
  asked: ExpectedCharge,
  now: Date,
): Approval {
  const paidCents = getPaidCents(order, payment, asked)
  const endToEndId = payment.payment_method?.e2e_id
  const threeDs = toOrderThreeDs(payment)
  return {
    status: 'approved',
    reference: order.id,
    paidCents,
    paidAt: parseInstant(order.last_updated_date) ?? now.toISOString(),
    ...(endToEndId && { endToEndId }),
    ...(threeDs && { threeDs }),
    refundedCents: getRefundedCents(order, payment, paidCents),
    chargedBack: isChargedBack(order) || isChargedBack(payment),
  }
}

/**
 * What the payer paid. In installments Mercado Pago adds its interest to the price we send, and some
 * orders tell the price alone: then the payer paid what its own quote said.
 */
function getPaidCents(order: Order, payment: OrderPayment, asked: ExpectedCharge) {
  const paidCents = payment.paid_amount || order.total_paid_amount || payment.amount
  const inParts = (payment.payment_method?.installments ?? 1) > 1
  return inParts && paidCents === asked.amountCents ? asked.totalCents : paidCents
}

function getRefundedCents(order: Order, payment: OrderPayment, paidCents: number) {
  const done = Math.max(sumOrderRefunds(order, ['succeeded']), payment.refunded_amount ?? 0)
  const whole = [payment.status, payment.status_detail].includes('refunded')
  return whole || done >= payment.amount ? paidCents : done
}

/** Not while the dispute lasts, and not when it was won: there is no way back from charged back. */
function isChargedBack({ status, status_detail }: Pick<OrderPayment, 'status' | 'status_detail'>) {
  return status === 'charged_back' && !UNDECIDED_DISPUTES.includes(status_detail ?? '')
}

function toWaitingOutcome(order: Order, payment: OrderPayment, now: Date): ChargeOutcome {
  const { id: reference } = order
  const pixBrCode = payment.payment_method?.qr_code
  const challengeUrl = getChallengeUrl(payment)
  if (challengeUrl) {
    const since = Date.parse(order.created_date ?? '') || now.getTime()
    const expiresAt = new Date(since + ORDER_CHALLENGE_MS).toISOString()
    return { status: 'awaiting_authentication', reference, challengeUrl, expiresAt }
  }
  const expiresAt = parseInstant(payment.date_of_expiration)
  if (pixBrCode && expiresAt) return { status: 'pending', reference, pixBrCode, expiresAt }
  return { status: 'processing', reference }
}

/**
 * A card's order ends unpaid when its challenge was not passed. A Pix that ran out there is past our own
 * expiry too, which is what decides.
 */
function toUnpaidOutcome(
  order: Order,
  payment: OrderPayment,
  { method }: ExpectedCharge,
  now: Date,
): ChargeOutcome {
  const { id: reference } = order
  if (method === 'credit_card') {
    return {
      ...toDecline(reference, '3ds_challenge_expired', 'generic'),
      ...toFailedThreeDs(payment),
    }
  }
  const pix = toWaitingOutcome(order, payment, now)
  return payment.status === 'expired' && pix.status === 'pending'
    ? pix
    : { status: 'canceled', reference }
}

/** We ask for 3DS always and for the bank's liability: what was approved was authenticated. */
function toOrderThreeDs(payment: OrderPayment): ThreeDs | undefined {
  if (!payment.payment_method?.transaction_security) return undefined
  return { status: 'authenticated', eci: null, flow: getThreeDsFlow(payment) }
}

function toFailedThreeDs(payment: OrderPayment): { threeDs?: ThreeDs } {
  const over = ['canceled', 'cancelled', 'expired'].includes(payment.status)
  const failed = over || /3ds/.test(payment.status_detail ?? '')
  return failed ? { threeDs: { status: 'failed', eci: null, flow: getThreeDsFlow(payment) } } : {}
}

function getThreeDsFlow(payment: OrderPayment): ThreeDs['flow'] {
  const { type } = payment.payment_method?.transaction_security ?? {}
  return type === 'challenge' || getChallengeUrl(payment) ? 'challenge' : 'frictionless'
}

function getChallengeUrl({ payment_method }: OrderPayment) {
  const { url, redirect_url } = payment_method?.transaction_security ?? {}
  const address = url ?? redirect_url
  return address && /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : undefined
}

function parseInstant(text: string | null | undefined) {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
