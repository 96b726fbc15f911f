// Parses a search into words (lists/words.ts) and a day: `maria ontem 149,90`.
import { z } from 'zod'
import { isUuid } from '../../database/id.ts'
import { removeControls, textField } from '../../http/text.ts'
import {
  buildAmountWord,
  buildTaxIdWord,
  type Search,
  type SearchWord,
  splitParts,
  splitWords,
} from '../../lists/words.ts'
import { parsePhone, readForeignDocument, removeUnseen, restoreZeros } from '../../payer-rules.js'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import { readAmount, readTypedFields } from './form.ts'
import { parseDay } from './local-time.ts'

/** The maximum length of an e-mail; longer texts are cut. */
const MAX_TYPED_LENGTH = 254
const MAX_WORDS = 8

export type TypedSearch = Search & {
  /** The whole text, when it is one word, such as an id. */
  word?: string
}

/** Invisible characters are removed and long texts cut, since a refused filter would show the whole list. */
const SearchedText = z
  .string()
  .transform((typed) => {
    const seen = removeControls(typed.toWellFormed().replace(/\s/g, ' '))
    return Array.from(seen).slice(0, MAX_TYPED_LENGTH).join('')
  })
  .pipe(textField({ max: MAX_TYPED_LENGTH }))
  .catch('')

/** Reads the searched text from an address, for the search and each list; empty when absent. */
export function readSearchedText(query: unknown) {
  return SearchedText.parse(readTypedFields(query).q)
}

/** Undefined for a text without usable words, such as a single letter. */
export function parseSearch(typed: string, now: Date): TypedSearch | undefined {
  const text = joinNumbers(typed)
  const parts = text.split(/\s+/).filter((part) => part !== '')
  const dayPart = parts.find((part) => parseDayWord(part, now) !== undefined)
  const day = dayPart === undefined ? undefined : parseDayWord(dayPart, now)
  const number = parts.length > 1 ? listSpacedNumber(text) : []
  const words = dropDigits(parts.filter((part) => part !== dayPart))
    .map(listAlternatives)
    .filter((word) => word.length > 0)
    .map((word) => [...word, ...number])
    .slice(0, MAX_WORDS)
  const [word] = parts
  if (words.length === 0 && day === undefined) return undefined
  return {
    words,
    ...(dayPart && day && { day: { ...getDayBounds(day), word: listAlternatives(dayPart) } }),
    ...(word !== undefined && parts.length === 1 && { word: readAddress(word) }),
  }
}

/** Single digits are not indexed: among other words they would find nothing; one alone is an amount. */
function dropDigits(parts: string[]) {
  const longer = parts.filter((part) => !/^\d$/.test(part))
  return longer.length > 0 ? longer : parts
}

/** Joins numbers that people write with spaces: `(11) 98888-7777`, `R$ 149,90`. */
function joinNumbers(text: string) {
  return removeUnseen(text)
    .replace(NAMED_NUMBERS, '')
    .replace(DASHES, '-')
    .replace(SPACED_PHONE, (phone) => phone.replace(/\s+/g, JOINT))
    .replace(/R\$\s*/gi, 'R$')
}

/** Replaces the spaces of what may be a phone, or numbers of a title: `Turma 12 2026-2027`. Never typed. */
const JOINT = '\u2060'
const NAMED_NUMBERS = /\b(?:CPF|CNPJ|tel)[:：]\s*/gi
const DASHES = /(?<=\d)[\p{Pd}\u2212](?=\d)/gu
const SPACED_PHONE =
  /(?<![\d/])(?:\+?55[\s-]*)?(?:\(\d{2}\)|\d{2}\s)\s*9?\s?\d{4}[\s-]?\d{4}(?!\d)/g

/** A Map, because an object would also have `constructor`. */
const RELATIVE_DAYS = new Map([
  ['hoje', 0],
  ['ontem', -1],
  ['anteontem', -2],
])
const DAY_AND_MONTH = /^(\d{1,2})\/(\d{1,2})$/

