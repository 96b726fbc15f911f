// Card entry of the sandbox. Only the numbers below are turned into a token; any other stays in the
// browser.
//
// What checkout.js expects of a card script, this one or a real provider's:
//   vintemCard.inputs     by element id: format(text, inserting) while typing, check(text) → message.
//                         Empty where the provider puts its own frames into [data-card-entry].
//   vintemCard.tokenise({ number, holder, expiry, code })
//                         → { token, brand, last4 }, or a promise of it. Throws { field, message },
//                         field being one of the four.

import { passesLuhn } from '../../../src/payer-rules.js'

/** @type {Record<string, [scenario: string, brand: string]>} */
const CARDS = {
  4242424242424242: ['ok', 'visa'],
  5555555555554444: ['ok', 'mastercard'],
  6362970000457013: ['ok', 'elo'],
  378282246310005: ['ok', 'amex'],
  4000000000003220: ['challenge', 'visa'],
  4000008400001629: ['challenge_declined', 'visa'],
  4000002760003184: ['threeds_failed', 'visa'],
  4000000000000002: ['generic', 'visa'],
  4000000000009995: ['funds', 'visa'],
  4000000000000069: ['expired', 'visa'],
  4000000000000127: ['cvv', 'visa'],
  4000000000000259: ['fraud', 'visa'],
  4000000000000119: ['slow', 'visa'],
  4000000000003063: ['unavailable', 'visa'],
}

/**
 * First match wins: Elo and Hipercard lie inside ranges of the others.
 * @type {[brand: string, start: RegExp][]}
 */
const BRANDS = [
  [
    'Elo',
    /^(4011(78|79)|43(1274|8935)|45(1416|7393|763[12])|50(4175|67|9)|627780|63(6297|6368)|65(0|16|5))/,
  ],
  ['Hipercard', /^(606282|3841)/],
  ['Amex', /^3[47]/],
  ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['Visa', /^4/],
]

const entry = /** @type {HTMLElement} */ (document.querySelector('[data-card-entry]'))
/** @type {CheckoutTexts['card']} */
const texts = JSON.parse(entry.dataset.texts ?? '')
const numberInput = /** @type {HTMLInputElement} */ (document.querySelector('#card-number'))
const codeHint = /** @type {HTMLElement} */ (document.querySelector('#card-code-hint'))
const brandLabel = /** @type {HTMLElement} */ (document.querySelector('[data-card-brand]'))

globalThis.vintemCard = {
  inputs: {
    'card-number': { format: groupNumber, check: checkNumber },
    'card-holder': { check: checkHolder },
    'card-expiry': { format: formatExpiry, check: checkExpiry },
    'card-code': { format: formatCode, check: checkCode },
  },
  tokenise,
}

numberInput?.addEventListener('input', showBrand)
// A browser that goes back fills the number in by then.
addEventListener('pageshow', showBrand)
showBrand()

/** @param {Record<CardPart, string>} card */
function tokenise({ number, holder, expiry, code }) {
  refuse('number', checkNumber(number))
  refuse('holder', checkHolder(holder))
  refuse('expiry', checkExpiry(expiry))
  refuse('code', checkCode(code, number))
  const digits = digitsOf(number)
  const card = CARDS[digits]
  if (!card) throw problem('number', texts.testCard)

  const [scenario, brand] = card
  return { token: `sbx_${scenario}_${nonce()}`, brand, last4: digits.slice(-4) }
}

/**
 * @param {CardPart} field
 * @param {string | null} message
 */
function refuse(field, message) {
  if (message) throw problem(field, message)
}

/**
 * @param {CardPart} field
 * @param {string} message
 */
function problem(field, message) {
  return Object.assign(new Error(message), { field })
}

function nonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** @param {string} text */
function groupNumber(text) {
  const digits = digitsOf(text).slice(0, 19)
  const groups = isAmex(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)]
    : (digits.match(/.{1,4}/g) ?? [])
  return groups.filter(Boolean).join(' ')
}

/**
 * Month and year as on the card: 7 is 07, 2030 is 30. HTML has browsers fill in 2030-12.
 * @param {string} text
 * @param {boolean} inserting
 */
function formatExpiry(text, inserting) {
  const monthFirst = text.replace(/^\s*(20\d\d)[-/](\d\d?)\s*$/, '$2/$1')
  const padded = monthFirst.replace(/^\s*([2-9]|\d(?=\s*\/))/, '0$1')
  const digits = digitsOf(padded)
  const month = digits.slice(0, 2)
  const year = digits.startsWith('20', 2) ? digits.slice(2, 6) : digits.slice(2, 4)
  if (year === '') return month.length === 2 && inserting ? `${month} / ` : month
  return `${month} / ${year.length === 4 ? year.slice(2) : year}`
}

/** @param {string} text */
function formatCode(text) {
  return digitsOf(text).slice(0, 4)
}

/** @param {string} text */
function checkNumber(text) {
  const digits = digitsOf(text)
  return digits.length >= 13 && passesLuhn(digits) ? null : texts.number
}

/** @param {string} text */
function checkHolder(text) {
  return text.trim().length >= 2 ? null : texts.holder
}

/** @param {string} text */
function checkExpiry(text, now = new Date()) {
  const [, month, year] = /^(\d\d) \/ (\d\d)$/.exec(text) ?? []
  if (!(Number(month) >= 1 && Number(month) <= 12)) return texts.expiry
  const lastMoment = new Date(2000 + Number(year), Number(month), 1)
  return lastMoment > now ? null : texts.expired
}

/** @param {string} text */
function checkCode(text, number = numberInput.value) {
  const length = isAmex(digitsOf(number)) ? 4 : 3
  return text.length === length ? null : length === 4 ? texts.codeOfFour : texts.codeOfThree
}

function showBrand() {
  const digits = digitsOf(numberInput.value)
  const [brand] = BRANDS.find(([, start]) => start.test(digits)) ?? []
  brandLabel.hidden = !brand
  brandLabel.textContent = brand ?? ''
  codeHint.textContent = isAmex(digits) ? texts.codeInFront : texts.codeBehind
}

/** @param {string} digits */
function isAmex(digits) {
  return /^3[47]/.test(digits)
}

/** @param {string} text */
function digitsOf(text) {
  return text.replace(/\D/g, '')
}
