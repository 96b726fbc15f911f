// The payments of which an account's list tells more than our book has: a Pix that is not booked, money that went
// back, a dispute. Each is to be checked at once.
import type { Database, Db } from '../../database/connect.ts'
import { and, eq, inArray, sql } from '../../database/drizzle.ts'
import { DAY_MS } from '../../database/instant.ts'
import { disputes, incomingPayments, transactions } from '../../database/tables.ts'
import type { ListedPix, PixListing } from '../../providers/provider.ts'
import { parseTxid } from '../txid.ts'
import type { ReadAccount } from './account-claims.ts'

const BATCH_SIZE = 500
/** What one by one is checked of: what a payer may still pay, and what may still go back. */
const UNLISTED_AFTER_EXPIRY_MS = 2 * DAY_MS
const UNLISTED_AFTER_APPROVAL_MS = 100 * DAY_MS

export async function listContradictedPayments(
  db: Database,
  account: ReadAccount,
  { pix: listed, unreadTxids = [] }: Pick<PixListing, 'pix' | 'unreadTxids'>,
): Promise<string[]> {
  const unread = unreadTxids.map((txid) => ({ txid }))
  const found = new Set(await findNamedPayments(db, account, unread))
  for (let from = 0; from < listed.length; from += BATCH_SIZE) {
    const batch = listed.slice(from, from + BATCH_SIZE)
    const booked = await findBooked(db, account, batch)
    const unbooked = batch.filter(({ endToEndId }) => !booked.has(endToEndId))
    for (const id of await findNamedPayments(db, account, unbooked)) found.add(id)
    for (const pix of batch) {
      const known = booked.get(pix.endToEndId)
      if (known && tellsMore(pix, known)) found.add(known.transactionId)
    }
  }
  return [...found]
}

/** Brings the checks of these payments forward to `at`. */
export async function scheduleChecksNow(
  db: Db,
  account: ReadAccount,
  ids: readonly string[],
  at: string,
) {
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    await db
      .update(transactions)
      .set({ checkAt: sql`least(check_at, ${at}::timestamptz)` })
      .where(
        and(isOfAccount(account), inArray(transactions.id, ids.slice(from, from + BATCH_SIZE))),
      )
  }
}

/** The checks that take the place of a list that cannot be read; those of what may go back over most of a day. */
export async function scheduleUnlistedChecks(
  db: Database,
  account: ReadAccount,
  of: 'received' | 'returns',
  now: Date,
) {
  const at = sql`${now.toISOString()}::timestamptz`
  const since = (ms: number) => sql`${new Date(now.getTime() - ms).toISOString()}::timestamptz`
  const isReceived = of === 'received'
  const which = isReceived
    ? sql`(status = 'pending' or (status = 'expired' and expires_at > ${since(UNLISTED_AFTER_EXPIRY_MS)}))`
    : sql`approved_at > ${since(UNLISTED_AFTER_APPROVAL_MS)} and status <> 'refunded'`
  const next = isReceived ? at : sql`${at} + random() * interval '20 hours'`
  await db
    .update(transactions)
    .set({ checkAt: sql`least(check_at, ${next})` })
    .where(and(isOfAccount(account), eq(transactions.method, 'pix'), which))
}

type BookedPix = { transactionId: string; refundedCents: number; disputeCount: number }

function tellsMore({ refundedCents, disputeCount = 0 }: ListedPix, known: BookedPix) {
  return refundedCents > known.refundedCents || disputeCount > known.disputeCount
}

async function findBooked(
  db: Database,
  { companyId, provider }: ReadAccount,
  listed: readonly ListedPix[],
): Promise<Map<string, BookedPix>> {
  const { endToEndId, transactionId, refundedCents } = incomingPayments
  const disputeCount = sql<number>`(select count(*)::int from ${disputes}
    where ${disputes.incomingPaymentId} = ${incomingPayments.id})`
  const rows = await db
    .select({ endToEndId, transactionId, refundedCents, disputeCount })
    .from(incomingPayments)
    .where(
      and(
        eq(incomingPayments.companyId, companyId),
        eq(incomingPayments.provider, provider),
        inArray(
          endToEndId,
          listed.map((pix) => pix.endToEndId),
        ),
      ),
    )
  return new Map(rows.map(({ endToEndId: id, ...row }) => [id, row]))
}

/** Ours of which each is said to be: by our txid, in whatever case, or by the provider's name for the charge. */
async function findNamedPayments(
  db: Database,
  account: ReadAccount,
  listed: readonly Pick<ListedPix, 'txid' | 'chargeReference'>[],
): Promise<string[]> {
  const ids = listed.flatMap(({ txid }) => parseAnyCaseTxid(txid) ?? [])
  const references = listed.flatMap(({ chargeReference }) => chargeReference ?? [])
  const { id, providerReference } = transactions
  const [byTxid, byReference] = await Promise.all(
    [inArray(id, ids), inArray(providerReference, references)].map((named) =>
      db
        .select({ id })
        .from(transactions)
        .where(and(isOfAccount(account), named)),
    ),
  )
  return [...(byTxid ?? []), ...(byReference ?? [])].map((row) => row.id)
}

function parseAnyCaseTxid(txid: string | null) {
  return txid && parseTxid(`${txid.slice(0, 2).toUpperCase()}${txid.slice(2).toLowerCase()}`)
}

function isOfAccount({ companyId, provider }: ReadAccount) {
  return and(eq(transactions.companyId, companyId), eq(transactions.provider, provider))
}
