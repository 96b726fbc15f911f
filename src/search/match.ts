// Which payments, links or customers have all of some words, newest first. What many have is found among the
// newest ones; what few have is found in the index. Neither reads more the more there are of others. Common words
// that few have together are looked for by their beginnings, of payments.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import type { SearchKind } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { MAX_UUID, MIN_UUID } from '../database/id.ts'
import { buildWordPrefix, cutBeginning } from './words.ts'

/** What was typed for one word may be several: `149` is an amount, and how a phone number begins. */
export type SearchWord = { text: string; isWhole: boolean }[]
/** All of them are wanted. */
export type SearchWords = SearchWord[]

type MatchQuery = {
  companyId: string
  kind: SearchKind
  words: SearchWords
  /** Between which ids, neither of them one of those. */
  above?: string
  below?: string
  limit: number
}

/** Looked through only where as many as are wanted may be expected among them. */
const WIDEST_ROWS = 100_000
/** So many of the newest are looked through, and then so many before those, where all of the words are common. */
const WINDOW_ROWS = [2_000, 20_000, WIDEST_ROWS] as const
/** A word that as many of the first have is in so many rows that the index takes seconds to list them. */
const COMMON_ROWS = 20
/** What a single one of them has may be nobody else's. */
const FREQUENT_ROWS = 2

export async function findMatches(db: Database, query: MatchQuery): Promise<string[]> {
  const newest = await findAmongNewest(db, query, WINDOW_ROWS)
  return newest.kind === 'whole' ? newest.ids : findByIndex(db, query, newest.kind)
}

/** For who can do with less than all: of common words, those among the newest. */
export async function findSomeMatches(db: Database, query: MatchQuery) {
  const newest = await findAmongNewest(db, query, WINDOW_ROWS.slice(0, -1))
  return newest.kind === 'rare'
    ? { ids: await findByIndex(db, query, 'rare'), isWhole: true }
    : { ids: newest.ids, isWhole: newest.kind === 'whole' }
}

type NewestMatches =
  /** All there are, or as many as were wanted. */
  | { kind: 'whole'; ids: string[] }
  /** There may be more of them before these. */
  | { kind: 'common'; ids: string[] }
  /** Some word is in few rows: the index knows them at once. */
  | { kind: 'rare' }

async function findAmongNewest(
  db: Database,
  query: MatchQuery,
  windows: readonly number[],
): Promise<NewestMatches> {
  const ids: string[] = []
  const left = { ...query }
  let reach: number | undefined
  let seen = 0
  for (const [i, count] of windows.entries()) {
    if (count === WIDEST_ROWS && expectRows(ids.length, seen, count) < left.limit) break
    const found = await matchWindow(db, left, count)
    ids.push(...found)
    left.limit -= found.length
    if (left.limit === 0) return { kind: 'whole', ids }
    const end = await findWindowEnd(db, left, count)
    if (end === undefined) return { kind: 'whole', ids }
    reach ??= await findReach(db, left, count)
    if (i >= reach) return { kind: 'rare' }
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
    where words @@ ${buildMatchText(query)}::tsquery limit ${query.limit}`)
  return rows.map(({ id }) => id)
}

/** The last of them; undefined where there are not so many. */
async function findWindowEnd(db: Database, query: MatchQuery, count: number) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${selectNewest(query, count)}) newest offset ${count - 1}`)
  return rows[0]?.id
}

/**
 * After which of the windows the index knows sooner, by how many of the first have the word that the fewest have.
 * For one row in five hundred of ten million the index takes a sixth of a second: the second window is looked
 * through first where as many as are wanted may be expected in it.
 */
