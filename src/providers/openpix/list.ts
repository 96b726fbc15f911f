// Lists all Pix received at Woovi in a period, for any charge, page by page, and all disputes. Woovi's list of refunds
// does not name their charges.
import { SECOND_MS } from '../../database/instant.ts'
import { toOwnCase, type UnreadableItem } from '../answers.ts'
import type { ListedPix, ListWindow, NamedPix, PixListing } from '../received.ts'
import type { OpenPixClient } from './client.ts'
import { isForbidden } from './disputes.ts'
import { type MovementNames, mayHaveComeIn, toNames, toReceipt } from './receipts.ts'
import {
  DisputeList,
  MovementList,
  type OpenPixDispute,
  type OpenPixMovement,
} from './responses.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 200
const LAG_MS = 30 * SECOND_MS

export async function listWooviPix(
  client: OpenPixClient,
  { from, isReturned }: ListWindow,
  now: Date,
): Promise<PixListing> {
  if (isReturned) return listDisputedPix(client, from, now)
  const until = new Date(now.getTime() - LAG_MS).toISOString()
  const found = new Map<string, ListedPix>()
  const unread: UnreadableItem[] = []
  const period = { type: 'PAYMENT', start: from, end: until, limit: String(PAGE_SIZE) }
  for (let skip = 0, last = false; !last; ) {
    if (skip >= MAX_PAGES * PAGE_SIZE) throw new Error('Woovi lists more than is read at once')
    const query = { ...period, skip: String(skip) }
    const call = { method: 'GET', path: '/transaction', query } as const
    const { transactions, pageInfo } = await client.call(MovementList, call)
    for (const pix of transactions.items.flatMap(toListedPix)) found.set(pix.endToEndId, pix)
    unread.push(...transactions.unreadable.filter(mayHaveComeIn))
    // An unreadable item counts too, so that it does not hide others.
    const count = transactions.items.length + transactions.unreadable.length
    skip += count
    last = count === 0 || !pageInfo?.hasNextPage
  }
  const pix = [...found.values()].toSorted((a, b) => b.paidAt.localeCompare(a.paidAt))
  for (const { field } of unread) client.reportUnreadable(`transactions.${field}`)
  return { pix, until, unread: unread.map(({ value }) => nameCharge(toNames(value))) }
}

function toListedPix(movement: OpenPixMovement): ListedPix[] {
  const receipt = toReceipt(movement)
  if (!receipt) return []
  return [{ ...receipt, refundedCents: 0, ...nameCharge(movement) }]
}

function nameCharge({ charge, transactionID }: MovementNames): NamedPix {
  const reference = charge?.correlationID
  if (!reference) return { txid: null }
  return { txid: transactionID || null, chargeReference: toOwnCase(reference) }
}

async function listDisputedPix(
  client: OpenPixClient,
  from: string,
  now: Date,
): Promise<PixListing> {
  const until = now.toISOString()
  const pix: ListedPix[] = []
  for (let skip = 0, last = false; !last; ) {
    if (skip >= MAX_PAGES * PAGE_SIZE) throw new Error('Woovi lists more than is read at once')
    const period = { start: from, end: until, limit: String(PAGE_SIZE), skip: String(skip) }
    const { items, count, hasMore } = await readDisputes(client, period)
    pix.push(...items.flatMap((dispute) => toDisputedPix(dispute, until)))
    skip += count
    last = count === 0 || !hasMore
  }
  return { pix, until }
}

function toDisputedPix({ endToEndId, value, createdAt }: OpenPixDispute, at: string): ListedPix[] {
  const known = { amountCents: value ?? 0, paidAt: createdAt ?? at, refundedCents: 0 }
  return endToEndId ? [{ ...known, endToEndId, txid: null, disputeCount: 1 }] : []
}

/** Empty for an AppID without access to disputes. */
async function readDisputes(client: OpenPixClient, query: Record<string, string>) {
  try {
    const call = { method: 'GET', path: '/dispute', query } as const
    const { disputes, pageInfo } = await client.call(DisputeList, call)
    const count = disputes.items.length + disputes.unreadable.length
    return { items: disputes.items, count, hasMore: pageInfo?.hasNextPage === true }
  } catch (error) {
    if (isForbidden(error)) return { items: [], count: 0, hasMore: false }
    throw error
  }
}
