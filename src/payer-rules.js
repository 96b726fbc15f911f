// The rules for a payer's name, e-mail, document, phone and card number. The service imports them, and the payment form's
// script is joined with this file (http/assets.ts), so that page and service accept the same.

/** A name has a letter and three characters; in Han and Hangul a whole name may have two: `李明`. */
export const NAME_PATTERN = /^(?=.*\p{L})(?:.{3,}|[\p{sc=Han}\p{sc=Hangul}]{2})$/u
export const MAX_NAME_LENGTH = 120

/**
 * The local part has no dot at an end and no two dots together; a host has letters, digits and hyphens, with no hyphen
 * at an end. Letters beyond ASCII are allowed. The pattern takes one pass over any text.
 */
export const EMAIL_PATTERN =
  /^[^\s@.<>"(),:;]+(?:\.[^\s@.<>"(),:;]+)*@(?:[^\s!-/:-@\x5b-\x60{-~]+(?:-+[^\s!-/:-@\x5b-\x60{-~]+)*\.)+[^\s!-/:-@\x5b-\x60{-~][^\s!-,./:-@\x5b-\x60{-~]*[^\s!-/:-@\x5b-\x60{-~]$/
/** An area code has no zero. A long-distance call begins with `0` and may name its carrier: `0 15 11 …`, `0XX11 …`. */
const PHONE_PATTERN = /^(?:(?:\+|00)?55)?(?:0(?:xx|[1-9]\d)?)?([1-9]{2}(?:9\d{8}|[2-5]\d{7}))$/i
/** ITU-T E.164: a country code and number, at most 15 digits. */
const PHONE_ABROAD_PATTERN = /^\+(?!55)[1-9]\d{6,14}$/
/** A label that people copy together with a document. */
const TAX_ID_NAME = /^\s*(?:CPF|CNPJ)[\s:]/i
const LABEL = /^(?:CPF|CNPJ)/i
const PASSPORT_NAME =
  /^\s*(?:passport|passaporte|pasaporte)\s*(?:(?:no|n\.?|number|n[uú]mero)[\s.:#]+)?/i
/** Letters and digits, at least one of them a digit. */
const FOREIGN_DOCUMENT = /^(?=.*\d)[0-9A-Z]{5,20}$/
/** Where payers have their mail; the last two are near others, and stand here so that they are left alone. */
const DOMAINS = [
  ...['gmail.com', 'hotmail.com', 'outlook.com', 'yahoo.com.br', 'icloud.com', 'uol.com.br'],
  ...['bol.com.br', 'terra.com.br', 'live.com', 'yahoo.com', 'outlook.com.br', 'hotmail.com.br'],
  ...['globo.com', 'ymail.com', 'mail.com'],
]
const FULL_WIDTH = /[\uff01-\uff5e]/g
/** Characters that show nothing, and line separators. */
const UNSEEN = /[\u2028\u2029\u2800\p{DI}]/gu

/**
 * Removes zero-width spaces and similar characters, which come with a copied address.
 * @param {string} text
 */
export function removeUnseen(text) {
  return text.replace(UNSEEN, '')
}

/**
 * Whether the visible characters of a name are too many.
 * @param {string} text
 */
export function isLongName(text) {
  return [...removeUnseen(text).trim()].length > MAX_NAME_LENGTH
}

/**
 * Returns digits and letters as typed on a keyboard: full-width ones converted, without blanks, dashes and invisible
 * characters.
 * @param {string} text
 */
export function compactDigits(text) {
  return removeUnseen(text.normalize('NFKC')).replace(/[\s\p{Cf}\p{Pd}\u2212]/gu, '')
}

/**
 * Returns an address without the text that was copied around it: `Maria <maria@exemplo.com.br>,`. Full-width characters,
 * which look alike, become ASCII.
 * @param {string} text
 */
export function trimEmail(text) {
  const seen = removeUnseen(text).replace(FULL_WIDTH, (character) => character.normalize('NFKC'))
  const [, named = seen] = /<([^<>@\s]+@[^<>@\s]+)>/.exec(seen) ?? []
  return named
    .trim()
    .replace(/^[\s<("'[\p{Pi}\p{Pf}„‚]+|[\s>)"'\].,;:…\p{Pi}\p{Pf}]+$/gu, '')
    .replace(/^mailto:/i, '')
}

/**
 * Returns the address that was probably meant, if its domain is nearly a common one such as `gmial.com`; else an empty
 * text.
 * @param {string} email
 */
export function suggestEmail(email) {
  const [name, domain = ''] = email.toLowerCase().split('@')
  if (!name || DOMAINS.includes(domain)) return ''
  const near = DOMAINS.find((one) => isNear(domain, one) || isOtherEnding(domain, one))
  return near ? `${email.slice(0, name.length)}@${near}` : ''
}

/**
 * Returns area code and number of a Brazilian phone as digits, and a foreign phone, which begins with `+`, in E.164.
 * Undefined when it is no phone number.
 * @param {string} text
 */
export function parsePhone(text) {
  const compact = compactDigits(text).replace(/^"?tel:|["'().,;_]/gi, '')
  return compact.match(PHONE_PATTERN)?.[1] ?? compact.match(PHONE_ABROAD_PATTERN)?.[0]
}

/**
 * Returns a CPF (11 digits) or CNPJ (14 characters, with letters since 2026; IN RFB 2.229/2024) in upper case, without
 * punctuation and label; undefined when the form or the check digits are wrong.
 * @param {string} text
 */
export function parseTaxId(text) {
  const unnamed = removeUnseen(text.normalize('NFKC')).replace(TAX_ID_NAME, '')
  const taxId = compactDigits(unnamed).replace(/[./]/g, '').toUpperCase()
  return isCpf(taxId) || isCnpj(taxId) ? taxId : undefined
}

/**
 * Does the same for text that people type or paste, in which words without a digit, a label and all punctuation are
 * ignored: `"529.982.247-25";`, `CPF529982247-25`.
 * @param {string} text
 */
export function readTaxId(text) {
  const words = text
    .normalize('NFKC')
    .split(/[\s:]+/)
    .filter((word) => /\d/.test(word))
  const characters = words.join('').replace(/[\p{P}\p{S}]/gu, '')
  return parseTaxId(text) ?? parseTaxId(characters) ?? parseTaxId(characters.replace(LABEL, ''))
}

/**
 * Returns the document that was meant where its leading zeros are missing: spreadsheets remove them, and people leave
 * them out. Undefined when none is missing.
 * @param {string} text
 */
export function restoreZeros(text) {
  const digits = compactDigits(text).replace(/[./]/g, '')
  const length = /^\d{7,10}$/.test(digits) ? 11 : /^\d{12,13}$/.test(digits) ? 14 : 0
  return length > 0 ? parseTaxId(digits.padStart(length, '0')) : undefined
}

/**
 * Returns the number of a passport, or of another document of another country, in upper case behind a `+`, as a phone of
 * another country has one. A CPF or CNPJ stays one. Undefined when it is neither.
 * @param {string} text
 */
export function readForeignDocument(text) {
  const unnamed = removeUnseen(text.normalize('NFKC')).replace(PASSPORT_NAME, '')
  const number = compactDigits(unnamed).replace(/[./:]/g, '').toUpperCase()
  return readTaxId(text) ?? (FOREIGN_DOCUMENT.test(number) ? `+${number}` : undefined)
}

/** @param {string} digits */
export function isCpf(digits) {
  return /^\d{11}$/.test(digits) && hasCheckDigits(digits, 11)
}

/** @param {string} characters in upper case, without punctuation */
export function isCnpj(characters) {
  return /^[0-9A-Z]{12}\d\d$/.test(characters) && hasCheckDigits(characters, 9)
}

/**
 * Each of the two check digits is modulus 11 over the code of every character less 48, with weights from 2 to
 * `maxWeight` and again. One character repeated has correct check digits, but is never issued.
 * @param {string} characters
 * @param {number} maxWeight
 */
function hasCheckDigits(characters, maxWeight) {
  if (/^(.)\1*$/.test(characters)) return false
  const body = characters.slice(0, -2)
  const first = computeCheckDigit(body, maxWeight)
  return characters === `${body}${first}${computeCheckDigit(`${body}${first}`, maxWeight)}`
}

/**
 * @param {string} characters
 * @param {number} maxWeight
 */
function computeCheckDigit(characters, maxWeight) {
  const sum = [...characters].reverse().reduce((total, character, index) => {
    const weight = 2 + (index % (maxWeight - 1))
    return total + (character.charCodeAt(0) - 48) * weight
  }, 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

/**
 * Whether digits may be the number of a card (ISO/IEC 7812).
 * @param {string} digits
 */
export function passesLuhn(digits) {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/**
 * `gmail.com.br`, `uol.com`, `yahoo.br`: the right name in front of the wrong one of the usual endings.
 * @param {string} typed
 * @param {string} meant
 */
function isOtherEnding(typed, meant) {
  const [name = ''] = meant.split('.')
  return ['.com', '.com.br', '.br'].some((ending) => typed === name + ending)
}

/**
 * One slip away: a letter too many, missing, another, or two that changed places.
 * @param {string} typed
 * @param {string} meant
 */
function isNear(typed, meant) {
  let start = 0
  while (typed[start] && typed[start] === meant[start]) start++
  let end = 0
  const shorter = Math.min(typed.length, meant.length) - start
  const last = (/** @type {string} */ text) => text[text.length - 1 - end]
  while (end < shorter && last(typed) === last(meant)) end++
  const [a, b] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  return (a.length < 2 && b.length < 2) || (a.length === 2 && a === [...b].reverse().join(''))
}
