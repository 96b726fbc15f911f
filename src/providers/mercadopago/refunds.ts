// Money given back through Mercado Pago. Its refunds bear no name of ours: what makes asking twice safe
// is the idempotency key, and a key refused as used before means that the refund is in the order.
import { z } from 'zod'
import { formatDecimal } from '../br-code.ts'
import type { EarlierRefund, RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import type { MercadoPagoClient } from './client.ts'
import { getOrderPayment, getOrderRefundStatus, getOrderRefunds } from './order.ts'
import { type Order, type OrderPayment, type OrderRefund, OrderRefundSchema } from './schema.ts'

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

  const cents = computeOrderRefundCents(payment.amount, request)
  if (cents === 0) return toRepeatedRefundOutcome(order, { cents, ...request })
  const path = `/v1/orders/${encodeURIComponent(order.id)}/refund`
  const { status, body } = await client.post(
    path,
    buildRefundBody(payment, cents),
    request.refundId,
  )
  if (status === 409) {
    return toRepeatedRefundOutcome(await read(order.id), { cents, problem: body, ...request })
  }
  if (status >= 400) return toRefusedRefundOutcome(status, body)
  const told = findNewRefund(order, { body, cents, ...request })
  // An answer need not name it, and repeats itself; the order does, sooner or later.
  const made = told ?? findStandingRefund(await read(order.id), { cents, ...request })
  return toMadeRefundOutcome(made, request)
}

function buildRefundBody({ id }: OrderPayment, cents: number | null) {
  return cents === null ? {} : { transactions: [{ id, amount: formatDecimal(cents) }] }
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
 * with Mercado Pago's interest is whatever is left of the price, 0 when nothing is. Asked for again it is
 * the same, whatever the order shows by then: the key stands for no other body.
 */
function computeOrderRefundCents(
  priceCents: number,
  { amountCents, totalCents, earlier }: RefundRequest,
) {
  if (amountCents === totalCents) return null
  if (totalCents === priceCents) return amountCents
  const gone = earlier.reduce((sum, one) => sum + one.amountCents, 0)
  return Math.max(Math.min(amountCents, priceCents - gone), 0)
}

type SentRefund = Pick<RefundRequest, 'earlier'> & { cents: number | null }

/** The one that was not there before, or when the answer repeats itself the one that fits. */
function findNewRefund(before: Order, { body, cents, earlier }: SentRefund & { body: unknown }) {
  const known = getOrderRefunds(before).map(({ id }) => id)
  const listed = RefundResponse.safeParse(body).data?.transactions.refunds ?? []
  return (
    listed.findLast(({ id }) => !known.includes(id)) ??
    listOwnRefunds(listed, earlier).findLast(({ amount }) => !cents || amount === cents)
  )
}

/**
 * Refused by a conflict: it was asked for before, nothing is left, or the order is in no state for it. Only
 * what stands in the order and is no other refund's tells which.
 */
function toRepeatedRefundOutcome(
  order: Order | undefined,
  { problem, ...sent }: SentRefund & { problem?: unknown },
): RefundOutcome {
  const refund = findStandingRefund(order, sent)
  return refund ? toOrderRefundOutcome(refund) : toFailedRefundOutcome(problem)
}

function findStandingRefund(order: Order | undefined, { cents, earlier }: SentRefund) {
  if (!order) return undefined
  const standing = getOrderRefunds(order).filter((one) => getOrderRefundStatus(one) !== 'failed')
  if (cents) return listOwnRefunds(standing, earlier).findLast(({ amount }) => amount === cents)
  const price = getOrderPayment(order)?.amount ?? order.total_amount
  // One that tells no amount is taken for one of all.
  const gone = standing.reduce((sum, { amount }) => sum + (amount ?? price), 0)
  return gone >= price ? standing.at(-1) : undefined
}

/** Without those of earlier ones; of what was made at Mercado Pago only the sum is known, and it is the oldest. */
function listOwnRefunds(refunds: OrderRefund[], earlier: readonly EarlierRefund[]) {
  const unnamed = refunds.filter(({ id }) => !earlier.some(({ reference }) => reference === id))
  const madeThere = earlier.filter(({ reference, isDone }) => isDone && reference === null)
  let rest = madeThere.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return unnamed.filter(({ amount }) => {
    if (amount == null || amount > rest) return true
    rest -= amount
    return false
  })
}

function toMadeRefundOutcome(
  made: OrderRefund | undefined,
  { refundId: reference }: RefundRequest,
): RefundOutcome {
  return made ? toOrderRefundOutcome(made) : { status: 'processing', reference }
}

function toOrderRefundOutcome(refund: OrderRefund): RefundOutcome {
  const status = getOrderRefundStatus(refund)
  if (status === 'failed') return { status, reason: 'refused' }
  return { status, reference: refund.id }
}

function toRefusedRefundOutcome(status: number, problem: unknown): RefundOutcome {
  if (status === 423 || status === 424) {
    throw new Error(`Mercado Pago is still busy with the refund: ${status}`)
  }
  // What a gateway on the way answers, which is no JSON, is no verdict.
  if (problem === null) throw new Error(`Mercado Pago answered a refund with ${status} alone`)
  return toFailedRefundOutcome(problem)
}

function toFailedRefundOutcome(problem: unknown): RefundOutcome {
  const poor = /insufficient|balance/i.test(JSON.stringify(problem))
  return { status: 'failed', reason: poor ? 'insufficient_balance' : 'refused' }
}
