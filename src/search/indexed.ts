// What an index lists: those of few, whatever there is of others.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { MAX_UUID, MIN_UUID } from '../database/id.ts'
import { chooseAccessPath } from './access-path.ts'
import { hasWords, type WordQuery } from './tsquery.ts'

export type MatchQuery = WordQuery & {
  /** Between which ids, neither of them one of those. */
  above?: string
  below?: string
  limit: number
}

export async function findByIndex(db: Database, query: MatchQuery): Promise<string[]> {
  const { above = MIN_UUID, below = MAX_UUID, limit } = query
  const narrowed = await chooseAccessPath(db, query)
  return db.transaction(async (tx) => {
    // However common the words seem to the planner: the other way is to read everything.
    await tx.execute(sql`set local enable_seqscan = off`)
    // The numbers of all rows of common words have to fit, or whole pages of rows are read.
    await tx.execute(sql`set local work_mem = '64MB'`)
    const { rows } = await tx.execute<{ id: string }>(sql`
      select id from (${selectEntries(narrowed)}) entry
      where ${isOf(query)} and id > ${above} and id < ${below} and ${hasWords(query)}
      order by id desc limit ${limit}`)
    return rows.map(({ id }) => id)
  })
}

/** For lists that are narrowed otherwise too: the ids of all that have these words. */
export function selectMatchIds(query: WordQuery): SQL {
  return sql`select id from (${selectEntries(hasWords(query))}) entry where ${isOf(query)}`
}

/** By the index of what they are narrowed by: whatever else is asked of a row is asked once it is found. */
function selectEntries(narrowed: SQL): SQL {
  return sql`select company_id, kind, id, words from search_entries where ${narrowed} offset 0`
}

function isOf({ companyId, kind }: WordQuery): SQL {
  return sql`company_id = ${companyId} and kind = ${kind}`
}
