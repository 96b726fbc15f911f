// Finds card numbers in a text: digits of a length that issuers use, with a correct Luhn digit, and written as people
// write cards. The cost grows only linearly with the length of the text.
import { isCnpj, isCpf, passesLuhn } from './payer-rules.js'

type TextSpan = { start: number; end: number }

/** The lengths of card numbers by their first four digits; a later row overrides an earlier one. */
const LENGTHS_BY_PREFIX: [from: number, to: number, lengths: number[]][] = [
  // Mastercard
  [2221, 2720, [16]],
  // Diners
  [3000, 3059, [14]],
  [3095, 3095, [14]],
  [3600, 3699, [14]],
  [3800, 3999, [14]],
  // American Express
  [3400, 3499, [15]],
  [3700, 3799, [15]],
  // JCB
  [3528, 3589, [16]],
  // Visa, with some of Elo
  [4000, 4999, [13, 16, 19]],
  // Mastercard, Maestro, Elo, Discover
  [5000, 6999, [16]],
  // UnionPay
  [6200, 6299, [16, 17, 18, 19]],
  // Hipercard
  [3841, 3841, [14, 16, 19]],
  [6062, 6062, [16, 19]],
]
const [MIN_CARD_DIGITS, MAX_CARD_DIGITS] = [13, 19]
const PREFIX_DIGITS = 4

/** Characters other than letters and numbers may stand between groups of digits. */
const DIGIT_RUNS = /\d+(?:[^\p{L}\p{N}]{1,6}\d+)*/gu
/**
 * The lengths of groups in which people write cards: as on the card, with a gap missing or added after the issuer's six
 * digits, or with the punctuation of a CNPJ.
 */
const CARD_SPELLINGS =
  /^(?:1[4-9]|4-6-[456]|6-10|4-3-3-3|4-4-4-[1-3]|2-3-3-4-[23]|(?:4-4-4-4|4-4-8|4-8-4|8-4-4|8-8|4-12|12-4)(?:-[1-3])?)$/
