// The ids of what has all of some words.
import { type SQL, sql } from '../database/drizzle.ts'
import { hasWords, type WordQuery } from './tsquery.ts'

/** By the index of words, however common the words are: `offset 0` keeps Postgres from any other way. */
export function selectMatchIds({ companyId, kind, words }: WordQuery): SQL {
  return sql`select id from (
      select company_id, kind, id from search_entries where ${hasWords({ companyId, kind, words })} offset 0
    ) entry where company_id = ${companyId} and kind = ${kind}`
}
