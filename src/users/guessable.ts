// Whether a password is what guessers try first: one that breaches show often, common words, names, walks over
// the keyboard, years and repeats, with a digit or a sign beside them. Small and offline: what longer lists of
// breached passwords have in common is how they are made.

import { BREACHED_PASSWORDS } from './breached-passwords.ts'
import { COMMON_WORDS } from './common-words.ts'

/** Letters and digits that no rule explains: with so few, the password is hardly longer than what is tried. */
const MAX_UNEXPLAINED = 3
/** Signs between and behind words are what everybody puts there; a whole row of them is not. */
const MAX_FREE_SIGNS = 4
/** Three words at random are a good password. */
const MAX_COMMON_WORDS = 2
const MIN_WORD_LENGTH = 3
const MIN_WALK_LENGTH = 4
/** Of shorter walks these alone are everybody's. */
const SHORT_WALKS = new Set([
  '123',
  '321',
  '147',
  '789',
  '987',
  '456',
  '010',
  'abc',
  'qwe',
  'asd',
  'zxc',
])

const WALKS = [
  ...['1234567890', '01234567890', '1122334455667788990', '102030405060708090', '010203040506'],
  ...['147258369', '741852963', '123698745', '159357', '1029384756', '121212', '131313', '142536'],
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop', 'qweasdzxc'],
  ...['abcdefghijklmnopqrstuvwxyz', 'a1b2c3d4e5f6g7h8', '1a2b3c4d5e6f7g8h', 'qwerasdfzxcv'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik', 'qazwsxedcrfvtgbyhnujmik', 'zaq1xsw2cde3vfr4bgt5'],
  ...['1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', 'aabbccddeeff', 'asdzxcqwe'],
].flatMap((walk) => [walk, [...walk].reverse().join('')])

const LEET: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
}

const YEAR = /(?:19|20)\d\d/y
const REPEAT = /(.{1,4})\1{2,}/y

/** `own` is what guessers know of this one person: names, in any spelling. */
export function isGuessable(password: string, own: readonly string[] = []) {
  const names = own.flatMap(splitNames)
  return [password, undoLeet(password)].some((spelling) => {
    const { unexplained, words } = explainLetters(toPlainLetters(spelling), new Set(names))
    const unknown = unexplained + Math.max(0, countSigns(password) - MAX_FREE_SIGNS)
    return unknown <= MAX_UNEXPLAINED && words <= MAX_COMMON_WORDS
  })
}

/** Whether the whole name stands in it, in any spelling. */
export function holdsName(password: string, name: string) {
  const plain = toPlainLetters(name)
  const spellings = [password, undoLeet(password)].map(toPlainLetters)
  return plain.length >= MIN_WORD_LENGTH && spellings.some((one) => one.includes(plain))
}

type Explanation = { unexplained: number; words: number }

type Reading = Explanation & { used: ReadonlySet<string> }
const NOTHING: Reading = { unexplained: 0, words: 0, used: new Set() }

/** The reading of a text that leaves least of it unexplained, and then takes fewest different words. */
function explainLetters(text: string, names: Set<string>): Explanation {
  const readings = [NOTHING]
  for (let end = 1; end <= text.length; end++) {
    const pieces = listPieces(text, end, names)
    readings.push(chooseReading(readings, pieces))
  }
  return readings.at(-1) ?? NOTHING
}

/** One more letter is explained by a piece that ends with it, or by nothing. */
function chooseReading(readings: Reading[], pieces: Piece[]): Reading {
  const last = readings.at(-1) ?? NOTHING
  return pieces
    .map(({ start, word }) => readAfter(readings[start] ?? NOTHING, word))
    .reduce((best, one) => (isBetter(one, best) ? one : best), {
      ...last,
      unexplained: last.unexplained + 1,
    })
}

function readAfter(before: Reading, word: string | undefined): Reading {
  if (word === undefined) return before
  const used = new Set([...before.used, word])
  return { ...before, words: used.size, used }
}

function isBetter(one: Explanation, other: Explanation) {
  if (one.unexplained !== other.unexplained) return one.unexplained < other.unexplained
  return one.words < other.words
}

type Piece = { start: number; word?: string }

/** What ends here and is explained by itself. */
function listPieces(text: string, end: number, names: Set<string>): Piece[] {
  const pieces: Piece[] = []
  for (let start = end - 1; start >= Math.max(0, end - MAX_PIECE_LENGTH); start--) {
    const piece = text.slice(start, end)
    if (isPattern(piece) || names.has(piece)) pieces.push({ start })
    else if (COMMON_WORDS.has(piece) || BREACHED_PASSWORDS.has(piece))
      pieces.push({ start, word: piece })
  }
  return pieces
}

const MAX_PIECE_LENGTH = 24

function isPattern(piece: string) {
  if (SHORT_WALKS.has(piece)) return true
  if (piece.length >= MIN_WALK_LENGTH && WALKS.some((walk) => walk.includes(piece))) return true
  return [YEAR, REPEAT].some((pattern) => {
    pattern.lastIndex = 0
    return pattern.exec(piece)?.[0] === piece
  })
}

/** Without accents, spaces and signs, which guessers put in as everybody does. */
function toPlainLetters(text: string) {
  return removeAccents(text).replace(/[^\p{L}\p{N}]/gu, '')
}

function countSigns(password: string) {
  return password.match(/[^\p{L}\p{N}\s]/gu)?.length ?? 0
}

/** `s3nh4`, `P@ssw0rd`: of a digit or a sign beside a letter, the letter that it looks like. */
function undoLeet(password: string) {
  return removeAccents(password).replace(
    /(?<=[a-z])[013457@$!]|[013457@$!](?=[a-z])/g,
    (sign) => LEET[sign] ?? sign,
  )
}

function removeAccents(text: string) {
  return text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
}

/** Each word of a name, and all of them together. */
function splitNames(name: string) {
  const words = removeAccents(name).split(/[^a-z0-9]+/)
  return [...words, words.join('')].filter((word) => word.length >= MIN_WORD_LENGTH)
}
