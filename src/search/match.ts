// Which payments, links or customers have all of some words, newest first. What many have is found among the
// newest ones; what few have is found in the index. Neither reads more the more there are of others.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { MAX_UUID, MIN_UUID } from '../database/id.ts'
import { findByIndex, type MatchQuery } from './indexed.ts'
import { countRows, listSubsets, readProfile, selectHaving } from './profile.ts'
import { hasWords } from './tsquery.ts'

/** Looked through only where as many as are wanted may be expected among them. */
const WIDEST_ROWS = 200_000
/** So many of the newest are looked through, and then so many before those, where all of the words are common. */
const WINDOW_ROWS = [2_000, 20_000, WIDEST_ROWS] as const

/** A word that as many of the first window have is in so many rows that an index takes seconds to list them. */
const COMMON_ROWS = 20
/** What a single one has may be nobody else's. */
const FREQUENT_ROWS = 2
/** Of words that exclude each other, chance alone would put so many into the first window. */
const CHANCE_ROWS = 10

export async function findMatches(db: Database, query: MatchQuery): Promise<string[]> {
  const newest = await findAmongNewest(db, query, WINDOW_ROWS)
  return newest.kind === 'whole' ? newest.ids : findByIndex(db, query)
}

/** For who can do with less than all: of common words, those among the newest. */
export async function findSomeMatches(db: Database, query: MatchQuery) {
  const newest = await findAmongNewest(db, query, WINDOW_ROWS.slice(0, -1))
  return newest.kind === 'few'
    ? { ids: await findByIndex(db, query), isWhole: true }
    : { ids: newest.ids, isWhole: newest.kind === 'whole' }
}

type NewestMatches =
  /** All there are, or as many as were wanted. */
  | { kind: 'whole'; ids: string[] }
  /** There may be more of them before these. */
  | { kind: 'common'; ids: string[] }
  /** An index lists them sooner. */
  | { kind: 'few' }

async function findAmongNewest(
  db: Database,
  query: MatchQuery,
  windows: readonly number[],
): Promise<NewestMatches> {
  const ids: string[] = []
  const left = { ...query }
  const judgedAt = hasFirstId(query) ? 1 : 0
  let seen = 0
  for (const [i, count] of windows.entries()) {
    if (count === WIDEST_ROWS && expectRows(ids.length, seen, count) < left.limit) break
    const { found, end } = await lookThrough(db, left, count)
    ids.push(...found)
    if (end === undefined) return { kind: 'whole', ids }
    if (i === judgedAt && (await isIndexSooner(db, left, windows))) return { kind: 'few' }
    seen += count
    left.limit -= found.length
    left.below = end
  }
  return { kind: 'common', ids }
}

/** A period, which may have no more than the second window: an index would list what was there before and after. */
function hasFirstId({ above = MIN_UUID }: MatchQuery) {
  return above !== MIN_UUID
}

/** How many of so many others are such as `found` of those that were seen, by Laplace's rule of succession. */
function expectRows(found: number, seen: number, others: number) {
  return ((found + 1) / seen) * others
}

/** `end`: the last one looked at; undefined where as many as are wanted were found, or there are no others. */
async function lookThrough(db: Database, query: MatchQuery, count: number) {
  const newest = selectNewest(query, count)
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${newest}) newest where ${hasWords(query)} limit ${query.limit}`)
  const found = rows.map(({ id }) => id)
  if (found.length === query.limit) return { found, end: undefined }
  const { rows: last } = await db.execute<{ id: string }>(sql`
    select id from (${newest}) newest offset ${count - 1}`)
  return { found, end: last[0]?.id }
}

/** Whether an index lists them sooner than the windows after the first, by what that one tells of each word. */
async function isIndexSooner(db: Database, query: MatchQuery, windows: readonly number[]) {
  const [count = 0, ...before] = windows
  const newest = sql`select 0 as place, words from (${selectNewest(query, count)}) newest`
  const profile = await readProfile(db, query, newest)
  const having = query.words.map((_, i) => countRows(selectHaving(profile, [i])))
  const fewest = Math.min(...having)
  const all = [...query.words.keys()]
  const isFrequent = (positions: number[]) =>
    countRows(selectHaving(profile, positions)) >= FREQUENT_ROWS
  // As if one word told nothing of another.
  const shareOf = (positions: number[]) =>
    positions.reduce((product, position) => (product * (having[position] ?? 0)) / count, 1)
  if (isFrequent(all) && fewest >= COMMON_ROWS) return false
  const excludeEachOther = (positions: number[]) =>
    shareOf(positions) * count >= CHANCE_ROWS && !isFrequent(positions)
  if (listSubsets(all).some(excludeEachOther)) return true
  const expected = before.reduce((sum, rows) => sum + shareOf(all) * rows, 0)
  return fewest < FREQUENT_ROWS || expected < query.limit
}

function selectNewest(
  { companyId, kind, above = MIN_UUID, below = MAX_UUID }: MatchQuery,
  count: number,
): SQL {
  return sql`select id, words from search_entries
    where company_id = ${companyId} and kind = ${kind} and id > ${above} and id < ${below}
    order by company_id desc, kind desc, id desc limit ${count}`
}
