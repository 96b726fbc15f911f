// `/painel/clientes/:id`: one customer with payments and links, and how to anonymize them.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anonymizeCustomer } from '../../customers/anonymize.ts'
import { suggestEmail } from '../../payer-rules.js'
import { listCustomerLinks } from '../../payment-links/list/list.ts'
import { sumCustomerRevenue } from '../../reports/revenue.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { getDocumentFormat } from '../../users/roles.ts'
import { registerConfirmation, registerPage } from '../layout/form.ts'
import { loadPage } from '../layout/list.ts'
import { type ById, type DashboardNeeds, recordAct } from '../layout/needs.ts'
import { CUSTOMERS_PATH, customerPagePath } from '../layout/paths.ts'
import { toListedLink } from '../links/view.ts'
import { toListedPayment } from '../transactions/view.ts'
import { findRequestedCustomer } from './customer.ts'
import { loadSamePeople } from './merge.ts'
import { customerPageTexts } from './texts.ts'

const MAX_LINKS = 20

export async function customerPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  registerPage(app, needs, '/clientes/:id', ['read', 'dashboard/customers/show'], loadCustomer)

  registerConfirmation(app, '/clientes/:id/anonimizar', show, {
    right: 'anonymizeCustomers',
    load: (request) => findRequestedCustomer(db, request),
    ask: ({ id, name }) => ({
      title: customerPageTexts.titles.anonymize,
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
}

export async function loadCustomer({ db, now }: DashboardNeeds, request: FastifyRequest<ById>) {
  const customer = await findRequestedCustomer(db, request)
  const { id, companyId } = customer
  const [{ data, pager }, links, sum, samePeople] = await Promise.all([
    loadPage(request, (page) => listTransactions(db, companyId, { ...page, customerId: id })),
    listCustomerLinks(db, companyId, id, MAX_LINKS),
    sumCustomerRevenue(db, companyId, id),
    loadSamePeople(db, customer),
  ])
  return {
    title: customer.name,
    customer,
    taxId: customer.taxId && getDocumentFormat(request.visitor.user.role)(customer.taxId),
    /** The e-mail that was probably meant; empty for no suggestion. */
    meantEmail: suggestEmail(customer.email ?? ''),
    sum,
    samePeople,
    links: links.map((link) => toListedLink(link, now())),
    payments: data.map(toListedPayment),
    pager,
  }
}
