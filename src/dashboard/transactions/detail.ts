// Builds the page of one payment: its status, its payer, how it was paid, its history, and the actions that the visitor
// may take.
import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { MAX_UUID } from '../../database/id.ts'
import {
  type FormatDocument,
  formatAnswer,
  formatBrl,
  formatCalendarDay,
  formatCard,
  formatKnownBrl,
  formatParts,
  formatPhone,
  formatRate,
  formatTaxId,
  maskTaxId,
} from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { getEntries } from '../../record.ts'
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
import {
  customerPagePath,
  deliveryPagePath,
  linkPagePath,
  PAYMENTS_PATH,
  paymentPagePath,
} from '../layout/paths.ts'
import { type Badge, toTimeView } from '../layout/values.ts'
import { toDisputeNotice, toDisputeView } from './disputes.ts'
import { refundPageTexts, transactionPageTexts } from './texts.ts'
import type { TimelineEntry } from './timeline/entries.ts'
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
    id: row.id,
    path: paymentPagePath(row.id),
    status: toPaymentBadge(row),
    amounts: toAmountsView(row),
    incoming: toIncomingView(row, {
      rows: incoming,
      lost: disputes.filter(({ status }) => status === 'lost'),
      refundable: may.refund ? refundable : null,
    }),
    payer: toPayerView(row, customer?.id, getDocumentFormat(user.role)),
    instrument: toInstrumentView(row),
    decline: toDeclineView(row),
    hold: toHoldView(row),
    paidLate: row.paidLate && row.refundedCents < row.totalCents,
    duplicateOf: twinId && paymentPagePath(twinId),
    refund: toRefundState(row, refundable, may),
    checkPath: may.refund ? `${paymentPagePath(row.id)}/conferir` : null,
    refunds: refunds.map(toRefundView),
    disputes: disputes.map((dispute) => toDisputeView(dispute)),
    dispute: toDisputeNotice(disputes, row.provider, needs.now()),
    refused: findRefusedRefund(request, refunds),
    canSimulate: may.simulatePayments && canSimulatePayment(row),
    link: { title: row.linkTitle, href: linkPagePath(row.paymentLinkId) },
    receiptUrl: paymentUrl(checkoutUrl, row.linkSlug, row.token),
    facts: toTransactionFacts(row),
    reported: listReportedInstants(row, incoming, disputes),
    timeline: timeline.map(toTimelineEntryView),
    forgotten: describeForgotten(row.createdAt, needs.retention, needs.now()),
  }
}

/** A Pix code of the sandbox that is not paid yet. */
export function canSimulatePayment(row: TransactionRow) {
  return isSandboxPix(row) && row.status === 'pending' && !isAmountMismatch(row)
}

/** The link to the refund, if one is possible; `why` when it is only too late. */
function toRefundState({ id }: TransactionRow, refundable: Refundable, may: Rights) {
  if (refundable.kind === 'refused') {
    const isClosed = refundable.code === 'refund_window_closed'
    return { href: null, left: formatBrl(0), why: isClosed ? refundable.message : null }
  }
  const { leftCents } = refundable
  const href = may.refund && leftCents > 0 ? `${paymentPagePath(id)}/devolver` : null
  return { href, left: formatBrl(leftCents), why: null }
}

function toAmountsView(row: TransactionRow) {
  const { interestCents, discountCents, refundedCents, chargedBackCents, totalCents } = row
  const goneCents = refundedCents + chargedBackCents
  const words = transactionPageTexts
  const byPayer = row.interestMode === 'pass_to_customer'
  return {
    price: row.amountCents === totalCents ? null : formatBrl(row.amountCents),
    discount: discountCents > 0 ? formatBrl(discountCents) : null,
    interest: interestCents > 0 ? formatBrl(interestCents) : null,
    rate: interestCents > 0 && byPayer ? words.interest(formatRate(row.interestRateBps)) : null,
    total: formatBrl(totalCents),
    installments: row.installments > 1 ? formatParts(row, words) : null,
    refunded: refundedCents > 0 ? formatBrl(refundedCents) : null,
    lost: chargedBackCents > 0 ? formatBrl(chargedBackCents) : null,
    left: goneCents > 0 ? formatBrl(totalCents - computeGone(row)) : null,
    payout: toPayoutView(row),
  }
}

/** Null while it is not approved. */
function toPayoutView(row: TransactionRow) {
  if (row.approvedAt === null) return null
  const { feeCents, feeSource } = row
  const day = getPayoutDay(row)
  const source: string | null = feeSource && transactionPageTexts.feeSources[feeSource]
  return {
    fee: feeCents === null ? '—' : `− ${formatBrl(feeCents)}`,
    source,
    net: formatKnownBrl(computeNet(row)),
    expected: day && formatCalendarDay(day),
  }
}

