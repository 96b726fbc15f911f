// The end of an attempt to pay. This is the only place that decides one, whatever made us ask: the charge
// itself, a notification, the reconciler. A conditional update decides who was first; whoever comes
// second changes nothing and emits nothing.
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNull } from '../database/drizzle.ts'
import { type EventType, IN_PROGRESS_STATUSES, type TransactionStatus } from '../database/enums.ts'
import { transactions } from '../database/tables.ts'
import { bookMovements } from '../movements/book.ts'
import { completeSoldOutLink } from '../payment-links/events.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { countPaymentsLeft } from '../payment-links/payments.ts'
import type { Approval, Decline, ThreeDs } from '../providers/provider.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { getNextCheckAt } from './check-schedule.ts'
import { findApprovedTwin } from './duplicates.ts'
import { queueApprovalMails } from './emails.ts'
import { holdCardPayment, holdPayment, PAYABLE_STATUSES } from './hold.ts'
import { type Booking, bookIncomingPayments } from './incoming/incoming-payment.ts'
import { emitSurplus } from './incoming/surplus.ts'
import { lockPaymentWithLink, touchPayment } from './lock.ts'
import type { PublishContext } from './needs.ts'
import { type CheckedPayout, loadPayout, readProviderPayout } from './payouts/fee.ts'
import { recordReturns } from './refunds/returns.ts'
import { toTransactionEventData } from './serialize.ts'
import { recordStep, type VerdictSource } from './steps.ts'
import type { TransactionRow } from './transaction.ts'

export type Verdict = Approval | Decline | { status: 'expired' | 'canceled' }

/** Default source: the provider's answer to the charge itself. */
type SettleContext = PublishContext & { source?: VerdictSource }

/** From where each verdict may still be reached: never back from approved, however late the verdict. */
const SETTLEABLE_FROM: Record<Verdict['status'], readonly TransactionStatus[]> = {
  approved: PAYABLE_STATUSES,
  declined: IN_PROGRESS_STATUSES,
  expired: ['pending'],
  canceled: ['pending'],
}

const EVENT_BY_VERDICT: Record<Verdict['status'], EventType> = {
  approved: 'transaction.approved',
  declined: 'transaction.declined',
  expired: 'transaction.expired',
  canceled: 'transaction.canceled',
}

type SettleResult =
  | { kind: 'settled'; payment: TransactionRow }
  | { kind: 'held'; payment: TransactionRow }
  /** Money came in, or went back, that decides nothing. */
  | { kind: 'booked'; payment: TransactionRow }
  /** Somebody else was first, or the verdict may no longer be reached. */
  | { kind: 'unchanged' }

/**
 * Applies a verdict once. An amount that differs from what we asked for
 * is held for the company instead of approved. The money that came in, the approval, the link's
 * completion, the events and their deliveries are one database transaction: all or none.
 */
export async function settle(
  db: Database,
  row: TransactionRow,
  verdict: Verdict,
  context: SettleContext,
): Promise<SettleResult> {
  if (verdict.status === 'approved' && verdict.received) {
    return db.transaction((tx) => settleReceived(tx, row, verdict, context))
  }
  if (verdict.status === 'approved' && verdict.paidCents !== row.totalCents) {
    return db.transaction((tx) => toResult('held', holdCardPayment(tx, row, verdict, context)))
  }
  const changes = toVerdictChanges(verdict)
  const payout =
    verdict.status === 'approved' ? readProviderPayout(verdict, row, verdict.paidAt) : undefined
  return db.transaction(async (tx) => {
    const link = await lockLinkForPayment(tx, row.paymentLinkId)
    return toResult('settled', endAttempt(tx, row, { link, changes, payout }, context))
  })
}

async function toResult(
  kind: 'settled' | 'held',
  ending: Promise<TransactionRow | null>,
): Promise<SettleResult> {
  const payment = await ending
  return payment ? { kind, payment } : { kind: 'unchanged' }
}

export type ReceivedMoney = Extract<Approval, { received: object }>

/** Money that came is booked, whatever it does to the sale: pays it, a part of it, or is too much. */
export async function settleReceived(
  tx: Transaction,
  { id, paymentLinkId }: TransactionRow,
  approval: ReceivedMoney,
  context: SettleContext,
): Promise<SettleResult> {
  const { reference, received } = approval
  const { link, payment } = await lockPaymentWithLink(tx, id, paymentLinkId)
  const isOpen = SETTLEABLE_FROM.approved.includes(payment.status)
  if (payment.approvedAt === null && !isOpen) return { kind: 'unchanged' }

  const booking = await bookIncomingPayments(tx, payment, { reference, received }, context.now)
  const ended = await judgeBooking(tx, payment, { link, booking, approval }, context)
  const current = ended ?? (await touchBooked(tx, payment, booking, context.now))
  if (!ended) await bookMovements(tx, [id], { bookedAt: context.now })
  await emitSurplus(tx, current, { link, overpaid: booking.overpaid }, context)
  const returned = await recordReturns(tx, current, { rows: booking.rows, received }, context)
  const last = returned ?? current
  if (ended) return { kind: ended.approvedAt ? 'settled' : 'held', payment: last }
  const isBooked = returned !== null || booking.added.length > 0
  return isBooked ? { kind: 'booked', payment: last } : { kind: 'unchanged' }
}

