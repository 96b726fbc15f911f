// Lists rows for the API and the dashboard: one page in the order of a key and the id, all pages, and the number of
// rows. Postgres chooses the index.

import type { Database } from '../database/connect.ts'
import { type AnyPgColumn, asc, desc, type SQL, sql } from '../database/drizzle.ts'
import { MAX_UUID } from '../database/id.ts'
import { parsePosition } from '../http/pagination.ts'

/** A condition for each filter by its name; an absent filter adds none. */
export type FilterConditions<Filters> = {
  [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => SQL | undefined
}

export function buildConditions<Filters extends object>(
  conditions: FilterConditions<Filters>,
  filters: Filters,
): (SQL | undefined)[] {
  // `Object.keys` returns the names of this record.
  const names = Object.keys(conditions) as (keyof Filters)[]
  return names.map((name) => {
    const value = filters[name]
    return value === undefined || value === null ? undefined : conditions[name](value)
  })
}

/** Without a key, rows are sorted by id. */
export type ListOrder = { id: AnyPgColumn; key?: SQL | AnyPgColumn; isDescending: boolean }

export function buildOrderBy({ id, key, isDescending }: ListOrder): SQL[] {
  const toOrder = isDescending ? desc : asc
  return key === undefined ? [toOrder(id)] : [toOrder(key), toOrder(id)]
}

/** Selects the rows after a cursor's position: an instant and an id, or an id alone. */
export function isAfter(cursor: string, { id, key, isDescending }: ListOrder): SQL | undefined {
  const way = isDescending ? sql`<` : sql`>`
  const position = parsePosition(cursor)
  if (key === undefined) {
    return isFirstPage(cursor) ? undefined : sql`${id} ${way} ${position.id}`
  }
  return position.at === null
    ? undefined
    : sql`(${key}, ${id}) ${way} (${position.at}, ${position.id})`
}

/** A query without a cursor gets the greatest id as its cursor. */
export function isFirstPage(cursor: string) {
  return cursor === MAX_UUID
}

/** The first page is smaller, since the answer waits for it. */
const FIRST_PAGE_SIZE = 100
const PAGE_SIZE = 250

type ReadPage<Row> = (page: { limit: number; cursor: string }) => Promise<Row[]>

/** Gives all rows of a list, with one page in memory, through a function that reads up to `limit + 1` rows. */
export async function* streamPages<Row extends { id: string }>(
  readPage: ReadPage<Row>,
  getPosition: (row: Row) => string = ({ id }) => id,
): AsyncGenerator<Row[]> {
  let cursor: string | undefined = MAX_UUID
  for (let limit = FIRST_PAGE_SIZE; cursor !== undefined; limit = PAGE_SIZE) {
    const rows: Row[] = await readPage({ limit, cursor })
    const page = rows.slice(0, limit)
    if (page.length > 0) yield page
    const last = rows.length > limit ? page.at(-1) : undefined
    cursor = last && getPosition(last)
  }
}

/** Gives rows that are in memory, as one page. */
export async function* streamRows<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  yield [...rows]
}

/** The highest number of rows that is counted for people. */
export const MAX_COUNTED = 10_000

/** `partial`: there are more rows than are counted. */
export type CountResult = { kind: 'exact' | 'partial'; count: number }

export function toCountResult(count: number): CountResult {
  return count > MAX_COUNTED ? { kind: 'partial', count: MAX_COUNTED } : { kind: 'exact', count }
}

/** @param condition selects the rows to count */
export async function countRows(
  db: Database,
  table: AnyPgColumn['table'],
  condition: SQL | undefined,
): Promise<CountResult> {
  const counted = sql`(select from ${table} where ${condition ?? sql`true`} limit ${MAX_COUNTED + 1}) counted`
  return toCountResult(await db.$count(counted))
}
