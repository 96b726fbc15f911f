// Money given back through Mercado Pago. Its refunds bear no name of ours: what makes asking twice safe
// is the idempotency key, and a key refused as used before means that the refund is in the order.
import { z } from 'zod'
import { formatDecimal } from '../br-code.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import type { MercadoPagoClient } from './client.ts'
import { getOrderPayment, getOrderRefundStatus, getOrderRefunds, sumOrderRefunds } from './order.ts'
import { type Order, type OrderRefund, OrderRefundSchema } from './schema.ts'

type ReadOrder = (orderId: string) => Promise<Order | undefined>

const RefundResponse = z.object({
  transactions: z.object({ refunds: z.array(OrderRefundSchema).max(500) }),
})

export async function refundOrder(
  client: MercadoPagoClient,
  read: ReadOrder,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const order = request.chargeReference ? await read(request.chargeReference) : undefined
  const payment = order && getOrderPayment(order)
  if (!order || !payment) return { status: 'failed', reason: 'refused' }

  const cents = computeOrderRefundCents(order, payment.amount, request)
  if (cents === 0) return toRepeatedRefundOutcome(order, null, null)
  const part =
    cents === null ? {} : { transactions: [{ id: payment.id, amount: formatDecimal(cents) }] }
  const path = `/v1/orders/${encodeURIComponent(order.id)}/refund`
  const { status, body } = await client.post(path, part, request.refundId)
  if (status === 409) return toRepeatedRefundOutcome(await read(order.id), cents, body)
  if (status === 423 || status === 424) {
    throw new Error(`Mercado Pago is still busy with the refund: ${status}`)
  }
  return status >= 400
    ? toFailedRefundOutcome(body)
    : toNewRefundOutcome(order, cents, { body, ...request })
}

/** Unheard of until its id was heard: asking for it again, with its key, is then the way. */
export async function findOrderRefund(
  read: ReadOrder,
  { chargeReference, reference }: RefundKey,
): Promise<RefundOutcome> {
  if (!chargeReference || !reference) return { status: 'unknown' }
  const order = await read(chargeReference)
  const refund = order && getOrderRefunds(order).find(({ id }) => id === reference)
  return refund ? toOrderRefundOutcome(refund) : { status: 'unknown' }
}

/**
 * What to ask back; null for all of it. Orders know the price alone: the last part of what a payer paid
 * with Mercado Pago's interest is whatever is left of the price, 0 when nothing is.
 */
function computeOrderRefundCents(
  order: Order,
  priceCents: number,
  { amountCents, totalCents }: RefundRequest,
) {
  if (amountCents === totalCents) return null
  if (totalCents === priceCents) return amountCents
  const left = priceCents - sumOrderRefunds(order, ['succeeded', 'processing'])
  return Math.max(Math.min(amountCents, left), 0)
}

/**
 * The one that was not there before, or when the answer repeats itself the one that fits. A refund told
 * without its id is asked for again.
 */
function toNewRefundOutcome(
  before: Order,
  cents: number | null,
  { body, refundId }: RefundRequest & { body: unknown },
): RefundOutcome {
  const known = getOrderRefunds(before).map(({ id }) => id)
  const listed = RefundResponse.safeParse(body).data?.transactions.refunds ?? []
  const made = listed.findLast(({ id }) => !known.includes(id)) ?? findLatestRefund(listed, cents)
  return made ? toOrderRefundOutcome(made) : { status: 'processing', reference: refundId }
}

/** It was asked for before, or nothing is left: the latest refund that fits is the one. */
function toRepeatedRefundOutcome(
  order: Order | undefined,
  cents: number | null,
  problem: unknown,
): RefundOutcome {
  const refund = order && findLatestRefund(getOrderRefunds(order), cents)
  return refund ? toOrderRefundOutcome(refund) : toFailedRefundOutcome(problem)
}

function findLatestRefund(refunds: OrderRefund[], cents: number | null) {
  return refunds.findLast(({ amount }) => !cents || amount === cents)
}

function toOrderRefundOutcome(refund: OrderRefund): RefundOutcome {
  const status = getOrderRefundStatus(refund)
  if (status === 'failed') return { status, reason: 'refused' }
  return { status, reference: refund.id }
}

function toFailedRefundOutcome(problem: unknown): RefundOutcome {
  const poor = /insufficient|balance/i.test(JSON.stringify(problem))
  return { status: 'failed', reason: poor ? 'insufficient_balance' : 'refused' }
}
