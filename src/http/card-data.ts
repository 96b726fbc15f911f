// No card number and no security code may reach us, in any field of any request. What looks like one
// is refused before anything reads, stores or logs it; the answer names the field and repeats nothing.
// What a text costs grows with its length and with nothing else.
import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'
import { isRecord } from './fields.ts'
import { isNetworkList } from './ip.ts'
import { checkNesting } from './nesting.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What comes in is neither kept nor shown, and its ids may look like numbers of cards. */
    mayHoldCardData?: true
  }
}

type TextSpan = { start: number; end: number }

/**
 * The issuers' lengths by the first two digits: Visa, Mastercard, Amex, Elo and Discover, Hipercard, Diners,
 * JCB.
 */
const LENGTHS_BY_PREFIX: [from: number, to: number, lengths: number[]][] = [
  [22, 27, [16]],
  [30, 30, [14]],
  [34, 34, [15]],
  [35, 35, [16]],
  [36, 36, [14]],
  [37, 37, [15]],
  [38, 38, [14]],
  [40, 49, [13, 16, 19]],
  [50, 59, [16]],
  [60, 60, [16, 19]],
  [61, 69, [16]],
]
/** With 19 digits these alone are Hipercard's. */
const LONG_HIPERCARD = [6, 0, 6, 2, 8, 2]
const ISSUED_LENGTHS = Array.from(
  { length: 100 },
  (_, prefix) => LENGTHS_BY_PREFIX.find(([from, to]) => from <= prefix && prefix <= to)?.[2] ?? [],
)
const MIN_CARD_DIGITS = 13
/** All there are, the shortest first. */
const CARD_LENGTHS = [MIN_CARD_DIGITS, 14, 15, 16, 19]

// Digits in groups, and what people, forms and invisible characters put between them.
const DIGIT_RUNS =
  /\d+(?:[\s\p{Cc}\p{Bidi_Control}.+\-_*·•,/\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212\ufeff]{1,6}\d+)*/gu
const [ZERO, NINE] = [0x30, 0x39]
/** These make lists and dates too, of shorter groups: `36,37,38`, `21/11/2026`. */
const [COMMA, SLASH] = [0x2c, 0x2f]
const MIN_LISTED_DIGITS = 3
/** `４１１１` and `，` as `4111` and `,`. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_OFFSET = 0xfee0
const FULL_WIDTH_ZERO = 0xff10
const ENCODED_SEPARATORS = /%(?:2[0a-f]|5f)/gi
/** A UUID, or a hash or token in hexadecimal, far longer than any card number: it may look like one. */
const ID_IN_TEXT = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})\b/gi

const FORBIDDEN_KEYS =
  /^(card_?number|number|pan|cvv2?|cvc2?|csc|cid|security_?code|cc-?(number|csc|cvv))$/i
/** A company's own names for other things: a campaign's id, a number of its own. */
const METADATA_KEYS = /^(number|pan|csc|cid)$/i
const METADATA_FIELD = 'metadata'
const MIN_CARD_NUMBER = 1e12

/** Refuses every request of this scope whose body or query holds card data. */
export function refuseCardData(app: FastifyInstance) {
  app.addHook('preValidation', ({ body, query, routeOptions }, _reply, done) => {
    if (routeOptions.config.mayHoldCardData) return done()
    const tooDeep = checkNesting(body)
    if (tooDeep) return done(tooDeep)
    const path = findCardData(body) ?? findCardData(query)
    done(path && buildCardDataError(path))
  })
}

function buildCardDataError(path: readonly string[]) {
  const field = path.map(maskCardNumbers).join('.')
  const { cardDataRefused: message } = texts
  const errors = field ? [{ field, code: 'card_data', message }] : undefined
  return new AppError(422, 'card_data_refused', message, errors && { errors })
}

export function containsCardData(value: unknown) {
  return findCardData(value) !== undefined
}

/**
 * Where a key names card data or a text, number or key holds a card number, at any depth: the names of the
 * fields from the outside in. Undefined where there is none.
 */
function findCardData(value: unknown, parent = ''): string[] | undefined {
  if (!isRecord(value)) return isCardNumber(value) ? [] : undefined
  for (const key of Object.keys(value)) {
    const below = isForbiddenKey(key, parent) ? [] : findCardData(value[key], key)
    if (below) return [key, ...below]
  }
  return undefined
}

function isCardNumber(value: unknown) {
  if (typeof value === 'number') return value > MIN_CARD_NUMBER && containsCardNumber(`${value}`)
  // Addresses of one below the other have as many digits.
  return typeof value === 'string' && containsCardNumber(value) && !isNetworkList(value)
}

function isForbiddenKey(key: string, parent: string) {
  if (containsCardNumber(key)) return true
  return FORBIDDEN_KEYS.test(key) && !(parent === METADATA_FIELD && METADATA_KEYS.test(key))
}

