// Reads the chargebacks of an order as disputes. The order has their ids and states; only the case of each has the
// reason and the deadline for evidence.
import type { DisputeStatus } from '../../database/enums.ts'
import type { JsonClient } from '../json-client.ts'
import type { Approval, ProviderDispute } from '../provider.ts'
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
 * Also returns a dispute when the order is charged back without naming a chargeback. The first dispute has the
 * payment's own id, so it stays the same if the chargeback is named later.
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

/** Fills in the reason and deadline of open disputes, as far as Mercado Pago gives them. */
export async function fillDisputeCases(
  client: JsonClient,
  order: Order,
  approval: Approval,
): Promise<Approval> {
  if (!approval.disputes?.some(({ status }) => status === 'open')) return approval
  const named = getOrderChargebacks(order)
  const disputes = await Promise.all(
    approval.disputes.map(async (dispute, index) => {
      const { case_id } = findChargeback(order, dispute) ?? named[index] ?? {}
      const known = dispute.status === 'open' && case_id && (await readCase(client, case_id))
      return known ? { ...dispute, ...known } : dispute
    }),
  )
  return { ...approval, disputes }
}

/** A payment that was charged back without a named dispute counts as a lost one. */
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
  // The payment's status may belong to any chargeback, so it is used only for one without a known status.
  const reported = [chargeback.status, payment.status_detail]
  const status = reported.flatMap((one) => DISPUTE_STATUSES.get(one ?? '') ?? [])[0] ?? 'open'
  const amount = chargeback.amount || payment.amount
  return {
    reference: chargeback.id,
    kind: method === 'pix' ? 'med' : 'card',
    endToEndId: method === 'pix' ? (payment.payment_method?.e2e_id ?? null) : payment.id,
    reason: null,
    amountCents: amount >= payment.amount ? paidCents : amount,
    status,
    openedAt: at,
    closedAt: status === 'open' ? null : at,
    respondBy: null,
  }
}

function findChargeback(order: Order, { reference }: ProviderDispute) {
  const isNamed = (one: OrderChargeback) => [one.id, one.transaction_id].includes(reference)
  return getOrderChargebacks(order).find(isNamed)
}

async function readCase(client: JsonClient, caseId: string) {
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
