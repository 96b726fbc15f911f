// The order of a list, chosen by its column heads or its filters, and kept in the address as `ordem`.

import type { FastifyRequest } from 'fastify'
import { toRecord } from '../../../http/fields.ts'
import { getEntries } from '../../../record.ts'
import { readFirstPageParams } from './pager.ts'

type Sort = { column: string; isDescending: boolean }

/** By their names in the address; `padrao` is the default. A column begins with the first of its two sorts. */
type ListSorts = { padrao: Sort; [name: string]: Sort }

/** The head of a column: the link that sorts by it, and the present order, if it is sorted by it. */
export type SortHead = { href: string; sort: 'ascending' | 'descending' | null }

/** An unknown order means the default. */
export function readSortName<Sorts extends ListSorts>({ query }: FastifyRequest, sorts: Sorts) {
  const { ordem } = toRecord(query)
  const [name] = getEntries(sorts).find(([one]) => one === ordem) ?? ['padrao' as const]
  return name
}

/** The heads of the columns that the list can be sorted by. */
export function buildSortHeads<Sorts extends ListSorts>(
  request: FastifyRequest,
  sorts: Sorts,
  current: keyof Sorts,
): Record<Sorts[keyof Sorts]['column'], SortHead> {
  const heads = new Map<string, SortHead>()
  for (const [name, { column, isDescending }] of getEntries(sorts)) {
    if (name === current) {
      const others = getEntries(sorts).filter(
        ([one, sort]) => sort.column === column && one !== name,
      )
      const [other = name] = others.map(([one]) => one)
      const sort = isDescending ? 'descending' : 'ascending'
      heads.set(column, { href: buildSortedUrl(request, String(other)), sort })
    } else if (!heads.has(column)) {
      heads.set(column, { href: buildSortedUrl(request, String(name)), sort: null })
    }
  }
  // Each column of the sorts was set above.
  return Object.fromEntries(heads) as Record<Sorts[keyof Sorts]['column'], SortHead>
}

/** The same list from its first page. */
function buildSortedUrl({ url }: FastifyRequest, name: string) {
  const { pathname } = new URL(url, 'http://localhost')
  const params = readFirstPageParams(url)
  params.delete('ordem')
  if (name !== 'padrao') params.set('ordem', name)
  return params.size > 0 ? `${pathname}?${params}` : pathname
}
