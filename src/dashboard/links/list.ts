// `/painel/links`: a company's links, page by page, with filters from the address (the same for the page, the table and
// bulk changes), the bar with actions for chosen links, and the result of the last one.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import {
  LINK_STATUSES,
  type LinkBulkAction,
  type LinkStatus,
  PAYMENT_METHODS,
} from '../../database/enums.ts'
import { isUuid, newId } from '../../database/id.ts'
import { formatCount } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { paginateRows } from '../../http/pagination.ts'
import { type CountResult, isFirstPage, toCountResult } from '../../lists/page.ts'
import {
  findLinkBulk,
  type LinkBulk,
  listLinkTitles,
  MAX_BULK_LINKS,
} from '../../payment-links/change/bulk.ts'
import type { LinkListFilters } from '../../payment-links/list/conditions.ts'
import { buildLinkColumns } from '../../payment-links/list/csv.ts'
import {
  countPaymentLinks,
  listPaymentLinks,
  streamPaymentLinks,
} from '../../payment-links/list/list.ts'
import { LinkFilters } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { getEntries } from '../../record.ts'
import { sumRevenueByLink } from '../../reports/revenue.ts'
import { texts } from '../../texts.ts'
import { getRights } from '../../users/roles.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import { readTypedFields, registerPage } from '../layout/form.ts'
import {
  buildFilterOptions,
  buildPager,
  buildSortHeads,
  buildSorts,
  countFilters,
  formatTotal,
  type Outcome,
  readFilters,
  readFirstPageParams,
  readListQuery,
  readPageQuery,
  readSortName,
  SORT_OPTIONS,
} from '../layout/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { LINKS_PATH } from '../layout/paths.ts'
import { parseSearch, readSearchedText } from '../layout/search-words.ts'
import { sectionTitles } from '../layout/texts.ts'
import { linkBulkTexts, linkPageTexts } from './texts.ts'
import { toListedLink } from './view.ts'

