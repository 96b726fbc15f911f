// Fields for text that people write: its allowed characters and lengths.
import { z } from 'zod'
import { texts } from '../texts.ts'

// Control characters (C0, DEL, C1), bidirectional controls, which can make a text look like another one, and
// noncharacters.
const FORBIDDEN_CHARACTERS =
  /\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u
/** A text of characters that show nothing, such as zero-width ones. */
const SHOWS_NOTHING = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u
const LINE_BREAKS = /\r\n|\r|\n/g
/** Invisible characters that come with pasted text: blanks of tables and pages; control and direction characters. */
const PASTED_BLANKS = /[\t\v\f\u0085\u2028\u2029]/g
const PASTED_MARKS = /(?![\0\r\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
/** A joiner in an emoji or between letters of a script that joins them is visible. */
const JOINED = /\p{RGI_Emoji}|[[\p{L}\p{M}]--\p{Script=Latin}][\u200c\u200d](?=\p{L})/v
const ZERO_WIDTH =
  /[[\u2800\p{Default_Ignorable_Code_Point}]--[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]]/v
const HIDDEN = new RegExp(`(${JOINED.source})|${ZERO_WIDTH.source}`, 'gv')

type TextLimits = {
  min?: number
  max: number
  lines?: boolean
  /** Applied to the text before it is checked. */
  clean?: (text: string) => string
}

/**
 * A trimmed NFC string of `min` to `max` code points without control characters. Line breaks are allowed only with
 * `lines`, and become a line feed.
 */
export function textField({ min = 0, max, lines = false, clean = keepText }: TextLimits) {
  return z
    .string()
    .overwrite((value) => cleanText(clean(value.normalize('NFC')), lines))
    .check((context) => {
      const { value } = context
      const problem = findTextIssue(value, { min, max, lines })
      if (problem) context.issues.push({ ...problem, input: value })
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

/** Makes one line of a text that was pasted from a table or a page, without the characters that show nothing. */
export function toOneLine(text: string) {
  return removePastedMarks(text.replace(LINE_BREAKS, ' '))
}

/** Removes zero-width characters from a name, since the length of a name counts visible characters. */
export function removeHidden(text: string) {
  return text.replace(HIDDEN, '$1')
}

/** Removes invisible control characters from pasted text, which would otherwise be refused. */
export function removeControls(text: string) {
  return [...text].filter((one) => one === '\n' || !hasForbiddenCharacters(one)).join('')
}

/**
 * A replacer for JSON.parse and JSON.stringify, for text that people cannot correct: removes NULs and unpaired
 * surrogates, which Postgres and many readers refuse.
 */
export function sanitizeJsonValue(_key: string, value: unknown) {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value
}

/** Cleans pasted text: blanks of tables become spaces; control, direction and hidden characters are removed. */
export function removePastedMarks(text: string) {
  return removeHidden(text.replace(PASTED_BLANKS, ' ').replace(PASTED_MARKS, ''))
}

function keepText(text: string) {
  return text
}

function cleanText(value: string, lines: boolean) {
  if (SHOWS_NOTHING.test(value)) return ''
  return (lines ? value.replace(LINE_BREAKS, '\n') : value).normalize('NFC').trim()
}

export function hasForbiddenCharacters(value: string) {
  return !value.isWellFormed() || FORBIDDEN_CHARACTERS.test(value)
}

function findTextIssue(value: string, { min, max, lines }: Required<Omit<TextLimits, 'clean'>>) {
  if (hasForbiddenCharacters(lines ? value.replaceAll('\n', ' ') : value)) {
    return buildCustomIssue('invalid_characters', texts.fields.controlCharacters)
  }
  if (value.length < min) return buildCustomIssue('too_small', texts.fields.tooShort(min))
  if (value.length > max && [...value].length > max) {
    return buildCustomIssue('too_big', texts.fields.tooLong(max))
  }
  return undefined
}

function buildCustomIssue(code: string, message: string) {
  return { code: 'custom', params: { code }, message, continue: true } as const
}
