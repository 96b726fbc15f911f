// Which payments, links or customers have all of some words, newest first. What many have is found among the
// newest ones; what few have is found in the index. Neither reads more the more there are of others.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { MAX_UUID, MIN_UUID } from '../database/id.ts'
import { COMMON_ROWS, FREQUENT_ROWS, lookAtFirst } from './first-look.ts'
import { findByIndex, type IndexReason, type MatchQuery } from './indexed.ts'
import { hasWords } from './tsquery.ts'

/** Looked through only where as many as are wanted may be expected among them. */
const WIDEST_ROWS = 100_000
/** So many of the newest are looked through, and then so many before those, where all of the words are common. */
const WINDOW_ROWS = [2_000, 20_000, WIDEST_ROWS] as const

export async function findMatches(db: Database, query: MatchQuery): Promise<string[]> {
  const newest = await findAmongNewest(db, query, WINDOW_ROWS)
  return newest.kind === 'whole' ? newest.ids : findByIndex(db, query, newest)
}

/** For who can do with less than all: of common words, those among the newest. */
export async function findSomeMatches(db: Database, query: MatchQuery) {
  const newest = await findAmongNewest(db, query, WINDOW_ROWS.slice(0, -1))
  return 'ids' in newest
    ? { ids: newest.ids, isWhole: newest.kind === 'whole' }
    : { ids: await findByIndex(db, query, newest), isWhole: true }
}

/** For those of few. */
type SoonerReason = Exclude<IndexReason, { kind: 'common' }>

type NewestMatches =
  /** All there are, or as many as were wanted. */
  | { kind: 'whole'; ids: string[] }
  /** There may be more of them before these. */
  | { kind: 'common'; ids: string[] }
  /** An index knows them at once. */
  | SoonerReason

async function findAmongNewest(
  db: Database,
  query: MatchQuery,
  windows: readonly number[],
): Promise<NewestMatches> {
  const ids: string[] = []
  const left = { ...query }
  let first: Judgement | undefined
  let seen = 0
  for (const [i, count] of windows.entries()) {
    if (count === WIDEST_ROWS && expectRows(ids.length, seen, count) < left.limit) break
    const found = await matchWindow(db, left, count)
    ids.push(...found)
    left.limit -= found.length
    if (left.limit === 0) return { kind: 'whole', ids }
    const end = await findWindowEnd(db, left, count)
    if (end === undefined) return { kind: 'whole', ids }
    first ??= await judgeByFirst(db, left, count)
    if (i >= first.reach) return first.reason
    seen += count
    left.below = end
  }
  return { kind: 'common', ids }
}

/** How many of so many others are such as `found` of those that were seen, by Laplace's rule of succession. */
function expectRows(found: number, seen: number, others: number) {
  return ((found + 1) / seen) * others
}

async function matchWindow(db: Database, query: MatchQuery, count: number) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${selectNewest(query, count)}) newest
    where ${hasWords(query)} limit ${query.limit}`)
  return rows.map(({ id }) => id)
}

/** The last of them; undefined where there are not so many. */
async function findWindowEnd(db: Database, query: MatchQuery, count: number) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${selectNewest(query, count)}) newest offset ${count - 1}`)
  return rows[0]?.id
}

/** After which of the windows an index knows sooner, and why. */
type Judgement = { reach: number; reason: SoonerReason }

/**
 * For one row in five hundred of ten million the index takes a sixth of a second: the second window is looked through
 * first where as many as are wanted may be expected in it.
 */
async function judgeByFirst(db: Database, query: MatchQuery, count: number): Promise<Judgement> {
  const { fewest, apart } = await lookAtFirst(db, query, selectNewest(query, count))
  if (apart) return { reach: 0, reason: { kind: 'apart', by: apart } }
  const reason = { kind: 'rare' } as const
  if (fewest >= COMMON_ROWS) return { reach: Infinity, reason }
  const expected = expectRows(fewest, count, WINDOW_ROWS[1])
  return { reach: fewest >= FREQUENT_ROWS && expected >= query.limit ? 1 : 0, reason }
}

function selectNewest(
  { companyId, kind, above = MIN_UUID, below = MAX_UUID }: MatchQuery,
  count: number,
): SQL {
  return sql`select id, words from search_entries
    where company_id = ${companyId} and kind = ${kind} and id > ${above} and id < ${below}
    order by company_id desc, kind desc, id desc limit ${count}`
}
