// Coming in by e-mail and password: who does, what a stranger learns, and how guessing is slowed down.
import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { users } from '../../src/database/tables.ts'
import { getNetwork } from '../../src/http/ip.ts'
import { createMemoryLimiter } from '../../src/http/rate-limit-store.ts'
import { verifyPassword } from '../../src/users/password.ts'
import { type SignInResult, signInWithPassword } from '../../src/users/sign-in.ts'
import { setPassword } from '../../src/users/user.ts'
import { askedOfArgon2, LEAST_COST } from '../support/cheap-argon2.ts'
import { newUserAddress, openUsers } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const MINUTE_MS = 60_000
const START_MS = Date.now()

const testApp = await openTestApp()
const { db, cipher } = testApp
const { newPerson } = openUsers(testApp)
/** Stands still but for the tests. */
const clock = { offsetMs: 0, now: () => new Date(START_MS + clock.offsetMs) }
const limiter = createMemoryLimiter(() => clock.now().getTime())

const WRONG = 'não é esta senha'

const come = (email: string, password: string, address = '203.0.113.1', counted = limiter) =>
  signInWithPassword(
    db,
    { email, password },
    { limiter: counted, cipher, address, now: clock.now() },
  )

const kindsOf = (answers: SignInResult[]) => answers.map(({ kind }) => kind)

async function guess(times: number, email: string, address: string) {
  const answers = []
  for (let i = 0; i < times; i++) answers.push(await come(email, `${WRONG} ${i}`, address))
  return answers
}

test('the right password lets its person in, however the e-mail is written', async () => {
  const { id: userId, email } = await newPerson()

  expect(await come(` ${email.toUpperCase()}`, PASSWORD)).toEqual({ kind: 'in', userId })
})

test('a wrong password, an unknown e-mail and junk look the same', async () => {
  const { email } = await newPerson()
  const address = newUserAddress

  const answers = [
    await come(email, WRONG, address()),
    await come(email, '', address()),
    await come('ninguem@exemplo.com.br', PASSWORD, address()),
    await come('', PASSWORD, address()),
    await come('a\0b', PASSWORD, address()),
    await come('x'.repeat(60_000), 'y'.repeat(60_000), address()),
  ]

  expect(answers).toEqual(answers.map(() => ({ kind: 'refused' })))
})

test('an unknown e-mail takes as much work as a wrong password', async () => {
  const { email } = await newPerson()
  const costsOf = async (who: string) => {
    const before = askedOfArgon2.length
    await come(who, WRONG, newUserAddress())
    return askedOfArgon2.slice(before)
  }

  const [wrong, unknown] = [await costsOf(email), await costsOf('ninguem@exemplo.com.br')]

  expect(wrong).toEqual([{ memory: 19_456, passes: 2 }])
  expect(unknown).toEqual(wrong)
})

test('of twenty guesses at most five are listened to, and the person comes in from elsewhere', async () => {
  const { id: userId, email } = await newPerson()
  const [guesser, home] = [newUserAddress(), newUserAddress()]

  const answers = await guess(20, email, guesser)

  expect(kindsOf(answers)).toEqual([...Array(5).fill('refused'), ...Array(15).fill('wait')])
  const last = answers.at(-1) as { retryAfterMs: number }
  expect(last.retryAfterMs).toBeGreaterThan(0)
  expect(last.retryAfterMs).toBeLessThanOrEqual(MINUTE_MS)
  expect((await come(email, PASSWORD, guesser)).kind).toBe('wait')
  expect(await come(email, PASSWORD, home)).toEqual({ kind: 'in', userId })
})

test('guesses that come all at once are counted each', async () => {
  const { email } = await newPerson()
  const address = newUserAddress()

  const answers = await Promise.all(Array.from({ length: 30 }, () => come(email, WRONG, address)))

  expect(kindsOf(answers).filter((kind) => kind === 'refused')).toHaveLength(5)
})

test('the pauses of a person who goes on guessing grow to an hour', async () => {
  const { email } = await newPerson()
  const address = newUserAddress()
  const rounds = []

  for (let i = 0; i < 3; i++) {
    const answers = await guess(6, email, address)
    const wait = answers.find((answer) => answer.kind === 'wait')!
    const listenedTo = answers.filter(({ kind }) => kind === 'refused').length
    rounds.push({ listenedTo, minutes: Math.round(wait.retryAfterMs / MINUTE_MS) })
    clock.offsetMs += wait.retryAfterMs + 10_000
  }

  expect(rounds).toEqual([
    { listenedTo: 5, minutes: 1 },
    { listenedTo: 2, minutes: 14 },
    { listenedTo: 3, minutes: 45 },
  ])
})

test('a person who waits as told may try again', async () => {
  const { id: userId, email } = await newPerson()
  const address = newUserAddress()
  const answers = await guess(6, email, address)
  const { retryAfterMs } = answers.at(-1) as { retryAfterMs: number }

  clock.offsetMs += retryAfterMs

  expect(await come(email, PASSWORD, address)).toEqual({ kind: 'in', userId })
})

