// Hashes passwords with argon2id from node:crypto, with OWASP's parameters, in the PHC string format. A hash occupies a
// thread of Node's shared pool, so few run at once and few may wait. Known people have a queue of their own, which goes
// first.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppError, invalidFieldsError } from '../http/errors.ts'
import { userTexts } from './texts.ts'

const deriveArgon2 = promisify(argon2)

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const HASH_BYTES = 32
const SALT_BYTES = 16
const PHC_PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/
const PHC_PARAMETERS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$`
/** Salt and hash that match no password. */
const DUMMY_SALT_AND_HASH = [SALT_BYTES, HASH_BYTES]
  .map((n) => toUnpaddedBase64(Buffer.alloc(n)))
  .join('$')

const MAX_RUNNING_DERIVATIONS = 2
const MAX_WAITING_DERIVATIONS = 50
const OVER_CAPACITY_RETRY_S = '2'

// One queue for the whole process, since Node's thread pool is shared too.
const waiting = { known: [] as (() => void)[], strangers: [] as (() => void)[] }
let running = 0

/** `known`: by a session, by a link of ours, or by a browser from which they signed in before. */
type PasswordSender = keyof typeof waiting

/** Creates a password for an operator to set: 20 characters of base64url, 120 random bits. */
export function generatePassword() {
  return randomBytes(15).toString('base64url')
}

export async function hashPassword(password: string) {
  const salt = randomBytes(SALT_BYTES)
  const cost = { memory: MEMORY_KIB, passes: PASSES, lanes: LANES }
  const tag = await deriveHash(password, salt, cost, 'known')
  return `${PHC_PARAMETERS}${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`
}

/** Checks a password. For `undefined` (an unknown e-mail) it returns false after the same time. */
export async function verifyPassword(
  password: string,
  phc: string | undefined,
  sender: PasswordSender = 'strangers',
) {
  const [, memory, passes, lanes, salt, tag] =
    (phc ?? PHC_PARAMETERS + DUMMY_SALT_AND_HASH).match(PHC_PATTERN) ?? []
  if (!salt || !tag) return false
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const expected = Buffer.from(tag, 'base64')
  const actual = await deriveHash(password, Buffer.from(salt, 'base64'), cost, sender)
  return timingSafeEqual(actual, expected) && phc !== undefined
}

export function isOutdatedHash(phc: string) {
  return !phc.startsWith(PHC_PARAMETERS)
}

type Argon2Cost = { memory: number; passes: number; lanes: number }

async function deriveHash(
  password: string,
  nonce: Buffer,
  { memory, passes, lanes }: Argon2Cost,
  sender: PasswordSender,
) {
  const message = Buffer.from(password.normalize('NFKC'))
  const parameters = { message, nonce, memory, passes, parallelism: lanes, tagLength: HASH_BYTES }
  await acquireSlot(waiting[sender])
  try {
    return await deriveArgon2('argon2id', parameters)
  } finally {
    releaseSlot()
  }
}

async function acquireSlot(queue: (() => void)[]) {
  if (queue.length >= MAX_WAITING_DERIVATIONS) {
    const headers = { 'retry-after': OVER_CAPACITY_RETRY_S }
    throw new AppError(503, 'busy', userTexts.busy, { headers })
  }
  if (running >= MAX_RUNNING_DERIVATIONS) return new Promise<void>((resolve) => queue.push(resolve))
  running++
}

/** Passes the slot on to the next in line, so that a new caller cannot take it first. */
function releaseSlot() {
  const next = waiting.known.shift() ?? waiting.strangers.shift()
  if (next) next()
  else running--
}

function toUnpaddedBase64(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}

// A new password is long and not well known. There are no rules about kinds of characters, since they make passwords
// similar but not harder to guess.

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