async function findReach(db: Database, query: MatchQuery, count: number) {
  const hits = query.words.map(
    (word) =>
      sql`count(*) filter (where words @@ ${buildMatchText({ ...query, words: [word] })}::tsquery)`,
  )
  const { rows } = await db.execute<{ fewest: number }>(sql`
    select least(${sql.join(hits, sql`, `)})::int as fewest
    from (${selectNewest(query, count)}) newest`)
  const { fewest } = requireFound(rows[0])
  if (fewest >= COMMON_ROWS) return Infinity
  const expected = expectRows(fewest, count, WINDOW_ROWS[1])
  return fewest >= FREQUENT_ROWS && expected >= query.limit ? 1 : 0
}

function selectNewest(
  { companyId, kind, above = MIN_UUID, below = MAX_UUID }: MatchQuery,
  count: number,
): SQL {
  return sql`select id, words from search_entries
    where company_id = ${companyId} and kind = ${kind} and id > ${above} and id < ${below}
    order by company_id desc, kind desc, id desc limit ${count}`
}

async function findByIndex(
  db: Database,
  { above = MIN_UUID, below = MAX_UUID, limit, ...query }: MatchQuery,
  kind: 'rare' | 'common',
): Promise<string[]> {
  return db.transaction(async (tx) => {
    // However common the words seem to the planner: the other way is to read everything.
    await tx.execute(sql`set local enable_seqscan = off`)
    // Of a common word all rows have to fit, or whole pages of them are read; beside a rare one few pages are left.
    if (kind === 'common') await tx.execute(sql`set local work_mem = '64MB'`)
    const matched = (kind === 'common' && selectByBeginnings(query)) || selectMatchIds(query)
    const { rows } = await tx.execute<{ id: string }>(sql`
      select id from (${matched}) matched
      where id > ${above} and id < ${below} order by id desc limit ${limit}`)
    return rows.map(({ id }) => id)
  })
}

/** For lists that are narrowed otherwise too: the ids of all that have these words. */
export function selectMatchIds(query: Pick<MatchQuery, 'companyId' | 'kind' | 'words'>): SQL {
  const { companyId, kind } = query
  return sql`select id from (${selectMatches(buildMatchText(query))}) matched
    where company_id = ${companyId} and kind = ${kind}`
}

/** By the words' own index: whatever else is asked of a row is asked once it is found. */
function selectMatches(wanted: string): SQL {
  return sql`select company_id, kind, id from search_entries where words @@ ${wanted}::tsquery offset 0`
}

/**
 * A beginning is looked for as it stands, and costs a tenth of all words that begin so. Those that have it may go on
 * otherwise than what was typed. Undefined where no two words have one: a single common one tells too little.
 */
function selectByBeginnings({
  companyId,
  kind,
  words,
}: Pick<MatchQuery, 'companyId' | 'kind' | 'words'>) {
  const prefix = buildWordPrefix(kind, companyId)
  const begun = words.flatMap((word) => {
    const beginnings = word.map(({ text }) => cutBeginning(text))
    const texts = beginnings.filter((text) => text !== undefined)
    return texts.length < word.length ? [] : [texts.map((text) => ({ text, isWhole: true }))]
  })
  if (kind !== 'payment' || begun.length < 2) return undefined
  const wanted = joinWords(prefix, begun)
  return sql`select id from (
      select company_id, id, words from search_entries
      where kind = 'payment' and word_beginnings(words) @@ ${wanted}::tsquery offset 0
    ) begun
    where company_id = ${companyId} and words @@ ${joinWords(prefix, words)}::tsquery`
}

function buildMatchText({
  companyId,
  kind,
  words,
}: Pick<MatchQuery, 'companyId' | 'kind' | 'words'>) {
  return joinWords(buildWordPrefix(kind, companyId), words)
}

function joinWords(prefix: string, words: SearchWords) {
  return words.map((word) => `(${word.map((one) => quoteWord(prefix, one)).join('|')})`).join('&')
}

function quoteWord(prefix: string, { text, isWhole }: SearchWord[number]) {
  return `'${(prefix + text).replace(/['\\]/g, '$&$&')}'${isWhole ? '' : ':*'}`
}
