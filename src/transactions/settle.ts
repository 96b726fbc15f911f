// The end of an attempt to pay. This is the only place that decides one, whoever brings the news: the
// charge itself, a notification, the reconciler. A conditional update decides who was first; whoever
// comes second changes nothing and emits nothing.
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNull, sql } from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import type { EventType, TransactionStatus } from '../database/words.ts'
import { completeLink, type LinkRow, readLink } from '../payment-links/payment-link.ts'
import { linkEventData } from '../payment-links/wire.ts'
import type { Approval, Refusal } from '../providers/provider.ts'
import { texts } from '../texts.ts'
import { recordEvent } from '../webhooks/event.ts'
import type { TransactionRow } from './transaction.ts'
import { eventData } from './wire.ts'

export type Verdict = Approval | Refusal | { status: 'expired' } | { status: 'canceled' }

type Context = { checkoutUrl: string; now: Date }

/** From where each verdict may still be reached: never back from approved, however late news comes. */
const FROM: Record<Verdict['status'], TransactionStatus[]> = {
  // Money that came is money that came: a Pix paid at the last second outlives our own clock.
  approved: ['pending', 'processing', 'awaiting_authentication', 'expired', 'canceled'],
  declined: ['processing', 'awaiting_authentication'],
  expired: ['pending'],
  canceled: ['pending'],
}

const EVENTS: Record<Verdict['status'], EventType | null> = {
  approved: 'transaction.approved',
  declined: 'transaction.declined',
  expired: 'transaction.expired',
  canceled: null,
}

/** A payment of its link: what counts towards `maxPayments`. */
const PAID: TransactionStatus[] = ['approved', 'partially_refunded', 'refunded']

/** On the way to become one: nobody may be let in before it has failed. */
const UNDER_WAY: TransactionStatus[] = ['processing', 'awaiting_authentication']

/**
 * Applies a verdict once; null when it changes nothing. An amount that differs from what we asked for
 * is held for the company instead of approved. The approval, the link's completion, the events and
 * their deliveries are one database transaction: all or none.
 */
export async function settle(
  db: Database,
  row: TransactionRow,
  verdict: Verdict,
  { checkoutUrl, now }: Context,
): Promise<TransactionRow | null> {
  if (verdict.status === 'approved' && verdict.paidCents !== row.totalCents) {
    return hold(db, row, verdict, now)
  }
  return db.transaction(async (tx) => {
    const link = await readLink(tx, row.paymentLinkId)
    const left =
      verdict.status === 'approved' ? await placesLeft(tx, link, PAID) : Number.POSITIVE_INFINITY

    const [settled] = await tx
      .update(transactions)
      .set({ ...changesOf(verdict, row, left <= 0), checkAt: null, updatedAt: now.toISOString() })
      .where(and(eq(transactions.id, row.id), inArray(transactions.status, FROM[verdict.status])))
      .returning()
    if (!settled) return null

    const { companyId, testMode } = settled
    const type = EVENTS[verdict.status]
    const data = eventData(settled, link, checkoutUrl)
    if (type) await recordEvent(tx, { companyId, type, testMode, data, now })
    if (left === 1) await complete(tx, link, testMode, now)
    return settled
  })
}

/** Whether one more may be let in, counting those whose verdict is still out. */
export async function hasPlaceLeft(tx: Transaction, link: LinkRow) {
  return (await placesLeft(tx, link, [...PAID, ...UNDER_WAY])) > 0
}

function changesOf(verdict: Verdict, { expiresAt }: TransactionRow, full: boolean) {
  switch (verdict.status) {
    case 'approved':
      return {
        status: 'approved' as const,
        approvedAt: verdict.paidAt,
        paidLate: full || (expiresAt !== null && verdict.paidAt > expiresAt),
        providerReference: verdict.reference,
        ...(verdict.endToEndId && { pixEndToEndId: verdict.endToEndId }),
        ...threeDsOf(verdict),
      }
    case 'declined':
      return {
        status: 'declined' as const,
        providerReference: verdict.reference,
        declineCode: verdict.declineCode,
        abecsCode: verdict.abecsCode,
        retryable: verdict.retryable,
        ...threeDsOf(verdict),
      }
    default:
      return { status: verdict.status }
  }
}

function threeDsOf({ threeDs }: Approval | Refusal) {
  if (!threeDs) return {}
  return { threeDsStatus: threeDs.status, threeDsEci: threeDs.eci, threeDsFlow: threeDs.flow }
}

async function hold(db: Database, row: TransactionRow, approval: Approval, now: Date) {
  const [held] = await db
    .update(transactions)
    .set({
      holdReason: texts.holds.amountDiffers(approval.paidCents, row.totalCents),
      providerReference: approval.reference,
      pixEndToEndId: approval.endToEndId ?? null,
      checkAt: null,
      updatedAt: now.toISOString(),
    })
    .where(
      and(
        eq(transactions.id, row.id),
        inArray(transactions.status, FROM.approved),
        isNull(transactions.holdReason),
      ),
    )
    .returning()
  return held ?? null
}

async function complete(tx: Transaction, link: LinkRow, testMode: boolean, now: Date) {
  const completed = await completeLink(tx, link.id, now)
  if (!completed) return
  const { companyId } = link
  const data = { paymentLink: linkEventData(completed) }
  await recordEvent(tx, { companyId, type: 'payment_link.completed', testMode, data, now })
}

/** How many more payments a link takes. One with `maxPayments` is locked by then (readLink). */
async function placesLeft(
  tx: Transaction,
  { id, maxPayments }: LinkRow,
  counted: TransactionStatus[],
) {
  if (maxPayments === null) return Number.POSITIVE_INFINITY
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, id), inArray(transactions.status, counted)))
  return maxPayments - row!.count
}
