// Who is signed in, for how long, and what ends it.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { sessions } from '../../src/database/tables.ts'
import {
  createSession,
  deriveCsrfToken,
  findSession,
  isCsrfToken,
  listSessions,
  purgeSessions,
  revokeOtherSessions,
} from '../../src/users/session.ts'
import { openUsers, type TestUser } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, stored } = testApp
const { newPerson } = openUsers(testApp)

const START = new Date('2026-03-01T12:00:00.000Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const after = (ms: number) => new Date(START.getTime() + ms)

const open = ({ id: userId }: TestUser, now = START, userAgent: string | undefined = 'Firefox') =>
  createSession(db, { userId, address: '203.0.113.7', userAgent, now })

const rowOf = async (id: string) => (await db.select().from(sessions).where(eq(sessions.id, id)))[0]

test('a session tells who is signed in and for which company', async () => {
  const person = await newPerson({ role: 'member' })

  const { token, id } = await open(person)
  const found = await findSession(db, token, START)

  expect(token).toMatch(/^[\w-]{43}$/)
  expect(found).toMatchObject({
    id,
    company: { testOf: person.companyId, name: 'Padaria Sol', testMode: true },
  })
  expect(found!.user).toEqual({
    id: person.id,
    email: person.email,
    role: 'member',
    companyId: person.companyId,
    totpEnabled: false,
  })
})

test('of what a browser calls itself no card number is kept', async () => {
  const { id } = await open(await newPerson(), START, 'Firefox/128.0 4111 1111 1111 1111 x')

  expect(await rowOf(id)).toMatchObject({ userAgent: 'Firefox/**** x' })
})

test('only the hash of a token is kept, and no other text is a token', async () => {
  const { token } = await open(await newPerson())

  const everything = await stored()

  expect(everything).not.toContain(token)
  expect(everything).not.toContain(Buffer.from(token).toString('hex'))
  for (const other of ['', 'x', token.slice(1), `${token}=`, 'a\0b', token.toLowerCase()]) {
    expect(await findSession(db, other, START)).toBeUndefined()
  }
})

test('a session ends twelve hours after it was last used', async () => {
  const { token } = await open(await newPerson())

  const used = await findSession(db, token, after(12 * HOUR_MS - 1))
  const onTheEdge = await findSession(db, token, after(24 * HOUR_MS - 2))
  const tooLate = await findSession(db, token, after(36 * HOUR_MS - 2))

  expect([used, onTheEdge, tooLate].map((found) => found !== undefined)).toEqual([
    true,
    true,
    false,
  ])
})

test('a session that is in use ends after seven days all the same', async () => {
  const { token } = await open(await newPerson())
  for (let hour = 6; hour < 7 * 24; hour += 6) {
    expect(await findSession(db, token, after(hour * HOUR_MS))).toBeDefined()
  }

  const last = await findSession(db, token, after(7 * 24 * HOUR_MS - 1))
  const over = await findSession(db, token, after(7 * 24 * HOUR_MS))

  expect([last !== undefined, over]).toEqual([true, undefined])
})

test('when it was last used is written once a minute, and never set back', async () => {
  const { token, id } = await open(await newPerson())
  const seen: string[] = []

  for (const ms of [59_999, 60_000, 90_000, 30_000, 120_000]) {
    await findSession(db, token, after(ms))
    seen.push((await rowOf(id))!.lastSeenAt)
  }

  const at = (ms: number) => after(ms).toISOString()
  expect(seen).toEqual([at(0), at(60_000), at(60_000), at(60_000), at(120_000)])
})

test('of more than twenty sessions of a person the oldest go, however many are opened at once', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const untouched = await open(other)
  const first = await open(person, after(-1))

  const rest = await Promise.all(Array.from({ length: 25 }, (_, i) => open(person, after(i))))

  const live = await listSessions(db, person.id, after(HOUR_MS))
  expect(live.map(({ id }) => id)).toEqual(
    rest
      .map(({ id }) => id)
      .slice(5)
      .reverse(),
  )
  expect(await findSession(db, first.token, START)).toBeUndefined()
  expect(await findSession(db, untouched.token, START)).toBeDefined()
})

test('people see their own sessions that still work, and what they were opened with', async () => {
  const person = await newPerson()
  const idle = await open(person)
  const recent = await open(person, after(6 * HOUR_MS), 'x'.repeat(1_000))
  await open(await newPerson(), after(6 * HOUR_MS))

  const both = await listSessions(db, person.id, after(7 * HOUR_MS))
  const one = await listSessions(db, person.id, after(13 * HOUR_MS))

  expect(both.map(({ id }) => id)).toEqual([recent.id, idle.id])
  expect(one).toEqual([
    {
      id: recent.id,
      address: '203.0.113.7',
      userAgent: 'x'.repeat(300),
      createdAt: after(6 * HOUR_MS).toISOString(),
      lastSeenAt: after(6 * HOUR_MS).toISOString(),
    },
  ])
})

test('all sessions of a person can be closed but the one they sit at', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const [here, there, theirs] = [await open(person), await open(person), await open(other)]

  await revokeOtherSessions(db, { userId: person.id, keep: here.id })
  const kept = await findSession(db, here.token, START)
  await revokeOtherSessions(db, { userId: person.id, keep: null })

  expect(kept).toBeDefined()
  expect(await findSession(db, here.token, START)).toBeUndefined()
  expect(await findSession(db, there.token, START)).toBeUndefined()
  expect(await findSession(db, theirs.token, START)).toBeDefined()
})

test('the token of a form belongs to one session in one environment', async () => {
  const [one, other] = [await open(await newPerson()), await open(await newPerson())]
  const csrf = deriveCsrfToken(one.token, true)

  expect(isCsrfToken(one.token, true, csrf)).toBe(true)
  expect(csrf).toMatch(/^[\w-]{43}$/)
  expect(csrf).not.toContain(one.token.slice(0, 10))
  for (const wrong of [
    deriveCsrfToken(other.token, true),
    deriveCsrfToken(one.token, false),
    '',
    csrf.slice(1),
    `${csrf}x`,
    'é'.repeat(43),
  ]) {
    expect(isCsrfToken(one.token, true, wrong)).toBe(false)
  }
})

test('what is over is forgotten, and what goes on stays', async () => {
  const person = await newPerson()
  const [over, idle, live] = [
    await open(person, after(-8 * 24 * HOUR_MS)),
    await open(person, after(-13 * HOUR_MS)),
    await open(person),
  ]

  await purgeSessions(db, START)

  expect(await Promise.all([over, idle, live].map(({ id }) => rowOf(id)))).toEqual([
    undefined,
    undefined,
    expect.objectContaining({ id: live.id }),
  ])
})
