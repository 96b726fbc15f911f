// Which digits of a text are the number of a card: of an issuer's length, right by Luhn, and written as people
// write cards. What a text costs grows with its length and with nothing else.
import { cnpj } from 'cpf-cnpj-validator'

type TextSpan = { start: number; end: number }

/** The issuers' lengths by the first four digits; what stands further down is more exact. */
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
  // Visa, and Elo among it
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

/** What people, forms and invisible characters put between groups of digits. */
const GAP = String.raw`[\s\p{Cc}\p{Bidi_Control}.+\-_*·•,/\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212\ufeff]{1,6}`
const DIGIT_RUNS = new RegExp(String.raw`\d+(?:${GAP}\d+)*`, 'gu')
/** The lengths of the groups in which people write a card: as it is embossed, or with a gap left out. */
const CARD_SPELLINGS =
  /^(?:1[4-9]|4-6-[45]|4-3-3-3|4-4-4-[1-3]|(?:4-4-4-4|4-4-8|4-8-4|8-4-4|8-8|4-12|12-4)(?:-[1-3])?)$/
const MAX_GROUPS = 5
/** These make lists and dates too, of shorter groups: `36,37,38`, `21/11/2026`. */
const LIST_SEPARATORS = /[,/]/
const MIN_LISTED_DIGITS = 3
/** `4002-8922 / 4003-1234` are two phones. */
const TWO_PHONES = /^\d{4}-\d{4}\s*[,/]\s*\d{4}-\d{4}$/
/** Visa has not issued thirteen digits for decades, but orders and barcodes have them. */
const NAMES_CARD = /(?:cart[aã]o|card|tarjeta|visa)\W{0,3}$/i
const MAX_NAME_LENGTH = 12
/** `４１１１` and `，` as `4111` and `,`. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_OFFSET = 0xfee0
const FULL_WIDTH_ZERO = 0xff10
const ENCODED_SEPARATORS = /%(?:2[0a-f]|5f)/gi
const LONG_NUMBERS = [
  // The access token of an account at Mercado Pago.
  /\b(?:APP_USR|TEST)-\d{13,19}-\d{6}-[0-9a-f]{32}/gi,
  // A UUID, or a hash or token in hexadecimal, far longer than any card number: it may look like one.
  /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})\b/gi,
  // A boleto's line of 47 digits, in its fields.
  /(?<!\d)(?:\d{5}[\s.-]{0,2}){3}\d{6}[\s.-]{0,2}\d{5}[\s.-]{0,2}\d{6}[\s.-]{0,3}\d[\s.-]{0,3}\d{14}(?!\d)/g,
  // The 44 digits of an NF-e's key, in fours.
  /(?<!\d|(?<!\d)\d{4}[\s.-])\d{4}(?:[\s.-]{1,2}\d{4}){10}(?!\d|[\s.-]\d{4}(?!\d))/g,
]
const CNPJ_LENGTH = 14
const [ZERO, NINE] = [0x30, 0x39]

export function containsCardNumber(text: string) {
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
  // A longer number can hold the digits of a card by accident.
  const others = LONG_NUMBERS.reduce(
    (rest, pattern) => rest.replace(pattern, (long) => 'x'.repeat(long.length)),
    plain,
  )
  return findRunsWithCard(others, countStep)
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
    .filter(({ 0: run, index }) => {
      if (run.length < MIN_CARD_DIGITS) return false
      const isNamed = NAMES_CARD.test(text.slice(Math.max(0, index - MAX_NAME_LENGTH), index))
      return hasCardInRun(run, { isNamed, countStep })
    })
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
}

/** As long as it was, so that places stay what they are. */
function normalizeDigits(text: string) {
  return text
    .replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(ENCODED_SEPARATORS, (encoded) => ' '.repeat(encoded.length))
}

type DigitGroup = { digits: string; gap: string }
type RunContext = { isNamed: boolean; countStep: () => void }

/** Each group may begin a card; what is compared for it is bounded, however long the run is. */
function hasCardInRun(run: string, { isNamed, countStep }: RunContext) {
  const groups = Array.from(run.matchAll(/(\D*)(\d+)/g), ([, gap = '', digits = '']) => ({
    gap,
    digits,
  }))
  for (let at = 0; at < groups.length; at++) {
    countStep()
    const spelled = [...listSpelled(groups, at), ...listDigitByDigit(groups, at)]
    if (isNamed && at === 0) spelled.push(groups[0]?.digits ?? '')
    if (spelled.some(isIssuedNumber)) return true
  }
  return false
}

/** What begins with this group and is written as cards are. */
function listSpelled(groups: readonly DigitGroup[], at: number) {
  const [first, ...others] = groups.slice(at, at + MAX_GROUPS)
  if (!first || !findIssuedLengths(first.digits)) return []
  let { digits } = first
  let [shape, text] = [`${digits.length}`, digits]
  const found = CARD_SPELLINGS.test(shape) && !isCnpj(digits) ? [digits] : []
  for (const group of others) {
    digits += group.digits
    if (digits.length > MAX_CARD_DIGITS) break
    shape += `-${group.digits.length}`
    text += group.gap + group.digits
    if (CARD_SPELLINGS.test(shape) && !TWO_PHONES.test(text)) found.push(digits)
  }
  return found
}

/** Each digit apart, and no others beside them. */
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

function isCnpj(digits: string) {
  return digits.length === CNPJ_LENGTH && cnpj.isValid(digits)
}

function isIssuedNumber(digits: string) {
  return findIssuedLengths(digits)?.includes(digits.length) && passesLuhn(digits)
}

function findIssuedLengths(digits: string) {
  const prefix = Number(digits.slice(0, PREFIX_DIGITS))
  return LENGTHS_BY_PREFIX.findLast(([from, to]) => from <= prefix && prefix <= to)?.[2]
}

function passesLuhn(digits: string) {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
