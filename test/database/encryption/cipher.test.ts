import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCipher } from '../../../src/database/encryption/cipher.ts'

const PLACE = 'webhook_endpoints.secret'
const SECRET = 'whsec_segredo 🔑'
const [KEY, OTHER_KEY] = [randomBytes(32), randomBytes(32)]
const cipher = createCipher(KEY)
const other = createCipher(OTHER_KEY)

test('what is encrypted is opened with the same key only, and only as it was closed', () => {
  const encrypted = cipher.encrypt(SECRET, PLACE, 'a')

  expect(cipher.decrypt(encrypted, PLACE, 'a')).toBe(SECRET)
  expect(cipher.decrypt(cipher.encrypt('', PLACE, 'a'), PLACE, 'a')).toBe('')
  expect(encrypted.includes('whsec_')).toBe(false)
  expect(cipher.encrypt(SECRET, PLACE, 'a').equals(encrypted)).toBe(false)
  expect(() => other.decrypt(encrypted, PLACE, 'a')).toThrow()
  for (const at of [0, 3, 9, 21, encrypted.length - 1]) {
    const changed = Buffer.from(encrypted)
    changed[at]! ^= 1
    expect(() => cipher.decrypt(changed, PLACE, 'a')).toThrow()
  }
  for (const length of [0, 9, 20, 30]) {
    expect(() => cipher.decrypt(encrypted.subarray(0, length), PLACE, 'a')).toThrow()
  }
})

test('what is encrypted is opened in its own row and place only', () => {
  const encrypted = cipher.encrypt(SECRET, PLACE, 'a')

  expect(() => cipher.decrypt(encrypted, PLACE, 'b')).toThrow()
  expect(() => cipher.decrypt(encrypted, 'companies.redirect_secret', 'a')).toThrow()
  expect(() => cipher.decrypt(encrypted.subarray(9), PLACE, 'a')).toThrow()
})

test('the key before opens what it encrypted, and encrypts nothing', () => {
  const both = createCipher(KEY, OTHER_KEY)

  expect(both.decrypt(other.encrypt(SECRET, PLACE, 'a'), PLACE, 'a')).toBe(SECRET)
  expect(() => both.decrypt(other.encrypt(SECRET, PLACE, 'a'), PLACE, 'b')).toThrow()
  const encrypted = both.encrypt(SECRET, PLACE, 'a')
  expect(cipher.decrypt(encrypted, PLACE, 'a')).toBe(SECRET)
  expect(() => other.decrypt(encrypted, PLACE, 'a')).toThrow()
  expect(both.hmac('address', SECRET)).toEqual(cipher.hmac('address', SECRET))
})

test('a digest is the same for the same text, purpose and key, and for no other', () => {
  const digest = cipher.hmac('address', '203.0.113.9')

  expect(digest).toHaveLength(32)
  expect(cipher.hmac('address', '203.0.113.9')).toEqual(digest)
  for (const different of [
    cipher.hmac('address', '203.0.113.8'),
    cipher.hmac('card', '203.0.113.9'),
    other.hmac('address', '203.0.113.9'),
  ]) {
    expect(different.equals(digest)).toBe(false)
  }
})
