// `/painel/clientes`: who pays a company, a page at a time, found by words of whatever is known of them.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CustomerRow } from '../../customers/customer.ts'
import { countCustomers, listCustomers } from '../../customers/list.ts'
import { paginateRows } from '../../http/pagination.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { parseSearch, readSearchedText } from '../layout/lists/search-words.ts'
import { formatTotal } from '../layout/lists/total.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { customerPageTexts } from './texts.ts'
import { toCustomerRow } from './view.ts'

const READ = requireRight('read')

export async function customerListPages(app: FastifyInstance, { db, ...needs }: DashboardNeeds) {
  const show = createPageRenderer({ db, ...needs })

  app.get('/clientes', READ, async (request, reply) => {
    const q = readSearchedText(request.query)
    const isSearched = q !== ''
    const [rows, total] = await Promise.all([
      isSearched
        ? found(request, q)
        : listCustomers(db, request.visitor.company.id, readPageQuery(request)),
      isSearched ? null : countCustomers(db, request.visitor.company.id),
    ])
    const { data, nextCursor } = paginateRows(rows, readPageQuery(request).limit)
    const pager = buildPager(request, nextCursor)
    return show(request, reply, 'dashboard/customers/list', {
      title: sectionTitles.clientes,
      section: 'clientes',
      customers: data.map((row) => toCustomerRow(row, needs.now())),
      q,
      total: total && formatTotal(total, customerPageTexts.noun),
      isNew: data.length === 0 && !isSearched && !pager.first,
      pager,
    })
  })

  async function found(request: FastifyRequest, word: string): Promise<CustomerRow[]> {
    const { id: companyId } = request.visitor.company
    const place = readPageQuery(request)
    const search = parseSearch(word, needs.now())
    return search ? listCustomers(db, companyId, { ...place, search }) : []
  }
}
