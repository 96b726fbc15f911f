// Reads the chargebacks of an order as disputes. The order has their names and states; only the case of each has
// the reason and the deadline for evidence.
import type { DisputeStatus } from '../../database/enums.ts'
import type { Approval, ProviderDispute } from '../provider.ts'
import type { MercadoPagoClient } from './client.ts'
import {
  ChargebackCase,
  type Order,
  type OrderChargeback,
  type OrderPayment,
  parseOrderInstant,
} from './schema.ts'

/** `settled`: the payer's bank has the money. `reimbursed`: the company has it back. */
const DISPUTE_STATUSES = new Map<string, DisputeStatus>([
  ['in_process', 'open'],
  ['settled', 'lost'],
  ['reimbursed', 'won'],
])

const UNLOST_DETAILS = ['in_process', 'reimbursed']

type DisputedPayment = {
  payment: OrderPayment
  method: 'pix' | 'credit_card'
  /** The amount that the payer paid; the order may give it without interest. */
  paidCents: number
}

/**
 * One too when the order is charged back and names no chargeback. The first goes by the payment's own id, and
 * so stays the same when it is named later.
 */
export function listOrderDisputes(
  order: Order,
  paid: DisputedPayment,
  now: Date,
): ProviderDispute[] {
  const at = parseOrderInstant(order.last_updated_date) ?? now.toISOString()
  const named = getOrderChargebacks(order)
  const chargebacks = named.length > 0 ? named : listUnnamedChargebacks(order, paid)
  return chargebacks.map((chargeback, index) => ({
    ...toOrderDispute(chargeback, paid, at),
    reference: index === 0 ? paid.payment.id : chargeback.id,
  }))
}

/** What open disputes ask of the company, as far as Mercado Pago says it; all else stays as it was. */
export async function fillDisputeCases(
  client: MercadoPagoClient,
  order: Order,
  approval: Approval,
): Promise<Approval> {
  if (!approval.disputes?.some(({ status }) => status === 'open')) return approval
  const disputes = await Promise.all(
    approval.disputes.map(async (dispute, index) => {
      const { case_id } = getOrderChargebacks(order)[index] ?? {}
      const known = dispute.status === 'open' && case_id && (await readCase(client, case_id))
      return known ? { ...dispute, ...known } : dispute
    }),
  )
  return { ...approval, disputes }
}

/** Charged back without a word on the dispute is lost. */
function listUnnamedChargebacks(order: Order, { payment }: DisputedPayment): OrderChargeback[] {
  const isChargedBack = order.status === 'charged_back' || payment.status === 'charged_back'
  if (!isChargedBack) return []
  const details = [payment.status_detail, order.status_detail]
  const status = details.find((detail) => UNLOST_DETAILS.includes(detail ?? '')) ?? 'settled'
  return [{ id: payment.id, case_id: null, status, amount: null }]
}

function toOrderDispute(
  chargeback: OrderChargeback,
  { payment, method, paidCents }: DisputedPayment,
  at: string,
): ProviderDispute {
  // The payment's own word is of any of them: it is taken where the chargeback has none that is known.
  const told = [chargeback.status, payment.status_detail]
  const status = told.flatMap((one) => DISPUTE_STATUSES.get(one ?? '') ?? [])[0] ?? 'open'
  const amount = chargeback.amount || payment.amount
  return {
    reference: chargeback.id,
    kind: method === 'pix' ? 'med' : 'card',
    endToEndId: payment.payment_method?.e2e_id ?? null,
    reason: null,
    amountCents: amount >= payment.amount ? paidCents : amount,
    status,
    openedAt: at,
    closedAt: status === 'open' ? null : at,
    respondBy: null,
  }
}

async function readCase(client: MercadoPagoClient, caseId: string) {
  const answer = await client
    .get(`/v1/chargebacks/${encodeURIComponent(caseId)}`)
    .catch(() => undefined)
  const { data } = ChargebackCase.safeParse(answer?.status === 200 ? answer.body : undefined)
  if (!data) return undefined
  const openedAt = parseOrderInstant(data.date_created)
  const respondBy = parseOrderInstant(data.date_documentation_deadline) ?? null
  return { reason: data.reason ?? null, respondBy, ...(openedAt && { openedAt }) }
}

function getOrderChargebacks(order: Order): OrderChargeback[] {
  return order.transactions?.chargebacks ?? []
}
