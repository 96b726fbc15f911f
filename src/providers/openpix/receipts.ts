// What has come in for a charge and what has gone again: Woovi tells of it in lists of its own, beside
// the charge's status.
import type { Approval } from '../provider.ts'
import type { OpenPixClient } from './client.ts'
import { listChargeDisputes } from './disputes.ts'
import { isRefundDone, listChargeRefunds } from './refunds.ts'
import { MovementList, type OpenPixCharge, type OpenPixMovement } from './responses.ts'

type ReceivedPix = { endToEndId: string; cents: number; paidAt: string }

/** Oldest first, whatever the charge's own status says. */
export async function listReceived(
  client: OpenPixClient,
  charge: OpenPixCharge,
): Promise<ReceivedPix[]> {
  const query = { charge: charge.correlationID, type: 'PAYMENT' }
  const call = { method: 'GET', path: '/transaction', query } as const
  const { transactions } = await client.call(MovementList, call)
  const received = transactions.flatMap((movement) => {
    const endToEndId = movement.endToEndId ?? movement.endToEndID
    if (!endToEndId || !isOfCharge(movement, charge) || !hasComeIn(movement)) return []
    return [{ endToEndId, cents: movement.value, paidAt: movement.time }]
  })
  // Told twice it came once.
  const once = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()]
  return once.toSorted((a, b) => a.paidAt.localeCompare(b.paidAt))
}

export async function toOpenPixApproval(
  client: OpenPixClient,
  reference: string,
  received: readonly ReceivedPix[],
  now: Date,
): Promise<Approval> {
  const [first] = received
  if (!first) throw new Error(`Nothing has come in for ${reference}`)
  const [refunds, disputes] = await Promise.all([
    listChargeRefunds(client, reference),
    listChargeDisputes(client, received, now),
  ])
  const paidCents = sum(received.map(({ cents }) => cents))
  const returnedCents = sum(refunds.filter(isRefundDone).map(({ value }) => value))
  const refundedCents = Math.min(returnedCents, paidCents)
  return {
    status: 'approved',
    reference,
    paidCents,
    paidAt: first.paidAt,
    endToEndId: first.endToEndId,
    ...(refundedCents > 0 && { refundedCents }),
    ...(disputes.length > 0 && { disputes }),
  }
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

function sum(amounts: readonly number[]) {
  return amounts.reduce((total, cents) => total + cents, 0)
}
