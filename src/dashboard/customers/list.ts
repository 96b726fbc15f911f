// `/painel/clientes`: who pays a company, a page at a time, found by name, document or e-mail.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CustomerRow } from '../../customers/customer.ts'
import { listCustomers } from '../../customers/list.ts'
import { paginateRows } from '../../http/pagination.ts'
import { parseCustomerSearch } from '../layout/customer-search.ts'
import { readTypedFields } from '../layout/form.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { buildPager, createPageRenderer, readPageQuery } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { toCustomerRow } from './view.ts'

const READ = requireRight('read')

export async function customerListPages(app: FastifyInstance, { db, ...needs }: DashboardNeeds) {
  const show = createPageRenderer(app, { db, ...needs })

  app.get('/clientes', READ, async (request, reply) => {
    const { q = '' } = readTypedFields(request.query)
    const { data, nextCursor } = paginateRows(
      await found(request, q.trim()),
      readPageQuery(request).limit,
    )
    const pager = buildPager(request, nextCursor)
    return show(request, reply, 'dashboard/customers/list', {
      title: sectionTitles.clientes,
      section: 'clientes',
      customers: data.map((row) => toCustomerRow(row, needs.now())),
      q,
      isNew: data.length === 0 && q.trim() === '' && !pager.first,
      pager,
    })
  })

  async function found(request: FastifyRequest, word: string): Promise<CustomerRow[]> {
    const filter = word === '' ? {} : parseCustomerSearch(word)
    if (!filter) return []
    return listCustomers(db, request.visitor.company.id, { ...readPageQuery(request), ...filter })
  }
}
