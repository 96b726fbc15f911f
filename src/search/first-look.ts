// What the newest tell of words: how common each is, and which of them few have together.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { listIndexed, type MatchQuery } from './indexed.ts'
import { hasWords, type SearchWords } from './tsquery.ts'

type FirstLook = {
  /** How many of the newest have the word that the fewest have. */
  fewest: number
  /** Indexed ones, each of them common, that next to none of the newest have together: it is so of all others. */
  apart: SearchWords | undefined
}

/** A word that as many have is in so many rows that an index takes seconds to list them. */
export const COMMON_ROWS = 20
/** What a single one has may be nobody else's. */
export const FREQUENT_ROWS = 2

/** How many have the words and the indexed ones whose bits are set. */
type Profile = { words: number; indexed: number; count: number }[]

/** `newest`: a query of rows that have `words`. */
export async function lookAtFirst(
  db: Database,
  query: MatchQuery,
  newest: SQL,
): Promise<FirstLook> {
  const indexed = listIndexed(query)
  const { rows: profile } = await db.execute<Profile[number]>(sql`
    select ${setBits(query, query.words)} as words, ${setBits(query, indexed)} as indexed, count(*)::int as count
    from (${newest}) newest group by 1, 2`)
  const fewest = Math.min(...query.words.map((_, i) => countRows(profile, 'words', 1 << i)))
  return { fewest, apart: findApart(profile, indexed) }
}

/** Two of them where two will do, those of the fewest rows; else all that are common. */
function findApart(profile: Profile, indexed: SearchWords): SearchWords | undefined {
  const countOf = (bits: number) => countRows(profile, 'indexed', bits)
  const common = indexed.map((_, i) => 1 << i).filter((bit) => countOf(bit) >= COMMON_ROWS)
  const pairs = common.flatMap((one, i) => common.slice(i + 1).map((other) => [one, other]))
  const sumOf = (bits: number[]) => bits.reduce((sum, bit) => sum + countOf(bit), 0)
  const choices = [...pairs.toSorted((a, b) => sumOf(a) - sumOf(b)), common]
  const apart = choices.find(
    (bits) => bits.length > 1 && countOf(bits.reduce((all, bit) => all | bit)) < FREQUENT_ROWS,
  )
  return apart && indexed.filter((_, i) => apart.includes(1 << i))
}

function countRows(profile: Profile, column: 'words' | 'indexed', bits: number) {
  const having = profile.filter((row) => (row[column] & bits) === bits)
  return having.reduce((sum, { count }) => sum + count, 0)
}

/** The nth bit for the nth word: nobody searches for as many as an integer has. */
function setBits(query: MatchQuery, words: SearchWords): SQL {
  const bits = words.map(
    (word, i) =>
      sql`(case when ${hasWords({ ...query, words: [word] })} then ${1 << i}::int else 0 end)`,
  )
  return bits.length === 0 ? sql`0` : sql.join(bits, sql` + `)
}
