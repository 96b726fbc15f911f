// Finds the payments for which an account's list shows more than our book: a Pix that is not booked, returned money, a
// dispute, a fee. They are checked at once. A Pix that is booked nowhere and names no payment is a stray.
import type { Database, Db } from '../../database/connect.ts'
import { and, eq, inArray, sql } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import { DAY_MS } from '../../database/instant.ts'
import { disputes, incomingPayments, transactions } from '../../database/tables.ts'
import type { AccountKey } from '../../providers/accounts.ts'
import type { ListedCharge, ListedPix, NamedPix, PixListing } from '../../providers/received.ts'
import type { TransactionRow } from '../transaction.ts'
import { parseTxid } from '../txid.ts'

const BATCH_SIZE = 500
/** Payments to check one by one: those that may still be paid, and those that may still be returned. */
const UNLISTED_AFTER_EXPIRY_MS = 2 * DAY_MS
const UNLISTED_AFTER_APPROVAL_MS = 100 * DAY_MS

/** The account of a payment; the sandbox is one too. */
export type PaymentAccount = Pick<TransactionRow, 'companyId' | 'provider'>

type Comparison = { contradicted: string[]; strays: ListedPix[] }

export async function compareWithBook(
  db: Database,
  account: AccountKey,
  { pix: listed, unread: unreadPix = [], charges = [] }: Omit<PixListing, 'until'>,
): Promise<Comparison> {
  const unread = await findNamedPayments(db, account, unreadPix)
  const found = new Set([...unread.values(), ...(await findChanged(db, account, charges))])
  const strays: ListedPix[] = []
  for (let from = 0; from < listed.length; from += BATCH_SIZE) {
    const batch = listed.slice(from, from + BATCH_SIZE)
    const booked = await findBooked(db, account, batch)
    const unbooked = batch.filter(({ endToEndId }) => !booked.has(endToEndId.toLowerCase()))
    const named = await findNamedPayments(db, account, unbooked)
    for (const id of named.values()) found.add(id)
    strays.push(...unbooked.filter((pix) => !named.has(pix)))
    for (const pix of batch) {
      const known = booked.get(pix.endToEndId.toLowerCase())
      if (known && showsMore(pix, known)) found.add(known.transactionId)
    }
  }
  return { contradicted: [...found], strays }
}

/** Moves the checks of these payments forward to `at`, unless they are scheduled earlier. */
export async function scheduleChecksBefore(
  db: Db,
  account: PaymentAccount,
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

/** Schedules checks instead of a list that cannot be read; those for returned money are spread over most of a day. */
export async function scheduleUnlistedChecks(
  db: Database,
  account: AccountKey,
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
    .where(and(isOfAccount(account), which))
}

/** Finds the payments of charges that the list shows in another state than ours. */
async function findChanged(
  db: Database,
  account: AccountKey,
  charges: readonly ListedCharge[],
): Promise<string[]> {
  const ours = charges.filter(({ transactionId }) => isUuid(transactionId))
  const changed: string[] = []
  for (let from = 0; from < ours.length; from += BATCH_SIZE) {
    const batch = ours.slice(from, from + BATCH_SIZE)
    const ids = batch.map(({ transactionId }) => transactionId)
    const rows = await db
      .select()
      .from(transactions)
      .where(and(isOfAccount(account), inArray(transactions.id, ids)))
    const known = new Map(rows.map((row) => [row.id, row]))
    for (const charge of batch) {
      const row = known.get(charge.transactionId.toLowerCase())
      if (row && differs(charge, row)) changed.push(row.id)
    }
  }
  return changed
}

function differs({ status, refundedCents, feeCents }: ListedCharge, row: TransactionRow) {
  if (status === 'unpaid') return row.status === 'pending'
  const isUnknown = row.approvedAt === null && row.holdReason === null
  if (status !== 'paid' || isUnknown || row.status === 'charged_back') return true
  const isFeeNew = feeCents !== undefined && row.feeSource !== 'provider'
  return refundedCents > row.refundedCents || (isFeeNew && row.approvedAt !== null)
}

type BookedPix = { transactionId: string; refundedCents: number; disputeCount: number }

function showsMore({ refundedCents, disputeCount = 0 }: ListedPix, known: BookedPix) {
  return refundedCents > known.refundedCents || disputeCount > known.disputeCount
}

async function findBooked(
  db: Database,
  { companyId, provider }: AccountKey,
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
          // A bank may list an id in other letter case than it reported before.
          listed.flatMap(({ endToEndId: e }) => [e, e.toLowerCase(), e.toUpperCase()]),
        ),
      ),
    )
  return new Map(rows.map(({ endToEndId: id, ...row }) => [id.toLowerCase(), row]))
}

/** Finds the payment that each names: by our txid in any letter case, or by the provider's id of the charge. */
async function findNamedPayments(
  db: Database,
  account: AccountKey,
  listed: readonly NamedPix[],
): Promise<Map<NamedPix, string>> {
  const references = listed.flatMap(({ chargeReference }) => chargeReference ?? [])
  // Our id is a name too, even when the answer to the charge never arrived.
  const ids = [
    ...listed.flatMap(({ txid }) => parseTxid(txid ?? '') ?? []),
    ...references.filter(isUuid),
  ]
  const { id, providerReference } = transactions
  const [byTxid, byReference] = await Promise.all(
    [inArray(id, ids), inArray(providerReference, references)].map((named) =>
      db
        .select({ id, reference: providerReference })
        .from(transactions)
        .where(and(isOfAccount(account), named)),
    ),
  )
  const known = new Map([
    ...(byReference ?? []).map((row) => [row.reference, row.id] as const),
    ...(byTxid ?? []).map((row) => [row.id, row.id] as const),
  ])
  const named = listed.map((pix) => {
    const paymentId = known.get(parseTxid(pix.txid ?? '') ?? null)
    return [pix, paymentId ?? known.get(pix.chargeReference ?? null)] as const
  })
  return new Map(named.flatMap(([pix, paymentId]) => (paymentId ? [[pix, paymentId]] : [])))
}

function isOfAccount({ companyId, provider }: PaymentAccount) {
  return and(eq(transactions.companyId, companyId), eq(transactions.provider, provider))
}
