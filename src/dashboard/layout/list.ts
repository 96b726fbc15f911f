// A list, read from its address: its page, order and filters, and the links to the same list with others. Days are
// those of São Paulo.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { formatCount } from '../../format.ts'
import { storableInstantField, toRecord } from '../../http/fields.ts'
import { PageQuery, paginateRows } from '../../http/pagination.ts'
import type { CountResult } from '../../lists/page.ts'
import { getEntries, getKeys } from '../../record.ts'
import { addDays, toDay } from '../../reports/days.ts'
import type { SelectOption } from './form.ts'
import { listTexts } from './texts.ts'

/** Parameters about the last action, which do not belong to the list. */
const OUTCOME_FIELDS = ['feito', 'lote', 'falta', 'etiqueta', 'escolhidos', 'todos']

/** Loads the page of a list that the address names, with the links to its other pages. */
export async function loadPage<Row extends { id: string }>(
  request: FastifyRequest,
  list: (page: PageQuery) => Promise<Row[]>,
) {
  const page = readPageQuery(request)
  const { data, nextCursor } = paginateRows(await list(page), page.limit)
  return { data, pager: buildPager(request, nextCursor) }
}

/** Reads the position in the list; an invalid cursor means the beginning. */
export function readPageQuery({ query }: FastifyRequest, Schema = PageQuery): PageQuery {
  const { cursor } = toRecord(query)
  const read = Schema.safeParse({ cursor })
  return read.data ?? Schema.parse({})
}

/** The parameters that identify a list and the position in it. */
export function readListQuery(url: string) {
  return readListParams(url).toString()
}

/** The parameters that identify a list, from its first page. */
export function readFirstPageParams(url: string) {
  const params = readListParams(url)
  params.delete('cursor')
  return params
}

function readListParams(url: string) {
  const { searchParams } = new URL(url, 'http://localhost')
  for (const name of OUTCOME_FIELDS) searchParams.delete(name)
  return searchParams
}

/** Builds the address of the same list with the result of an action. */
export function buildListUrl(path: string, query: string, outcome: Record<string, string>) {
  const params = readListParams(`?${query}`)
  for (const [name, value] of Object.entries(outcome)) params.set(name, value)
  return `${path}?${params}`
}

/** The links below a list that is paged by key; filters stay as they are. */
export function buildPager(request: FastifyRequest, nextCursor: string | null) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const href = (cursor: string | null) => {
    const params = readFirstPageParams(request.url)
    if (cursor) params.set('cursor', cursor)
    return params.size > 0 ? `${pathname}?${params}` : pathname
  }
  const first = searchParams.has('cursor') ? href(null) : null
  return { first, next: nextCursor && href(nextCursor) }
}

type SortName = keyof typeof listTexts.orders

/** The orders of a list, by their names in the address: by its creation and by an amount. */
export function buildSorts<Amount extends string>(amount: Amount) {
  return {
    padrao: { by: 'createdAt', isDescending: true },
    antigos: { by: 'createdAt', isDescending: false },
    'maior-valor': { by: amount, isDescending: true },
    'menor-valor': { by: amount, isDescending: false },
  } as const satisfies Record<SortName, object>
}

/** The same orders as options of a filter. */
export const SORT_OPTIONS: SelectOption[] = getEntries(listTexts.orders).map(([name, text]) => ({
  value: name === 'padrao' ? '' : name,
  text,
}))

/** An unknown order means the default. */
export function readSortName({ query }: FastifyRequest): SortName {
  const { ordem } = toRecord(query)
  return getKeys(listTexts.orders).find((name) => name === ordem) ?? 'padrao'
}

/** The head of a column: the link that sorts by it, and the present order, if it is sorted by it. */
export type SortHead = { href: string; sort: 'ascending' | 'descending' | null }

/** The heads of the columns that the list can be sorted by. */
export function buildSortHeads(request: FastifyRequest, current: SortName) {
  const build = (descending: SortName, ascending: SortName): SortHead => {
    const other = current === descending ? ascending : descending
    const sort = current === descending ? 'descending' : current === ascending ? 'ascending' : null
    return { href: buildSortedUrl(request, other), sort }
  }
  return { created: build('padrao', 'antigos'), amount: build('maior-valor', 'menor-valor') }
}

