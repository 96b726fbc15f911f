// `/painel/clientes/:id`: one customer, what they have paid, the links that are for them; and how they
// are forgotten.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anonymizeCustomer } from '../../customers/anonymize.ts'
import type { CustomerRow } from '../../customers/customer.ts'
import { formatBrl } from '../../format.ts'
import { page } from '../../http/pagination.ts'
import { listLinksFor } from '../../payment-links/list/of-customer.ts'
import { paidBy } from '../../reports/summary.ts'
import { listTransactions } from '../../transactions/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { pagerOf, pagesOf, placeOf } from '../layout/page.ts'
import { customerPath } from '../layout/paths.ts'
import { linkRow } from '../links/view.ts'
import { paymentRow } from '../transactions/view.ts'
import { type ById, findOwnCustomer, recordOnCustomer } from './find.ts'
import { customerPageTexts } from './texts.ts'
import { customerFacts } from './view.ts'

const LINKS = 20

export async function customerPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get<ById>('/clientes/:id', async (request, reply) => {
    const customer = await findOwnCustomer(db, request)
    const [payments, links, paid] = await Promise.all([
      paymentsOf(request, customer),
      listLinksFor(db, customer.companyId, customer.id, LINKS),
      paidSoFar(request, customer),
    ])
    return show(request, reply, 'customers/detail', {
      title: customer.name,
      section: 'clientes',
      customer: customerFacts(customer),
      paid,
      links: links.map((link) => linkRow(link, needs.now())),
      newLink: `/painel/links/novo?cliente=${customer.id}`,
      ...payments,
    })
  })

  app.get<ById>(
    '/clientes/:id/anonimizar',
    { config: { owners: true } },
    async (request, reply) => {
      const { id, name } = await findOwnCustomer(db, request)
      const { titles, anonymize } = customerPageTexts
      return show(request, reply, 'confirm', {
        ...{ title: titles.anonymize, section: 'clientes', isDangerous: true },
        ...{ question: anonymize.question(name), consequences: anonymize.consequences },
        action: `${customerPath(id)}/anonimizar`,
        ...{ button: anonymize.button, back: customerPath(id) },
      })
    },
  )

  app.post<ById>(
    '/clientes/:id/anonimizar',
    { config: { owners: true } },
    async (request, reply) => {
      const { id, companyId } = await findOwnCustomer(db, request)
      await anonymizeCustomer(db, companyId, id, needs.now())
      await recordOnCustomer(needs, request, 'customer_anonymized', id)
      return reply.redirect('/painel/clientes?feito=cliente-anonimizado', 303)
    },
  )

  async function paymentsOf(request: FastifyRequest, { companyId, id }: CustomerRow) {
    const place = placeOf(request)
    const query = { ...place, customerId: id }
    const { rows, resumeBelow } = await listTransactions(db, companyId, query)
    const { data, nextCursor } = page(rows, place.limit, resumeBelow)
    return { payments: data.map(paymentRow), pager: pagerOf(request, nextCursor) }
  }

  async function paidSoFar({ visitor }: FastifyRequest, { companyId, id }: CustomerRow) {
    const { pixTestMode, cardTestMode } = visitor.company
    const sum = await paidBy(db, companyId, id, pixTestMode && cardTestMode)
    return {
      net: formatBrl(sum.netCents),
      gross: formatBrl(sum.grossCents),
      refunded: sum.refundedCents > 0 ? formatBrl(sum.refundedCents) : null,
      count: sum.count,
    }
  }
}
