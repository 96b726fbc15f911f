// `/painel/clientes`: who pays a company, a page at a time, found by name, document or e-mail.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CustomerRow } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import { page } from '../../http/pagination.ts'
import { peopleFilter } from '../layout/customer-search.ts'
import { typedOf } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { pagerOf, pagesOf, placeOf } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { customerRow } from './view.ts'

export async function customerListPages(app: FastifyInstance, { db, ...needs }: DashboardNeeds) {
  const show = pagesOf(app, { db, ...needs })

  app.get('/clientes', async (request, reply) => {
    const { q = '' } = typedOf(request.query)
    const { data, nextCursor } = page(await found(request, q.trim()), placeOf(request).limit)
    const pager = pagerOf(request, nextCursor)
    return show(request, reply, 'customers/list', {
      title: sectionTitles.clientes,
      section: 'clientes',
      customers: data.map(customerRow),
      q,
      isNew: data.length === 0 && q.trim() === '' && !pager.first,
      pager,
    })
  })

  async function found(request: FastifyRequest, word: string): Promise<CustomerRow[]> {
    const filter = word === '' ? {} : peopleFilter(word)
    if (!filter) return []
    return listCustomers(db, request.visitor.company.id, { ...placeOf(request), ...filter })
  }
}