const CNPJ_SPELLINGS = /^(?:14|2-3-3-4-2)$/
const MAX_GROUPS = 5
/** Separators of lists and dates too, which have shorter groups: `36,37,38`, `21/11/2026`. */
const LIST_SEPARATORS = /[,/;|]/
const MIN_LISTED_DIGITS = 3
/** Groups of one length, except the last: `453 957…`, `45395 78763…`. Pairs are numbers of a raffle. */
const EQUAL_GROUPS = { min: 3, max: 6 }
const MAX_EQUAL_GROUPS = 7
/** Ordered groups such as `36 38 40 42 44 46 48` are sizes. */
const MAX_ORDERED_DIGITS = 3
/** Phone numbers such as `4002-8922 / 4003-1234` and `453957, 11 3333-4444`. */
const PHONES = /^(?:\d{4}-\d{4}\s*[,/;|]\s*\d{4}-\d{4}|\d{6}\D{2,6}[1-9]{2}[2-5]\d{7})$/
/** Numbers of 13 digits are mostly orders and barcodes (Visa stopped issuing them), so a word must name a card. */
const NAMES_CARD = /(?:cart[aã]o|card|tarjeta|visa)\W{0,3}$/i
const MAX_NAME_LENGTH = 12
const HTML_TAG = String.raw`<\/?[a-z][^<>]*>`
const HTML_ENTITY = String.raw`&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});`
/** Digits and punctuation, encoded once or several times. Letters are left out: they may be digits after a per cent. */
const ENCODED_IN_URL = String.raw`%c2%a0|%e2%80%[89a][\da-f]|%(?:25)*(?:0[9ad]|[23][\da-f]|5[b-f]|60|7[b-e])`
const ENCODED = new RegExp(
  String.raw`${HTML_TAG}|${HTML_ENTITY}|${ENCODED_IN_URL}|[\uff01-\uff5e]|(?!\d)\p{N}`,
  'giu',
)
/** Matches from the start only, so that it takes one pass. */
const HAS_CARD_DIGITS = new RegExp(String.raw`^(?:\P{N}*\p{N}){${MIN_CARD_DIGITS}}`, 'u')
const DECIMAL_DIGIT = /^\p{Nd}$/u
const LONG_NUMBERS = [
  // An access token of a provider account.
  /\b(?:APP_USR|TEST)-\d{13,19}-\d{6}-[0-9a-f]{32}/gi,
  // A UUID, hash or token in hexadecimal, longer than a card number, may contain one by accident.
  /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})\b/gi,
  // A boleto's line of 47 digits, in its fields.
  /(?<!\d)(?:\d{5}[\s.-]{0,2}){3}\d{6}[\s.-]{0,2}\d{5}[\s.-]{0,2}\d{6}[\s.-]{0,3}\d[\s.-]{0,3}\d{14}(?!\d)/g,
  // The 44 digits of an NF-e's key, in groups of four.
  /(?<!\d|(?<!\d)\d{4}[\s.-])\d{4}(?:[\s.-]{1,2}\d{4}){10}(?!\d|[\s.-]\d{4}(?!\d))/g,
]
const CPF = /(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g

export function containsCardNumber(text: string) {
  return findCardNumbers(text).length > 0
}

/** Masks every card number, and digits beside it such as its expiry date. */
export function maskCardNumbers(text: string) {
  let masked = ''
  let shown = 0
  for (const { start, end } of findCardNumbers(text)) {
    masked += `${text.slice(shown, start)}****`
    shown = end
  }
  return masked + text.slice(shown)
}

/**
 * Finds card numbers that are written in neighbouring groups of digits: all of `4111 1111 1111 1111 12 27` is one span.
 * `countStep` is called for each comparison, so that tests can measure the cost.
 */
export function findCardNumbers(text: string, countStep = () => {}): TextSpan[] {
  if (!HAS_CARD_DIGITS.test(text)) return []
  const { plain, offsets } = readPlain(text)
  if (findRunsWithCard(plain, countStep).length === 0) return []
  // A longer number, or one beside a CPF, can contain the digits of a card by accident.
  const blotOut = (number: string) => 'x'.repeat(number.length)
  const others = LONG_NUMBERS.reduce(
    (rest, pattern) => rest.replace(pattern, blotOut),
    plain.replace(CPF, (number) => (isCpf(number.replace(/\D/g, '')) ? blotOut(number) : number)),
  )
  return findRunsWithCard(others, countStep).map(({ start, end }) => ({
    start: offsets[start] ?? 0,
    end: offsets[end] ?? text.length,
  }))
}

function findRunsWithCard(text: string, countStep: () => void) {
  return [...text.matchAll(DIGIT_RUNS)]
    .filter(({ 0: run, index }) => {
      if (run.length < MIN_CARD_DIGITS) return false
      const isNamed = NAMES_CARD.test(text.slice(Math.max(0, index - MAX_NAME_LENGTH), index))
      return hasCardInRun(run, { isNamed, countStep })
    })
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
}

/** Returns the text with digits `0` to `9`, without tags and codes, and the original position of each character. */
function readPlain(text: string) {
  const offsets: number[] = []
  let plain = ''
  let read = 0
  const copyUntil = (end: number) => {
    plain += text.slice(read, end)
    for (; read < end; read++) offsets.push(read)
  }
  for (const { 0: encoded, index } of text.matchAll(ENCODED)) {
    const shown = decode(encoded)
    if (shown === undefined) continue
    copyUntil(index)
    plain += shown
    for (let i = 0; i < shown.length; i++) offsets.push(index)
    read = index + encoded.length
  }
  copyUntil(text.length)
  return { plain, offsets }
}

/** Undefined for a tag that may itself contain a card. */
function decode(encoded: string) {
  if (encoded.startsWith('<')) return HAS_CARD_DIGITS.test(encoded) ? undefined : ' '
  if (encoded.startsWith('&')) return decodeEntity(encoded)
  if (!encoded.startsWith('%')) return readDigit(encoded.normalize('NFKC'))
  const code = Number.parseInt(encoded.slice(-2), 16)
  return code < 0x80 ? String.fromCharCode(code) : ' '
}

function decodeEntity(entity: string) {
  const [, hexadecimal, number = ''] = /^&#(x?)([\da-f]+);$/i.exec(entity) ?? []
  const character = String.fromCharCode(Number.parseInt(number, hexadecimal ? 16 : 10))
  return /\d/.test(character) ? character : ' '
}

/** The ten digits of a script have consecutive codes, from zero on. */
function readDigit(character: string) {
  if (!DECIMAL_DIGIT.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  let before = 0
  while (DECIMAL_DIGIT.test(String.fromCodePoint(code - before - 1))) before++
  return `${before % 10}`
}

type DigitGroup = { digits: string; gap: string }
type RunContext = { isNamed: boolean; countStep: () => void }

/** A card may begin at each group; the comparisons for one group are bounded, however long the run is. */
function hasCardInRun(run: string, { isNamed, countStep }: RunContext) {
  const groups = Array.from(run.matchAll(/(\D*)(\d+)/g), ([, gap = '', digits = '']) => ({
    gap,
    digits,
  }))
  for (let at = 0; at < groups.length; at++) {
    countStep()
    const spelled = [
      ...listSpelled(groups, at),
      ...listEqualGroups(groups, at),
      ...listDigitByDigit(groups, at),
    ]
    if (isNamed && at === 0) spelled.push(groups[0]?.digits ?? '')
    if (spelled.some(isIssuedNumber)) return true
  }
  return false
}

/** Lists numbers that begin at this group and are written like cards. */
function listSpelled(groups: readonly DigitGroup[], at: number) {
  let [digits, shape, text] = ['', '', '']
  const found: string[] = []
  for (const group of groups.slice(at, at + MAX_GROUPS)) {
    digits += group.digits
    if (digits.length > MAX_CARD_DIGITS) break
    shape += `${shape && '-'}${group.digits.length}`
    text += (text && group.gap) + group.digits
    const isOther = PHONES.test(text) || (CNPJ_SPELLINGS.test(shape) && isCnpj(digits))
    if (CARD_SPELLINGS.test(shape) && !isOther) found.push(digits)
  }
  return found
}

/** Lists numbers in groups of one length and with one separator; the last may be shorter. */
function listEqualGroups(groups: readonly DigitGroup[], at: number) {
  const size = groups[at]?.digits.length ?? 0
  if (size < EQUAL_GROUPS.min || size > EQUAL_GROUPS.max) return []
  const alike = takeAlike(groups, at, size)
  return alike
    .map((_, i) => alike.slice(0, i + 1))
    .filter((part) => isIssuedNumber(part.join('')) && !isOrdered(part))
    .map((part) => part.join(''))
    .filter(({ length }) => length > MIN_CARD_DIGITS)
}

/** Takes the groups from here on that have this size, and a shorter one that ends them. */
function takeAlike(groups: readonly DigitGroup[], at: number, size: number) {
  const gap = groups[at + 1]?.gap ?? ''
  if (size <= MIN_LISTED_DIGITS && LIST_SEPARATORS.test(gap)) return []
  const taken: string[] = []
  for (const group of groups.slice(at, at + MAX_EQUAL_GROUPS)) {
    const isFirst = taken.length === 0
    if (group.digits.length > size || !(isFirst || group.gap === gap)) break
    taken.push(group.digits)
    if (group.digits.length < size) break
  }
  return taken
}

function isOrdered([...groups]: string[]) {
  const isOfOneSize = groups.at(-1)?.length === groups[0]?.length
  if (!isOfOneSize || (groups[0]?.length ?? 0) > MAX_ORDERED_DIGITS) return false
  const rising = groups.toSorted().join()
  return rising === groups.join() || rising === groups.toReversed().join()
}

/** Returns a number with each digit apart, if no other single digits are beside it. */
function listDigitByDigit(groups: readonly DigitGroup[], at: number) {
  const isPart = (i: number) =>
    groups[i]?.digits.length === 1 && !isListed(groups[i - 1], groups[i])
  if (groups[at]?.digits.length !== 1 || groups[at - 1]?.digits.length === 1) return []
  let end = at + 1
  while (end - at <= MAX_CARD_DIGITS && isPart(end)) end++
  const digits = groups.slice(at, end).map((group) => group.digits)
  return [digits.join('')]
}

function isListed(before: DigitGroup | undefined, group: DigitGroup | undefined) {
  if (!before || !group || !LIST_SEPARATORS.test(group.gap)) return false
  return Math.min(before.digits.length, group.digits.length) < MIN_LISTED_DIGITS
}

function isIssuedNumber(digits: string) {
  return findIssuedLengths(digits)?.includes(digits.length) && passesLuhn(digits)
}

function findIssuedLengths(digits: string) {
  const prefix = Number(digits.slice(0, PREFIX_DIGITS))
  return LENGTHS_BY_PREFIX.findLast(([from, to]) => from <= prefix && prefix <= to)?.[2]
}
