// Lists all Pix received at Woovi in a period, for any charge, page by page. The list has no refunds and no disputes.
import { SECOND_MS } from '../../database/instant.ts'
import type { UnreadableItem } from '../answers.ts'
import type { ListedPix, ListWindow, PixListing } from '../provider.ts'
import type { OpenPixClient } from './client.ts'
import { mayHaveComeIn, toReceipt } from './receipts.ts'
import { MovementList, type OpenPixMovement } from './responses.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 200
const LAG_MS = 30 * SECOND_MS

export async function listWooviPix(
  client: OpenPixClient,
  { from }: ListWindow,
  now: Date,
): Promise<PixListing> {
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
  const unreadTxids = unread.flatMap(({ value }) =>
    value.transactionID ? String(value.transactionID) : [],
  )
  return { pix, until, unreadTxids }
}

function toListedPix(movement: OpenPixMovement): ListedPix[] {
  const receipt = toReceipt(movement)
  if (!receipt) return []
  const { charge, transactionID } = movement
  const reference = charge?.correlationID
  const named = reference ? { chargeReference: reference } : {}
  return [{ ...receipt, refundedCents: 0, txid: (reference && transactionID) || null, ...named }]
}
