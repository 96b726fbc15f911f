// Reads the outcome of a charge from an order of Mercado Pago. The payment inside the order has the state of the money;
// the order only summarizes it. An order with several paid payments is read as one order for each.

import { requireFound } from '../../database/found.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import type { Approval, ChargeOutcome, ProviderDispute, ThreeDs } from '../provider.ts'
import type { ReceivedPix } from '../received.ts'
import { listOrderDisputes } from './chargebacks.ts'
import { toDecline } from './decline-codes.ts'
import { type Order, type OrderPayment, type OrderRefund, parseOrderInstant } from './schema.ts'

/** The charge that we requested, and the payer's total with Mercado Pago's interest. */
type ExpectedCharge = {
  method: 'pix' | 'credit_card'
  createdAt: string
  amountCents: number
  totalCents: number
}

type TransactionSecurity = NonNullable<
  NonNullable<OrderPayment['payment_method']>['transaction_security']
>

const ORDER_CHALLENGE_MS = 5 * MINUTE_MS
const PAID_STATUSES = ['processed', 'refunded', 'charged_back']
const UNPAID_STATUSES = ['failed', 'rejected', 'canceled', 'cancelled', 'expired']

export function toOrderOutcome(order: Order, asked: ExpectedCharge, now: Date): ChargeOutcome {
  const payment = getOrderPayment(order)
  const { id: reference } = order
  if (!payment) return { status: 'processing', reference }
  switch (payment.status) {
    case 'processed':
    case 'refunded':
    case 'charged_back':
      return toOrderApproval(order, asked, now)
    case 'failed':
    case 'rejected':
      return {
        ...toDecline(reference, payment.status_detail ?? '', 'generic'),
        ...toFailedThreeDs(payment),
      }
    case 'action_required':
      return toWaitingOutcome(order, payment, asked, now)
    case 'processing':
      return { status: 'processing', reference, isPayerDone: true }
    case 'canceled':
    case 'cancelled':
    case 'expired':
      return toUnpaidOutcome(order, payment, asked, now)
    default:
      return { status: 'processing', reference }
  }
}

/** Returns the payment that counts: of several a paid one that was not refunded, or else one that is not over. */
export function getOrderPayment(order: Order): OrderPayment | undefined {
  const payments = order.transactions?.payments ?? []
  const paid = payments.filter(isPaid)
  const open = payments.find(({ status }) => !UNPAID_STATUSES.includes(status))
  return paid.find(({ status }) => status !== 'refunded') ?? paid[0] ?? open ?? payments[0]
}

function isPaid({ status }: OrderPayment) {
  return PAID_STATUSES.includes(status)
}

/** Returns the order as if this paid payment were its only one, or unchanged if it has one at most. */
export function selectOrderPayment(order: Order, paymentId: string | null): Order {
  return listPaidOrders(order).find((one) => getOrderPayment(one)?.id === paymentId) ?? order
}

function listPaidOrders(order: Order): Order[] {
  const { payments, refunds, chargebacks } = order.transactions ?? {}
  const paid = payments?.filter(isPaid) ?? []
  const [first] = paid
  if (!first || paid.length === 1) return [order]
  return paid.map((payment) => {
    const isOwn = ({ transaction_id }: { transaction_id?: string | null | undefined }) =>
      (transaction_id ?? first.id) === payment.id
    const { status, status_detail } = payment
    const own = { refunds: refunds?.filter(isOwn), chargebacks: chargebacks?.filter(isOwn) }
    const transactions = { payments: [payment], ...own }
    return { ...order, status, status_detail, total_paid_amount: null, transactions }
  })
}

