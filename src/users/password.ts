// Passwords: argon2id by node:crypto, at OWASP's parameters, in the PHC string format. A derivation
// takes a thread of the pool that all of Node shares, so that only a few run at once and few may wait.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '../http/errors.ts'
import { userTexts } from './texts.ts'

const hash = promisify(argon2)

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32
const SALT_BYTES = 16
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/
const PARAMETERS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$`
/** Salt and tag of no password. */
const NOBODYS = [SALT_BYTES, TAG_BYTES].map((n) => unpadded(Buffer.alloc(n))).join('$')

const AT_ONCE = 2
const MAX_WAITING = 50
const BUSY_RETRY_S = '2'

// Of the process, as the pool of threads is.
const waiting: (() => void)[] = []
let running = 0

/** 20 characters of base64url, 120 random bits: for a person whose password an operator sets. */
export function randomPassword() {
  return randomBytes(15).toString('base64url')
}

export async function hashPassword(password: string) {
  const salt = randomBytes(SALT_BYTES)
  const tag = await derive(password, salt, { memory: MEMORY_KIB, passes: PASSES, lanes: LANES })
  return `${PARAMETERS}${unpadded(salt)}$${unpadded(tag)}`
}

/** Of nobody (`undefined`) no password is right, and to say so takes as long. */
export async function verifyPassword(password: string, phc: string | undefined) {
  const [, memory, passes, lanes, salt, tag] = (phc ?? PARAMETERS + NOBODYS).match(PHC) ?? []
  if (!salt || !tag) return false
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost)
  return timingSafeEqual(actual, expected) && phc !== undefined
}

/** Whether it was made by other parameters than new ones are. */
export function isOutdatedHash(phc: string) {
  return !phc.startsWith(PARAMETERS)
}

type Cost = { memory: number; passes: number; lanes: number }

async function derive(password: string, nonce: Buffer, { memory, passes, lanes }: Cost) {
  const message = Buffer.from(password.normalize('NFKC'))
  const parameters = { message, nonce, memory, passes, parallelism: lanes, tagLength: TAG_BYTES }
  await takeTurn()
  try {
    return await hash('argon2id', parameters)
  } finally {
    endTurn()
  }
}

async function takeTurn() {
  if (waiting.length >= MAX_WAITING) {
    const headers = { 'retry-after': BUSY_RETRY_S }
    throw new AppError(503, 'busy', userTexts.busy, { headers })
  }
  if (running >= AT_ONCE) return new Promise<void>((resolve) => waiting.push(resolve))
  running++
}

/** Hands the turn on, so that nobody who comes just now takes it first. */
function endTurn() {
  const next = waiting.shift()
  if (next) next()
  else running--
}

function unpadded(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}
