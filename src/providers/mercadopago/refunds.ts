// Refunds through Mercado Pago. Its refunds do not have our id: the idempotency key makes a repeated request safe, and
// a key that is refused as used means that the order has the refund, or will have it.
import { z } from 'zod'
import { formatDecimal } from '../br-code.ts'
import type { JsonClient } from '../json-client.ts'
import { listOwnRefunds, toUnsentOutcome } from '../named-charges.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import {
  getOrderPayment,
  getOrderRefundStatus,
  getOrderRefunds,
  selectOrderPayment,
} from './order.ts'
import {
  type Order,
  OrderErrorBody,
  type OrderPayment,
  type OrderRefund,
  OrderRefundSchema,
} from './schema.ts'

type ReadOrder = (orderId: string) => Promise<Order | undefined>

const RefundResponse = z.object({
  transactions: z.object({ refunds: z.array(OrderRefundSchema).max(500) }),
})

export async function refundOrder(
  client: JsonClient,
  read: ReadOrder,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const { refundId } = request
  const order = await readOrder(read, request)
  const payment = order && getOrderPayment(order)
  if (!order || !payment) return toUnsentOutcome(request)

  const cents = computeOrderRefundCents(payment.amount, request)
  if (cents === 0) return findWholeRefund(order, request) ?? toUnsentOutcome(request)
  const outcome = await postRefund(client, read, { order, payment, cents, request })
  return outcome ?? { status: 'processing', reference: refundId }
}

/** Undefined when the refund was accepted, but neither the answer nor the order names it. */
async function postRefund(
  client: JsonClient,
  read: ReadOrder,
  { order, payment, cents, request }: PostedRefund,
): Promise<RefundOutcome | undefined> {
  const path = `/v1/orders/${encodeURIComponent(order.id)}/refund`
  const paymentId = payment.id === request.endToEndId ? payment.id : null
  const sent = buildRefundBody(payment, paymentId ? (cents ?? payment.amount) : cents)
  const { status, body } = await client.send('POST', path, sent, request.refundId)
  if (status >= 400 && status !== 409) return toRefusedOutcome(order, request, status, body)
  const answered =
    status < 300 ? findNewRefund(order, { body, cents, paymentId, ...request }) : undefined
  // The answer may lack the refund or repeat an earlier one; the order has it sooner or later.
  const made = answered ?? findStandingRefund(await readOrder(read, request), request)
  if (made) return toOrderRefundOutcome(made)
  return status === 409 ? toRefusedOutcome(order, request, status, body) : undefined
}

/** Reads the order of the charge; of several paid payments it has only the one to refund. */
async function readOrder(read: ReadOrder, { chargeReference, endToEndId }: RefundKey) {
  const order = chargeReference ? await read(chargeReference) : undefined
  return order && selectOrderPayment(order, endToEndId)
}

type PostedRefund = {
  order: Order
  payment: OrderPayment
  cents: number | null
  request: RefundRequest
}

function buildRefundBody({ id }: OrderPayment, cents: number | null) {
  return cents === null ? {} : { transactions: [{ id, amount: formatDecimal(cents) }] }
}

/**
 * Finds a refund by its id. If none was received, a refund that was accepted is the one that fits; for others only
 * sending the request again, with its key, can tell.
 */
export async function findOrderRefund(read: ReadOrder, key: RefundKey): Promise<RefundOutcome> {
  const { reference, refundId } = key
  if (!reference) return { status: 'unknown' }
  const order = await readOrder(read, key)
  const named = order && getOrderRefunds(order).find(({ id }) => id === reference)
  const refund = named ?? (reference === refundId ? findStandingRefund(order, key) : undefined)
  return refund ? toOrderRefundOutcome(refund) : { status: 'unknown' }
}

/**
 * Returns the amount to request; null for all of it. Orders know only the price without interest, so the last refund of
 * a payment with interest gets the rest of the price, or 0. A repeated request gets the same amount, even if the order
 * has changed, because its key is bound to its body.
 */
