// `/painel/links`: a company's links, a page at a time, narrowed by what the address says.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LINK_STATUSES, PAYMENT_METHODS } from '../../database/enums.ts'
import { sendCsv } from '../../http/csv.ts'
import { toRecord } from '../../http/fields.ts'
import { PageQuery, paginateRows } from '../../http/pagination.ts'
import { buildLinkColumns } from '../../payment-links/list/csv.ts'
import { listPaymentLinks, streamPaymentLinks } from '../../payment-links/list/list.ts'
import { LinkFilters } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { getEntries } from '../../record.ts'
import { texts } from '../../texts.ts'
import { readTypedFields } from '../layout/form.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { countFilters } from '../layout/list-filters.ts'
import { buildPager, createPageRenderer, readPageQuery } from '../layout/page.ts'
import { LINKS_PATH } from '../layout/paths.ts'
import { sectionTitles } from '../layout/texts.ts'
import { linkPageTexts } from './texts.ts'
import { toLinkRow } from './view.ts'

const READ = requireRight('read')

export async function linkListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get('/links', READ, async (request, reply) => {
    const { company } = request.visitor
    const now = needs.now()
    const filters = readLinkFilters(request)
    const { limit, cursor } = readPageQuery(request)
    const isFirst = cursor === PageQuery.parse({}).cursor
    const oldest = isOldestFirst(request)
    const query = { ...filters, limit, oldest, ...(!isFirst && { cursor }) }
    const { rows, resumeBelow } = await listPaymentLinks(db, company.id, query, now)
    const { data, nextCursor } = paginateRows(rows, limit, resumeBelow)
    const typed = readTypedFields(request.query)
    const narrowed = {
      tag: filters.tag?.[0] ?? '',
      status: filters.status ?? '',
      method: filters.method ?? '',
    }
    return show(request, reply, 'dashboard/links/list', {
      title: sectionTitles.links,
      section: 'links',
      links: data.map((link) => toLinkRow(link, now)),
      filters: {
        q: typed.q ?? '',
        ...narrowed,
        order: oldest ? OLDEST_FIRST : '',
      },
      isFiltered: Object.keys(filters).length > 0,
      filterCount: countFilters(narrowed),
      isFirst,
      csv: `${LINKS_PATH}.csv${buildLinkQuery(filters)}`,
      ...LINK_FILTER_OPTIONS,
      pager: buildPager(request, nextCursor),
    })
  })

  app.get('/links.csv', READ, async (request, reply) => {
    const now = needs.now()
    const { company } = request.visitor
    const links = streamPaymentLinks(needs.readDb, company.id, readLinkFilters(request), now)
    return sendCsv(reply, buildLinkColumns(needs.checkoutUrl, now), links, linkTexts.csv.name)
  })
}

const ANY_OPTION = { value: '', text: linkPageTexts.any }
const LINK_FILTER_OPTIONS = {
  statuses: [
    ANY_OPTION,
    ...LINK_STATUSES.map((value) => ({ value, text: linkTexts.statuses[value] })),
  ],
  orders: [
    { value: '', text: linkPageTexts.orders.newest },
    { value: 'antigos', text: linkPageTexts.orders.oldest },
  ],
  methods: [ANY_OPTION, ...PAYMENT_METHODS.map((value) => ({ value, text: texts.methods[value] }))],
}

const OLDEST_FIRST = 'antigos'

function isOldestFirst({ query }: FastifyRequest) {
  return toRecord(query).ordem === OLDEST_FIRST
}

const LINK_FILTER_NAMES = ['q', 'tag', 'status', 'method'] as const

/** What cannot be a filter narrows nothing. */
function readLinkFilters({ query }: FastifyRequest): LinkFilters {
  const given = toRecord(query)
  const read = LINK_FILTER_NAMES.flatMap((name) => {
    const { data } = LinkFilters.shape[name].safeParse(given[name] || undefined)
    return data === undefined ? [] : [[name, data]]
  })
  return Object.fromEntries(read)
}

function buildLinkQuery({ tag = [], metadata: _, ...filters }: LinkFilters) {
  const query = new URLSearchParams()
  for (const [name, value] of getEntries(filters))
    if (value !== undefined) query.append(name, value)
  for (const one of tag) query.append('tag', one)
  return query.size > 0 ? `?${query}` : ''
}
