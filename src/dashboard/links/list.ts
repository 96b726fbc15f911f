// `/painel/links`: a company's links, page by page, with filters from the address.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LINK_STATUSES, PAYMENT_METHODS } from '../../database/enums.ts'
import { paginateRows } from '../../http/pagination.ts'
import { type CountResult, isFirstPage } from '../../lists/page.ts'
import { buildLinkColumns } from '../../payment-links/list/csv.ts'
import {
  countPaymentLinks,
  listPaymentLinks,
  streamPaymentLinks,
} from '../../payment-links/list/list.ts'
import type { LinkFilters } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { getEntries, getKeys } from '../../record.ts'
import { sumRevenueByLink } from '../../reports/revenue.ts'
import { texts } from '../../texts.ts'
import { getRights } from '../../users/roles.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import { countFilters } from '../layout/lists/filters.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { buildSortHeads, readSortName } from '../layout/lists/sorting.ts'
import { formatTotal } from '../layout/lists/total.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { LINKS_PATH } from '../layout/paths.ts'
import { sectionTitles } from '../layout/texts.ts'
import { findBulkOutcome } from './bulk-outcome.ts'
import { buildLinkBulkView } from './bulk-view.ts'
import { readLinkFilter, type TypedLinkFilters } from './filter.ts'
import { linkPageTexts } from './texts.ts'
import { toListedLink } from './view.ts'

const READ = requireRight('read')

export async function linkListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/links', READ, async (request, reply) =>
    show(request, reply, 'dashboard/links/list', await loadLinkList(needs, request)),
  )

  registerTable(app, '/links', needs, async ({ visitor: { company }, query }) => {
    const now = needs.now()
    const { wanted } = readLinkFilter(query, now)
    const { checkoutUrl } = needs
    return {
      columns: buildLinkColumns({ checkoutUrl, testMode: company.testMode, now }),
      rows: streamPaymentLinks(needs.db, company.id, wanted, now),
      name: linkTexts.csv.name,
      subject: sectionTitles.links,
    }
  })
}

export async function loadLinkList(needs: DashboardNeeds, request: FastifyRequest) {
  const { db } = needs
  const { company, user } = request.visitor
  const now = needs.now()
  const { typed: filters, wanted } = readLinkFilter(request.query, now)
  const { limit, cursor } = readPageQuery(request)
  const isFirst = isFirstPage(cursor)
  const order = readSortName(request, LINK_SORTS)
  const { column: by, isDescending } = LINK_SORTS[order]
  const query = { ...wanted, limit, cursor }
  const rows = await listPaymentLinks(db, company.id, query, now, { by, isDescending })
  const { data, nextCursor } = paginateRows(rows, limit)
  const isWhole = isFirst && nextCursor === null
  const ids = data.map(({ id }) => id)
  const [revenue, total] = await Promise.all([
    sumRevenueByLink(db, company.id, ids),
    isWhole ? countOf(data.length) : countPaymentLinks(db, company.id, wanted, now),
  ])
  const narrowed = toNarrowedForm(filters)
  return {
    title: sectionTitles.links,
    section: 'links' as const,
    links: data.map((link) => toListedLink(link, revenue.get(link.id), now)),
    total: formatTotal(total, linkPageTexts.noun),
    heads: buildSortHeads(request, LINK_SORTS, order),
    filters: { q: filters.q ?? '', ...narrowed, order: order === 'padrao' ? '' : order },
    isFiltered: Object.keys(filters).length > 0,
    filterCount: countFilters(narrowed),
    isFirst,
    scripts: ['choose.js'],
    tables: listTableLinks(LINKS_PATH, buildLinkQuery(filters)),
    ...LINK_FILTER_OPTIONS,
    pager: buildPager(request, nextCursor),
    /** Null for a person who may not change links. */
    bulk: getRights(user.role).editLinks
      ? buildLinkBulkView(request, { isWhole, total, status: filters.status, now })
      : null,
    outcome: await findBulkOutcome(db, request),
    /** The import that the list is filtered by. */
    importId: filters.importacao ?? null,
  }
}

const LINK_SORTS = {
  padrao: { column: 'createdAt', isDescending: true },
  antigos: { column: 'createdAt', isDescending: false },
  'maior-valor': { column: 'amountCents', isDescending: true },
  'menor-valor': { column: 'amountCents', isDescending: false },
} as const

function countOf(count: number): CountResult {
  return { kind: 'exact', count }
}

/** The filters in the folded part of the form. */
function toNarrowedForm({ tag, status, method }: LinkFilters) {
  return { tag: tag?.[0] ?? '', status: status ?? '', method: method ?? '' }
}

const ANY_OPTION = { value: '', text: linkPageTexts.any }
const LINK_FILTER_OPTIONS: Record<'statuses' | 'orders' | 'methods', SelectOption[]> = {
  statuses: [
    { value: '', text: linkPageTexts.anyStatus },
    ...LINK_STATUSES.map((value) => ({ value, text: linkTexts.statuses[value] })),
  ],
  orders: getKeys(LINK_SORTS).map((name) => ({
    value: name === 'padrao' ? '' : name,
    text: linkPageTexts.orders[name],
  })),
  methods: [ANY_OPTION, ...PAYMENT_METHODS.map((value) => ({ value, text: texts.methods[value] }))],
}

function buildLinkQuery({ tag = [], metadata: _, ...filters }: TypedLinkFilters) {
  const query = new URLSearchParams()
  for (const [name, value] of getEntries(filters))
    if (value !== undefined) query.append(name, value)
  for (const one of tag) query.append('tag', one)
  return query
}
