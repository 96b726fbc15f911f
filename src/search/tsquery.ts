// What is looked for, as Postgres reads it.
import { type SQL, sql } from '../database/drizzle.ts'
import type { SearchKind } from '../database/enums.ts'
import { buildWordPrefix, cutBeginning } from './words.ts'

/** What was typed for one word may be several: `149` is an amount, and how a phone number begins. */
export type SearchWord = { text: string; isWhole: boolean }[]
/** All of them are wanted. */
export type SearchWords = SearchWord[]

export type WordQuery = { companyId: string; kind: SearchKind; words: SearchWords }

/** Of an entry, that it has all of them. */
export function hasWords(query: WordQuery): SQL {
  return sql`words @@ ${buildWordsText(query)}::tsquery`
}

/**
 * The first letters of each word that has some: of payments these have an index of their own. What begins so may go
 * on otherwise than what was typed.
 */
export function listBeginnings({ kind, words }: WordQuery): SearchWords {
  if (kind !== 'payment') return []
  const begun = new Map<string, SearchWord>()
  for (const word of words) {
    const texts = word.map(({ text }) => cutBeginning(text)).filter((text) => text !== undefined)
    const beginnings = texts.map((text) => ({ text, isWhole: false }))
    if (texts.length === word.length) begun.set(texts.join(' '), beginnings)
  }
  return [...begun.values()]
}

/** By the index of beginnings, where each stands as it is. */
export function hasBeginnings(query: WordQuery): SQL {
  const words = query.words.map((word) => word.map(({ text }) => ({ text, isWhole: true })))
  return sql`kind = 'payment' and word_beginnings(words) @@ ${buildWordsText({ ...query, words })}::tsquery`
}

function buildWordsText({ companyId, kind, words }: WordQuery) {
  const prefix = buildWordPrefix(kind, companyId)
  return words.map((word) => `(${word.map((one) => quoteWord(prefix, one)).join('|')})`).join('&')
}

function quoteWord(prefix: string, { text, isWhole }: SearchWord[number]) {
  return `'${(prefix + text).replace(/['\\]/g, '$&$&')}'${isWhole ? '' : ':*'}`
}
