// The words by which the dashboard finds payments, links and customers: the column `words`, written together with each
// row, and the words that a person types, as a query on that column.

import { type AnyPgColumn, type SQL, sql } from '../database/drizzle.ts'
import type { customers, paymentLinks, transactions } from '../database/tables.ts'
import { removeUnseen } from '../payer-rules.js'

/** Titles and names have fewer words; of a description the first ones count. */
const MAX_WORDS = 60
const MAX_WORD_LENGTH = 60
const MIN_WORD_LENGTH = 2

/** A typed word may mean several things: `149` is an amount, and the beginning of a phone number. */
export type SearchWord = SearchPart[]
/** A row must match all of them. */
export type SearchWords = SearchWord[]
/** A word of a row or its beginning, or several words that a row must all have. */
type SearchPart = { text: string; isWhole: boolean } | { all: string[] }

/** Finds rows with the words and on the day, or with the words and the day's own word: `Show 20/12`. */
export type Search = { words: SearchWords; day?: SearchDay }
/** From the first instant of the day to the last. */
type SearchDay = { from: string; to: string; word: SearchWord }

type SearchedTable = typeof transactions | typeof paymentLinks | typeof customers

/**
 * Builds the condition that finds rows by words and, where a day was typed, by an instant. `offset 0` forces the index
 * of the words: Postgres cannot estimate how rare the beginning of a word is, and would read the whole list for a rare
 * one.
 * @param instant the column that a typed day is compared with
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

/** Lists all words, including the one of the day. */
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

export function toTsvector(words: string[]): SQL<string> {
  return sql<string>`array_to_tsvector(${sql.param(words)}::text[])`
}

type PayerWords = {
  name: string
  email: string | null
  taxId: string | null
  phone: string | null
}

/** Lists the words of a customer. A document is found only as a whole, a phone also without its area code. */
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

/** Lists the words of a payment: the link's title at the payment, and the payer unless anonymized. */
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

/** Removes case and accents, and writes all apostrophes alike. */
function normalizeText(text: string) {
  return text
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/** Splits a text at spaces and removes punctuation around words: `(grande),` becomes `grande`. */
export function splitWords(text: string): string[] {
  return normalizeText(text)
    .split(/\s+/)
    .map((word) => removeUnseen(word).replace(EDGES, '').slice(0, MAX_WORD_LENGTH))
    .filter((word) => word.length >= MIN_WORD_LENGTH)
}

const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/** Lists the words of texts and the parts of words: `ana.lima@exemplo.com` also gives `lima`. */
function listTextWords(...texts: (string | null)[]): string[] {
  const words = texts.flatMap((text) => (text === null ? [] : splitWords(text)))
  return [...new Set([...words, ...words.flatMap(splitParts)])].slice(0, MAX_WORDS)
}

/** Splits `ana.lima@exemplo.com` into `ana`, `lima`, `exemplo` and `com`. */
export function splitParts(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= MIN_WORD_LENGTH)
}

/** Words from a text never begin with `#`. */
export function buildTaxIdWord(taxId: string) {
  return `#${taxId.toLowerCase()}`
}

export function buildAmountWord(cents: number) {
  return `$${cents}`
}