/** Reads a day as people write it; without a year it is the last one in the past. */
function parseDayWord(part: string, now: Date): string | undefined {
  const today = toDay(now)
  const days = RELATIVE_DAYS.get(part.toLowerCase())
  if (days !== undefined) return addDays(today, days)
  const typed = parseDay(part)
  if (typed) return typed
  const [, day, month] = part.match(DAY_AND_MONTH) ?? []
  if (!day || !month) return undefined
  const thisYear = Number(today.slice(0, 4))
  return [thisYear, thisYear - 1]
    .map((year) => parseDay(`${part}/${year}`))
    .find((one) => one !== undefined && one <= today)
}

function getDayBounds(day: string) {
  const end = Date.parse(getDayStart(addDays(day, 1))) - 1
  return { from: getDayStart(day), to: new Date(end).toISOString() }
}

/** Returns the last part of the address of a link or of a page of the dashboard. */
function readAddress(word: string) {
  if (!/^https?:\/\//i.test(word)) return word
  return (
    URL.parse(word)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? word
  )
}

/** Lists the meanings that one word may have. */
function listAlternatives(part: string): SearchWord {
  if (part.includes(JOINT)) return listPhoneAlternatives(part)
  const cents = parseAmount(part)
  const amount = cents === undefined ? [] : [{ text: buildAmountWord(cents), isWhole: true }]
  if (part.startsWith('R$')) return amount
  const document = [readForeignDocument(part), restoreZeros(part)].flatMap((taxId) =>
    taxId ? { text: buildTaxIdWord(taxId), isWhole: true } : [],
  )
  const address = readAddress(part)
  const [text] = splitWords(address)
  const begun = text === undefined ? [] : [{ text, isWhole: isUuid(text) }]
  const others = [...listNumberAlternatives(address, text), ...listPartAlternatives(text)]
  return [...amount, ...document, ...begun, ...others]
}

/**
 * Lists what the whole text means as one number with spaces: `AB 123 456`, `+54 9 11 2345-6789`, `1 490,00`. A text
 * with a word of four letters is no number, unless it names one.
 */
function listSpacedNumber(text: string): SearchWord {
  if (NAME_WORD.test(text)) return []
  const cents = parseAmount(text)
  const taxId = readForeignDocument(text)
  const digits = (parsePhone(text) ?? text).replace(/\D/g, '')
  const isPhone = digits.length >= MIN_PHONE_LENGTH && !/[^\d\s\p{P}\p{S}\u2060]/u.test(text)
  return [
    ...(cents === undefined ? [] : [{ text: buildAmountWord(cents), isWhole: true }]),
    ...(taxId ? [{ text: buildTaxIdWord(taxId), isWhole: true }] : []),
    ...(isPhone ? [{ text: digits, isWhole: false }] : []),
  ]
}

const NAME_WORD = /(?<!\p{L})(?!cnpj|passaporte)\p{L}{4}/iu
/** Of a phone without an area code. */
const MIN_PHONE_LENGTH = 8

/** Splits `lima.lima` or the text after an `@`: the parts are words, but not the whole. */
function listPartAlternatives(text = ''): SearchWord {
  const parts = splitParts(text)
  const isName = /\p{L}/u.test(text) && !text.includes('@') && !isUuid(text)
  return isName && parts.length > 1 ? [{ all: parts }] : []
}

/** Lists the phone as typed, the phone as stored, and its numbers one by one. */
function listPhoneAlternatives(part: string): SearchWord {
  const digits = part.replace(/\D/g, '')
  const phones = [...new Set([digits, parsePhone(digits) ?? digits])]
  return [...phones.map((text) => ({ text, isWhole: false })), { all: splitParts(part) }]
}

/** Returns the digits of a number with punctuation, since phones are stored so. */
function listNumberAlternatives(part: string, text: string | undefined): SearchWord {
  if (!/^\+?[\d().-]{4,}$/.test(part)) return []
  const digits = (parsePhone(part) ?? part).replace(/\D/g, '')
  return digits === text || digits.length < 4 ? [] : [{ text: digits, isWhole: false }]
}

/** Reads `149,90`, `R$149,90`, `149.9`, `1.490` as cents; longer numbers are documents and phones. */
function parseAmount(part: string) {
  const reading = readAmount(part)
  if (reading.kind === 'unreadable') return undefined
  const cents = reading.kind === 'read' ? reading.cents : reading.thousandsCents
  return cents < MAX_SEARCHED_CENTS ? cents : undefined
}

const MAX_SEARCHED_CENTS = 100_000_000_000
