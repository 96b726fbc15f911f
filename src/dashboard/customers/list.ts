// `/painel/clientes`: who pays a company, a page at a time, found by words of whatever is known of them.

import type { FastifyInstance, FastifyRequest } from 'fastify'
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

export async function customerListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/clientes', requireRight('read'), async (request, reply) =>
    show(request, reply, 'dashboard/customers/list', await loadCustomerList(needs, request)),
  )
}

export async function loadCustomerList({ db, ...needs }: DashboardNeeds, request: FastifyRequest) {
  const { id: companyId } = request.visitor.company
  const q = readSearchedText(request.query)
  const now = needs.now()
  const place = readPageQuery(request)
  const search = parseSearch(q, now)
  const isNothing = q !== '' && !search
  const [rows, total] = await Promise.all([
    isNothing ? [] : listCustomers(db, companyId, { ...place, search }),
    q === '' ? countCustomers(db, companyId) : null,
  ])
  const { data, nextCursor } = paginateRows(rows, place.limit)
  const pager = buildPager(request, nextCursor)
  return {
    title: sectionTitles.clientes,
    section: 'clientes' as const,
    customers: data.map((row) => toCustomerRow(row, now)),
    q,
    /** How many there are, in words; null of what was searched for. */
    total: total && formatTotal(total, customerPageTexts.noun),
    isNew: data.length === 0 && q === '' && !pager.first,
    pager,
  }
}
