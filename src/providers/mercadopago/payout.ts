// Finds Mercado Pago's fee for an approved payment, and the day of its payout. They are not in the order, but in
// the payment with the same external reference. A missing answer delays nothing: the next check asks again.

import { z } from 'zod'
import type { Approval, ProviderPayout } from '../provider.ts'
import type { MercadoPagoClient } from './client.ts'
import { OrderPayout, parseOrderInstant } from './schema.ts'

// Without an order the search is refused.
const NEWEST_FIRST = { sort: 'date_created', criteria: 'desc' }
const PayoutSearch = z.object({ results: z.array(z.unknown()).max(100) })

export async function fillPayout(
  client: MercadoPagoClient,
  transactionId: string,
  approval: Approval,
): Promise<Approval> {
  const query = { external_reference: transactionId, ...NEWEST_FIRST }
  const answer = await client.get('/v1/payments/search', query).catch(() => undefined)
  const found = PayoutSearch.safeParse(answer?.status === 200 ? answer.body : undefined)
  const payments = found.data?.results.flatMap((one) => OrderPayout.safeParse(one).data ?? []) ?? []
  const [payment, another] = payments.filter((one) => one.external_reference === transactionId)
  return payment && !another ? { ...approval, payout: toPayout(payment) } : approval
}

function toPayout(payment: OrderPayout): ProviderPayout {
  return {
    // What went back may be missing in what is received; it is no fee.
    feeCents: payment.transaction_amount_refunded ? undefined : computeKeptCents(payment),
    paidOutAt: parseOrderInstant(payment.money_release_date),
  }
}

/** Its fees, and the interest that the payer paid to it: what was paid, less what the company receives. */
function computeKeptCents({
  transaction_amount: price,
  transaction_details: details,
}: OrderPayout) {
  const { net_received_amount: net, total_paid_amount: paid } = details ?? {}
  // Before it has reckoned it names none. A coupon of its own takes nothing from the company.
  return net ? Math.max(price, paid ?? price) - net : undefined
}