function containsCardNumber(text: string) {
  return findCardNumbers(text).length > 0
}

/** The same text with every card number blotted out, and the numbers beside it, such as its date. */
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
 * Where neighbouring groups make a card number: all of `4111 1111 1111 1111 12 27` is one place. Each
 * comparison is told to `countStep`, for whoever wants to know what a text costs.
 */
export function findCardNumbers(text: string, countStep = () => {}): TextSpan[] {
  if (!hasDigitsOfCard(text)) return []
  const plain = normalizeDigits(text)
  const found = findRunsWithCard(plain, countStep)
  if (found.length === 0) return found
  // An id can look like a card number by accident.
  return findRunsWithCard(
    plain.replace(ID_IN_TEXT, (id) => 'x'.repeat(id.length)),
    countStep,
  )
}

/** Nearly no text has: this is what looking costs. */
function hasDigitsOfCard(text: string) {
  if (text.length < MIN_CARD_DIGITS) return false
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const plain = code >= FULL_WIDTH_ZERO ? code - FULL_WIDTH_OFFSET : code
    if (plain >= ZERO && plain <= NINE && ++digits === MIN_CARD_DIGITS) return true
  }
  return false
}

function findRunsWithCard(text: string, countStep: () => void) {
  return [...text.matchAll(DIGIT_RUNS)]
    .filter(([run]) => run.length >= MIN_CARD_DIGITS && hasCardInRun(run, countStep))
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
}

/** As long as it was, so that places stay what they are. */
function normalizeDigits(text: string) {
  return text
    .replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(ENCODED_SEPARATORS, (encoded) => ' '.repeat(encoded.length))
}

/** A character at a time and without a regular expression: this is what long texts of digits cost. */
function hasCardInRun(run: string, countStep: () => void) {
  const groups = openDigitGroups(run.length)
  for (let i = 0; i <= run.length; i++) {
    countStep()
    const code = run.charCodeAt(i)
    if (code >= ZERO && code <= NINE) {
      addDigit(groups, code - ZERO)
      continue
    }
    if (groups.length > 0) {
      closeDigitGroup(groups)
      if (endsWithCardNumber(groups, countStep)) return true
    }
    groups.isListed ||= code === COMMA || code === SLASH
  }
  return false
}

type DigitGroups = {
  digits: Uint8Array
  count: number
  /** Luhn's of all digits so far, once with those at even places doubled and once with the others. */
  sums: [Int32Array, Int32Array]
  /** Whether a group begins with this digit. */
  isStart: Uint8Array
  /** The first digit of those that belong together. */
  first: number
  /** Of the group that is being read, and of the one before it. */
  length: number
  lengthBefore: number
  /** Whether a list's separator stands between the two. */
  isListed: boolean
}

function openDigitGroups(size: number): DigitGroups {
  return {
    ...{ digits: new Uint8Array(size), isStart: new Uint8Array(size) },
    sums: [new Int32Array(size + 1), new Int32Array(size + 1)],
    ...{ count: 0, first: 0, length: 0, lengthBefore: 0, isListed: false },
  }
}

function addDigit(groups: DigitGroups, digit: number) {
  const { digits, count, sums } = groups
  const [ofEven, ofOdd] = sums
  const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
  const isEven = count % 2 === 0
  ofEven[count + 1] = (ofEven[count] ?? 0) + (isEven ? doubled : digit)
  ofOdd[count + 1] = (ofOdd[count] ?? 0) + (isEven ? digit : doubled)
  digits[count] = digit
  groups.count++
  groups.length++
}

function closeDigitGroup(groups: DigitGroups) {
  const { count, isStart, length, lengthBefore, isListed } = groups
  const start = count - length
  if (isListed && Math.min(lengthBefore, length) < MIN_LISTED_DIGITS) groups.first = start
  isStart[start] = 1
  groups.lengthBefore = length
  groups.length = 0
  groups.isListed = false
}

function endsWithCardNumber(groups: DigitGroups, countStep: () => void) {
  const { count, first, isStart } = groups
  for (const length of CARD_LENGTHS) {
    countStep()
    const start = count - length
    if (start < first) return false
    if (isStart[start] === 1 && isCardFrom(groups, start)) return true
  }
  return false
}

function isCardFrom({ digits, count, sums: [ofEven, ofOdd] }: DigitGroups, start: number) {
  const length = count - start
  const prefix = (digits[start] ?? 0) * 10 + (digits[start + 1] ?? 0)
  if (!ISSUED_LENGTHS[prefix]?.includes(length)) return false
  // The last digit is not doubled, the one before it is.
  const luhn = count % 2 === 0 ? ofEven : ofOdd
  if (((luhn[count] ?? 0) - (luhn[start] ?? 0)) % 10 !== 0) return false
  if (prefix !== 60 || length === 16) return true
  return LONG_HIPERCARD.every((digit, i) => digits[start + i] === digit)
}
