// What Mercado Pago keeps of an approved payment, and when it releases the rest. Orders say neither; the payment
// behind one, of the same external reference, does. That it does not answer is no reason to wait: it is asked
// again with the next check.

import { z } from 'zod'
import type { Approval, ProviderPayout } from '../provider.ts'
import type { MercadoPagoClient } from './client.ts'
import { OrderPayout, parseOrderInstant } from './schema.ts'

const PayoutSearch = z.object({ results: z.array(z.unknown()).max(100) })

export async function fillPayout(
  client: MercadoPagoClient,
  transactionId: string,
  approval: Approval,
): Promise<Approval> {
  const query = { external_reference: transactionId }
  const answer = await client.get('/v1/payments/search', query).catch(() => undefined)
  const found = PayoutSearch.safeParse(answer?.status === 200 ? answer.body : undefined)
  const payments = found.data?.results.flatMap((one) => OrderPayout.safeParse(one).data ?? []) ?? []
  const [payment, another] = payments.filter((one) => one.external_reference === transactionId)
  return payment && !another ? { ...approval, payout: toPayout(payment) } : approval
}

function toPayout(payment: OrderPayout): ProviderPayout {
  return {
    feeCents: computeKeptCents(payment),
    paidOutAt: parseOrderInstant(payment.money_release_date),
  }
}

/** The fees that the company bears, and the interest that its payer paid to Mercado Pago. */
function computeKeptCents({ transaction_amount, fee_details, transaction_details }: OrderPayout) {
  const { net_received_amount: net, total_paid_amount: paid } = transaction_details ?? {}
  // Before it has reckoned it names no fee, and nothing that was received.
  if (fee_details.length === 0 && net !== transaction_amount) return undefined
  const fees = fee_details
    .filter(({ fee_payer }) => fee_payer === 'collector')
    .reduce((sum, { amount }) => sum + amount, 0)
  return fees + Math.max(0, (paid ?? transaction_amount) - transaction_amount)
}
