// The words that payments, links and customers are found by in the dashboard: the column `words` of their rows, which
// the code that writes a row writes with it, and what somebody types, as Postgres looks it up in that column.

import { type AnyPgColumn, type SQL, sql } from '../database/drizzle.ts'
import type { customers, paymentLinks, transactions } from '../database/tables.ts'

/** Titles and names have fewer words; of a description the first count. */
const MAX_WORDS = 60
const MAX_WORD_LENGTH = 60
const MIN_WORD_LENGTH = 2

/** What was typed for one word may be several: `149` is an amount, and how a phone number begins. */
export type SearchWord = SearchPart[]
/** All of them are wanted. */
export type SearchWords = SearchWord[]
/** A word of a row, or how one begins; or words of which a row has to have all. */
type SearchPart = { text: string; isWhole: boolean } | { all: string[] }

/** What people look for: rows that have the words and are of the day, or that have its word too: `Show 20/12`. */
export type Search = { words: SearchWords; day?: SearchDay }
/** From its first instant to its last. */
export type SearchDay = { from: string; to: string; word: SearchWord }

type SearchedTable = typeof transactions | typeof paymentLinks | typeof customers

/**
 * Of a row, that it is looked for: by the index of the words, or by that of the instant. Left to itself (without
 * `offset 0`) Postgres, which cannot know how rare the beginning of a word is, would walk the whole list for rows that
 * are not there.
 * @param instant by which a row is of a day
 */
export function matchesSearch(
  table: SearchedTable,
  companyId: string,
  search: Search,
  instant: SQL | AnyPgColumn,
): SQL {
  const { words, day } = search
  const select = sql`select ${table.id} from ${table} where ${table.companyId} = ${companyId}`
  const byWords = (wanted: SearchWords) =>
    wanted.length > 0 ? sql`and ${table.words} @@ ${toTsquery(wanted)}::tsquery` : sql``
  const ofDay =
    day &&
    sql`union all ${select} ${byWords(words)} and ${instant} between ${day.from} and ${day.to}`
  return sql`${table.id} in (${select} ${byWords(listSearchedWords(search))} ${ofDay} offset 0)`
}

/** All words, that of the day among them. */
export function listSearchedWords({ words, day }: Search): SearchWords {
  return day ? [...words, day.word] : words
}

function toTsquery(words: SearchWords) {
  return words.map((word) => `(${word.map(quotePart).join('|')})`).join('&')
}

function quotePart(part: SearchPart): string {
  if ('all' in part) {
    return `(${part.all.map((text) => quotePart({ text, isWhole: false })).join('&')})`
  }
  return `'${part.text.replace(/['\\]/g, '$&$&')}'${part.isWhole ? '' : ':*'}`
}

/** The value of the column. */
export function toTsvector(words: string[]): SQL<string> {
  return sql<string>`array_to_tsvector(${sql.param(words)}::text[])`
}

type PayerWords = {
  name: string
  email: string | null
  taxId: string | null
  phone: string | null
}

/** The document is found whole and no other way; the phone also without its area code. */
export function listCustomerWords({ name, email, taxId, phone }: PayerWords): string[] {
  return [
    ...(taxId ? [buildTaxIdWord(taxId)] : []),
    ...(phone ? [phone.replace('+', ''), phone.slice(2)] : []),
    ...listTextWords(name, email),
  ]
}

type LinkWords = {
  slug: string
  title: string
  description: string | null
  externalReference: string | null
  amountCents: number
}

export function listLinkWords(link: LinkWords): string[] {
  const { slug, externalReference, title, description, amountCents } = link
  return [
    buildAmountWord(amountCents),
    ...listTextWords(slug, externalReference, title, description),
  ]
}

type PaymentWords = {
  amountCents: number
  totalCents: number
  externalReference: string | null
  ref: string | null
  linkTitle: string | null
  payerName: string
  payerEmail: string | null
  payerTaxId: string | null
  payerPhone: string | null
}

/** A payment is found by what its link was called when it was paid, and by its payer unless that is anonymized. */
export function listPaymentWords(payment: PaymentWords): string[] {
  const { amountCents, totalCents, externalReference, ref, linkTitle } = payment
  return [
    ...new Set([buildAmountWord(amountCents), buildAmountWord(totalCents)]),
    ...(payment.payerTaxId === null ? [] : listCustomerWords(getPayer(payment))),
    ...listTextWords(externalReference, ref, linkTitle),
  ]
}

function getPayer({ payerName, payerEmail, payerTaxId, payerPhone }: PaymentWords): PayerWords {
  return { name: payerName, email: payerEmail, taxId: payerTaxId, phone: payerPhone }
}

/** Without case and accents, and with one sign for all apostrophes. */
function foldText(text: string) {
  return text
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/** As they stand between spaces, without what they are set in: `(grande),` is `grande`. */
export function splitWords(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .map((word) => word.replace(EDGES, '').slice(0, MAX_WORD_LENGTH))
    .filter((word) => word.length >= MIN_WORD_LENGTH)
}

const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/** The words of texts, and the parts of a word that has some: `ana.lima@exemplo.com` is also `lima`. */
function listTextWords(...texts: (string | null)[]): string[] {
  const words = texts.flatMap((text) => (text === null ? [] : splitWords(text)))
  return [...new Set([...words, ...words.flatMap(splitParts)])].slice(0, MAX_WORDS)
}

/** `ana.lima@exemplo.com` → `ana`, `lima`, `exemplo`, `com` */
export function splitParts(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= MIN_WORD_LENGTH)
}

/** No text has a word that begins so. */
export function buildTaxIdWord(taxId: string) {
  return `#${taxId.toLowerCase()}`
}

export function buildAmountWord(cents: number) {
  return `$${cents}`
}
