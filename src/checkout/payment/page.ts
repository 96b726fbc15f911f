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
import { getLinkStatus } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import {
  isAmountMismatch,
  isMismatchRefunded,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import { buildCheckoutLayout } from '../layout.ts'
import { type CheckoutViewNeeds, toLinkSummary } from '../link/page.ts'
import { checkoutTexts } from '../texts.ts'
import type {
  PaymentState,
  PaymentViewModel,
  PixViewModel,
  ReceiptViewModel,
  ReturnRedirect,
} from '../view-models.ts'

type PaymentViewNeeds = CheckoutViewNeeds & {
  drawQr(text: string): string
  returnTo(row: TransactionRow, found: LinkWithCompany, now: Date): ReturnRedirect | null
}

/** How the payment stands at `now`: an expiry counts from its instant, not from when it was noted. */
export function getPaymentState(row: TransactionRow, now: Date): PaymentState {
  if (row.approvedAt) return 'approved'
  if (isAmountMismatch(row)) return 'held'
  if (isMismatchRefunded(row)) return 'returned'
  if (row.status === 'pending' && !row.pixBrCode) return 'processing'
  const past = row.expiresAt !== null && row.expiresAt <= now.toISOString()
  return (past ? EXPIRED_STATES : CURRENT_STATES)[row.status] ?? 'approved'
}

type StatesByStatus = Partial<Record<TransactionRow['status'], PaymentState>>

const CURRENT_STATES: StatesByStatus = {
  pending: 'pix',
  processing: 'processing',
  awaiting_authentication: 'challenge',
  declined: 'declined',
  expired: 'expired',
  canceled: 'canceled',
}
const EXPIRED_STATES: StatesByStatus = {
  ...CURRENT_STATES,
  pending: 'expired',
  awaiting_authentication: 'processing',
}

export function buildPaymentViewModel(
  needs: PaymentViewNeeds,
  row: TransactionRow,
  found: LinkWithCompany,
  now: Date,
): PaymentViewModel {
  const { link, company } = found
  const { asset, mount } = needs
  const linkPath = `${mount}/${link.slug}`
  const common = {
    ...buildCheckoutLayout(company, {
      asset,
      testMode: row.testMode,
      reportUrl: `${linkPath}/report`,
    }),
    link: toLinkSummary(needs, link),
    url: `${linkPath}/payments/${row.token}`,
    version: row.updatedAt,
    total: formatBrl(row.totalCents),
    retryUrl: `${linkPath}?new=1`,
    pixUrl: link.methods.includes('pix') ? `${linkPath}?new=1&method=pix` : null,
  }
  const state = getPaymentState(row, now)
  switch (state) {
    case 'pix':
      return { ...common, state, pix: buildPixViewModel(needs, row, common.url, now) }
    case 'challenge':
      return {
        ...common,
        state,
        challengeUrl: row.challengeUrl!,
        expiresAt: row.expiresAt!,
        expiresText: formatExpiry(row.expiresAt!, now),
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
      const receipt = buildReceipt(needs, row, found, now)
      return { ...common, state, receipt, returnTo: needs.returnTo(row, found, now) }
    }
    default:
      return { ...common, state }
  }
}

function buildPixViewModel(
  { drawQr }: PaymentViewNeeds,
  row: TransactionRow,
  url: string,
  now: Date,
): PixViewModel {
  const expiresAt = row.expiresAt!
  return {
    code: row.pixBrCode!,
    qrSvg: drawQr(row.pixBrCode!),
    expiresAt,
    now: now.toISOString(),
    expiresText: formatExpiry(expiresAt, now),
    simulateAction: row.provider === 'sandbox' ? `${url}/simulate` : null,
  }
}

function formatExpiry(at: string, now: Date) {
  const time = formatTime(at)
  return isSameDay(at, now)
    ? checkoutTexts.until(time)
    : checkoutTexts.untilDay(formatDay(at), time)
}

function buildReceipt(
  { checkoutUrl, mount }: CheckoutViewNeeds,
  row: TransactionRow,
  { link, company }: LinkWithCompany,
  now: Date,
): ReceiptViewModel {
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
    againUrl: getLinkStatus(link, now) === 'active' ? `${mount}/${link.slug}?new=1` : null,
  }
}
