// The rules for a new password: long and not well known. There are no rules about kinds of characters, since they make
// passwords similar but not harder to guess.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalidFieldsError } from '../http/errors.ts'
import { hashPassword } from './password.ts'
import { userTexts } from './texts.ts'

/** The most frequent passwords of known breaches, in lower case without signs, written by `.ci/breached-passwords`. */
export const BREACHED_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(join(import.meta.dirname, 'breached-passwords.txt'), 'utf8')
    .trim()
    .split('\n'),
)

const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 128
/** With fewer different letters and digits a password is one key held down, or a pattern. */
const MIN_DIFFERENT_SIGNS = 5

/** Words to which people in Brazil add digits, and that the list of breaches lacks. */
const KNOWN_STEMS = new Set([
  ...['vintem', 'senha', 'senhasenha', 'minhasenha', 'novasenha', 'mudar', 'mudarsenha', 'acesso'],
  ...['admin', 'adminadmin', 'administrador', 'password', 'qwerty', 'qwertyuiop', 'brasil'],
  ...['flamengo', 'corinthians', 'palmeiras', 'saopaulo', 'santos', 'gremio', 'cruzeiro', 'vasco'],
  ...['deusefiel', 'jesuscristo', 'jesus', 'deus', 'euteamo', 'teamo', 'familia', 'pagamentos'],
])

/** The names of the person and the company, which attackers try first. */
type PasswordOwner = { email: string; companyName: string }

/** Returns a text about what is wrong with the password; undefined when it is accepted. */
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

/** Throws 422 for a password that breaks the rules. */
export async function hashNewPassword(password: string, owner: PasswordOwner) {
  const message = findPasswordFault(password, owner)
  if (message) throw invalidFieldsError([{ field: 'password', code: 'weak_password', message }])
  return hashPassword(password)
}

/** Removes accents, spaces and signs, as in the list of breaches. */
function toPlainLetters(text: string) {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function stripEdgeDigits(plain: string) {
  return plain.replace(/^\d+|\d+$/g, '')
}
