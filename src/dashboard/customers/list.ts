// `/painel/clientes`: a company's customers, page by page, with a search.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { buildCustomerColumns } from '../../customers/csv.ts'
import { countCustomers, listCustomers, streamCustomers } from '../../customers/list.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Search } from '../../lists/words.ts'
import { getDocumentFormat } from '../../users/roles.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import { registerPage } from '../layout/form.ts'
import { formatTotal, loadPage } from '../layout/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { CUSTOMERS_PATH } from '../layout/paths.ts'
import { parseSearch, readSearchedText } from '../layout/search-words.ts'
import { sectionTitles } from '../layout/texts.ts'
import { customerPageTexts } from './texts.ts'

export async function customerListPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(app, needs, '/clientes', ['read', 'dashboard/customers/list'], loadCustomerList)

  registerTable(app, '/clientes', needs, async (request) => {
    const { company, user } = request.visitor
    const { filters } = readCustomerSearch(request, needs.now())
    return {
      columns: buildCustomerColumns(getDocumentFormat(user.role)),
      rows: streamCustomers(needs.db, company.id, filters),
      name: customerTexts.tableName,
      subject: sectionTitles.clientes,
      hasPayers: true,
    }
  })
}

export async function loadCustomerList({ db, now }: DashboardNeeds, request: FastifyRequest) {
  const { id: companyId } = request.visitor.company
  const { q, filters } = readCustomerSearch(request, now())
  const [{ data, pager }, total] = await Promise.all([
    loadPage(request, (page) => listCustomers(db, companyId, { ...page, ...filters })),
    q === '' ? countCustomers(db, companyId) : null,
  ])
  return {
    title: sectionTitles.clientes,
    customers: data,
    q,
    /** The number of customers, in words; null for a search. */
    total: total && formatTotal(total, customerPageTexts.noun),
    isNew: data.length === 0 && q === '' && !pager.first,
    tables: listTableLinks(CUSTOMERS_PATH, new URLSearchParams(q && { q })),
    pager,
  }
}

/** Matches nothing, since punctuation alone is never a word. */
const NO_MATCH: Search = { words: [[{ text: '-', isWhole: true }]] }

/** A search without usable words, such as a single letter, finds nothing. */
function readCustomerSearch({ query }: FastifyRequest, now: Date) {
  const q = readSearchedText(query)
  const search = q === '' ? undefined : (parseSearch(q, now) ?? NO_MATCH)
  return { q, filters: { search } }
}
