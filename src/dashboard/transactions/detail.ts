// Builds the page of one payment: its status, its payer, how it was paid, its history, and the actions that the visitor
// may take.
import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { MAX_UUID } from '../../database/id.ts'
import { formatBrl, formatParts } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import type { Badge } from '../../http/view-functions.ts'
import { findKeptTwin } from '../../reports/summary.ts'
import { texts } from '../../texts.ts'
import { listPaymentDisputes } from '../../transactions/disputes/list.ts'
import type { DisputeRow } from '../../transactions/disputes/schema.ts'
import {
  listUnlostSurplus,
  sumSurplusLeft,
  type TakenMoney,
} from '../../transactions/incoming/amounts.ts'
import { listIncomingPayments } from '../../transactions/incoming/incoming-payment.ts'
import type { IncomingPaymentRow } from '../../transactions/incoming/schema.ts'
import { computeGone, computeNet, getPayoutDay } from '../../transactions/payout.ts'
import { loadRefundable } from '../../transactions/refunds/create.ts'
import type { Refundable } from '../../transactions/refunds/refundable.ts'
import { listRefunds } from '../../transactions/refunds/request.ts'
import { refundTexts } from '../../transactions/refunds/texts.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import { isSandboxPix } from '../../transactions/simulation/simulate.ts'
import {
  formatHoldReason,
  isAmountMismatch,
  isFinalDecline,
  isMismatchRefunded,
  type RefundRow,
  type TransactionRow,
  UNREADABLE_HOLD,
} from '../../transactions/transaction.ts'
import { getDocumentFormat, getRights, type Rights } from '../../users/roles.ts'
import type { FormRequest } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { toDisputeNotice, toDisputeView } from './disputes.ts'
import { refundPageTexts, transactionPageTexts } from './texts.ts'
import { timelineTexts } from './timeline/texts.ts'
import { describeForgotten, loadTimeline } from './timeline/timeline.ts'
import { findRequestedPayment, formatPaymentMethod, toPaymentBadge } from './view.ts'

const ALL_REFUNDS_QUERY = { limit: 99, cursor: MAX_UUID }

export async function loadTransactionDetail(needs: DashboardNeeds, request: FormRequest) {
  const { db, checkoutUrl } = needs
  const { company, user } = request.visitor
  const row = await findRequestedPayment(db, request)
  const [timeline, refunds, disputes, customer, refundable, incoming, twinId] = await Promise.all([
    loadTimeline(db, company.id, row.id),
    listRefunds(db, row.id, ALL_REFUNDS_QUERY),
    listPaymentDisputes(db, row.id),
    findCustomer(db, company.id, row.customerId),
    loadRefundable(db, row, needs.now()),
    listIncomingPayments(db, row.id),
    findKeptTwin(db, row),
  ])
  const may = getRights(user.role)
  return {
    title: formatBrl(row.totalCents),
    payment: row,
    path: paymentPagePath(row.id),
    status: toPaymentBadge(row),
    leftCents: row.totalCents - computeGone(row),
    installments: row.installments > 1 ? formatParts(row, transactionPageTexts) : null,
    payout: toPayoutView(row),
    incoming: toIncomingView(row, {
      rows: incoming,
      lost: disputes.filter(({ status }) => status === 'lost'),
      refundable: may.refund ? refundable : null,
    }),
    isCustomer: customer !== undefined,
    payerTaxId: row.payerTaxId && getDocumentFormat(user.role)(row.payerTaxId),
    method: formatPaymentMethod(row),
    threeDs: describeThreeDs(row),
    decline: toDeclineView(row),
    hold: toHoldView(row),
    twinId,
    refund: toRefundState(refundable, may),
    refunds: refunds.map(toRefundView),
    disputes: disputes.map(toDisputeView),
    dispute: toDisputeNotice(disputes, row.provider, needs.now()),
    refused: findRefusedRefund(request, refunds),
    canSimulate: may.simulatePayments && canSimulatePayment(row),
    receiptUrl: paymentUrl(checkoutUrl, row.linkSlug, row.token),
    reported: listReportedInstants(row, incoming, disputes),
    timeline,
    forgotten: describeForgotten(row.createdAt, needs.retention, needs.now()),
  }
}

/** A Pix code of the sandbox that is not paid yet. */
export function canSimulatePayment(row: TransactionRow) {
  return isSandboxPix(row) && row.status === 'pending' && !isAmountMismatch(row)
}

