// By which of some words an index finds rows the soonest. It reads the number of each row that has a word it is asked
// for, and each page that has a row with all of them: a rare word is best asked for alone, however common the others
// are, and of common ones two that few rows have together.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { formatUuid } from '../database/id.ts'
import {
  countPlaces,
  countRows,
  listSubsets,
  type Profile,
  readProfile,
  selectHaving,
} from './profile.ts'
import {
  hasBeginnings,
  hasWords,
  listBeginnings,
  type SearchWord,
  type WordQuery,
} from './tsquery.ts'

/** In microseconds, measured among ten million: to read the number of a row under a word, or under all that begin so. */
const NUMBER_COST = { whole: 0.08, begun: 0.5 }
/** To look at a row, and to fetch the page that it is on, which those that were made together have in common. */
const [ROW_COST, PAGE_COST] = [1, 8]

/** A word that an index may be asked for, and its position among them. */
type Asked = { word: SearchWord; position: number; isBeginning: boolean }

/** Whatever has the words meets this condition, which one index answers, and little else does. */
export async function chooseAccessPath(db: Database, query: WordQuery): Promise<SQL> {
  const words = [...query.words, ...listBeginnings(query)]
  const profile = await readProfile(db, { ...query, words }, await selectSpread(db, query))
  const asked = words.map((word, position) => ({
    ...{ word, position, isBeginning: position >= query.words.length },
  }))
  const paths = [
    ...listSubsets(asked.filter(({ isBeginning }) => !isBeginning)),
    ...listSubsets(asked.filter(({ isBeginning }) => isBeginning)),
  ].map((path) => ({ path, cost: estimateCost(profile, path) }))
  const { path } = paths.reduce((least, one) => (one.cost < least.cost ? one : least))
  const condition = path[0]?.isBeginning ? hasBeginnings : hasWords
  return condition({ ...query, words: path.map(({ word }) => word) })
}

/** Of so many rows as were looked at. */
function estimateCost(profile: Profile, path: Asked[]) {
  const numbers = path.map((one) => {
    const isWhole = one.isBeginning || one.word.every((text) => text.isWhole)
    const cost = isWhole ? NUMBER_COST.whole : NUMBER_COST.begun
    return countRows(selectHaving(profile, [one.position])) * cost
  })
  const found = selectHaving(
    profile,
    path.map(({ position }) => position),
  )
  // One more page: nobody knows of those that were not looked at.
  const pages = (countPlaces(found) + 1) * PAGE_COST
  return numbers.reduce((sum, cost) => sum + cost) + countRows(found) * ROW_COST + pages
}

/** What only a week had is seen in a hundred places of two years; of so many rows a page is full. */
const PLACES = 100
const ROWS_OF_PLACE = 20

/** Rows of all times, at even distances: the newest tell nothing of what was sold last year. */
async function selectSpread(db: Database, { companyId, kind }: WordQuery): Promise<SQL> {
  const entries = sql`search_entries where company_id = ${companyId} and kind = ${kind}`
  const { rows } = await db.execute<{ id: string }>(sql`
    (select id from ${entries} order by company_id, kind, id limit 1) union all
    (select id from ${entries} order by company_id desc, kind desc, id desc limit 1)`)
  const [first = 0n, last = 0n] = rows.map(({ id }) => BigInt(`0x${id.replaceAll('-', '')}`))
  const places = Array.from({ length: PLACES }, (_, i) => {
    const at = first + ((last - first) / BigInt(PLACES)) * BigInt(i)
    return formatUuid(at.toString(16).padStart(32, '0'))
  })
  return sql`select place::int, words
    from unnest(${sql.param(places)}::uuid[]) with ordinality looked_up (at, place), lateral (
      select words from ${entries} and id >= looked_up.at order by company_id, kind, id limit ${ROWS_OF_PLACE}) entry`
}