export async function linkListPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(app, needs, '/links', ['read', 'dashboard/links/list'], loadLinkList)

  registerTable(app, '/links', needs, async (request) => {
    const { company } = request.visitor
    const now = needs.now()
    const { wanted } = readLinkFilter(request.query, now)
    const sort = LINK_SORTS[readSortName(request)]
    const { checkoutUrl } = needs
    return {
      columns: buildLinkColumns({ checkoutUrl, testMode: company.testMode, now }),
      rows: streamPaymentLinks(needs.db, company.id, wanted, now, sort),
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
  const order = readSortName(request)
  const query = { ...wanted, limit, cursor }
  const rows = await listPaymentLinks(db, company.id, query, now, LINK_SORTS[order])
  const { data, nextCursor } = paginateRows(rows, limit)
  const isWhole = isFirst && nextCursor === null
  const ids = data.map(({ id }) => id)
  const [revenue, total] = await Promise.all([
    sumRevenueByLink(db, company.id, ids),
    isWhole ? toCountResult(data.length) : countPaymentLinks(db, company.id, wanted, now),
  ])
  const narrowed = toNarrowedForm(filters)
  const kept = readKeptChoice(request)
  return {
    title: sectionTitles.links,
    links: data.map((link) => ({
      ...toListedLink(link, now),
      revenue: revenue.get(link.id),
      isChosen: kept.ids.has(link.id),
    })),
    total: formatTotal(total, linkPageTexts.noun),
    heads: buildSortHeads(request, order),
    filters: { q: filters.q ?? '', ...narrowed, order: order === 'padrao' ? '' : order },
    isFiltered: Object.keys(filters).length > 0,
    filterCount: countFilters(narrowed),
    isFirst,
    scripts: ['choose.js'],
    tables: listTableLinks(LINKS_PATH, readFirstPageParams(request.url)),
    ...LINK_FILTER_OPTIONS,
    pager: buildPager(request, nextCursor),
    /** Null for a person who may not change links. */
    bulk: getRights(user.role).editLinks
      ? { ...buildLinkBulkView(request, { isWhole, total, status: filters.status, now }), kept }
      : null,
    outcome: await findBulkOutcome(db, request),
    /** The import that the list is filtered by. */
    importId: filters.importacao ?? null,
  }
}

const LINK_SORTS = buildSorts('amountCents')

/** The filters in the folded part of the form. */
function toNarrowedForm({ tag, status, method }: LinkFilters) {
  return { tag: tag?.[0] ?? '', status: status ?? '', method: method ?? '' }
}

const LINK_FILTER_OPTIONS = {
  statuses: buildFilterOptions(
    linkPageTexts.anyStatus,
    LINK_STATUSES.map((value) => ({ value, text: linkTexts.statuses[value] })),
  ),
  methods: buildFilterOptions(
    linkPageTexts.any,
    PAYMENT_METHODS.map((value) => ({ value, text: texts.methods[value] })),
  ),
  orders: SORT_OPTIONS,
}

/** Returns the typed filters, and their meaning at `now`. */
export function readLinkFilter(query: unknown, now: Date) {
  const typed = readTypedFilters(query)
  return { typed, wanted: resolveSearch(typed, now) }
}

const PlainFilters = LinkFilters.pick({ status: true, method: true, tag: true })

/** `importacao`: only the links of an imported file, by the id of its import. */
type TypedLinkFilters = LinkFilters & { importacao?: string }

/** Ignores values that cannot be filters. */
function readTypedFilters(query: unknown): TypedLinkFilters {
  const given = toRecord(query)
  const q = readSearchedText(query)
  const { importacao } = given
  const isImport = typeof importacao === 'string' && isUuid(importacao)
  return {
    ...(q && { q }),
    ...readFilters(PlainFilters, given),
    ...(isImport && { importacao: importacao.toLowerCase() }),
  }
}

/** A single letter is part of a title, as in the API. */
function resolveSearch({ q, importacao, ...others }: TypedLinkFilters, now: Date): LinkListFilters {
  // All links of an imported file are shown, archived ones too.
  const filters = {
    ...others,
    ...(importacao && { importId: importacao, isArchivedShown: true as const }),
  }
  const search = q === undefined ? undefined : parseSearch(q, now)
  return search ? { ...filters, search } : { ...filters, q }
}

const TAG_ACTIONS = ['add_tag', 'remove_tag'] as const
const ACTIONS = ['pause', 'resume', 'archive'] as const
const ARCHIVED_ACTIONS = ['unarchive'] as const

const ICONS = {
  archive: 'archive',
  unarchive: 'rotate-ccw',
  pause: 'pause',
  resume: 'play',
  add_tag: 'plus',
  remove_tag: 'x',
} as const satisfies Record<LinkBulkAction, string>

type ListState = {
  /** The page has all links. */
  isWhole: boolean
  total: CountResult
  /** The status filter of the list. */
  status: LinkStatus | undefined
  now: Date
}

function buildLinkBulkView(
  { url }: Pick<FastifyRequest, 'url'>,
  { isWhole, total, status, now }: ListState,
) {
  const isArchived = status === 'archived'
  return {
    action: `${LINKS_PATH}/lote`,
    hidden: [
      { name: 'lote', value: newId() },
      { name: 'ate', value: now.toISOString() },
    ],
    filter: readListQuery(url),
    tagButtons: isArchived ? [] : TAG_ACTIONS.map(toButton),
    buttons: (isArchived ? ARCHIVED_ACTIONS : ACTIONS).map(toButton),
    all: isWhole ? null : describeAll(total),
  }
}

/** What was typed and chosen in a bulk change that was refused. */
function readKeptChoice({ query }: FastifyRequest) {
  const { etiqueta = '', escolhidos = '', todos } = readTypedFields(query)
  return { tag: etiqueta, ids: new Set(escolhidos.split(' ')), isAll: todos !== undefined }
}

/** The choice of all links beyond this page, or of the newest that one action may change. */
function describeAll({ kind, count }: CountResult) {
  const { all, newest, chosen, upTo } = linkBulkTexts.choice
  const isAll = kind === 'exact' && count <= MAX_BULK_LINKS
  const text = formatCount(isAll ? count : MAX_BULK_LINKS)
  return isAll
    ? { text: all(text), every: chosen(text) }
    : { text: newest(text), every: upTo(text) }
}

function toButton(action: LinkBulkAction) {
  const { value, button } = linkBulkTexts.actions[action]
  return { value, text: button, icon: ICONS[action] }
}

/** The number of links that are named by title. */
const NAMED_LINKS = 3

/** Null when the address names no bulk change of this person. */
async function findBulkOutcome(
  db: Database,
  { query, visitor }: FastifyRequest,
): Promise<Outcome | null> {
  const { lote, falta = '' } = readTypedFields(query)
  const missing = getEntries(linkBulkTexts.missing).find(([name]) => name === falta)
  if (missing) return { isGood: false, text: missing[1] }
  if (lote === undefined) return null
  const owner = { companyId: visitor.company.id, userId: visitor.user.id }
  const bulk = await findLinkBulk(db, owner, lote)
  if (!bulk) return null
  return toDoneOutcome(bulk, await listLinkTitles(db, bulk, listNamedIds(bulk)))
}

type Titles = ReadonlyMap<string, string>

function toDoneOutcome(bulk: LinkBulk, titles: Titles): Outcome {
  const { action, tag, changed, refused, linkIds, workedCount } = bulk
  const unchanged = workedCount - changed.length - refused.length
  const left = linkIds.length - workedCount
  return {
    isGood: changed.length > 0,
    text: linkBulkTexts.sentence([
      changed.length > 0
        ? linkBulkTexts.actions[action].done(changed.length, tag ?? '')
        : linkBulkTexts.none,
      ...(unchanged > 0 ? [linkBulkTexts.unchanged(unchanged)] : []),
      ...groupRefused(bulk).map(([reason, ids]) =>
        linkBulkTexts.refused(ids.length, nameLinks(ids, titles), linkBulkTexts.refusals[reason]),
      ),
      ...(left > 0 ? [linkBulkTexts.unfinished(left)] : []),
    ]),
  }
}

function groupRefused({ refused }: LinkBulk) {
  return getEntries(linkBulkTexts.refusals).flatMap(([reason]) => {
    const ids = refused.flatMap((one) => (one.reason === reason ? one.id : []))
    return ids.length > 0 ? [[reason, ids] as const] : []
  })
}

function listNamedIds(bulk: LinkBulk) {
  return groupRefused(bulk).flatMap(([, ids]) => ids.slice(0, NAMED_LINKS))
}

function nameLinks(ids: readonly string[], titles: Titles) {
  const named = ids.slice(0, NAMED_LINKS).flatMap((id) => titles.get(id) ?? [])
  return linkBulkTexts.names(named, ids.length - named.length)
}