/** Returns Mercado Pago's code for why the payment failed; undefined when it did not fail. */
export function getFailureDetail(order: Order): string | undefined {
  const { status, status_detail } = getOrderPayment(order) ?? {}
  return status === 'failed' || status === 'rejected' ? (status_detail ?? '') : undefined
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

function toOrderApproval(order: Order, asked: ExpectedCharge, now: Date): Approval {
  const paid = listPaidOrders(order).map((one) => readPaidOrder(one, asked, now))
  const disputes = paid.flatMap((one) => one.disputes)
  const common = {
    status: 'approved' as const,
    reference: order.id,
    ...(disputes.length > 0 && { disputes }),
  }
  const received = paid.map(({ pix }) => pix)
  if (asked.method === 'pix') return { ...common, received }
  const left = paid.filter(({ pix }) => pix.refundedCents < pix.amountCents)
  const whole = left.find(({ pix }) => pix.amountCents === asked.totalCents)
  const { pix, threeDs } = requireFound(whole ?? left[0] ?? paid[0])
  const { endToEndId: _, amountCents: paidCents, ...money } = pix
  const several = received.length > 1 && { charges: received }
  return { ...common, paidCents, ...money, ...several, ...(threeDs && { threeDs }) }
}

type PaidOrder = { pix: ReceivedPix; disputes: ProviderDispute[]; threeDs: ThreeDs | undefined }

/** Reads an order with one payment. */
function readPaidOrder(order: Order, asked: ExpectedCharge, now: Date): PaidOrder {
  const payment = requireFound(getOrderPayment(order))
  const paidCents = getPaidCents(order, payment, asked)
  const ofPix = payment.payment_method?.e2e_id || order.id
  return {
    pix: {
      endToEndId: asked.method === 'pix' ? ofPix : payment.id,
      amountCents: paidCents,
      paidAt: parseOrderInstant(order.last_updated_date) ?? now.toISOString(),
      refundedCents: getRefundedCents(order, payment, paidCents),
      returns: listDoneRefunds(order).map(({ id }) => ({ reference: id })),
    },
    disputes: listOrderDisputes(order, { payment, method: asked.method, paidCents }, now),
    threeDs: toOrderThreeDs(payment),
  }
}

/**
 * Returns the amount that the payer paid. Mercado Pago adds its interest to our price in installments, and some orders
 * have the price alone; then the payer paid the total of Mercado Pago's quote.
 */
function getPaidCents(order: Order, payment: OrderPayment, asked: ExpectedCharge) {
  const paidCents = payment.paid_amount || order.total_paid_amount || payment.amount
  const inParts = (payment.payment_method?.installments ?? 1) > 1
  return inParts && paidCents === asked.amountCents ? asked.totalCents : paidCents
}

function getRefundedCents(order: Order, payment: OrderPayment, paidCents: number) {
  const done = Math.max(sumDoneRefunds(order), payment.refunded_amount ?? 0)
  const whole = [payment.status, payment.status_detail].includes('refunded')
  return whole || done >= payment.amount ? paidCents : done
}

/** The sum in Mercado Pago's amounts, which have no interest. */
function sumDoneRefunds(order: Order) {
  return listDoneRefunds(order).reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}

function listDoneRefunds(order: Order) {
  return getOrderRefunds(order).filter((refund) => getOrderRefundStatus(refund) === 'succeeded')
}

function toWaitingOutcome(
  order: Order,
  payment: OrderPayment,
  { createdAt }: ExpectedCharge,
  now: Date,
): ChargeOutcome {
  const { id: reference } = order
  const pixBrCode = payment.payment_method?.qr_code
  const challengeUrl = getChallengeUrl(payment)
  if (challengeUrl) {
    const reportedMs = Date.parse(order.created_date ?? '') || now.getTime()
    const since = Math.min(Math.max(reportedMs, Date.parse(createdAt)), now.getTime())
    const expiresAt = new Date(since + ORDER_CHALLENGE_MS).toISOString()
    return { status: 'awaiting_authentication', reference, challengeUrl, expiresAt }
  }
  const expiresAt = parseOrderInstant(payment.date_of_expiration)
  if (pixBrCode && expiresAt) return { status: 'pending', reference, pixBrCode, expiresAt }
  return { status: 'processing', reference }
}

/**
 * The order of a card ends unpaid when its challenge failed. A Pix that expired there is also past our own expiry,
 * which decides.
 */
function toUnpaidOutcome(
  order: Order,
  payment: OrderPayment,
  asked: ExpectedCharge,
  now: Date,
): ChargeOutcome {
  const { id: reference } = order
  if (asked.method === 'credit_card') {
    return {
      ...toDecline(reference, '3ds_challenge_expired', 'generic'),
      ...toFailedThreeDs(payment),
    }
  }
  const pix = toWaitingOutcome(order, payment, asked, now)
  return payment.status === 'expired' && pix.status === 'pending'
    ? pix
    : { status: 'canceled', reference }
}

function toOrderThreeDs(payment: OrderPayment): ThreeDs | undefined {
  const { transaction_security: security } = payment.payment_method ?? {}
  if (!security) return undefined
  const status = isAuthenticated(security) ? 'authenticated' : 'attempted'
  return { status, eci: null, flow: getThreeDsFlow(payment) }
}

/** With `preferred` a card may be approved without the bank's liability; only then the status must say it. */
function isAuthenticated({ liability_shift, status }: TransactionSecurity) {
  return liability_shift !== 'preferred' || /^(success|complete)/.test(status ?? '')
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
