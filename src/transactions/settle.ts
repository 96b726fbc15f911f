// The end of an attempt to pay. This is the only place that decides one, whatever made us ask: the charge
// itself, a notification, the reconciler. A conditional update decides who was first; whoever comes
// second changes nothing and emits nothing.
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNull, sql } from '../database/drizzle.ts'
import {
  type EventType,
  IN_PROGRESS_STATUSES,
  OPEN_STATUSES,
  type TransactionStatus,
} from '../database/enums.ts'
import { transactions } from '../database/tables.ts'
import type { Outbox } from '../mail/outbox.ts'
import { emitLinkEvent } from '../payment-links/events.ts'
import { completeLink, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { countPaymentsLeft } from '../payment-links/payments.ts'
import type { Approval, Decline } from '../providers/provider.ts'
import { texts } from '../texts.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { getNextCheckAt } from './check-schedule.ts'
import { queueApprovalMails, queueHoldMail } from './emails.ts'
import { toTransactionEventData } from './serialize.ts'
import { recordStep, type VerdictSource } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

export type Verdict = Approval | Decline | { status: 'expired' | 'canceled' }

type SettleContext = {
  checkoutUrl: string
  now: Date
  /** Default: the provider's answer to the charge itself. */
  source?: VerdictSource
  mail?: Outbox | null | undefined
}

/** From where each verdict may still be reached: never back from approved, however late the verdict. */
const SETTLEABLE_FROM: Record<Verdict['status'], readonly TransactionStatus[]> = {
  // Money that came is money that came: a Pix paid at the last second outlives our own clock.
  approved: [...OPEN_STATUSES, 'expired', 'canceled'],
  declined: IN_PROGRESS_STATUSES,
  expired: ['pending'],
  canceled: ['pending'],
}

const EVENT_BY_VERDICT: Record<Verdict['status'], EventType | null> = {
  approved: 'transaction.approved',
  declined: 'transaction.declined',
  expired: 'transaction.expired',
  canceled: null,
}

export type SettleResult =
  | { kind: 'settled'; payment: TransactionRow }
  | { kind: 'held'; payment: TransactionRow }
  /** Somebody else was first, or the verdict may no longer be reached. */
  | { kind: 'unchanged' }

/**
 * Applies a verdict once. An amount that differs from what we asked for is held for the company instead
 * of approved. The approval, the link's completion, the events and their deliveries are one database
 * transaction: all or none.
 */
export async function settle(
  db: Database,
  row: TransactionRow,
  verdict: Verdict,
  { checkoutUrl, now, source = 'charge', mail }: SettleContext,
): Promise<SettleResult> {
  if (verdict.status === 'approved' && verdict.paidCents !== row.totalCents) {
    return db.transaction((tx) => holdPayment(tx, row, verdict, { mail, now }))
  }
  return db.transaction(async (tx) => {
    const link = await lockLinkForPayment(tx, row.paymentLinkId)
    const left =
      verdict.status === 'approved' ? await countPaymentsLeft(tx, link) : Number.POSITIVE_INFINITY

    const changes = toVerdictChanges(verdict, row, left <= 0)
    const checkAt = getNextCheckAt({ ...row, ...changes }, now)
    const [settled] = await tx
      .update(transactions)
      .set({ ...changes, checkAt, updatedAt: now.toISOString() })
      .where(
        and(
          eq(transactions.id, row.id),
          inArray(transactions.status, SETTLEABLE_FROM[verdict.status]),
        ),
      )
      .returning()
    if (!settled) return { kind: 'unchanged' }

    if (!isStepRedundant(verdict, source)) {
      const details = { status: verdict.status, source }
      await recordStep(tx, { transactionId: row.id, kind: 'settled', details, now })
    }
    const { companyId, testMode } = settled
    const type = EVENT_BY_VERDICT[verdict.status]
    const data = toTransactionEventData(settled, link, checkoutUrl)
    if (type) await recordEvent(tx, { companyId, type, testMode, data, now })
    await queueApprovalMails(mail, tx, settled, link, { checkoutUrl, now })
    if (left === 1) await completeSoldOutLink(tx, link.id, { testMode, now })
    return { kind: 'settled', payment: settled }
  })
}

/** What a verdict makes of the row; an approval is late also where the link was `full`. */
export function toVerdictChanges(verdict: Verdict, { expiresAt }: TransactionRow, full: boolean) {
  switch (verdict.status) {
    case 'approved':
      return {
        status: 'approved' as const,
        approvedAt: verdict.paidAt,
        paidLate: full || (expiresAt !== null && verdict.paidAt > expiresAt),
        providerReference: verdict.reference,
        ...(verdict.endToEndId && { pixEndToEndId: verdict.endToEndId }),
        ...toThreeDsColumns(verdict),
      }
    case 'declined':
      return {
        status: 'declined' as const,
        providerReference: verdict.reference,
        declineCode: verdict.declineCode,
        abecsCode: verdict.abecsCode,
        retryable: verdict.retryable,
        ...toThreeDsColumns(verdict),
      }
    default:
      return { status: verdict.status }
  }
}

function toThreeDsColumns({ threeDs }: Approval | Decline) {
  if (!threeDs) return {}
  return { threeDsStatus: threeDs.status, threeDsEci: threeDs.eci, threeDsFlow: threeDs.flow }
}

/** Whether the row and its events hold all there is: our own clock let it expire, or the charge ended it. */
function isStepRedundant({ status }: Verdict, source: VerdictSource) {
  return status === 'expired' || (source === 'charge' && status !== 'canceled')
}

async function holdPayment(
  tx: Transaction,
  row: TransactionRow,
  approval: Approval,
  { mail, now }: Pick<SettleContext, 'mail' | 'now'>,
): Promise<SettleResult> {
  const [held] = await tx
    .update(transactions)
    .set({
      holdReason: texts.holds.amountDiffers(approval.paidCents, row.totalCents),
      receivedCents: approval.paidCents,
      providerReference: approval.reference,
      pixEndToEndId: approval.endToEndId ?? null,
      // Held and canceled is one whose money went back (isMismatchRefunded).
      status: sql`case status when 'canceled' then 'expired' else status end`,
      checkAt: null,
      updatedAt: now.toISOString(),
    })
    .where(
      and(
        eq(transactions.id, row.id),
        inArray(transactions.status, SETTLEABLE_FROM.approved),
        isNull(transactions.holdReason),
      ),
    )
    .returning()
  if (!held) return { kind: 'unchanged' }
  const details = { receivedCents: approval.paidCents, totalCents: row.totalCents }
  await recordStep(tx, { transactionId: row.id, kind: 'held', details, now })
  await queueHoldMail(mail, tx, held, now)
  return { kind: 'held', payment: held }
}

async function completeSoldOutLink(
  tx: Transaction,
  linkId: string,
  { testMode, now }: { testMode: boolean; now: Date },
) {
  const completed = await completeLink(tx, linkId, now)
  if (completed.kind === 'unchanged') return
  const { link } = completed
  await emitLinkEvent(tx, { link, type: 'payment_link.completed', testMode, now })
}