/** `why` when a refund is only too late. */
function toRefundState(refundable: Refundable, may: Rights) {
  if (refundable.kind === 'refused') {
    const isClosed = refundable.code === 'refund_window_closed'
    return { isOpen: false, leftCents: 0, why: isClosed ? refundable.message : null }
  }
  const { leftCents } = refundable
  return { isOpen: may.refund && leftCents > 0, leftCents, why: null }
}

/** Null while it is not approved. */
function toPayoutView(row: TransactionRow) {
  if (row.approvedAt === null) return null
  const source = row.feeSource && transactionPageTexts.feeSources[row.feeSource]
  return { source, netCents: computeNet(row), day: getPayoutDay(row) }
}

function describeThreeDs({ threeDsStatus, threeDsFlow }: TransactionRow) {
  const { threeDs, threeDsFlow: flows } = timelineTexts
  if (!threeDsStatus) return null
  return [threeDs[threeDsStatus], threeDsFlow && flows[threeDsFlow]].filter(Boolean).join(', ')
}

function toDeclineView(row: TransactionRow) {
  const { declineCode } = row
  if (!declineCode) return null
  return {
    reason: timelineTexts.declines[declineCode],
    payerText: texts.declines[declineCode],
    isFinal: isFinalDecline(row),
  }
}

/** Another amount came in: whether the company must still decide, or has refunded it. */
function toHoldView(row: TransactionRow) {
  if (!isAmountMismatch(row) && !isMismatchRefunded(row)) return null
  return {
    isOpen: isAmountMismatch(row),
    reason: formatHoldReason(row) ?? '',
    isUnreadable: row.holdReason === UNREADABLE_HOLD,
  }
}

/** The provider's own instants, when they are impossible. */
function listReportedInstants(
  { reportedPaidAt }: TransactionRow,
  incoming: readonly IncomingPaymentRow[],
  disputes: readonly DisputeRow[],
) {
  const { paid, opened, closed } = transactionPageTexts.reported
  const said = [
    ...[reportedPaidAt, ...incoming.map((pix) => pix.reportedPaidAt)].map((at) => ({
      name: paid,
      at,
    })),
    ...disputes.flatMap(({ reportedOpenedAt, reportedClosedAt }) => [
      { name: opened, at: reportedOpenedAt },
      { name: closed, at: reportedClosedAt },
    ]),
  ]
  return said.flatMap(({ name, at }) => (at ? { name, at } : []))
}

const REFUND_TONES: Record<RefundRow['status'], Badge['tone']> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
}

function toRefundView(refund: RefundRow) {
  const { status, failureReason } = refund
  return {
    ...refund,
    badge: { tone: REFUND_TONES[status], text: refundPageTexts.statuses[status] },
    failure: failureReason && refundTexts.failures[failureReason],
  }
}

/** The refund that was just requested, if the provider refused it. */
function findRefusedRefund({ query }: FastifyRequest, refunds: RefundRow[]) {
  const { recusada } = toRecord(query)
  const refund = refunds.find(({ id, status }) => id === recusada && status === 'failed')
  if (!refund) return null
  const why = refundTexts.failures[refund.failureReason ?? 'refused']
  return refundPageTexts.refused(formatBrl(refund.amountCents), why)
}

type IncomingMoney = {
  rows: readonly IncomingPaymentRow[]
  lost: readonly TakenMoney[]
  /** Null for a visitor who may not refund. */
  refundable: Refundable | null
}

/** `leftCents` of a row is the part of its surplus that the visitor may refund. */
function toIncomingView(payment: TransactionRow, { rows, lost, refundable }: IncomingMoney) {
  const isApproved = payment.approvedAt !== null
  const unlost = listUnlostSurplus(rows, lost)
  const sources = isApproved && refundable?.kind === 'refundable' ? refundable.sources : []
  return {
    title: transactionPageTexts.incoming[payment.method],
    surplusCents: isApproved ? sumSurplusLeft(rows, lost) : 0,
    rows: rows.map((row, i) => {
      const source = sources.find(({ incomingPaymentId }) => incomingPaymentId === row.id)
      return { ...row, unlostCents: unlost[i] ?? 0, leftCents: source?.surplusCents ?? 0 }
    }),
  }
}
