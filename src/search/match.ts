// Which payments, links or customers have all of some words, newest first. What many have is found among the
// newest ones; what few have is found in the index. Neither reads more the more there are of others.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import type { SearchKind } from '../database/enums.ts'
import { MAX_UUID, MIN_UUID } from '../database/id.ts'
import { buildWordPrefix } from './words.ts'

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

/** Newest ones that are looked through before the index is asked. */
const NEWEST_ROWS = 2_000

export async function findMatches(
  db: Database,
  { companyId, kind, words, above = MIN_UUID, below = MAX_UUID, limit }: MatchQuery,
): Promise<string[]> {
  const wanted = buildMatchText({ companyId, kind, words })
  const own = [companyId, kind, above, below]
  const newest = `select id, words from search_entries
    where company_id = $1 and kind = $2 and id > $3 and id < $4 order by company_id desc, kind desc, id desc`
  const { rows } = await db.$client.query<{ id: string }>(
    `select id from (${newest} limit ${NEWEST_ROWS}) newest where words @@ $5::tsquery limit $6`,
    [...own, wanted, limit],
  )
  if (rows.length === limit) return rows.map(({ id }) => id)
  return db.transaction(async (tx) => {
    // However common the words seem to the planner: the other way is to read everything.
    await tx.execute(sql`set local enable_seqscan = off`)
    const { rows: found } = await tx.execute<{ id: string }>(sql`
      select id from (${selectMatches(wanted)}) matched
      where company_id = ${companyId} and kind = ${kind} and id > ${above} and id < ${below}
      order by id desc limit ${limit}`)
    return found.map(({ id }) => id)
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

function buildMatchText({
  companyId,
  kind,
  words,
}: Pick<MatchQuery, 'companyId' | 'kind' | 'words'>) {
  const prefix = buildWordPrefix(kind, companyId)
  return words.map((word) => `(${word.map((one) => quoteWord(prefix, one)).join('|')})`).join('&')
}

function quoteWord(prefix: string, { text, isWhole }: SearchWord[number]) {
  return `'${(prefix + text).replace(/['\\]/g, '$&$&')}'${isWhole ? '' : ':*'}`
}
