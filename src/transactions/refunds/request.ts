// A refund as its requester sees it: one request, though it may consist of several refunds, one for each Pix.
import type { Database } from '../../database/connect.ts'
import { and, asc, desc, eq, inArray, isNull, lt, or } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { newId } from '../../database/id.ts'
import { refunds } from '../../database/tables.ts'
import { sumCents } from '../incoming/amounts.ts'
import type { RefundRow } from '../transaction.ts'

type RefundPageQuery = { limit: number; cursor: string }

/** Lists up to `limit + 1` refunds of a payment as requested, below `cursor`, newest first. */
export async function listRefunds(
  db: Database,
  transactionId: string,
  { limit, cursor }: RefundPageQuery,
): Promise<RefundRow[]> {
  const ofPayment = eq(refunds.transactionId, transactionId)
  const isFirst = or(isNull(refunds.requestId), eq(refunds.requestId, refunds.id))
  const firsts = await db
    .select()
    .from(refunds)
    .where(and(ofPayment, isFirst, lt(refunds.id, cursor)))
    .orderBy(desc(refunds.id))
    .limit(limit + 1)
  const requestIds = firsts.flatMap(({ requestId }) => requestId ?? [])
  if (requestIds.length === 0) return firsts
  const parts = await db
    .select()
    .from(refunds)
    .where(and(ofPayment, inArray(refunds.requestId, requestIds)))
    .orderBy(asc(refunds.id))
  return firsts.map((first) =>
    first.requestId ? mergeRefunds(parts.filter(({ requestId }) => requestId === first.id)) : first,
  )
}

/**
 * Merges the refunds of a request: pending while any is pending, failed when all failed, otherwise succeeded with the
 * refunded amount. The id is the first one's.
 */
export function mergeRefunds(parts: readonly RefundRow[]): RefundRow {
  const first = requireFound(parts.find(({ id, requestId }) => id === requestId) ?? parts[0])
  if (parts.length === 1) return first
  const isAny = (status: RefundRow['status']) => parts.some((part) => part.status === status)
  const status = isAny('pending') ? 'pending' : isAny('succeeded') ? 'succeeded' : 'failed'
  const counted = status === 'failed' ? parts : parts.filter((part) => part.status !== 'failed')
  const updated = parts.map(({ updatedAt }) => updatedAt).sort()
  return {
    ...first,
    incomingPaymentId: null,
    amountCents: sumCents(counted.map(({ amountCents }) => amountCents)),
    status,
    failureReason: status === 'failed' ? first.failureReason : null,
    updatedAt: updated.at(-1) ?? first.updatedAt,
  }
}

/** Whether a refund was made under this id. */
export async function isRefundIdUsed(db: Database, id: string) {
  return (await db.$count(refunds, eq(refunds.id, id))) > 0
}

type NewRefundRow = Pick<
  RefundRow,
  'companyId' | 'transactionId' | 'incomingPaymentId' | 'amountCents' | 'reason'
>

/** Builds the row of a refund that is pending and that no provider was asked for yet. */
export function buildRefund(refund: NewRefundRow, now: Date): RefundRow {
  const at = now.toISOString()
  return {
    ...refund,
    id: newId(),
    requestId: null,
    status: 'pending',
    failureReason: null,
    providerReference: null,
    missingSince: null,
    checkAt: null,
    checks: 0,
    createdAt: at,
    updatedAt: at,
  }
}
