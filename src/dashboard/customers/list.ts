// `/painel/clientes`: who pays a company, a page at a time, found by words of whatever is known of them.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countCustomers, listCustomersByName } from '../../customers/by-name.ts'
import type { CustomerRow } from '../../customers/customer.ts'
import { listCustomers, listCustomersByIds } from '../../customers/list.ts'
import { buildMaxUuid, buildMinUuid } from '../../database/id.ts'
import { type PageQuery, paginateRows } from '../../http/pagination.ts'
import { foldLatest } from '../../search/fold.ts'
import { findMatches } from '../../search/match.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { parseSearch, readSearchedText, type TypedSearch } from '../layout/lists/search-words.ts'
import { buildSortHeads, readSortName } from '../layout/lists/sorting.ts'
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
    const order = readSortName(request, CUSTOMER_SORTS)
    const [rows, total] = await Promise.all([
      isSearched ? found(request, q) : listAll(request, order),
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
      heads: isSearched ? null : buildSortHeads(request, CUSTOMER_SORTS, order),
      isNew: data.length === 0 && !isSearched && !pager.first,
      pager,
    })
  })

  async function listAll(request: FastifyRequest, order: keyof typeof CUSTOMER_SORTS) {
    const place = readPageQuery(request)
    const { id } = request.visitor.company
    const { column, isDescending } = CUSTOMER_SORTS[order]
    if (column === 'createdAt') return listCustomers(db, id, place)
    return listCustomersByName(db, id, { ...place, isDescending })
  }

  async function found(request: FastifyRequest, word: string): Promise<CustomerRow[]> {
    const { id: companyId } = request.visitor.company
    const place = readPageQuery(request)
    const search = parseSearch(word, needs.now())
    if (!search) return []
    const { words, day } = search
    if (words.length === 0) {
      const since = day && { createdFrom: day.from, createdTo: day.to }
      return listCustomers(db, companyId, { ...place, ...since })
    }
    await foldLatest(db)
    const wanted = { companyId, kind: 'customer' as const, words, ...toIdBounds(place, day) }
    return listCustomersByIds(
      db,
      companyId,
      await findMatches(db, { ...wanted, limit: place.limit + 1 }),
    )
  }
}

/** An id says when it was made, but for a request that was repeated after a crash. */
function toIdBounds({ cursor }: PageQuery, day: TypedSearch['day']) {
  if (!day) return { below: cursor }
  const end = buildMaxUuid(Date.parse(day.to))
  return { above: buildMinUuid(Date.parse(day.from)), below: end < cursor ? end : cursor }
}

/** What was found by a word is in the order of its kind, the newest first. */
const CUSTOMER_SORTS = {
  padrao: { column: 'createdAt', isDescending: true },
  nome: { column: 'name', isDescending: false },
  'nome-inverso': { column: 'name', isDescending: true },
} as const
