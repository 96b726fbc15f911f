// The second step of signing in: how it is set up and turned off, and its recovery codes.
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { createSession, findSession } from '../../src/users/session.ts'
import { signInWithCode, signInWithPassword } from '../../src/users/sign-in.ts'
import {
  confirmTotpSetup,
  countRecoveryCodes,
  disableTotp,
  findPendingTotpSetup,
  renewRecoveryCodes,
  startTotpSetup,
} from '../../src/users/two-factor.ts'
import { requireKind } from '../support/kind.ts'
import { generateTotpCode, openUsers, STEP_MS } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const testApp = await openTestApp()
const { db, cipher, stored } = testApp
const { newPerson, newCodePerson, ticketOf, at } = openUsers(testApp)

const START = new Date(Math.ceil(Date.now() / STEP_MS) * STEP_MS)
const after = (ms: number) => new Date(START.getTime() + ms)

test('an app is set up by a QR code or by typing, and asked for only after a right code', async () => {
  const person = await newPerson()

  const begun = requireKind(await startTotpSetup(db, cipher, person.id), 'started')
  const shownAgain = await findPendingTotpSetup(db, cipher, person.id)
  const wrong = await confirmTotpSetup(db, cipher, person.id, '000000', after(-10 * STEP_MS))
  const meanwhile = await signInWithPassword(
    db,
    { email: person.email, password: PASSWORD },
    at(START),
  )
  const code = generateTotpCode(begun.secret, START)
  const right = await confirmTotpSetup(
    db,
    cipher,
    person.id,
    `${code.slice(0, 3)} ${code.slice(3)}`,
    START,
  )

  const uri = new URL(begun.uri)
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(uri.pathname)).toBe(`/Vintém:${person.email}`)
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    issuer: 'Vintém',
    secret: begun.secret,
    digits: '6',
    period: '30',
  })
  expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect({ kind: 'started', ...shownAgain }).toEqual(begun)
  expect([wrong.kind, meanwhile.kind]).toEqual(['wrongCode', 'in'])
  expect(requireKind(right, 'enabled').recoveryCodes).toHaveLength(10)
  expect(await findPendingTotpSetup(db, cipher, person.id)).toBeUndefined()
})

test.each(['áéíóúã', '１２３４５６', '12345', ''])('of “%s” nothing is set up', async (code) => {
  const { id } = await newPerson()
  await startTotpSetup(db, cipher, id)

  expect(await confirmTotpSetup(db, cipher, id, code, START)).toEqual({ kind: 'wrongCode' })
})

test('what is on is not begun anew, nor confirmed twice, and an unknown id sets up nothing', async () => {
  const { person, secret } = await newCodePerson(START)
  const code = generateTotpCode(secret, after(STEP_MS))
  const confirm = (userId: string, at: Date) => confirmTotpSetup(db, cipher, userId, code, at)

  for (const id of [person.id, newId()]) {
    expect(await startTotpSetup(db, cipher, id)).toEqual({ kind: 'alreadyEnabled' })
  }
  expect(await confirm(person.id, after(STEP_MS))).toEqual({ kind: 'notPending' })
  expect(await confirm(newId(), START)).toEqual({ kind: 'notPending' })
  expect(await confirm((await newPerson()).id, START)).toEqual({ kind: 'notPending' })
})

test('a set-up that is begun again ends the first', async () => {
  const { id } = await newPerson()
  const first = requireKind(await startTotpSetup(db, cipher, id), 'started')
  const second = requireKind(await startTotpSetup(db, cipher, id), 'started')

  expect(
    await confirmTotpSetup(db, cipher, id, generateTotpCode(first.secret, START), START),
  ).toEqual({ kind: 'wrongCode' })
  expect(
    await confirmTotpSetup(db, cipher, id, generateTotpCode(second.secret, START), START),
  ).toMatchObject({ kind: 'enabled' })
})

test('recovery codes are easy to read, differ, and are kept as hashes alone', async () => {
  const { recovery, secret } = await newCodePerson(START)

  const everything = await stored()

  for (const code of recovery) {
    expect(code).toMatch(/^[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}$/)
    expect(everything).not.toContain(code)
    expect(everything).not.toContain(code.replace('-', ''))
  }
  expect(new Set(recovery).size).toBe(10)
  expect(everything).not.toContain(secret)
})

test('new recovery codes end the old ones, and there are none while it is off', async () => {
  const { person, recovery } = await newCodePerson(START)
  const fresh = requireKind(await renewRecoveryCodes(db, person.id), 'renewed').recoveryCodes
  const ticket = await ticketOf(person, START)
  const use = async (code: string) => (await signInWithCode(db, { ticket, code }, at(START))).kind

  expect(fresh).toHaveLength(10)
  expect([await use(recovery[0]!), await use(fresh[0]!)]).toEqual(['refused', 'in'])
  expect(await renewRecoveryCodes(db, (await newPerson()).id)).toEqual({ kind: 'notEnabled' })
})

test('when it is turned off no code is asked for, and a ticket of before is over', async () => {
  const { person, secret, recovery } = await newCodePerson(START)
  const ticket = await ticketOf(person, START)

  expect(await disableTotp(db, person.id)).toEqual({ kind: 'disabled' })

  const { email, id: userId } = person
  expect(await signInWithPassword(db, { email, password: PASSWORD }, at(START))).toEqual({
    kind: 'in',
    userId,
  })
  for (const code of [generateTotpCode(secret, START), recovery[0]!]) {
    expect((await signInWithCode(db, { ticket, code }, at(START))).kind).toBe('expired')
  }
  expect(await disableTotp(db, person.id)).toEqual({ kind: 'notEnabled' })
  expect(await countRecoveryCodes(db, person.id)).toBe(0)
})

test('a session tells whether it is on', async () => {
  const { person } = await newCodePerson(START)
  const session = { userId: person.id, address: '::1', userAgent: '', now: START }

  const { token } = await createSession(db, session)

  expect((await findSession(db, token, START))!.user.totpEnabled).toBe(true)
})