/** The same list from its first page. */
function buildSortedUrl({ url }: FastifyRequest, name: SortName) {
  const { pathname } = new URL(url, 'http://localhost')
  const params = readFirstPageParams(url)
  params.delete('ordem')
  if (name !== 'padrao') params.set('ordem', name)
  return params.size > 0 ? `${pathname}?${params}` : pathname
}

type DayFilter = { de: string; ate: string }

/** The result of a bulk change, above the list. */
export type Outcome = { isGood: boolean; text: string }

/** The options of a filter; the first one means no filter. */
export function buildFilterOptions(none: string, options: readonly SelectOption[]): SelectOption[] {
  return [{ value: '', text: none }, ...options]
}

/** Reads the filters of this schema, each by itself; ignores values that cannot be filters. */
export function readFilters<Schema extends z.ZodObject>(
  schema: Schema,
  given: Record<string, unknown>,
): Partial<z.output<Schema>> {
  const read = Object.entries(schema.shape).flatMap(([name, field]) => {
    const { data } = z.safeParse(field, given[name] || undefined)
    return data === undefined ? [] : [[name, data]]
  })
  return Object.fromEntries(read)
}

/** Counts the filters that are in use. */
export function countFilters(form: Record<string, string>) {
  return Object.values(form).filter((value) => value !== '').length
}

/** @param getHref returns the address of the same list with this period; null means any day */
export function buildDayPresets(
  days: DayFilter,
  now: Date,
  getHref: (period: string | null) => string,
) {
  const current = findPreset(days, now)
  return listPresetDays(now).map(({ name, text }) => {
    const isCurrent = name === current?.name
    return { text, isCurrent, href: getHref(isCurrent ? null : name) }
  })
}

/** Whether a preset has exactly these days. */
export function isPresetPeriod(days: DayFilter, now: Date) {
  return findPreset(days, now) !== undefined
}

/** The days of a preset as of now; none for an unknown name. */
export function findPresetDays(period: string | undefined, now: Date): Partial<DayFilter> {
  const { de, ate } = listPresetDays(now).find(({ name }) => name === period) ?? {}
  return { ...(de && { de }), ...(ate && { ate }) }
}

function findPreset({ de, ate }: DayFilter, now: Date) {
  return listPresetDays(now).find((preset) => preset.de === de && preset.ate === ate)
}

function listPresetDays(now: Date): (DayFilter & { name: string; text: string })[] {
  const { presets } = listTexts
  const today = toDay(now)
  const yesterday = addDays(today, -1)
  const monthStart = toMonthStart(today)
  const lastMonthEnd = addDays(monthStart, -1)
  return [
    { name: 'hoje', text: presets.today, de: today, ate: today },
    { name: 'ontem', text: presets.yesterday, de: yesterday, ate: yesterday },
    { name: '7-dias', text: presets.week, de: addDays(today, -6), ate: today },
    { name: 'mes', text: presets.month, de: monthStart, ate: today },
    {
      name: 'mes-passado',
      text: presets.lastMonth,
      de: toMonthStart(lastMonthEnd),
      ate: lastMonthEnd,
    },
  ]
}

function toMonthStart(day: string) {
  return `${day.slice(0, 7)}-01`
}

type Noun = readonly [one: string, many: string]

/** Formats `303 links` or `mais de 10.000 links`. */
export function formatTotal({ kind, count }: CountResult, [one, many]: Noun) {
  const text = `${formatCount(count)} ${count === 1 ? one : many}`
  return kind === 'exact' ? text : listTexts.moreThan(text)
}

const ShownAt = storableInstantField()

/** Returns now for an invalid or future instant. */
export function readShownAt(typed: string | undefined, now: Date) {
  const { data } = ShownAt.safeParse(typed)
  const at = new Date(data ?? now)
  return at < now ? at : now
}
