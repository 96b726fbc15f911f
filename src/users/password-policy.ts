// What a password that a person chooses must be. There are no rules about kinds of characters: they
// make passwords alike, not hard to guess. What is guessed first is refused instead.

import { invalidFieldsError } from '../http/errors.ts'
import { holdsName, isGuessable } from './guessable.ts'
import { hashPassword } from './password.ts'
import { userTexts } from './texts.ts'

const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 128

/** Whose password it is: what is known of them is tried first. */
type PasswordOwner = { email: string; companyName: string }

const OUR_NAME = 'vintem'

/** The sentence that says what is wrong with it, if something is. */
export function findPasswordFault(password: string, owner: PasswordOwner): string | undefined {
  const { length } = [...password]
  const words = userTexts.password
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return words.length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  }
  const { email, companyName } = owner
  const [name = ''] = email.split('@')
  if (!isGuessable(password, [OUR_NAME, email, name, companyName])) return undefined
  if ([name, email].some((own) => holdsName(password, own))) return words.isEmail
  return holdsName(password, companyName) ? words.isCompany : words.common
}

/** Throws 422 for one that is refused. */
export async function hashNewPassword(password: string, owner: PasswordOwner) {
  const message = findPasswordFault(password, owner)
  if (message) throw invalidFieldsError([{ field: 'password', code: 'weak_password', message }])
  return hashPassword(password)
}