function toPayerView(
  row: TransactionRow,
  customerId: string | undefined,
  formatDocument: FormatDocument,
) {
  return {
    name: row.payerName,
    href: customerId ? customerPagePath(customerId) : null,
    taxId: row.payerTaxId && formatDocument(row.payerTaxId),
    email: row.payerEmail,
    phone: row.payerPhone && formatPhone(row.payerPhone),
    answers: (row.customFields ?? []).map((answer) => ({
      label: answer.label,
      value: formatAnswer(answer),
    })),
  }
}

function toInstrumentView(row: TransactionRow) {
  const { cardBrand, cardLast4, threeDsStatus, threeDsFlow } = row
  const words = timelineTexts
  return {
    method: formatPaymentMethod(row),
    card: cardBrand && cardLast4 ? formatCard(cardBrand, cardLast4) : null,
    holder: row.cardHolder,
    threeDs: threeDsStatus && {
      result: words.threeDs[threeDsStatus],
      flow: threeDsFlow && words.threeDsFlow[threeDsFlow],
      eci: row.threeDsEci,
    },
    txid: row.pixTxid,
    endToEndId: row.pixEndToEndId,
    institution:
      row.pixInstitution?.name ?? (row.pixInstitution && formatTaxId(row.pixInstitution.cnpj)),
    expires: row.method === 'pix' && row.expiresAt ? toTimeView(row.expiresAt) : null,
  }
}

function toDeclineView(row: TransactionRow) {
  const { declineCode, abecsCode } = row
  if (!declineCode) return null
  return {
    reason: timelineTexts.declines[declineCode],
    abecsCode,
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
    received: row.receivedCents === null ? null : formatBrl(row.receivedCents),
    total: formatBrl(row.totalCents),
    /** Only a Pix can be accepted with a part of its amount. */
    accept: row.method === 'pix' ? `${paymentPagePath(row.id)}/aceitar` : null,
  }
}

function toTransactionFacts(row: TransactionRow) {
  return {
    created: toTimeView(row.createdAt),
    approved: row.approvedAt ? toTimeView(row.approvedAt) : null,
    externalReference: row.externalReference,
    ref: row.ref,
    utm: getEntries(row.utm ?? {}).map(([name, value]) => ({ name: `utm_${name}`, value })),
    tags: row.tags.map((text) => ({
      text,
      href: `${PAYMENTS_PATH}?${new URLSearchParams({ tag: text })}`,
    })),
    metadata: Object.entries(row.metadata).map(([name, value]) => ({ name, value })),
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
  return said.flatMap(({ name, at }) => (at ? { name, time: toTimeView(at) } : []))
}

const REFUND_TONES: Record<RefundRow['status'], Badge['tone']> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
}

function toRefundView(refund: RefundRow) {
  const { status, failureReason } = refund
  const badge: Badge = {
    tone: REFUND_TONES[status],
    text: refundPageTexts.statuses[status],
  }
  return {
    amount: formatBrl(refund.amountCents),
    status: badge,
    reason: refund.reason,
    failure: failureReason && refundTexts.failures[failureReason],
    created: toTimeView(refund.createdAt),
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

function toTimelineEntryView({ at, kind, tone, text, detail, deliveryId }: TimelineEntry) {
  return {
    time: toTimeView(at),
    ...{ kind, tone, text, detail },
    href: deliveryId ? deliveryPagePath(deliveryId) : null,
  }
}

type IncomingMoney = {
  rows: readonly IncomingPaymentRow[]
  lost: readonly TakenMoney[]
  /** Null for a visitor who may not refund. */
  refundable: Refundable | null
}

function toIncomingView(payment: TransactionRow, { rows, lost, refundable }: IncomingMoney) {
  const surplusLeft = payment.approvedAt === null ? 0 : sumSurplusLeft(rows, lost)
  const unlost = listUnlostSurplus(rows, lost)
  const sources = refundable?.kind === 'refundable' ? refundable.sources : []
  return {
    title: transactionPageTexts.incoming[payment.method],
    surplus: formatSome(surplusLeft),
    rows: rows.map((row, i) => {
      const source = sources.find(({ incomingPaymentId }) => incomingPaymentId === row.id)
      const surplusCents = payment.approvedAt === null ? 0 : (source?.surplusCents ?? 0)
      return {
        amount: formatBrl(row.amountCents),
        paid: toTimeView(row.paidAt),
        payer: [row.payerName, row.payerTaxId && maskTaxId(row.payerTaxId)]
          .filter((part) => part !== null)
          .join(' · '),
        endToEndId: row.endToEndId,
        surplus: formatSome(unlost[i]),
        refunded: formatSome(row.refundedCents),
        refundLink:
          surplusCents > 0
            ? {
                href: `${paymentPagePath(payment.id)}/devolver/excedente?pix=${row.id}`,
                amount: formatBrl(surplusCents),
              }
            : null,
      }
    }),
  }
}

function formatSome(cents: number | undefined) {
  return cents ? formatBrl(cents) : null
}