function computeOrderRefundCents(
  priceCents: number,
  { amountCents, totalCents, earlier }: RefundKey,
) {
  if (amountCents === totalCents) return null
  if (totalCents === priceCents) return amountCents
  const gone = earlier.reduce((sum, one) => sum + one.amountCents, 0)
  return Math.max(Math.min(amountCents, priceCents - gone), 0)
}

type SentRefund = Pick<RefundKey, 'earlier' | 'laterReferences'> & {
  cents: number | null
  /** The payment that is refunded, if the order has several. */
  paymentId: string | null
}

/** Finds the refund that is new in the answer or, if the answer repeats itself, the one that fits. */
function findNewRefund(
  before: Order,
  { body, cents, paymentId, ...others }: SentRefund & { body: unknown },
) {
  const known = getOrderRefunds(before).map(({ id }) => id)
  const reported = RefundResponse.safeParse(body).data?.transactions.refunds ?? []
  const listed = reported.filter(({ transaction_id: id }) => !paymentId || !id || id === paymentId)
  return (
    listed.findLast(({ id }) => !known.includes(id)) ??
    listOwnRefunds(listed, others).findLast(({ amount }) => !cents || amount === cents)
  )
}

/** A refund in the order that belongs to no other refund of ours shows that this one was made. */
function findStandingRefund(order: Order | undefined, key: RefundKey) {
  const payment = order && getOrderPayment(order)
  if (!order || !payment) return undefined
  const cents = computeOrderRefundCents(payment.amount, key)
  if (cents === null) return listWholeRefund(order).at(-1)
  const own = listOwnRefunds(listStandingRefunds(order), key)
  return own.findLast(({ amount }) => amount === cents)
}

/** The last refund of a payment with interest, which the order does not show: its price was already refunded. */
function findWholeRefund(order: Order, { refundId: reference }: RefundKey) {
  const last = listWholeRefund(order).at(-1)
  return last && { ...toOrderRefundOutcome(last), reference }
}

/** Empty unless everything was refunded. */
function listWholeRefund(order: Order) {
  const price = getOrderPayment(order)?.amount ?? order.total_amount
  const standing = listStandingRefunds(order)
  // A refund without an amount counts as a full one.
  const gone = standing.reduce((sum, { amount }) => sum + (amount ?? price), 0)
  return gone >= price ? standing : []
}

function listStandingRefunds(order: Order) {
  return getOrderRefunds(order).filter((one) => getOrderRefundStatus(one) !== 'failed')
}

function toOrderRefundOutcome(refund: OrderRefund) {
  const status = getOrderRefundStatus(refund)
  const { id: reference } = refund
  return status === 'failed'
    ? { status, reason: 'refused' as const, reference }
    : { status, reference }
}

/**
 * A first request may be refused because of the refund itself. A used key, or an order in progress, means that the
 * refund may have been made.
 */
function toRefusedOutcome(
  order: Order,
  { isFirst, refundId: reference }: RefundRequest,
  status: number,
  problem: unknown,
): RefundOutcome {
  if (status === 423 || status === 424) {
    throw new Error(`Mercado Pago is still busy with the refund: ${status}`)
  }
  // An answer that is not JSON comes from a gateway, and decides nothing.
  if (problem === null) throw new Error(`Mercado Pago answered a refund with ${status} alone`)
  const reason = isFirst && findRefundFailure(order, problem)
  return reason ? { status: 'failed', reason } : { status: 'unconfirmed', reference }
}

function findRefundFailure(order: Order, problem: unknown) {
  if (/insufficient|balance/i.test(JSON.stringify(problem))) return 'insufficient_balance'
  const code = OrderErrorBody.safeParse(problem).data ?? ''
  // If the order was not refunded before, it may be by this request.
  const wasRefunded = getOrderPayment(order)?.status === 'refunded'
  const isOwn = OWN_PROBLEMS.test(code) || (wasRefunded && /already_refunded/.test(code))
  return isOwn ? 'refused' : undefined
}

const OWN_PROBLEMS =
  /cannot_refund|not_refundable|refund_amount|amount_exceed|partial(ly)?_refund|payment_refund/