async function touchBooked(
  tx: Transaction,
  payment: TransactionRow,
  { added }: Booking,
  now: Date,
) {
  return added.length > 0 ? touchPayment(tx, payment, now) : payment
}

type JudgedBooking = { link: LinkRow; booking: Booking; approval: ReceivedMoney }

/** Approved or held; null where it stays as it was. */
async function judgeBooking(
  tx: Transaction,
  payment: TransactionRow,
  { link, booking, approval }: JudgedBooking,
  context: SettleContext,
) {
  const [first] = booking.rows
  const last = booking.rows.at(-1)
  if (payment.approvedAt !== null || !first || !last) return null
  const columns = { providerReference: approval.reference, pixEndToEndId: first.endToEndId }
  if (booking.isComplete) {
    const approvedAt = booking.completedAt ?? last.paidAt
    const approved = { status: 'approved' as const, approvedAt, holdReason: null }
    const changes = { ...columns, ...approved, receivedCents: null }
    const payout = readProviderPayout(approval, payment, approvedAt)
    return endAttempt(tx, payment, { link, changes, payout }, context)
  }
  if (booking.added.length === 0) return null
  const money = { columns, receivedCents: booking.inHandCents, link, isMore: true }
  return holdPayment(tx, payment, money, context)
}

/** `payout`: what the provider says of it; of an approval alone. */
type Ending = { link: LinkRow; changes: EndingChanges; payout?: CheckedPayout | undefined }

type EndingChanges = Partial<Omit<TransactionRow, 'status'>> & { status: Verdict['status'] }

/** Within a transaction that holds the link; null where the verdict may no longer be reached. */
export async function endAttempt(
  tx: Transaction,
  row: TransactionRow,
  { link, changes, payout }: Ending,
  { checkoutUrl, now, source = 'charge', mail }: SettleContext,
) {
  const { status, approvedAt } = changes
  const left = status === 'approved' ? await countPaymentsLeft(tx, link) : Number.POSITIVE_INFINITY
  const late = approvedAt && {
    paidLate: left <= 0 || (row.expiresAt !== null && approvedAt > row.expiresAt),
  }
  const twin = approvedAt && { possibleDuplicateOf: await findApprovedTwin(tx, row) }
  const checkAt = getNextCheckAt({ ...row, ...changes }, now)
  const told = payout && approvedAt && (await loadPayout(tx, row, payout))
  const all = { ...changes, ...late, ...twin, ...told, checkAt, updatedAt: now.toISOString() }
  const settled = await updateSettleable(tx, row.id, all)
  if (!settled) return null
  await bookMovements(tx, [row.id], { bookedAt: now, isApproval: true })
  if (!isStepRedundant(status, source)) {
    const details = { status, source }
    await recordStep(tx, { transactionId: row.id, kind: 'settled', details, now })
  }

  const { companyId, testMode } = settled
  const type = EVENT_BY_VERDICT[status]
  const data = toTransactionEventData(settled, link, checkoutUrl)
  await recordEvent(tx, { companyId, type, testMode, data, now })
  await queueApprovalMails(mail, tx, settled, link, { checkoutUrl, now })
  if (left === 1) await completeSoldOutLink(tx, link.id, { testMode, now })
  return settled
}

/** Null where the verdict may no longer be reached. */
async function updateSettleable(tx: Transaction, id: string, changes: EndingChanges) {
  const { status } = changes
  // Money that is held is neither expired nor canceled: the company decides.
  const takesHeld = status !== 'expired' && status !== 'canceled'
  const [settled] = await tx
    .update(transactions)
    .set(changes)
    .where(
      and(
        eq(transactions.id, id),
        inArray(transactions.status, SETTLEABLE_FROM[status]),
        takesHeld ? undefined : isNull(transactions.holdReason),
      ),
    )
    .returning()
  return settled ?? null
}

/** What a verdict makes of the row; of a Pix it takes all that came in (judgeBooking). */
export function toVerdictChanges(verdict: Exclude<Verdict, ReceivedMoney>): EndingChanges {
  switch (verdict.status) {
    case 'approved':
      return {
        status: 'approved',
        ...{ approvedAt: verdict.paidAt, reportedPaidAt: verdict.reportedPaidAt ?? null },
        ...{ holdReason: null, receivedCents: null },
        providerReference: verdict.reference,
        ...toThreeDsColumns(verdict),
      }
    case 'declined':
      return {
        status: 'declined',
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

function toThreeDsColumns({ threeDs }: { threeDs?: ThreeDs | undefined }) {
  if (!threeDs) return {}
  return { threeDsStatus: threeDs.status, threeDsEci: threeDs.eci, threeDsFlow: threeDs.flow }
}

/** Whether the row and its events hold all there is: our own clock let it expire, or the charge ended it. */
function isStepRedundant(status: Verdict['status'], source: VerdictSource) {
  return status === 'expired' || (source === 'charge' && status !== 'canceled')
}
