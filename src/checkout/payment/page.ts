// A payment's own page: it shows whatever state the payment is in, and in the end its receipt.

import { newToken } from '../../database/id.ts'
import {
  formatBrl,
  formatCard,
  formatDay,
  formatFullTime,
  formatTime,
  isSameDay,
} from '../../format.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { statusOf } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import { isHeld, isReturned, type TransactionRow } from '../../transactions/transaction.ts'
import { type PageNeeds, summaryOf } from '../link/page.ts'
import { shellOf } from '../shell.ts'
import { checkoutTexts } from '../texts.ts'
import type { PaymentPage, PaymentState, PixView, Receipt, ReturnTo } from '../view-models.ts'

type Needs = PageNeeds & {
  drawQr(text: string): string
  returnTo(row: TransactionRow, found: LinkWithCompany, now: Date): ReturnTo | null
}

/** How the payment stands at `now`: an expiry counts from its instant, not from when it was noted. */
export function stateOf(row: TransactionRow, now: Date): PaymentState {
  if (row.approvedAt) return 'approved'
  if (isHeld(row)) return 'held'
  if (isReturned(row)) return 'returned'
  if (row.status === 'pending' && !row.pixBrCode) return 'processing'
  const past = row.expiresAt !== null && row.expiresAt <= now.toISOString()
  return (past ? PAST : PRESENT)[row.status] ?? 'approved'
}

type States = Partial<Record<TransactionRow['status'], PaymentState>>

const PRESENT: States = {
  pending: 'pix',
  processing: 'processing',
  awaiting_authentication: 'challenge',
  declined: 'declined',
  expired: 'expired',
  canceled: 'canceled',
}
const PAST: States = { ...PRESENT, pending: 'expired', awaiting_authentication: 'processing' }

export function paymentPage(
  needs: Needs,
  row: TransactionRow,
  found: LinkWithCompany,
  now: Date,
): PaymentPage {
  const { link, company } = found
  const { asset, mount } = needs
  const linkPath = `${mount}/${link.slug}`
  const common = {
    ...shellOf(company, { asset, testMode: row.testMode, reportUrl: `${linkPath}/report` }),
    link: summaryOf(needs, link),
    url: `${linkPath}/payments/${row.token}`,
    version: row.updatedAt,
    total: formatBrl(row.totalCents),
    retryUrl: `${linkPath}?new=1`,
    pixUrl: link.methods.includes('pix') ? `${linkPath}?new=1&method=pix` : null,
  }
  const state = stateOf(row, now)
  switch (state) {
    case 'pix':
      return { ...common, state, pix: pixView(needs, row, common.url, now) }
    case 'challenge':
      return {
        ...common,
        state,
        challengeUrl: row.challengeUrl!,
        expiresAt: row.expiresAt!,
        expiresText: untilText(row.expiresAt!, now),
      }
    case 'declined':
      return {
        ...common,
        state,
        reason: texts.declines[row.declineCode ?? 'generic'],
        sameCardAllowed: row.retryable ?? false,
      }
    case 'expired':
    case 'canceled':
      return { ...common, state, renewAction: `${common.url}/renew`, attempt: newToken() }
    case 'approved': {
      const receipt = receiptOf(needs, row, found, now)
      return { ...common, state, receipt, returnTo: needs.returnTo(row, found, now) }
    }
    default:
      return { ...common, state }
  }
}

function pixView({ drawQr }: Needs, row: TransactionRow, url: string, now: Date): PixView {
  const expiresAt = row.expiresAt!
  return {
    code: row.pixBrCode!,
    qrSvg: drawQr(row.pixBrCode!),
    expiresAt,
    now: now.toISOString(),
    expiresText: untilText(expiresAt, now),
    simulateAction: row.provider === 'sandbox' ? `${url}/simulate` : null,
  }
}

function untilText(at: string, now: Date) {
  const time = formatTime(at)
  return isSameDay(at, now)
    ? checkoutTexts.until(time)
    : checkoutTexts.untilDay(formatDay(at), time)
}

function receiptOf(
  { checkoutUrl, mount }: PageNeeds,
  row: TransactionRow,
  { link, company }: LinkWithCompany,
  now: Date,
): Receipt {
  const card = row.method === 'credit_card'
  const paidAt = row.approvedAt!
  const total = formatBrl(row.totalCents)
  const url = paymentUrl(checkoutUrl, link.slug, row.token)
  const text = checkoutTexts.receiptText(company.name, link.title, total, url)
  return {
    amount: formatBrl(row.amountCents),
    total,
    method: card ? texts.methods.credit_card : texts.methods.pix,
    installments: card ? `${row.installments}x de ${formatBrl(row.installmentCents)}` : null,
    card: card ? formatCard(row.cardBrand!, row.cardLast4!) : null,
    endToEndId: row.pixEndToEndId,
    payer: row.payerName,
    paidAt: texts.paidAt(formatDay(paidAt), formatFullTime(paidAt)),
    paidAtIso: paidAt,
    transactionId: row.id,
    refunded: row.refundedCents > 0 ? checkoutTexts.refunded(formatBrl(row.refundedCents)) : null,
    whatsappUrl: `https://wa.me/?text=${encodeURIComponent(text)}`,
    againUrl: statusOf(link, now) === 'active' ? `${mount}/${link.slug}?new=1` : null,
  }
}
