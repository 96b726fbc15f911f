// Reads the Pix received for a charge and their refunds, which Woovi lists apart from the charge's status.
import { toRecord } from '../../http/fields.ts'
import {
  equalsIgnoringCase,
  type ReadList,
  readEndToEndInstant,
  toOwnCase,
  type UnreadableItem,
} from '../answers.ts'
import type { Approval } from '../provider.ts'
import type { ReceivedPix } from '../received.ts'
import type { OpenPixClient } from './client.ts'
import { listChargeDisputes } from './disputes.ts'
import { isRefundDone, listChargeRefunds } from './refunds.ts'
import {
  MovementList,
  type OpenPixCharge,
  type OpenPixMovement,
  type OpenPixRefund,
} from './responses.ts'

const MAX_LIST_PAGES = 20

type Receipt = Omit<ReceivedPix, 'refundedCents'>
export type MovementNames = Pick<OpenPixMovement, 'charge' | 'transactionID'>

/** Lists received Pix, oldest first, for any status of the charge, with the fields that could not be read. */
export async function listReceived(
  client: OpenPixClient,
  charge: OpenPixCharge,
): Promise<{ received: Receipt[]; unreadable: string | null }> {
  const { items, unreadable } = await listMovements(client, charge)
  const received = items.flatMap((movement) => {
    const isOwn = isOfCharge(movement, charge)
    return (isOwn && toReceipt(movement, charge.createdAt)) || []
  })
  const [odd] = unreadable.filter(
    (item) => mayHaveComeIn(item) && isOfCharge(toNames(item.value), charge),
  )
  if (odd) client.reportUnreadable(`transactions.${odd.field}`)
  // A Pix that is listed twice counts once.
  const once = [...new Map(received.map((pix) => [pix.endToEndId.toLowerCase(), pix])).values()]
  return {
    received: once.toSorted((a, b) => a.paidAt.localeCompare(b.paidAt)),
    unreadable: odd?.field ?? null,
  }
}

/** Reads all pages. If the filter is ignored, the list has other payments too. */
async function listMovements(client: OpenPixClient, { correlationID }: OpenPixCharge) {
  const all: ReadList<OpenPixMovement> = { items: [], unreadable: [] }
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const skip = all.items.length + all.unreadable.length
    const query = { charge: correlationID, type: 'PAYMENT', ...(skip > 0 && { skip: `${skip}` }) }
    const call = { method: 'GET', path: '/transaction', query } as const
    const { transactions, pageInfo } = await client.call(MovementList, call)
    const { items, unreadable } = transactions
    all.items.push(...items)
    all.unreadable.push(...unreadable)
    if (!pageInfo?.hasNextPage || items.length + unreadable.length === 0) break
  }
  return all
}

export function toNames({ charge, transactionID }: Record<string, unknown>): MovementNames {
  const { correlationID } = toRecord(charge)
  return {
    charge: typeof correlationID === 'string' ? { correlationID } : null,
    transactionID: typeof transactionID === 'string' ? transactionID : null,
  }
}

/** Undefined when it is no received Pix, or has no instant; `earliest` is used as a default. */
export function toReceipt(
  movement: OpenPixMovement,
  earliest?: string | null,
): Receipt | undefined {
  const { endToEndId, value: amountCents, time, payer } = movement
  if (!endToEndId || !hasComeIn(movement)) return undefined
  const paidAt = time ?? readEndToEndInstant(endToEndId) ?? earliest
  const known = { name: payer?.name ?? null, taxId: payer?.taxID?.taxID ?? null }
  return paidAt ? { endToEndId, amountCents, paidAt, ...(payer && { payer: known }) } : undefined
}

export async function toOpenPixApproval(
  client: OpenPixClient,
  { correlationID: reference, fee, paymentMethods }: OpenPixCharge,
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
  const received = receipts.map((pix, i) => {
    const refundedCents = returned[i] ?? 0
    const returns = done.filter((one) => isRefundOf(one, pix) || !isNamed(one, receipts))
    return { ...pix, refundedCents, ...(returns.length > 0 && { returns: toReturns(returns) }) }
  })
  const feeCents = fee ?? paymentMethods?.pix.fee
  return {
    ...{ status: 'approved', reference, received },
    ...(disputes.length > 0 && { disputes }),
    ...(feeCents !== undefined && { payout: { feeCents } }),
  }
}

function isRefundOf({ comment }: OpenPixRefund, { endToEndId }: Receipt) {
  return comment?.includes(endToEndId) ?? false
}

function isNamed(refund: OpenPixRefund, receipts: readonly Receipt[]) {
  return receipts.some((pix) => isRefundOf(refund, pix))
}

function toReturns(refunds: readonly OpenPixRefund[]) {
  return refunds.flatMap(({ correlationID: id, time }) =>
    id ? { reference: toOwnCase(id), at: time ?? undefined } : [],
  )
}

/** Assigns refunds to Pix: ours name their Pix in the comment, others belong to the oldest. */
function assignRefunds(receipts: readonly Receipt[], refunds: readonly OpenPixRefund[]) {
  const unnamed = refunds.filter((refund) => !isNamed(refund, receipts))
  let rest = sumCents(unnamed.map(({ value }) => value ?? 0))
  return receipts.map((pix) => {
    const named = sumCents(
      refunds.filter((one) => isRefundOf(one, pix)).map(({ value }) => value ?? 0),
    )
    const taken = Math.min(rest, Math.max(0, pix.amountCents - named))
    rest -= taken
    return named + taken
  })
}

/** Whether an unreadable movement may be a received Pix. */
export function mayHaveComeIn({ value }: UnreadableItem) {
  return !NOT_RECEIVED.includes(`${value.type}`)
}

/** A list may have refunds, fees and money in transit. */
function hasComeIn({ value, type, status }: OpenPixMovement) {
  return value > 0 && !NOT_RECEIVED.includes(type ?? '') && !NOT_RECEIVED.includes(status ?? '')
}

const NOT_RECEIVED = [
  ...['WITHDRAW', 'REFUND', 'FEE', 'INTERNAL_TRANSFER', 'REVERSAL'],
  ...['BALANCE_BLOCK', 'BALANCE_UNBLOCK', 'CREATED', 'IN_PROCESSING', 'REJECTED'],
]

/** Checks our id or the txid, so that another payment's money does not pay for it when the filter is ignored. */
function isOfCharge({ charge: named, transactionID }: MovementNames, charge: OpenPixCharge) {
  if (named?.correlationID) return equalsIgnoringCase(named.correlationID, charge.correlationID)
  const txids = [charge.transactionID, charge.identifier]
  return txids.some((txid) => txid && equalsIgnoringCase(transactionID, txid))
}

function sumCents(amounts: readonly number[]) {
  return amounts.reduce((total, cents) => total + cents, 0)
}
