// What some rows tell of words: how many have each of them, and how many have several together.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { hasWords, type WordQuery } from './tsquery.ts'

/** How many of the rows of a place have those words whose bits are set, and none of the others. */
export type Profile = { place: number; bits: number; count: number }[]

/** @param rows a query of rows that have a `place`, where they were looked at, and `words` */
export async function readProfile(db: Database, query: WordQuery, rows: SQL): Promise<Profile> {
  // The nth bit for the nth word: nobody searches for as many as an integer has.
  const bits = query.words.map(
    (word, i) =>
      sql`(case when ${hasWords({ ...query, words: [word] })} then ${1 << i}::int else 0 end)`,
  )
  const profile = await db.execute<Profile[number]>(sql`
    select place, ${sql.join(bits, sql` + `)} as bits, count(*)::int as count
    from (${rows}) looked_at group by 1, 2`)
  return profile.rows
}

/** Those that have all of these words, each told by its position in the query; they add up as all rows do. */
export function selectHaving(profile: Profile, positions: number[]): Profile {
  const wanted = positions.reduce((bits, position) => bits | (1 << position), 0)
  return profile.filter(({ bits }) => (bits & wanted) === wanted)
}

/** One, two or all: of more words few would be looked at, and there are many ways to choose some. */
export function listSubsets<Word>(words: Word[]): Word[][] {
  const pairs = words.flatMap((one, i) => words.slice(i + 1).map((other) => [one, other]))
  return [...words.map((one) => [one]), ...pairs, ...(words.length > 2 ? [words] : [])]
}

export function countRows(profile: Profile) {
  return profile.reduce((sum, { count }) => sum + count, 0)
}

export function countPlaces(profile: Profile) {
  return new Set(profile.map(({ place }) => place)).size
}
