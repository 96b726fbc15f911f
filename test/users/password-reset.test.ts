// Back in after a lost password, by a link that is sent to the person.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { passwordResets } from '../../src/database/tables.ts'
import {
  completePasswordReset,
  createPasswordReset,
  isResetToken,
} from '../../src/users/password-reset.ts'
import { createSession, findSession, purgePasswordResets } from '../../src/users/session.ts'
import { verifyUserPassword } from '../../src/users/user.ts'
import { requireKind } from '../support/kind.ts'
import { openUsers, warmConnections } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const testApp = await openTestApp()
const { db, stored } = testApp
const { newPerson } = openUsers(testApp)

const START = new Date('2026-03-01T12:00:00.000Z')
const HOUR_MS = 3600 * 1000
const after = (ms: number) => new Date(START.getTime() + ms)
const NEW_PASSWORD = 'goiabada com queijo'

test('a lost password is chosen anew by a link that works once, and ends every session', async () => {
  const person = await newPerson()
  const session = { userId: person.id, address: '203.0.113.7', userAgent: '', now: START }
  const { token: signedIn } = await createSession(db, session)
  const reset = requireKind(
    await createPasswordReset(db, person.email.toUpperCase(), START),
    'created',
  )
  const { token } = reset

  const done = await Promise.all(
    [1, 2, 3].map(() =>
      completePasswordReset(db, { token, password: NEW_PASSWORD }, after(HOUR_MS - 1)),
    ),
  )

  expect(reset).toEqual({
    kind: 'created',
    token,
    email: person.email,
    userId: person.id,
    companyId: person.companyId,
  })
  expect(done.filter(({ kind }) => kind !== 'expired')).toEqual([
    { kind: 'completed', id: person.id, email: person.email, companyId: person.companyId },
  ])
  expect(await verifyUserPassword(db, person.id, NEW_PASSWORD)).toBe(true)
  expect(await findSession(db, signedIn, START)).toBeUndefined()
  expect(await isResetToken(db, token, START)).toBe(false)
})

test('a link to choose a password is over after an hour, or when another is asked for', async () => {
  const person = await newPerson()
  const [first, second] = [
    requireKind(await createPasswordReset(db, person.email, START), 'created'),
    requireKind(await createPasswordReset(db, person.email, START), 'created'),
  ]

  expect(await isResetToken(db, first.token, START)).toBe(false)
  expect(await isResetToken(db, second.token, after(HOUR_MS - 1))).toBe(true)
  expect(await isResetToken(db, second.token, after(HOUR_MS))).toBe(false)
  const late = { token: second.token, password: NEW_PASSWORD }
  expect(await completePasswordReset(db, late, after(HOUR_MS))).toEqual({ kind: 'expired' })
  expect(await verifyUserPassword(db, person.id, PASSWORD)).toBe(true)
})

test('of many links that are asked for at once one works', async () => {
  const { id, email } = await newPerson()
  await warmConnections(db)

  const resets = await Promise.all(
    Array.from({ length: 8 }, () => createPasswordReset(db, email, START)),
  )

  const works = await Promise.all(
    resets.map((reset) => isResetToken(db, requireKind(reset, 'created').token, START)),
  )
  expect(works.filter(Boolean)).toHaveLength(1)
  expect(await db.$count(passwordResets, eq(passwordResets.userId, id))).toBe(1)
})

test('for an unknown e-mail there is no link, and a weak password leaves a link good', async () => {
  const { email } = await newPerson()
  const { token } = requireKind(await createPasswordReset(db, email, START), 'created')

  for (const unknown of ['ninguem@exemplo.com.br', 'a\0b']) {
    expect(await createPasswordReset(db, unknown, START)).toEqual({ kind: 'unknownEmail' })
  }
  const weak = completePasswordReset(db, { token, password: email }, START)
  await expect(weak).rejects.toMatchObject({ statusCode: 422, errors: [{ field: 'password' }] })
  expect(await isResetToken(db, token, START)).toBe(true)
  for (const wrong of ['', 'x', `${token}x`, 'a\0b']) {
    expect(
      await completePasswordReset(db, { token: wrong, password: NEW_PASSWORD }, START),
    ).toEqual({ kind: 'expired' })
  }
})

test('a link to choose a password is forgotten when it is over', async () => {
  const { id, email } = await newPerson()
  await createPasswordReset(db, email, START)

  await purgePasswordResets(db, after(HOUR_MS - 1))
  const before = await db.$count(passwordResets, eq(passwordResets.userId, id))
  await purgePasswordResets(db, after(HOUR_MS))

  expect(before).toBe(1)
  expect(await db.$count(passwordResets, eq(passwordResets.userId, id))).toBe(0)
})

test('the token of a link to choose a password is kept as its hash alone', async () => {
  const { token } = requireKind(
    await createPasswordReset(db, (await newPerson()).email, START),
    'created',
  )

  const everything = await stored()

  expect(token).toMatch(/^[\w-]{43}$/)
  expect(everything).not.toContain(token)
  expect(everything).not.toContain(Buffer.from(token).toString('hex'))
})
