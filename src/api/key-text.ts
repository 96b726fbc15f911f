// The text of an API key: at least 166 random bits, which cannot be guessed. Its last six characters are a checksum, so
// that wrong texts are refused without the database.

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { customAlphabet } from 'nanoid'

const API_KEY_PREFIX = 'sk_live_'
/** Only the random part of test keys begins with this, so that people recognise them. */
const TEST_MARK = 'test'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const API_KEY_PATTERN = new RegExp(
  `^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
)
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const newRandomPart = customAlphabet(BASE62, RANDOM_LENGTH)

export function newApiKey(testMode: boolean) {
  const body = API_KEY_PREFIX + newKeyBody(testMode)
  return body + computeChecksum(body)
}

export function isWellFormedApiKey(secret: string) {
  if (!API_KEY_PATTERN.test(secret)) return false
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return secret.slice(-CHECKSUM_LENGTH) === computeChecksum(body)
}

export function hashApiKey(secret: string) {
  return hash('sha256', secret, 'buffer')
}

function newKeyBody(testMode: boolean): string {
  const random = newRandomPart()
  if (testMode) return TEST_MARK + random.slice(TEST_MARK.length)
  return random.startsWith(TEST_MARK) ? newKeyBody(testMode) : random
}

function computeChecksum(body: string) {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