test('nor does it take longer where time passes between one count and the next', async () => {
  const { id: userId, email } = await newPerson()
  const address = newUserAddress()
  const time = { at: START_MS, stepMs: 1 }
  const own = createMemoryLimiter(() => {
    time.at += time.stepMs
    return time.at
  })
  for (let i = 0; i < 5; i++) await come(email, WRONG, address, own)

  const told = await come(email, PASSWORD, address, own)
  if (told.kind !== 'wait') throw new Error(`not told to wait: ${told.kind}`)
  time.stepMs = 0
  time.at += told.retryAfterMs

  expect(await come(email, PASSWORD, address, own)).toEqual({ kind: 'in', userId })
})

test('who is over several limits is told the wait for all of them', async () => {
  const [{ id: userId, email }, other] = [await newPerson(), await newPerson()]
  const address = newUserAddress()
  await guess(5, email, address)
  clock.offsetMs += MINUTE_MS
  await guess(2, email, address)
  await guess(3, other.email, address)

  const told = await come(email, PASSWORD, address)
  if (told.kind !== 'wait') throw new Error(`not told to wait: ${told.kind}`)
  clock.offsetMs += told.retryAfterMs - 1
  const early = await come(email, PASSWORD, address)
  clock.offsetMs += 1

  expect(told.retryAfterMs).toBe(14 * MINUTE_MS)
  expect(early).toEqual({ kind: 'wait', retryAfterMs: 1 })
  expect(await come(email, PASSWORD, address)).toEqual({ kind: 'in', userId })
})

test('one address guesses at few accounts, and has all of its IPv6 network', async () => {
  const people = await Promise.all(Array.from({ length: 7 }, () => newPerson()))

  const answers = []
  for (const [i, { email }] of people.entries()) {
    answers.push(await come(email, WRONG, `2001:db8:1:2::${i}`))
  }

  expect(kindsOf(answers)).toEqual([...Array(5).fill('refused'), 'wait', 'wait'])
  expect((await come(people[0]!.email, PASSWORD, '2001:db8:1:3::1')).kind).toBe('in')
})

test('people of one office who all come in at once are not held up', async () => {
  const { id: userId, email } = await newPerson()
  const address = newUserAddress()
  await guess(4, email, address)

  const answers = []
  for (let i = 0; i < 8; i++) answers.push(await come(email, PASSWORD, address))

  expect(answers).toEqual(answers.map(() => ({ kind: 'in', userId })))
})

test('a password that was hashed by weaker parameters is hashed anew when it is right', async () => {
  const { id, email } = await newPerson()
  await db
    .update(users)
    .set({ passwordHash: weakHash(PASSWORD) })
    .where(eq(users.id, id))
  const hashOf = async () =>
    (await db.select().from(users).where(eq(users.id, id)))[0]!.passwordHash

  const before = [await come(email, WRONG, newUserAddress()), await hashOf()]
  const after = [await come(email, PASSWORD, newUserAddress()), await hashOf()]

  expect(before).toEqual([{ kind: 'refused' }, weakHash(PASSWORD)])
  expect(after).toEqual([
    { kind: 'in', userId: id },
    expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
  ])
  expect(await verifyPassword(PASSWORD, await hashOf())).toBe(true)
  expect((await come(email, PASSWORD, newUserAddress())).kind).toBe('in')
})

test('a password that was changed no longer lets in', async () => {
  const { email } = await newPerson()

  await setPassword(db, email, 'goiabada com queijo')

  expect((await come(email, PASSWORD, newUserAddress())).kind).toBe('refused')
  expect((await come(email, 'goiabada com queijo', newUserAddress())).kind).toBe('in')
})

test('passwords are checked two at a time, and a crowd is told to come again', async () => {
  const passwordHash = weakHash(PASSWORD)

  const checked = await Promise.allSettled(
    Array.from({ length: 60 }, () => verifyPassword(WRONG, passwordHash)),
  )

  const refused = checked.filter((one) => one.status === 'rejected')
  expect(refused).toHaveLength(60 - 52)
  expect(refused[0]!.reason).toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } })
  expect(await verifyPassword(PASSWORD, passwordHash)).toBe(true)
})

test('a password that there was no time to check is no try', async () => {
  const { id: userId, email } = await newPerson()
  const address = newUserAddress()
  const crowd: Promise<unknown>[] = []
  const crowded: typeof limiter = {
    ...limiter,
    countHit(...hit) {
      for (let i = 0; i < 60; i++) crowd.push(verifyPassword(WRONG, weakHash(PASSWORD)))
      return limiter.countHit(...hit)
    },
  }

  for (let i = 0; i < 6; i++) {
    const turnedAway = come(email, PASSWORD, address, crowded)
    await expect(turnedAway).rejects.toMatchObject({ statusCode: 503 })
    await Promise.allSettled(crowd)
  }

  expect(await come(email, PASSWORD, address)).toEqual({ kind: 'in', userId })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['nada', 'nada'],
])('%s counts as %s', (address, network) => {
  expect(getNetwork(address)).toBe(network)
})

function weakHash(password: string) {
  const nonce = Buffer.alloc(16, 7)
  const cost = { ...LEAST_COST, parallelism: 1, tagLength: 32 }
  const message = Buffer.from(password.normalize('NFKC'))
  const tag = argon2Sync('argon2id', { message, nonce, ...cost })
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=64,t=1,p=1$${unpadded(nonce)}$${unpadded(tag)}`
}
