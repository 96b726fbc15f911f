// The place in a list, read from its address, and the links to other pages of it.
import type { FastifyRequest } from 'fastify'
import { toRecord } from '../../../http/fields.ts'
import { PageQuery } from '../../../http/pagination.ts'

/** Parameters about the last action and its refused input, which do not belong to the list. */
const OUTCOME_FIELDS = ['feito', 'lote', 'falta', 'aviso', 'escolhido', 'todos', 'etiqueta']

/** Reads the place in the list; an invalid cursor means the beginning. */
export function readPageQuery({ query }: FastifyRequest, Schema = PageQuery): PageQuery {
  const { cursor } = toRecord(query)
  const read = Schema.safeParse({ cursor })
  return read.data ?? Schema.parse({})
}

/** The parameters that identify a list and the place in it. */
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
export function buildListUrl(
  path: string,
  query: string,
  outcome: Record<string, string | string[]>,
) {
  const params = readListParams(`?${query}`)
  for (const [name, values] of Object.entries(outcome)) {
    for (const value of [values].flat()) params.append(name, value)
  }
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
