// A payment's own page: it shows whatever state the payment is in, and in the end its receipt.

import { listOfferedMethods } from '../../companies/company.ts'
import { requireFound } from '../../database/found.ts'
import { newToken } from '../../database/id.ts'
import { isPast } from '../../database/instant.ts'
import {
  formatBrl,
  formatCard,
  formatDay,
  formatFullTime,
  formatTime,
  isSameDay,
} from '../../format.ts'
import { getLinkStatus, type LinkWithCompany } from '../../payment-links/payment-link.ts'
import { texts } from '../../texts.ts'
import { paymentUrl } from '../../transactions/serialize.ts'
import { isSandboxPix } from '../../transactions/simulation/simulate.ts'
import {
  isAmountMismatch,
  isMismatchRefunded,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import { buildCheckoutLayout, toLinkSummary } from '../layout.ts'
import type { CheckoutViewNeeds } from '../needs.ts'
import { newPaymentPath, paymentPath, reportPath } from '../paths.ts'
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
  const isOver = isPast(row.expiresAt, now)
  if (row.status === 'pending' && !row.pixBrCode && !isOver) return 'processing'
  return (isOver ? EXPIRED_STATES : CURRENT_STATES)[row.status] ?? 'approved'
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
  { now, surplusCents = 0 }: { now: Date; surplusCents?: number },
): PaymentViewModel {
  const { link, company } = found
  const { asset } = needs
  const retryUrl = newPaymentPath(needs, link.slug)
  const common = {
    ...buildCheckoutLayout(company, {
      asset,
      testMode: row.testMode,
      reportUrl: reportPath(needs, link.slug),
    }),
    link: toLinkSummary(needs, link),
    url: paymentPath(needs, link.slug, row.token),
    version: row.updatedAt,
    total: formatBrl(row.totalCents),
    retryUrl,
    pixUrl: listOfferedMethods(company, link.methods).includes('pix')
      ? `${retryUrl}&method=pix`
      : null,
  }
  const state = getPaymentState(row, now)
  switch (state) {
    case 'pix':
      return { ...common, state, pix: buildPixViewModel(needs, row, common.url, now) }
    case 'challenge':
      return {
        ...common,
        state,
        challengeUrl: requireFound(row.challengeUrl),
        ...buildExpiry(row, now),
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
    case 'held': {
      const { receivedCents } = row
      return {
        ...common,
        state,
        received: receivedCents === null ? null : formatBrl(receivedCents),
      }
    }
    case 'approved': {
      const receipt = {
        ...buildReceipt(needs, row, found, now),
        surplus: formatSurplus(surplusCents),
      }
      return { ...common, state, receipt, returnTo: needs.returnTo(row, found, now) }
    }
    case 'processing':
      return { ...common, state, isPix: row.method === 'pix' }
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
  const code = requireFound(row.pixBrCode)
  return {
    code,
    qrSvg: drawQr(code),
    now: now.toISOString(),
    ...buildExpiry(row, now),
    simulateAction: isSandboxPix(row) ? `${url}/simulate` : null,
  }
}

function buildExpiry(row: TransactionRow, now: Date) {
  const expiresAt = requireFound(row.expiresAt)
  const time = formatTime(expiresAt)
  const expiresText = isSameDay(expiresAt, now)
    ? checkoutTexts.until(time)
    : checkoutTexts.untilDay(formatDay(expiresAt), time)
  return { expiresAt, expiresText }
}

/** Whoever got all of it back is not told to come and fetch what was bought. */
const MESSAGE_STATUSES: readonly TransactionRow['status'][] = ['approved', 'partially_refunded']

function formatSurplus(cents: number) {
  return cents > 0 ? checkoutTexts.surplus(formatBrl(cents)) : null
}

function buildReceipt(
  needs: CheckoutViewNeeds,
  row: TransactionRow,
  { link, company }: LinkWithCompany,
  now: Date,
): Omit<ReceiptViewModel, 'surplus'> {
  const { cardBrand, cardLast4 } = row
  const card = row.method === 'credit_card'
  const paidAt = requireFound(row.approvedAt)
  const total = formatBrl(row.totalCents)
  const url = paymentUrl(needs.checkoutUrl, link.slug, row.token)
  const text = checkoutTexts.receiptText(company.name, link.title, total, url)
  return {
    amount: formatBrl(row.amountCents),
    total,
    method: card ? texts.methods.credit_card : texts.methods.pix,
    installments: card ? `${row.installments}x de ${formatBrl(row.installmentCents)}` : null,
    card: cardBrand && cardLast4 ? formatCard(cardBrand, cardLast4) : null,
    endToEndId: row.pixEndToEndId,
    payer: row.payerName,
    paidAt: texts.paidAt(formatDay(paidAt), formatFullTime(paidAt)),
    paidAtIso: paidAt,
    transactionId: row.id,
    refunded: row.refundedCents > 0 ? checkoutTexts.refunded(formatBrl(row.refundedCents)) : null,
    message: MESSAGE_STATUSES.includes(row.status) ? link.successMessage : null,
    whatsappUrl: `https://wa.me/?text=${encodeURIComponent(text)}`,
    againUrl: getLinkStatus(link, now) === 'active' ? newPaymentPath(needs, link.slug) : null,
  }
}
