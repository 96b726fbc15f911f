// What the page of one payment tells: what it came to, who paid it and how, its history, and what can be
// done about it by whoever looks at it.

import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { formatBrl, formatCard, formatPhone, formatRate, formatTaxId } from '../../format.ts'
import { texts } from '../../texts.ts'
import type { Listed } from '../../transactions/list.ts'
import { listRefunds } from '../../transactions/refunds/refund.ts'
import { leftToRefund, refundRefusal } from '../../transactions/refunds/refundable.ts'
import { refundTexts } from '../../transactions/refunds/texts.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import { timelineTexts } from '../../transactions/timeline/texts.ts'
import { type Moment, timelineOf } from '../../transactions/timeline/timeline.ts'
import {
  isHeld,
  isReturned,
  type RefundRow,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import type { Badge, Tone } from '../layout/badge.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { momentOf } from '../layout/page.ts'
import { customerPath, linkPath, paymentPath } from '../layout/paths.ts'
import { refundPageTexts, transactionPageTexts } from './texts.ts'
import { paidWith, paymentBadge } from './view.ts'

const ALL_REFUNDS = { limit: 99, cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export async function transactionDetail(
  needs: DashboardNeeds,
  request: FastifyRequest,
  row: Listed,
) {
  const { db, checkoutUrl } = needs
  const { company, user } = request.visitor
  const [timeline, refunds, customer, refund] = await Promise.all([
    timelineOf(db, company.id, row.id),
    listRefunds(db, row.id, ALL_REFUNDS),
    findCustomer(db, company.id, row.customerId),
    refundOf(needs, row),
  ])
  return {
    title: formatBrl(row.totalCents),
    section: 'transacoes' as const,
    id: row.id,
    path: paymentPath(row.id),
    status: paymentBadge(row),
    testMode: row.testMode,
    amounts: amountsOf(row),
    payer: payerOf(row, customer?.id),
    instrument: instrumentOf(row),
    decline: declineOf(row),
    hold: holdOf(row),
    paidLate: row.paidLate && row.refundedCents < row.totalCents,
    refund: user.role === 'owner' ? refund : { ...refund, href: null },
    refunds: refunds.map(refundView),
    refused: refusedOf(request, refunds),
    canSimulate: canSimulate(row),
    link: { title: row.linkTitle, href: linkPath(row.paymentLinkId) },
    receiptUrl: paymentUrl(checkoutUrl, row.linkSlug, row.token),
    facts: factsOf(row),
    timeline: timeline.map(momentView),
  }
}

/** A code of the sandbox that nobody has paid yet. */
export function canSimulate(row: TransactionRow) {
  return (
    row.provider === 'sandbox' && row.method === 'pix' && row.status === 'pending' && !isHeld(row)
  )
}

/** Where money is given back, if any can be; `why` where time alone stands against it. */
async function refundOf({ db, now }: DashboardNeeds, row: TransactionRow) {
  const refusal = refundRefusal(row, now())
  const left = await leftToRefund(db, row)
  const closed = refusal?.code === 'refund_window_closed' && left > 0
  return {
    href: !refusal && left > 0 ? `${paymentPath(row.id)}/devolver` : null,
    left: formatBrl(left),
    why: closed ? refusal.message : null,
  }
}

function amountsOf(row: TransactionRow) {
  const { interestCents, refundedCents, totalCents, installments, installmentCents } = row
  const words = transactionPageTexts
  const byPayer = row.interestMode === 'pass_to_customer'
  return {
    amount: formatBrl(row.amountCents),
    interest: interestCents > 0 ? formatBrl(interestCents) : null,
    rate: interestCents > 0 && byPayer ? words.interest(formatRate(row.interestRateBps)) : null,
    total: formatBrl(totalCents),
    installments:
      installments > 1 ? words.installments(installments, formatBrl(installmentCents)) : null,
    refunded: refundedCents > 0 ? formatBrl(refundedCents) : null,
    net: refundedCents > 0 ? formatBrl(totalCents - refundedCents) : null,
  }
}

/** The document whole: it is the company's own customer. */
function payerOf(row: TransactionRow, customerId: string | undefined) {
  return {
    name: row.payerName,
    href: customerId ? customerPath(customerId) : null,
    taxId: row.payerTaxId && formatTaxId(row.payerTaxId),
    email: row.payerEmail,
    phone: row.payerPhone && formatPhone(row.payerPhone),
  }
}

function instrumentOf(row: TransactionRow) {
  const { cardBrand, cardLast4, threeDsStatus, threeDsFlow } = row
  const words = timelineTexts
  return {
    method: paidWith(row),
    card: cardBrand && cardLast4 ? formatCard(cardBrand, cardLast4) : null,
    holder: row.cardHolder,
    threeDs: threeDsStatus && {
      result: words.threeDs[threeDsStatus],
      flow: threeDsFlow && words.threeDsFlow[threeDsFlow],
      eci: row.threeDsEci,
    },
    txid: row.pixTxid,
    endToEndId: row.pixEndToEndId,
    expires: row.method === 'pix' && row.expiresAt ? momentOf(row.expiresAt) : null,
  }
}

function declineOf({ declineCode, abecsCode, retryable }: TransactionRow) {
  if (!declineCode) return null
  return {
    reason: timelineTexts.declines[declineCode],
    abecsCode,
    told: texts.declines[declineCode],
    isFinal: retryable === false,
  }
}

/** Another amount came in: whether the company is still to decide, or has given it back. */
function holdOf(row: TransactionRow) {
  if (!isHeld(row) && !isReturned(row)) return null
  return {
    isOpen: isHeld(row),
    reason: row.holdReason,
    received: row.receivedCents === null ? null : formatBrl(row.receivedCents),
    total: formatBrl(row.totalCents),
  }
}

function factsOf(row: TransactionRow) {
  return {
    created: momentOf(row.createdAt),
    approved: row.approvedAt ? momentOf(row.approvedAt) : null,
    externalReference: row.externalReference,
    tags: row.tags.map((text) => ({
      text,
      href: `/painel/transacoes?${new URLSearchParams({ tag: text })}`,
    })),
    metadata: Object.entries(row.metadata).map(([name, value]) => ({ name, value })),
  }
}

const REFUND_TONES: Record<RefundRow['status'], Tone> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
}

function refundView(refund: RefundRow) {
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
    created: momentOf(refund.createdAt),
  }
}

/** The refund that was asked for a moment ago, when the provider would not have it. */
function refusedOf({ query }: FastifyRequest, refunds: RefundRow[]) {
  const { recusada } = query as { recusada?: unknown }
  const refund = refunds.find(({ id, status }) => id === recusada && status === 'failed')
  if (!refund) return null
  const why = refundTexts.failures[refund.failureReason ?? 'refused']
  return refundPageTexts.refused(formatBrl(refund.amountCents), why)
}

function momentView({ at, tone, text, detail, deliveryId }: Moment) {
  return {
    time: momentOf(at),
    ...{ tone, text, detail },
    href: deliveryId ? `/painel/integracoes/entregas/${deliveryId}` : null,
  }
}
