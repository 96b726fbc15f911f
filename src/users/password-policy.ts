// The rules for a chosen password: it must be long and not well known. There are no rules about kinds of
// characters: they make passwords alike, not hard to guess.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalidFieldsError } from '../http/errors.ts'
import { hashPassword } from './password.ts'
import { userTexts } from './texts.ts'

/**
 * The most frequent passwords of known breaches, in lower case without signs, as `.ci/breached-passwords` writes
 * them.
 */
export const BREACHED_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(join(import.meta.dirname, 'breached-passwords.txt'), 'utf8')
    .trim()
    .split('\n'),
)

const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 128
/** Fewer different letters and digits are one key held down, or a pattern. */
const MIN_DIFFERENT_SIGNS = 5

/** Words that people in Brazil put digits behind, and that the list of breaches lacks. */
const KNOWN_STEMS = new Set([
  ...['vintem', 'senha', 'senhasenha', 'minhasenha', 'novasenha', 'mudar', 'mudarsenha', 'acesso'],
  ...['admin', 'adminadmin', 'administrador', 'password', 'qwerty', 'qwertyuiop', 'brasil'],
  ...['flamengo', 'corinthians', 'palmeiras', 'saopaulo', 'santos', 'gremio', 'cruzeiro', 'vasco'],
  ...['deusefiel', 'jesuscristo', 'jesus', 'deus', 'euteamo', 'teamo', 'familia', 'pagamentos'],
])

/** The names of the person and the company, which are tried first. */
type PasswordOwner = { email: string; companyName: string }

/** The sentence that says what is wrong with it, if something is. */
export function findPasswordFault(password: string, owner: PasswordOwner): string | undefined {
  const { length } = [...password]
  const words = userTexts.password
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return words.length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  }
  const plain = toPlainLetters(password)
  const stem = stripEdgeDigits(plain)
  const isName = (name: string) =>
    toPlainLetters(name) !== '' && [plain, stem].includes(toPlainLetters(name))
  const [localPart = ''] = owner.email.split('@')
  if (isName(owner.email) || isName(localPart)) return words.isEmail
  if (isName(owner.companyName)) return words.isCompany
  const isKnown = [plain, stem].some((one) => BREACHED_PASSWORDS.has(one) || KNOWN_STEMS.has(one))
  const isPattern = new Set(password.toLowerCase()).size < MIN_DIFFERENT_SIGNS
  return isKnown || isPattern ? words.common : undefined
}

/** Throws 422 for one that is refused. */
export async function hashNewPassword(password: string, owner: PasswordOwner) {
  const message = findPasswordFault(password, owner)
  if (message) throw invalidFieldsError([{ field: 'password', code: 'weak_password', message }])
  return hashPassword(password)
}

/** Without accents, spaces and signs, as the list of breaches is written. */
function toPlainLetters(text: string) {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function stripEdgeDigits(plain: string) {
  return plain.replace(/^\d+|\d+$/g, '')
}
