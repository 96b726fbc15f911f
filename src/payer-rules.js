// What a payer's e-mail, document, telephone and card number may be. The service imports these rules, and the payment
// form's script is joined with the same file (http/assets/join.ts): what the page lets through the service takes.

/**
 * No dot at an end of a part or beside another; names of hosts of letters, digits and hyphens, none at an end.
 * Letters beyond ASCII are anybody's. Checked in one walk, however long the text.
 */
export const EMAIL_PATTERN =
  /^[^\s@.<>"(),:;]+(?:\.[^\s@.<>"(),:;]+)*@(?:[^\s!-/:-@\x5b-\x60{-~]+(?:-+[^\s!-/:-@\x5b-\x60{-~]+)*\.)+[^\s!-/:-@\x5b-\x60{-~][^\s!-,./:-@\x5b-\x60{-~]*[^\s!-/:-@\x5b-\x60{-~]$/
const PHONE_PATTERN = /^(?:\+?55)?0?([1-9]\d9\d{8}|[1-9]\d[2-5]\d{7})$/
/** ITU-T E.164: a country code and number, at most 15 digits. */
const PHONE_ABROAD_PATTERN = /^\+(?!55)[1-9]\d{6,14}$/
/** What is copied together with a document. */
const TAX_ID_NAME = /^\s*(?:CPF|CNPJ)[\s:]/i
/** Characters that show nothing, and line separators. */
const UNSEEN = /[\u2028\u2029\u2800\p{DI}]/gu

/**
 * Takes out zero-width spaces and their like, which come along when an address is copied.
 * @param {string} text
 */
export function removeUnseen(text) {
  return text.replace(UNSEEN, '')
}

/**
 * Digits and letters as people paste them: of one width, without blanks, dashes and what nobody sees.
 * @param {string} text
 */
export function compactDigits(text) {
  return removeUnseen(text.normalize('NFKC')).replace(/[\s\p{Cf}\p{Pd}\u2212]/gu, '')
}

/**
 * An address without what stood around it where it was copied: `Maria <maria@exemplo.com.br>,`
 * @param {string} text
 */
export function trimEmail(text) {
  const seen = removeUnseen(text)
  const [, named = seen] = /<([^<>@\s]+@[^<>@\s]+)>/.exec(seen) ?? []
  return named
    .trim()
    .replace(/^[\s<("'[\p{Pi}\p{Pf}„‚]+|[\s>)"'\].,;:…\p{Pi}\p{Pf}]+$/gu, '')
    .replace(/^mailto:/i, '')
}

/**
 * Of Brazil area code and number, digits alone; of another country, which is told by its `+`, as E.164 writes it.
 * Undefined when nobody can be called by it.
 * @param {string} text
 */
export function parsePhone(text) {
  const compact = compactDigits(text).replace(/^tel:/i, '').replace(/[().]/g, '')
  return compact.match(PHONE_PATTERN)?.[1] ?? compact.match(PHONE_ABROAD_PATTERN)?.[0]
}

/**
 * A CPF (11 digits) or CNPJ (14 characters, letters allowed since 2026; IN RFB 2.229/2024): upper case without
 * punctuation and its name, or undefined when the check digits or the shape are wrong.
 * @param {string} text
 */
export function parseTaxId(text) {
  const unnamed = removeUnseen(text.normalize('NFKC')).replace(TAX_ID_NAME, '')
  const taxId = compactDigits(unnamed).replace(/[./]/g, '').toUpperCase()
  return isCpf(taxId) || isCnpj(taxId) ? taxId : undefined
}

/**
 * The same of what a payer pastes: words without a digit are no part of a document.
 * @param {string} text
 */
export function readTaxId(text) {
  const words = text.split(/[\s:]+/).filter((word) => /\d/.test(word))
  return parseTaxId(text) ?? parseTaxId(words.join(''))
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
 * Two check digits, each by modulus 11 over the code of every character less 48; the weights go from 2 to the
 * greatest and begin again. One character over and over has the right digits, and is nobody's.
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
