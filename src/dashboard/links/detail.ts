// The data of a link's page: its facts, its revenue, and its last payments.

import type { Company } from '../../companies/company.ts'
import { findCustomer } from '../../customers/customer.ts'
import { PageQuery } from '../../http/pagination.ts'
import { getLinkStatus, type LinkRow } from '../../payment-links/payment-link.ts'
import { listRecipients } from '../../payment-links/sending/recipients.ts'
import { linkImageUrl } from '../../payment-links/serialize.ts'
import { loadLinkFunnel } from '../../reports/funnel.ts'
import { sumLinkRevenue } from '../../reports/revenue.ts'
import { loadLinkApprovalRate } from '../../reports/summary.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { customerPagePath, PAYMENTS_PATH } from '../layout/paths.ts'
import { toTimeView } from '../layout/values/time.ts'
import { toPaymentRow } from '../transactions/view.ts'
import {
  buildShareLinks,
  toEarningsView,
  toFunnelView,
  toLinkBadge,
  toLinkDetails,
  toRecipientView,
} from './view.ts'

const LAST_PAYMENTS = 5

export async function loadLinkDetail(needs: DashboardNeeds, company: Company, link: LinkRow) {
  const { db, checkoutUrl } = needs
  const now = needs.now()
  const payments = { ...PageQuery.parse({}), limit: LAST_PAYMENTS, paymentLinkId: link.id }
  const [sum, approval, funnel, rows, customer, recipients] = await Promise.all([
    sumLinkRevenue(db, company.id, link.id),
    loadLinkApprovalRate(db, company.id, link.id),
    loadLinkFunnel(db, link.id, now),
    listTransactions(db, company.id, payments),
    link.linkedCustomerId ? findCustomer(db, company.id, link.linkedCustomerId) : undefined,
    listRecipients(db, link.id),
  ])
  return {
    title: link.title,
    section: 'links' as const,
    link: toLinkDetails(link),
    imageUrl: linkImageUrl(checkoutUrl, link),
    status: toLinkBadge(link, now),
    state: getLinkStatus(link, now),
    cardsPausedUntil: toCardPauseView(link, now),
    customer: customer ? { name: customer.name, href: customerPagePath(customer.id) } : null,
    earned: toEarningsView(sum, approval),
    funnel: toFunnelView(funnel),
    payments: rows.slice(0, LAST_PAYMENTS).map((payment) => toPaymentRow(payment, now)),
    allPayments: `${PAYMENTS_PATH}?link=${link.id}`,
    recipients: recipients.map((recipient) => toRecipientView(recipient, now)),
    isMailing: needs.mail !== null,
    isTest: company.testMode,
    share: buildShareLinks(link, company, customer, checkoutUrl),
  }
}

function toCardPauseView({ cardsPausedUntil, methods }: LinkRow, now: Date) {
  const paused = cardsPausedUntil !== null && cardsPausedUntil > now.toISOString()
  if (!paused || !methods.includes('credit_card')) return null
  return { moment: toTimeView(cardsPausedUntil), pix: methods.includes('pix') }
}
