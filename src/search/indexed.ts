// What an index lists: those of few, whatever there is of others.
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { MAX_UUID, MIN_UUID } from '../database/id.ts'
import { buildWordsText, hasWords, type SearchWords, type WordQuery } from './tsquery.ts'
import { cutBeginning } from './words.ts'

export type MatchQuery = WordQuery & {
  /** Between which ids, neither of them one of those. */
  above?: string
  below?: string
  limit: number
}

/**
 * What an index may be asked for instead of all of the words: of payments the first letters of each word that has
 * some, which have an index of their own. What begins so may go on otherwise than what was typed.
 */
export function listIndexed({ kind, words }: WordQuery): SearchWords {
  if (kind !== 'payment') return words
  const begun = new Map<string, SearchWords[number]>()
  for (const word of words) {
    const texts = word.map(({ text }) => cutBeginning(text)).filter((text) => text !== undefined)
    const beginnings = texts.map((text) => ({ text, isWhole: false }))
    if (texts.length === word.length) begun.set(texts.join(' '), beginnings)
  }
  return [...begun.values()]
}

/** Why an index knows sooner than a look through the newest, or why that look was not enough. */
export type IndexReason =
  /** Some word is in few rows. */
  | { kind: 'rare' }
  /** These, of those that are indexed, are in many rows each, and together in few. */
  | { kind: 'apart'; by: SearchWords }
  /** All words are in many rows. */
  | { kind: 'common' }

export async function findByIndex(
  db: Database,
  query: MatchQuery,
  reason: IndexReason,
): Promise<string[]> {
  const { above = MIN_UUID, below = MAX_UUID, limit } = query
  const narrowed = reason.kind === 'apart' ? hasIndexed(query, reason.by) : hasWords(query)
  return db.transaction(async (tx) => {
    // However common the words seem to the planner: the other way is to read everything.
    await tx.execute(sql`set local enable_seqscan = off`)
    // Of common words all rows have to fit, or whole pages of them are read; beside a rare one few pages are left.
    if (reason.kind !== 'rare') await tx.execute(sql`set local work_mem = '64MB'`)
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

/** A beginning is looked for as it stands, and costs a tenth of all the words that begin so. */
function hasIndexed(query: WordQuery, indexed: SearchWords): SQL {
  if (query.kind !== 'payment') return hasWords({ ...query, words: indexed })
  const words = indexed.map((word) => word.map(({ text }) => ({ text, isWhole: true })))
  return sql`kind = 'payment' and word_beginnings(words) @@ ${buildWordsText({ ...query, words })}::tsquery`
}

/** By the index of what they are narrowed by: whatever else is asked of a row is asked once it is found. */
function selectEntries(narrowed: SQL): SQL {
  return sql`select company_id, kind, id, words from search_entries where ${narrowed} offset 0`
}

function isOf({ companyId, kind }: WordQuery): SQL {
  return sql`company_id = ${companyId} and kind = ${kind}`
}
