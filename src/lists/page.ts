// The one way in which rows are listed, for the API and for the dashboard: a page of them in the order of a key
// and of their ids, all of them page after page, and how many there are. Postgres chooses the index.

import type { Database } from '../database/connect.ts'
import { type AnyPgColumn, asc, desc, type SQL, sql } from '../database/drizzle.ts'
import { MAX_UUID } from '../database/id.ts'
import { parsePlace } from '../http/pagination.ts'

/** Conditions by the names of the filters that callers know; what is not given narrows nothing. */
export type FilterConditions<Filters> = {
  [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => SQL | undefined
}

export function buildConditions<Filters extends object>(
  conditions: FilterConditions<Filters>,
  filters: Filters,
): (SQL | undefined)[] {
  // `Object.keys` answers the names of the record that it is given.
  const names = Object.keys(conditions) as (keyof Filters)[]
  return names.map((name) => {
    const value = filters[name]
    return value === undefined || value === null ? undefined : conditions[name](value)
  })
}

/** Without a key, rows are in the order of their ids. */
export type ListOrder = { id: AnyPgColumn; key?: SQL | AnyPgColumn; isDescending: boolean }

export function buildOrderBy({ id, key, isDescending }: ListOrder): SQL[] {
  const toOrder = isDescending ? desc : asc
  return key === undefined ? [toOrder(id)] : [toOrder(key), toOrder(id)]
}

/** What comes after the place that a cursor holds: an instant and an id, or an id alone. */
export function isAfter(cursor: string, { id, key, isDescending }: ListOrder): SQL | undefined {
  const way = isDescending ? sql`<` : sql`>`
  const place = parsePlace(cursor)
  if (key === undefined) {
    return isFirstPage(cursor) ? undefined : sql`${id} ${way} ${place.id}`
  }
  return place.at === null ? undefined : sql`(${key}, ${id}) ${way} (${place.at}, ${place.id})`
}

/** A query without a cursor has the one that all rows are below. */
export function isFirstPage(cursor: string) {
  return cursor === MAX_UUID
}

/** Of the first page, which an answer waits for. */
const FIRST_PAGE_SIZE = 100
const PAGE_SIZE = 250

type ReadPage<Row> = (place: { limit: number; cursor: string }) => Promise<Row[]>

/** All rows of a list, a page in memory at a time, by the function that reads up to `limit + 1` of them. */
export async function* streamPages<Row extends { id: string }>(
  readPage: ReadPage<Row>,
  getPlace: (row: Row) => string = ({ id }) => id,
): AsyncGenerator<Row[]> {
  let cursor: string | undefined = MAX_UUID
  for (let limit = FIRST_PAGE_SIZE; cursor !== undefined; limit = PAGE_SIZE) {
    const rows: Row[] = await readPage({ limit, cursor })
    const page = rows.slice(0, limit)
    if (page.length > 0) yield page
    const last = rows.length > limit ? page.at(-1) : undefined
    cursor = last && getPlace(last)
  }
}

/** As many rows are counted for people. */
export const MAX_COUNTED = 10_000

/** Partial: there are more than are counted. */
export type CountResult = { kind: 'exact' | 'partial'; count: number }

export function toCountResult(count: number): CountResult {
  return count > MAX_COUNTED ? { kind: 'partial', count: MAX_COUNTED } : { kind: 'exact', count }
}

/** @param condition which rows of the table are counted */
export async function countRows(
  db: Database,
  table: AnyPgColumn['table'],
  condition: SQL | undefined,
): Promise<CountResult> {
  const counted = sql`(select from ${table} where ${condition ?? sql`true`} limit ${MAX_COUNTED + 1}) counted`
  return toCountResult(await db.$count(counted))
}
