// `/painel/clientes/:id`: one customer, what they have paid, the links that are for them; and how they
// are anonymized.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anonymizeCustomer } from '../../customers/anonymize.ts'
import type { CustomerRow } from '../../customers/customer.ts'
import { formatBrl, formatCount } from '../../format.ts'
import { paginateRows } from '../../http/pagination.ts'
import { listCustomerLinks } from '../../payment-links/list/list.ts'
import { sumCustomerRevenue } from '../../reports/revenue.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { registerConfirmation } from '../layout/forms/register.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { CUSTOMERS_PATH, customerPagePath } from '../layout/paths.ts'
import { recordAct } from '../layout/security.ts'
import { toLinkRow } from '../links/view.ts'
import { toPaymentRow } from '../transactions/view.ts'
import { findRequestedCustomer } from './find.ts'
import { customerPageTexts } from './texts.ts'
import { toCustomerDetails } from './view.ts'

const READ = requireRight('read')

const MAX_LINKS = 20

export async function customerPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get<ById>('/clientes/:id', READ, async (request, reply) => {
    const customer = await findRequestedCustomer(db, request)
    const [payments, links, paid] = await Promise.all([
      loadPayments(request, customer),
      listCustomerLinks(db, customer.companyId, customer.id, MAX_LINKS),
      loadRevenue(customer),
    ])
    return show(request, reply, 'dashboard/customers/show', {
      title: customer.name,
      section: 'clientes',
      customer: toCustomerDetails(customer),
      paid,
      links: links.map((link) => toLinkRow(link, needs.now())),
      newLink: `/painel/links/novo?cliente=${customer.id}`,
      ...payments,
    })
  })

  registerConfirmation(app, '/clientes/:id/anonimizar', show, {
    right: 'anonymizeCustomers',
    load: (request) => findRequestedCustomer(db, request),
    ask: ({ id, name }) => ({
      title: customerPageTexts.titles.anonymize,
      section: 'clientes',
      isDangerous: true,
      question: customerPageTexts.anonymize.question(name),
      consequences: customerPageTexts.anonymize.consequences(needs.retention.eventsDays),
      button: customerPageTexts.anonymize.button,
      back: customerPagePath(id),
    }),
    async confirm(request, { id, companyId }) {
      await anonymizeCustomer(db, companyId, id, needs.now())
      await recordAct(needs, request, { action: 'customer_anonymized', subjectId: id })
      return `${CUSTOMERS_PATH}?feito=cliente-anonimizado`
    },
  })

  async function loadPayments(request: FastifyRequest, { companyId, id }: CustomerRow) {
    const place = readPageQuery(request)
    const query = { ...place, customerId: id }
    const rows = await listTransactions(db, companyId, query)
    const { data, nextCursor } = paginateRows(rows, place.limit)
    return {
      payments: data.map((row) => toPaymentRow(row, needs.now())),
      pager: buildPager(request, nextCursor),
    }
  }

  async function loadRevenue({ companyId, id }: CustomerRow) {
    const sum = await sumCustomerRevenue(db, companyId, id)
    return {
      net: formatBrl(sum.afterRefundsCents),
      gross: formatBrl(sum.grossCents),
      refunded: sum.refundedCents > 0 ? formatBrl(sum.refundedCents) : null,
      count: formatCount(sum.count),
    }
  }
}
