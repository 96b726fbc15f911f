// What is said of a failure: one sentence, and what to do.
import { expect, test } from 'vitest'
import { formatFailure } from '../../src/commands/failure.ts'
import { embeddedError } from '../../src/database/embedded/os-user.ts'

test('when the embedded Postgres gives up, no advice is about an address that is not set', () => {
  const cause = Object.assign(new Error('timeout expired'), { code: 'ECONNREFUSED' })

  const told = formatFailure(embeddedError('The embedded Postgres does not start', cause))

  expect(told).toBe(
    'The embedded Postgres does not start (timeout expired): set DATABASE_URL to a Postgres of your own.',
  )
})

test.each([
  ['53100', 'free space on the disk with the data of Postgres.'],
  [
    '53300',
    'close some of its connections, or raise max_connections or the limit of the role or the database.',
  ],
  ['57P03', 'check DATABASE_URL, and that Postgres is running.'],
])('of an outage with code %s it says what ends it', (code, way) => {
  const told = formatFailure(Object.assign(new Error('why'), { code }))

  expect(told).toBe(`The database is not available (why): ${way}`)
})

test.each(['42P07', '42P01'])(
  'of a database of another program (%s) it says which to name',
  (code) => {
    const told = formatFailure(Object.assign(new Error('why'), { code }))

    expect(told).toBe(
      'The database cannot be used (why): name a database of its own in DATABASE_URL; if it was restored from a backup, restore that again into an empty one.',
    )
  },
)

test('of a refused password it says what to do with the embedded Postgres too', () => {
  const told = formatFailure(Object.assign(new Error('why'), { code: '28P01' }))

  expect(told).toBe(
    'The database cannot be used (why): check the user and the password in DATABASE_URL; for the embedded Postgres, remove .data/postgres-password and start again.',
  )
})
