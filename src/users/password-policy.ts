// What a password that a person chooses must be. There are no rules about kinds of characters: they
// make passwords alike, not hard to guess.

import { invalidFieldsError } from '../http/errors.ts'
import { hashPassword } from './password.ts'
import { userTexts } from './texts.ts'

const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 128

/** Beginnings of what people choose first where ten characters are asked for. */
const COMMON_PREFIXES = [
  ...['0123456789', '1234567890', '0987654321', '9876543210', '1q2w3e4r5t', '1qaz2wsx3e'],
  ...['abcdefghij', 'abc1234567', 'qwertyuiop', 'asdfghjkl', 'password', 'iloveyou', 'adminadmin'],
  ...['senhasenha', 'minhasenha', 'suasenha', 'senha123', 'senha@123', 'mudar123', 'mudar@123'],
  ...['admin123', 'brasil20', 'brasil123', 'flamengo', 'corinthians', 'palmeiras', 'saopaulo'],
  ...['vintem123', 'deusefiel', 'euteamo'],
]
/** Of a longer password such a beginning is the smaller part. */
const MAX_COMMON_LENGTH = 14

/** The sentence that says what is wrong with it, if something is. */
export function findPasswordFault(password: string, email: string): string | undefined {
  const { length } = [...password]
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return userTexts.password.length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  }
  const plain = password.trim().toLowerCase()
  const name = email.trim().toLowerCase()
  if (plain === name || plain === name.split('@')[0]) return userTexts.password.isEmail
  return isCommonPassword(plain) ? userTexts.password.common : undefined
}

/** Throws 422 for one that is refused. */
export async function hashNewPassword(password: string, email: string) {
  const message = findPasswordFault(password, email)
  if (message) throw invalidFieldsError([{ field: 'password', code: 'weak_password', message }])
  return hashPassword(password)
}

function isCommonPassword(plain: string) {
  if (/^(.{1,3})\1+.?$/s.test(plain)) return true
  return (
    plain.length <= MAX_COMMON_LENGTH && COMMON_PREFIXES.some((start) => plain.startsWith(start))
  )
}
