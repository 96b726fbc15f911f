// No card number and no security code may reach us, in any field of any request. What looks like one
// is refused before anything reads, stores or logs it.
import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'

// Digits in groups, as people and forms write them: a blank or `+` or `%20`, a dot or a dash between.
const DIGIT_GROUPS = /\d+(?:(?:[\s.+-]|%20)\d+)*/g
/** A UUID, or a hash or token in hexadecimal, far longer than any card number. */
const ID_IN_TEXT = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})\b/gi
const MIN_CARD_DIGITS = 13
const MAX_CARD_DIGITS = 19
declare module 'fastify' {
  interface FastifyContextConfig {
    /** What comes in is neither kept nor shown, and its ids may look like numbers of cards. */
    mayHoldCardData?: true
  }
}

const FORBIDDEN_KEYS =
  /^(card_?number|number|pan|cvv2?|cvc2?|csc|cid|security_?code|cc-?(number|csc|cvv))$/i
/** The issuers' ranges and lengths: Visa, Mastercard, Amex, Elo and Discover, Hipercard, Diners, JCB. */
const CARD_NUMBER_PATTERN =
  /^(4\d{12}|4\d{15}|4\d{18}|5[0-9]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6\d{15}|606282\d{13}|3[068]\d{12}|35\d{14})$/

/** Refuses every request of this scope whose body or query holds card data; the answer does not repeat it. */
export function refuseCardData(app: FastifyInstance) {
  app.addHook('preValidation', ({ body, query, routeOptions }, _reply, done) => {
    if (routeOptions.config.mayHoldCardData) done()
    else if (containsCardData(body) || containsCardData(query)) {
      done(new AppError(422, 'card_data_refused', texts.cardDataRefused))
    } else {
      done()
    }
  })
}

/** Whether a key names card data or a text, number or key holds a card number, at any depth. */
export function containsCardData(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return containsCardNumber(value)
  if (typeof value === 'number') return value > 1e12 && containsCardNumber(String(value))
  if (typeof value !== 'object' || value === null) return false
  if (depth > 32) return true
  return Object.entries(value).some(
    ([key, inner]) =>
      FORBIDDEN_KEYS.test(key) || containsCardNumber(key) || containsCardData(inner, depth + 1),
  )
}

/** For logs: the same text with every card number blotted out. */
export function maskCardNumbers(text: string) {
  return text.replace(DIGIT_GROUPS, (digits) => (hasCardInGroups(digits) ? '****' : digits))
}

function containsCardNumber(text: string) {
  // An id can look like a card number by accident, and is none.
  return (
    text.length >= MIN_CARD_DIGITS &&
    matchesCardNumber(text) &&
    matchesCardNumber(text.replace(ID_IN_TEXT, ''))
  )
}

function matchesCardNumber(text: string) {
  return text.match(DIGIT_GROUPS)?.some(hasCardInGroups) ?? false
}

/** Whether neighbouring groups make a card number: `4111 1111 1111 1111 12 27` holds one. */
function hasCardInGroups(run: string) {
  const groups = run.split(/%20|\D/)
  return groups.some((_, from) => startsWithCard(groups, from))
}

function startsWithCard(groups: string[], from: number) {
  let digits = ''
  for (let i = from; i < groups.length && digits.length < MAX_CARD_DIGITS; i++) {
    digits += groups[i]
    if (digits.length >= MIN_CARD_DIGITS && CARD_NUMBER_PATTERN.test(digits) && passesLuhn(digits))
      return true
  }
  return false
}

function passesLuhn(digits: string) {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const counted = i % 2 === 1 ? digit * 2 : digit
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}
