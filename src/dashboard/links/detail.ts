// What the page of one link tells: its facts, what it has earned, who paid last.
import type { Company } from '../../companies/company.ts'
import { findCustomer } from '../../customers/customer.ts'
import { PageQuery } from '../../http/pagination.ts'
import { type LinkRow, statusOf } from '../../payment-links/payment-link.ts'
import { approvalOf, earnedBy } from '../../reports/summary.ts'
import { listTransactions } from '../../transactions/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { momentOf } from '../layout/page.ts'
import { paymentRow } from '../transactions/view.ts'
import { badgeOf, earningsOf, linkFacts, shareOf } from './view.ts'

const LAST_PAYMENTS = 5

export async function linkDetail(needs: DashboardNeeds, company: Company, link: LinkRow) {
  const { db, checkoutUrl } = needs
  const now = needs.now()
  const testMode = company.pixTestMode && company.cardTestMode
  const payments = { ...PageQuery.parse({}), limit: LAST_PAYMENTS, paymentLinkId: link.id }
  const [sum, approval, { rows }, customer] = await Promise.all([
    earnedBy(db, company.id, link.id, testMode),
    approvalOf(db, company.id, link.id, testMode),
    listTransactions(db, company.id, payments),
    link.linkedCustomerId ? findCustomer(db, company.id, link.linkedCustomerId) : undefined,
  ])
  return {
    title: link.title,
    section: 'links' as const,
    link: linkFacts(link),
    status: badgeOf(link, now),
    state: statusOf(link, now),
    cardsPausedUntil: pausedUntil(link, now),
    customer: customer ? { name: customer.name, href: `/painel/clientes/${customer.id}` } : null,
    earned: earningsOf(sum, approval),
    payments: rows.slice(0, LAST_PAYMENTS).map(paymentRow),
    allPayments: `/painel/transacoes?link=${link.id}`,
    share: shareOf(link, company, checkoutUrl),
  }
}

function pausedUntil({ cardsPausedUntil, methods }: LinkRow, now: Date) {
  const paused = cardsPausedUntil !== null && cardsPausedUntil > now.toISOString()
  if (!paused || !methods.includes('credit_card')) return null
  return { moment: momentOf(cardsPausedUntil), pix: methods.includes('pix') }
}
