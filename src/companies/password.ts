// Passwords: argon2id by node:crypto, at OWASP's parameters, in the PHC string format.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const hash = promisify(argon2)

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32
const SALT_BYTES = 16
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/** 20 characters of base64url, 120 random bits: for a person whose password an operator sets. */
export function randomPassword() {
  return randomBytes(15).toString('base64url')
}

export async function hashPassword(password: string) {
  const salt = randomBytes(SALT_BYTES)
  const tag = await derive(password, salt, { memory: MEMORY_KIB, passes: PASSES, lanes: LANES })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`
}

export async function verifyPassword(password: string, phc: string) {
  const [, memory, passes, lanes, salt, tag] = phc.match(PHC) ?? []
  if (!tag) return false
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const expected = Buffer.from(tag, 'base64')
  return timingSafeEqual(await derive(password, Buffer.from(salt!, 'base64'), cost), expected)
}

type Cost = { memory: number; passes: number; lanes: number }

async function derive(password: string, nonce: Buffer, { memory, passes, lanes }: Cost) {
  const message = Buffer.from(password.normalize('NFKC'))
  return hash('argon2id', {
    message,
    nonce,
    memory,
    passes,
    parallelism: lanes,
    tagLength: TAG_BYTES,
  })
}

function unpadded(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}
