// What somebody may know a payment, a link or a customer by, as words of an index. Each word begins with the
// kind and the company that it is of: of anybody else's, however many there are, none is read.
import type { SearchKind } from '../database/enums.ts'

/** Titles and names have fewer; of a description the first count. */
const MAX_WORDS = 60
const MAX_WORD_LENGTH = 60
const MIN_WORD_LENGTH = 2

const KIND_MARKS: Record<SearchKind, string> = { payment: 'p', link: 'l', customer: 'c' }

type PayerWords = {
  name: string
  email: string | null
  taxId: string | null
  phone: string | null
}

/** Not the time of the id, which neighbours have in common. */
export function buildWordPrefix(kind: SearchKind, companyId: string) {
  return KIND_MARKS[kind] + companyId.slice(-8)
}

const BEGINNING_LENGTHS = { min: 3, numbers: 5, letters: 8 }

/**
 * As `word_beginnings` of the database has them: an amount is its own, whole; a document has none, since it is of few,
 * nor has what is too short. Letters tell words apart late, as in `mariana` and `mariane`, and few words have eight in
 * common. Digits do early, as in `pedido-1` and `pedido-2`, and each makes ten of one: what begins with letters ends
 * with the first digit after them.
 */
export function cutBeginning(word: string): string | undefined {
  const characters = [...word]
  const { min, numbers, letters } = BEGINNING_LENGTHS
  if (word.startsWith('$')) return word
  if (word.startsWith('#') || characters.length < min) return undefined
  const digit = characters.findIndex((character) => /[0-9]/.test(character))
  const length = digit < 0 ? letters : Math.max(digit + 1, numbers)
  return characters.slice(0, length).join('')
}

/** Without case and accents. */
export function foldText(text: string) {
  return text
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
export function listTextWords(...texts: (string | null)[]): string[] {
  const words = texts.flatMap((text) => (text === null ? [] : splitWords(text)))
  const parts = words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
  const all = new Set([...words, ...parts.filter((part) => part.length >= MIN_WORD_LENGTH)])
  return [...all].slice(0, MAX_WORDS)
}

/** The document is found whole and no other way; the phone also without its area code. */
export function listPayerWords({ name, email, taxId, phone }: PayerWords): string[] {
  return [
    ...(taxId ? [buildTaxIdWord(taxId)] : []),
    ...(phone ? [phone.replace('+', ''), phone.slice(2)] : []),
    ...listTextWords(name, email),
  ]
}

/** No text has a word that begins so. */
export function buildTaxIdWord(taxId: string) {
  return `#${taxId.toLowerCase()}`
}

export function buildAmountWord(cents: number) {
  return `$${cents}`
}
