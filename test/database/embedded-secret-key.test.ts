// The key of an installation on the embedded Postgres, and a file of it that was spoilt.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  makeSecretKey,
  readSecretKey,
  replaceSecretKey,
} from '../../src/database/embedded/secret-key.ts'
import { makeFolder } from '../support/processes/reaper.ts'

test('the key is made once, and only its owner can read it', () => {
  const home = makeFolder('embedded-secret-key')

  makeSecretKey(home)
  const made = readSecretKey(home)
  makeSecretKey(home)

  const file = join(home, 'secret-key')
  expect(made).toHaveLength(32)
  expect(readSecretKey(home)).toEqual(made)
  expect(readFileSync(file, 'utf8')).toBe(made.toString('base64'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('the key of a rotation takes its place, where there is a file', () => {
  const home = makeFolder('embedded-secret-key')
  const key = Buffer.alloc(32, 7)

  const withoutFile = replaceSecretKey(home, key)
  makeSecretKey(home)
  const replaced = [replaceSecretKey(home, key), replaceSecretKey(home, key)]

  expect([withoutFile, ...replaced]).toEqual([false, true, false])
  expect(readSecretKey(home)).toEqual(key)
  expect(readdirSync(home)).toEqual(['secret-key'])
  expect(statSync(join(home, 'secret-key')).mode & 0o777).toBe(0o600)
})

test.each([
  ['gone', undefined],
  ['empty', ''],
  ['cut short', Buffer.alloc(31).toString('base64')],
  ['no key at all', 'SECRET_KEY=\n'],
])('a file that is %s ends the start with what to do, and is left as it is', (_what, text) => {
  const home = makeFolder('embedded-secret-key')
  const file = join(home, 'secret-key')
  if (text !== undefined) writeFileSync(file, text)

  expect(() => readSecretKey(home)).toThrow(
    /^\.data\/secret-key is missing, or holds no key: put the file back .* remove \.data and start again\.$/,
  )
  expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(text)
})
