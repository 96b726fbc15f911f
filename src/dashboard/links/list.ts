// `/painel/links`: a company's links, a page at a time, narrowed by what the address says.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LINK_STATUSES, METHODS } from '../../database/enums.ts'
import { sendCsv } from '../../http/csv.ts'
import { PageQuery, page } from '../../http/pagination.ts'
import { linkColumns } from '../../payment-links/list/csv.ts'
import { everyPaymentLink, listPaymentLinks } from '../../payment-links/list/list.ts'
import { LinkFilters } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { texts } from '../../texts.ts'
import { typedOf } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { pagerOf, pagesOf, placeOf } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { linkPageTexts } from './texts.ts'
import { linkRow } from './view.ts'

export async function linkListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get('/links', async (request, reply) => {
    const { company } = request.visitor
    const now = needs.now()
    const filters = filtersOf(request)
    const { limit, cursor } = placeOf(request)
    const isFirst = cursor === PageQuery.parse({}).cursor
    const oldest = isOldestFirst(request)
    const query = { ...filters, limit, oldest, ...(!isFirst && { cursor }) }
    const { rows, resumeBelow } = await listPaymentLinks(db, company.id, query, now)
    const { data, nextCursor } = page(rows, limit, resumeBelow)
    const typed = typedOf(request.query)
    return show(request, reply, 'links/list', {
      title: sectionTitles.links,
      section: 'links',
      links: data.map((link) => linkRow(link, now)),
      filters: {
        q: typed.q ?? '',
        tag: filters.tag?.[0] ?? '',
        status: filters.status ?? '',
        method: filters.method ?? '',
        order: oldest ? OLDEST : '',
      },
      isFiltered: Object.keys(filters).length > 0,
      isFirst,
      csv: `/painel/links.csv${queryOf(filters)}`,
      ...OPTIONS,
      pager: pagerOf(request, nextCursor),
    })
  })

  app.get('/links.csv', async (request, reply) => {
    const now = needs.now()
    const { company } = request.visitor
    const links = everyPaymentLink(db, company.id, filtersOf(request), now)
    return sendCsv(reply, linkColumns(needs.checkoutUrl, now), links, linkTexts.csv.name)
  })
}

const any = { value: '', text: linkPageTexts.any }
const OPTIONS = {
  statuses: [any, ...LINK_STATUSES.map((value) => ({ value, text: linkTexts.statuses[value] }))],
  orders: [
    { value: '', text: linkPageTexts.orders.newest },
    { value: 'antigos', text: linkPageTexts.orders.oldest },
  ],
  methods: [any, ...METHODS.map((value) => ({ value, text: texts.methods[value] }))],
}

const OLDEST = 'antigos'

function isOldestFirst({ query }: FastifyRequest) {
  return (query as { ordem?: unknown }).ordem === OLDEST
}

const FILTERS = ['q', 'tag', 'status', 'method'] as const

/** What cannot be a filter narrows nothing. */
function filtersOf({ query }: FastifyRequest): LinkFilters {
  const given = query as Record<string, unknown>
  const read = FILTERS.flatMap((name) => {
    const { data } = LinkFilters.shape[name].safeParse(given[name] || undefined)
    return data === undefined ? [] : [[name, data]]
  })
  return Object.fromEntries(read)
}

function queryOf({ tag = [], ...filters }: LinkFilters) {
  const query = new URLSearchParams(filters as Record<string, string>)
  for (const one of tag) query.append('tag', one)
  return query.size > 0 ? `?${query}` : ''
}
