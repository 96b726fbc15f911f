// What has come in for a charge and what has gone again: Woovi tells of it in lists of its own, beside
// the charge's status.
import type { Approval, ReceivedPix } from '../provider.ts'
import type { OpenPixClient } from './client.ts'
import { listChargeDisputes } from './disputes.ts'
import { isRefundDone, listChargeRefunds } from './refunds.ts'
import {
  MovementList,
  type OpenPixCharge,
  type OpenPixMovement,
  type OpenPixRefund,
} from './responses.ts'

type Receipt = Omit<ReceivedPix, 'refundedCents'>

/** Oldest first, whatever the charge's own status says. */
export async function listReceived(
  client: OpenPixClient,
  charge: OpenPixCharge,
): Promise<Receipt[]> {
  const query = { charge: charge.correlationID, type: 'PAYMENT' }
  const call = { method: 'GET', path: '/transaction', query } as const
  const { transactions } = await client.call(MovementList, call)
  const received = transactions.flatMap((movement) => {
    const endToEndId = movement.endToEndId ?? movement.endToEndID
    if (!endToEndId || !isOfCharge(movement, charge) || !hasComeIn(movement)) return []
    const { value: amountCents, time: paidAt, payer } = movement
    const known = { name: payer?.name?.trim() || null, taxId: payer?.taxID?.taxID ?? null }
    return [{ endToEndId, amountCents, paidAt, ...(payer && { payer: known }) }]
  })
  // Told twice it came once.
  const once = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()]
  return once.toSorted((a, b) => a.paidAt.localeCompare(b.paidAt))
}

export async function toOpenPixApproval(
  client: OpenPixClient,
  { correlationID: reference, fee }: OpenPixCharge,
  receipts: readonly Receipt[],
  now: Date,
): Promise<Approval> {
  if (receipts.length === 0) throw new Error(`Nothing has come in for ${reference}`)
  const [refunds, disputes] = await Promise.all([
    listChargeRefunds(client, reference),
    listChargeDisputes(client, receipts, now),
  ])
  const done = refunds.filter(isRefundDone)
  const returned = assignRefunds(receipts, done)
  const returns = done.flatMap(({ correlationID: id }) => (id ? { reference: id } : []))
  const received = receipts.map((pix, i) => ({
    ...{ ...pix, refundedCents: returned[i] ?? 0 },
    ...(returns.length > 0 && { returns }),
  }))
  const payout = fee === null || fee === undefined ? undefined : { feeCents: fee }
  return {
    ...{ status: 'approved', reference, received },
    ...(disputes.length > 0 && { disputes }),
    ...(payout && { payout }),
  }
}

/** What has gone back of each: ours name their Pix in the comment, others are of the oldest first. */
function assignRefunds(receipts: readonly Receipt[], refunds: readonly OpenPixRefund[]) {
  const isOf = ({ comment }: OpenPixRefund, { endToEndId }: Receipt) =>
    comment?.includes(endToEndId)
  const unnamed = refunds.filter((refund) => !receipts.some((pix) => isOf(refund, pix)))
  let rest = sumCents(unnamed.map(({ value }) => value))
  return receipts.map((pix) => {
    const named = sumCents(refunds.filter((one) => isOf(one, pix)).map(({ value }) => value))
    const taken = Math.min(rest, Math.max(0, pix.amountCents - named))
    rest -= taken
    return named + taken
  })
}

/** The list may hold what went back, fees and money on its way. */
function hasComeIn({ value, type, status }: OpenPixMovement) {
  return value > 0 && !NOT_RECEIVED.includes(type ?? '') && !NOT_RECEIVED.includes(status ?? '')
}

const NOT_RECEIVED = [
  ...['WITHDRAW', 'REFUND', 'FEE', 'INTERNAL_TRANSFER', 'REVERSAL'],
  ...['BALANCE_BLOCK', 'BALANCE_UNBLOCK', 'CREATED', 'IN_PROCESSING', 'REJECTED'],
]

/** By our id or by the txid: another's money must not pay for it, should the filter be left out. */
function isOfCharge({ charge: named, transactionID }: OpenPixMovement, charge: OpenPixCharge) {
  if (named?.correlationID) return named.correlationID === charge.correlationID
  const txids = [charge.transactionID, charge.identifier]
  return Boolean(transactionID) && txids.includes(transactionID)
}

function sumCents(amounts: readonly number[]) {
  return amounts.reduce((total, cents) => total + cents, 0)
}
