// What is looked for, as Postgres reads it.
import { type SQL, sql } from '../database/drizzle.ts'
import type { SearchKind } from '../database/enums.ts'
import { buildWordPrefix } from './words.ts'

/** What was typed for one word may be several: `149` is an amount, and how a phone number begins. */
export type SearchWord = { text: string; isWhole: boolean }[]
/** All of them are wanted. */
export type SearchWords = SearchWord[]

export type WordQuery = { companyId: string; kind: SearchKind; words: SearchWords }

/** Of an entry, that it has all of them. */
export function hasWords(query: WordQuery): SQL {
  return sql`words @@ ${buildWordsText(query)}::tsquery`
}

export function buildWordsText({ companyId, kind, words }: WordQuery) {
  const prefix = buildWordPrefix(kind, companyId)
  return words.map((word) => `(${word.map((one) => quoteWord(prefix, one)).join('|')})`).join('&')
}

function quoteWord(prefix: string, { text, isWhole }: SearchWord[number]) {
  return `'${(prefix + text).replace(/['\\]/g, '$&$&')}'${isWhole ? '' : ':*'}`
}
