// Finds Mercado Pago's fee for an approved payment, when it was paid, and the day of its payout. The order lacks them;
// the payment with the same external reference has them. Nothing waits for them: the next check asks again.

import { z } from 'zod'
import type { JsonClient } from '../json-client.ts'
import type { Approval, ProviderPayout } from '../provider.ts'
import { OrderPayout, parseOrderInstant } from './schema.ts'

// The search is refused without a sort order.
const NEWEST_FIRST = { sort: 'date_created', criteria: 'desc' }
const PayoutSearch = z.object({ results: z.array(z.unknown()).max(100) })

export async function fillPayout(
  client: JsonClient,
  transactionId: string,
  approval: Approval,
): Promise<Approval> {
  const query = { external_reference: transactionId, ...NEWEST_FIRST }
  const answer = await client.get('/v1/payments/search', query).catch(() => undefined)
  const found = PayoutSearch.safeParse(answer?.status === 200 ? answer.body : undefined)
  const payments = found.data?.results.flatMap((one) => OrderPayout.safeParse(one).data ?? []) ?? []
  const [payment, another] = payments.filter((one) => one.external_reference === transactionId)
  if (!payment || another) return approval
  return setPaidAt({ ...approval, payout: toPayout(payment) }, payment)
}

/** The order itself has only the instant of its last change, which a refund or a dispute moves. */
function setPaidAt(approval: Approval, payment: OrderPayout): Approval {
  const paidAt = parseOrderInstant(payment.date_approved)
  if (!paidAt) return approval
  return approval.received
    ? { ...approval, received: approval.received.map((pix) => ({ ...pix, paidAt })) }
    : { ...approval, paidAt }
}

function toPayout(payment: OrderPayout): ProviderPayout {
  return {
    // The received amount may lack refunded money, which is no fee.
    feeCents: payment.transaction_amount_refunded ? undefined : computeKeptCents(payment),
    paidOutAt: parseOrderInstant(payment.money_release_date),
  }
}

/** Returns the fees and the interest paid to Mercado Pago: the paid amount less the received one. */
export function computeKeptCents({
  transaction_amount: price,
  transaction_details: details,
}: Pick<OrderPayout, 'transaction_amount' | 'transaction_details'>) {
  const { net_received_amount: net, total_paid_amount: paid } = details ?? {}
  // Before its calculation there is no received amount. A discount by Mercado Pago costs the company nothing.
  return net ? Math.max(price, paid ?? price) - net : undefined
}
