// An order of Mercado Pago: its shape, as much of it as is read, and what it says about our charge. The
// payment inside tells about the money; the order as a whole only sums it up.
import { z } from 'zod'
import type { Approval, Outcome, ThreeDs } from '../provider.ts'
import { refusalOf } from './decline-codes.ts'

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

const Method = z.object({
  installments: z.int().nullish(),
  qr_code: text.nullish(),
  e2e_id: text.nullish(),
  transaction_security: z
    .object({ url: text.nullish(), redirect_url: text.nullish(), type: text.nullish() })
    .nullish(),
})

const Payment = z.object({
  id: text,
  status: text,
  status_detail: text.nullish(),
  amount: cents,
  paid_amount: cents.nullish(),
  refunded_amount: cents.nullish(),
  date_of_expiration: text.nullish(),
  payment_method: Method.nullish(),
})

export const Refund = z.object({ id: text, amount: cents, status: text.nullish() })

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
      payments: z.array(Payment).max(20).nullish(),
      refunds: z.array(Refund).max(500).nullish(),
    })
    .nullish(),
})

export type Order = z.output<typeof Order>
type OrderPayment = z.output<typeof Payment>
export type OrderRefund = z.output<typeof Refund>

/** What was asked for, and what the payer was to pay, Mercado Pago's interest included. */
export type Asked = { method: 'pix' | 'credit_card'; amountCents: number; totalCents: number }

const CHALLENGE_MS = 5 * 60_000
const DISPUTED = ['in_process', 'reimbursed']

export function outcomeOf(order: Order, asked: Asked, now: Date): Outcome {
  const payment = paymentOf(order)
  const { id: reference } = order
  if (!payment) return { status: 'processing', reference }
  switch (payment.status) {
    case 'processed':
    case 'refunded':
    case 'charged_back':
      return approvalOf(order, payment, asked, now)
    case 'failed':
    case 'rejected':
      return {
        ...refusalOf(reference, payment.status_detail ?? '', 'generic'),
        ...failed3ds(payment),
      }
    case 'action_required':
      return waitingOf(order, payment, now)
    case 'canceled':
    case 'cancelled':
    case 'expired':
      return endedOf(order, payment, asked, now)
    default:
      return { status: 'processing', reference }
  }
}

export function paymentOf(order: Order): OrderPayment | undefined {
  return order.transactions?.payments?.[0]
}

export function refundsOf(order: Order): OrderRefund[] {
  return order.transactions?.refunds ?? []
}

export function refundStatusOf({ status }: OrderRefund): 'succeeded' | 'processing' | 'failed' {
  if (/^(processed|approved|refunded|accredited)$/.test(status ?? '')) return 'succeeded'
  return /^(failed|rejected|cancell?ed)$/.test(status ?? '') ? 'failed' : 'processing'
}

/** All that has left, or is leaving, the payment, on Mercado Pago's side: without its interest. */
export function givenBackCents(order: Order, counted: ReturnType<typeof refundStatusOf>[]) {
  return refundsOf(order)
    .filter((refund) => counted.includes(refundStatusOf(refund)))
    .reduce((sum, { amount }) => sum + amount, 0)
}

function approvalOf(order: Order, payment: OrderPayment, asked: Asked, now: Date): Approval {
  const paidCents = paidCentsOf(order, payment, asked)
  const endToEndId = payment.payment_method?.e2e_id
  const threeDs = authenticated(payment)
  return {
    status: 'approved',
    reference: order.id,
    paidCents,
    paidAt: instant(order.last_updated_date) ?? now.toISOString(),
    ...(endToEndId && { endToEndId }),
    ...(threeDs && { threeDs }),
    refundedCents: refundedCentsOf(order, payment, paidCents),
    chargedBack: isChargedBack(order) || isChargedBack(payment),
  }
}

/**
 * What the payer paid. In installments Mercado Pago adds its interest to the price we send, and some
 * orders tell the price alone: then the payer paid what its own quote said.
 */
function paidCentsOf(order: Order, payment: OrderPayment, asked: Asked) {
  const told = payment.paid_amount || order.total_paid_amount || payment.amount
  const inParts = (payment.payment_method?.installments ?? 1) > 1
  return inParts && told === asked.amountCents ? asked.totalCents : told
}

function refundedCentsOf(order: Order, payment: OrderPayment, paidCents: number) {
  const done = Math.max(givenBackCents(order, ['succeeded']), payment.refunded_amount ?? 0)
  const whole = [payment.status, payment.status_detail].includes('refunded')
  return whole || done >= payment.amount ? paidCents : done
}

/** Not while the dispute lasts, and not when it was won: there is no way back from charged back. */
function isChargedBack({ status, status_detail }: Pick<OrderPayment, 'status' | 'status_detail'>) {
  return status === 'charged_back' && !DISPUTED.includes(status_detail ?? '')
}

function waitingOf(order: Order, payment: OrderPayment, now: Date): Outcome {
  const { id: reference } = order
  const pixBrCode = payment.payment_method?.qr_code
  const challengeUrl = challengeUrlOf(payment)
  if (challengeUrl) {
    const since = Date.parse(order.created_date ?? '') || now.getTime()
    const expiresAt = new Date(since + CHALLENGE_MS).toISOString()
    return { status: 'awaiting_authentication', reference, challengeUrl, expiresAt }
  }
  const expiresAt = instant(payment.date_of_expiration)
  if (pixBrCode && expiresAt) return { status: 'pending', reference, pixBrCode, expiresAt }
  return { status: 'processing', reference }
}

/**
 * A card's order ends unpaid when its challenge was not passed. A Pix that ran out there is past our own
 * expiry too, which is what decides.
 */
function endedOf(order: Order, payment: OrderPayment, { method }: Asked, now: Date): Outcome {
  const { id: reference } = order
  if (method === 'credit_card') {
    return { ...refusalOf(reference, '3ds_challenge_expired', 'generic'), ...failed3ds(payment) }
  }
  const pix = waitingOf(order, payment, now)
  return payment.status === 'expired' && pix.status === 'pending'
    ? pix
    : { status: 'canceled', reference }
}

/** We ask for 3DS always and for the bank's liability: what was approved was authenticated. */
function authenticated(payment: OrderPayment): ThreeDs | undefined {
  if (!payment.payment_method?.transaction_security) return undefined
  return { status: 'authenticated', eci: null, flow: flowOf(payment) }
}

function failed3ds(payment: OrderPayment): { threeDs?: ThreeDs } {
  const over = ['canceled', 'cancelled', 'expired'].includes(payment.status)
  const failed = over || /3ds/.test(payment.status_detail ?? '')
  return failed ? { threeDs: { status: 'failed', eci: null, flow: flowOf(payment) } } : {}
}

function flowOf(payment: OrderPayment): ThreeDs['flow'] {
  const { type } = payment.payment_method?.transaction_security ?? {}
  return type === 'challenge' || challengeUrlOf(payment) ? 'challenge' : 'frictionless'
}

function challengeUrlOf({ payment_method }: OrderPayment) {
  const { url, redirect_url } = payment_method?.transaction_security ?? {}
  const address = url ?? redirect_url
  return address && /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : undefined
}

function instant(text: string | null | undefined) {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
