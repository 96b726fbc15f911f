// What has come in for a charge and what has gone again: Woovi tells of it in lists of its own, beside
// the charge's status.
import type { Approval } from '../provider.ts'
import type { OpenPixClient } from './client.ts'
import { isRequestRefused, OpenPixRefusal } from './errors.ts'
import { isRefundDone, listChargeRefunds } from './refunds.ts'
import {
  DisputeResponse,
  MovementList,
  type OpenPixCharge,
  type OpenPixMovement,
} from './responses.ts'

/** A charge is paid once; more is a payer's mistake, and as many are asked about. */
const MAX_DISPUTED_PAYMENTS = 5

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
): Promise<Approval> {
  const [first] = received
  if (!first) throw new Error(`Nothing has come in for ${reference}`)
  const [refunds, lost] = await Promise.all([
    listChargeRefunds(client, reference),
    Promise.all(received.slice(0, MAX_DISPUTED_PAYMENTS).map((pix) => getLostCents(client, pix))),
  ])
  const paidCents = sum(received.map(({ cents }) => cents))
  const lostCents = sum(lost)
  const returnedCents = sum(refunds.filter(isRefundDone).map(({ value }) => value))
  const chargedBack = lostCents >= paidCents
  // A dispute that took the whole is told as what it is, one that took a part as money that went back.
  const refundedCents = Math.min(returnedCents + (chargedBack ? 0 : lostCents), paidCents)
  return {
    status: 'approved',
    reference,
    paidCents,
    paidAt: first.paidAt,
    endToEndId: first.endToEndId,
    ...(refundedCents > 0 && { refundedCents }),
    ...(chargedBack && { chargedBack }),
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

/** What a dispute that was decided for the payer (MED) took; of a MED Woovi tells no amount: all of it. */
async function getLostCents(client: OpenPixClient, { endToEndId, cents }: ReceivedPix) {
  const path = `/dispute/${encodeURIComponent(endToEndId)}`
  try {
    const { dispute } = await client.call(DisputeResponse, { method: 'GET', path })
    const isOther = dispute.endToEndId && dispute.endToEndId !== endToEndId
    if (isOther || dispute.status !== 'ACCEPTED') return 0
    return Math.min(dispute.value || cents, cents)
  } catch (error) {
    if (isRequestRefused(error) || isForbidden(error)) return 0
    throw error
  }
}

/** An AppID that may not read disputes takes payments all the same; "Testar conexão" tells of it. */
function isForbidden(error: unknown) {
  return error instanceof OpenPixRefusal && error.status === 403
}

function sum(amounts: readonly number[]) {
  return amounts.reduce((total, cents) => total + cents, 0)
}
