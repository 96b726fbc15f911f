// Guessing at one account from ever more networks: few guesses are checked, and the owner of the account comes in
// all the same from a browser that they signed in from.
import { expect, test } from 'vitest'
import { createMemoryLimiter } from '../../src/http/rate-limit-store.ts'
import { hashPassword, verifyPassword } from '../../src/users/password.ts'
import { DEVICE_VALID_MS, isKnownDevice, issueDeviceToken } from '../../src/users/session.ts'
import { signInWithPassword } from '../../src/users/sign-in.ts'
import { findUserByEmail, setPassword } from '../../src/users/user.ts'
import { newUserAddress, openUsers, type TestUser } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const MINUTE_MS = 60_000
const START_MS = Date.now()

const testApp = await openTestApp()
const { db, cipher } = testApp
const { newPerson } = openUsers(testApp)

/** A clock and counts of one test's own. */
function openSignIn() {
  const clock = { offsetMs: 0, now: () => new Date(START_MS + clock.offsetMs) }
  const limiter = createMemoryLimiter(() => clock.now().getTime())
  const failures: string[] = []
  const come = (email: string, password: string, deviceToken?: string) =>
    signInWithPassword(
      db,
      { email, password },
      {
        ...{ limiter, cipher, address: newUserAddress(), now: clock.now(), deviceToken },
        onFailure: (userId) => void failures.push(userId),
      },
    )
  /** Each from a network of its own; how many were listened to, and how long the last waits. */
  async function guess(times: number, email: string) {
    const answers = []
    for (let i = 0; i < times; i++) answers.push(await come(email, `chute número ${i}`))
    const last = answers.at(-1)!
    const minutes = last.kind === 'wait' ? Math.round(last.retryAfterMs / MINUTE_MS) : 0
    return { listenedTo: answers.filter(({ kind }) => kind === 'refused').length, minutes }
  }
  return { clock, come, guess, failures }
}

const tokenOf = async ({ id }: TestUser, now: Date) =>
  (await issueDeviceToken(db, cipher, id, now))!

test('of twenty guesses from twenty networks ten are listened to, and no more from anywhere', async () => {
  const person = await newPerson()
  const { guess, come, failures } = openSignIn()

  const all = await guess(20, person.email)
  const right = await come(person.email, PASSWORD)

  expect(all).toEqual({ listenedTo: 10, minutes: 15 })
  expect(failures).toEqual(Array(10).fill(person.id))
  expect(right.kind).toBe('wait')
})

test('an unknown e-mail is held up alike, and nothing is told of it', async () => {
  const { guess, failures } = openSignIn()

  expect(await guess(12, 'ninguem@exemplo.com.br')).toEqual({ listenedTo: 10, minutes: 15 })
  expect(failures).toEqual([])
})

test('the waits of a person who goes on guessing grow to a day', async () => {
  const { email } = await newPerson()
  const { clock, guess } = openSignIn()
  const rounds = []

  for (let i = 0; i < 7; i++) {
    const { listenedTo, minutes } = await guess(12, email)
    rounds.push({ listenedTo, minutes })
    clock.offsetMs += minutes * MINUTE_MS + 1_000
  }

  expect(rounds).toEqual([
    { listenedTo: 10, minutes: 15 },
    { listenedTo: 10, minutes: 45 },
    { listenedTo: 10, minutes: 15 },
    { listenedTo: 10, minutes: 45 },
    { listenedTo: 10, minutes: 15 },
    { listenedTo: 10, minutes: 1_305 },
    { listenedTo: 10, minutes: 15 },
  ])
})

test('a browser that the person signed in from goes on while strangers guess', async () => {
  const person = await newPerson()
  const { clock, guess, come } = openSignIn()
  const token = await tokenOf(person, clock.now())

  await guess(12, person.email)

  expect(await come(person.email, PASSWORD, token)).toEqual({ kind: 'in', userId: person.id })
})

test('a password of somebody who is known is checked before those of strangers who wait', async () => {
  const hash = await hashPassword(PASSWORD)
  let checked = 0
  const strangers = Array.from({ length: 50 }, () =>
    verifyPassword('chute', hash).finally(() => checked++),
  )

  const isRight = await verifyPassword(PASSWORD, hash, 'known')

  expect(isRight).toBe(true)
  expect(checked).toBeLessThan(10)
  await Promise.all(strangers)
})

test('such a browser is no help at another account, nor with what somebody made up', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const { clock, guess, come } = openSignIn()
  const [nonce, until, mark] = (await tokenOf(person, clock.now())).split('.')
  await guess(12, other.email)

  const tokens = [
    [nonce, until, mark].join('.'),
    [nonce, String(Number(until) + 1), mark].join('.'),
    `${nonce}.${until}.`,
    'a.b.c',
    '',
  ]
  const answers = []
  for (const token of tokens) answers.push(await come(other.email, PASSWORD, token))

  expect(answers.map(({ kind }) => kind)).toEqual(tokens.map(() => 'wait'))
})

test('a browser is known for a year, and not after the password was changed', async () => {
  const person = await newPerson()
  const now = new Date(START_MS)
  const token = await tokenOf(person, now)
  const isKnown = async (at: number) =>
    isKnownDevice(cipher, (await findUserByEmail(db, person.email))!, token, new Date(at))

  const before = [
    await isKnown(START_MS + DEVICE_VALID_MS - 1),
    await isKnown(START_MS + DEVICE_VALID_MS),
  ]
  await setPassword(db, person.email, 'goiabada com queijo')

  expect(before).toEqual([true, false])
  expect(await isKnown(START_MS)).toBe(false)
})
