// Signing in by a second step: codes of an app, recovery codes, and the ticket that stands for the
// password meanwhile.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { issueDeviceToken } from '../../src/users/session.ts'
import { signInWithCode, signInWithPassword } from '../../src/users/sign-in.ts'
import { countRecoveryCodes } from '../../src/users/two-factor.ts'
import { setPassword } from '../../src/users/user.ts'
import { requireKind } from '../support/kind.ts'
import { generateTotpCode, newUserAddress, openUsers, STEP_MS } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const testApp = await openTestApp()
const { db, cipher, clock } = testApp
const { newCodePerson, ticketOf, at } = openUsers(testApp)

const START = new Date(Math.ceil(Date.now() / STEP_MS) * STEP_MS)
const after = (ms: number) => new Date(START.getTime() + ms)

test('a code is asked for only after the right password, which need not be typed again', async () => {
  const { person, secret } = await newCodePerson(START)
  const { email } = person

  const wrong = await signInWithPassword(db, { email, password: 'não é esta' }, at(START))
  const wrongWithCode = await signInWithPassword(
    db,
    { email, password: 'não é esta', code: generateTotpCode(secret, START) },
    at(START),
  )
  const ticket = await ticketOf(person, START)
  const inside = await signInWithCode(
    db,
    { ticket, code: generateTotpCode(secret, START) },
    at(START),
  )

  expect([wrong, wrongWithCode]).toEqual([{ kind: 'refused' }, { kind: 'refused' }])
  expect(ticket).not.toContain(person.id)
  expect(inside).toEqual({ kind: 'in', userId: person.id })
})

test('password and code together are one step', async () => {
  const { person, secret } = await newCodePerson(START)
  const both = { email: person.email, password: PASSWORD }

  const wrong = await signInWithPassword(db, { ...both, code: '123' }, at(START))
  const right = await signInWithPassword(
    db,
    { ...both, code: generateTotpCode(secret, START) },
    at(START),
  )

  expect([wrong, right]).toEqual([{ kind: 'refused' }, { kind: 'in', userId: person.id }])
})

test('a clock may be one step off, either way, and no more', async () => {
  const now = after(10 * STEP_MS)
  const kinds = []

  for (const steps of [-2, -1, 0, 1, 2]) {
    const { person, secret } = await newCodePerson(START)
    const code = generateTotpCode(secret, new Date(now.getTime() + steps * STEP_MS))
    kinds.push(
      (await signInWithCode(db, { ticket: await ticketOf(person, now), code }, at(now))).kind,
    )
  }

  expect(kinds).toEqual(['refused', 'in', 'in', 'in', 'refused'])
})

test('no code is good twice, nor an older one after it, however many come at once', async () => {
  const { person, secret, enabledBy } = await newCodePerson(START)
  const ticket = await ticketOf(person, START)
  const use = (code: string) => signInWithCode(db, { ticket, code }, at(START))

  const again = await use(enabledBy)
  const code = generateTotpCode(secret, START)
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => use(code)))
  const next = await use(generateTotpCode(secret, after(STEP_MS)))
  const older = await use(code)

  expect(again.kind).toBe('refused')
  expect(atOnce.filter(({ kind }) => kind === 'in')).toHaveLength(1)
  expect([next.kind, older.kind]).toEqual(['in', 'refused'])
})

test('a recovery code works once, however it is typed and however many come at once', async () => {
  const { person, recovery } = await newCodePerson(START)
  const ticket = await ticketOf(person, START)
  const use = (code: string) => signInWithCode(db, { ticket, code }, at(START))

  const typed = ` ${recovery[3]!.toUpperCase().replace('-', ' ')}`
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => use(typed)))
  const other = await use(recovery[4]!)
  const wrong = await Promise.all(['aaaa-aaaa', '', '----', 'x'.repeat(5_000)].map(use))

  expect(atOnce.filter(({ kind }) => kind === 'in')).toHaveLength(1)
  expect(other.kind).toBe('in')
  expect(wrong.map(({ kind }) => kind)).toEqual(wrong.map(() => 'refused'))
  expect(await countRecoveryCodes(db, person.id)).toBe(8)
})

test('one person’s code is nothing to another', async () => {
  const [ana, bia] = [await newCodePerson(START), await newCodePerson(START)]
  const ticket = await ticketOf(ana.person, START)

  for (const code of [generateTotpCode(bia.secret, START), bia.recovery[0]!]) {
    expect((await signInWithCode(db, { ticket, code }, at(START))).kind).toBe('refused')
  }

  expect(await countRecoveryCodes(db, bia.person.id)).toBe(10)
})

test('a ticket is good for five minutes, and only for the password that it was given for', async () => {
  const { person, secret } = await newCodePerson(START)
  const ticket = await ticketOf(person, START)
  const use = async (ms: number) => {
    const code = generateTotpCode(secret, after(ms))
    return (await signInWithCode(db, { ticket, code }, at(after(ms)))).kind
  }

  const kinds = [await use(299_999), await use(300_000)]
  await setPassword(db, person.email, PASSWORD)

  expect([...kinds, await use(0)]).toEqual(['in', 'expired', 'expired'])
})

test('what else was encrypted, or by whom, is no ticket', async () => {
  const { person, secret } = await newCodePerson(START)
  const encrypted = (by: ReturnType<typeof createCipher>, text: string) =>
    by.encrypt(text, 'ticket', 'sign-in-code').toString('base64url')
  const forged = `sign-in-code ${person.id} ${after(60_000).getTime()} x`

  const tickets = [
    ...['', 'x', 'a\0b', await ticketOf(person, START).then((ticket) => ticket.slice(1))],
    ...[encrypted(cipher, ''), encrypted(cipher, secret), encrypted(cipher, forged)],
    encrypted(createCipher(randomBytes(32)), forged),
  ]

  for (const ticket of tickets) {
    const code = generateTotpCode(secret, START)
    expect(await signInWithCode(db, { ticket, code }, at(START))).toEqual({ kind: 'expired' })
  }
})

test('codes are guessed no faster than passwords', async () => {
  const { person, secret } = await newCodePerson(START)
  const ticket = await ticketOf(person, START)
  const use = async (code: string, address: string) =>
    (await signInWithCode(db, { ticket, code }, at(START, address))).kind
  const kinds: string[] = []

  for (let i = 0; i < 8; i++) kinds.push(await use(`00000${i}`, '192.0.2.1'))

  expect(kinds).toEqual([...Array(5).fill('refused'), ...Array(3).fill('wait')])
  expect(await use(generateTotpCode(secret, START), '192.0.2.1')).toBe('wait')
  expect(await use(generateTotpCode(secret, START), '192.0.2.2')).toBe('in')
})

test('codes are guessed at thirty times an hour, from however many addresses', async () => {
  const { person, secret } = await newCodePerson(START)
  const ticket = await ticketOf(person, START)
  const kinds: string[] = []

  for (let i = 0; i < 32; i++) {
    const guess = { ticket, code: 'aaaa-aaaa' }
    kinds.push((await signInWithCode(db, guess, at(START, `198.51.100.${i}`))).kind)
  }

  expect(kinds).toEqual([...Array(30).fill('refused'), 'wait', 'wait'])
  clock.offsetMs += 3600 * 1000
  const code = generateTotpCode(secret, START)
  expect((await signInWithCode(db, { ticket, code }, at(START))).kind).toBe('in')
})

test('wrong codes by a thief of the password do not keep a person out of a browser that they signed in from', async () => {
  const { person, secret } = await newCodePerson(START)
  const deviceToken = await issueDeviceToken(db, cipher, person.id, START)
  const home = { ...at(START, '192.0.2.7'), deviceToken }
  const stranger = await ticketOf(person, START)
  const enter = async (code: string) => {
    const both = { email: person.email, password: PASSWORD }
    const { ticket } = requireKind(await signInWithPassword(db, both, home), 'code')
    return (await signInWithCode(db, { ticket, code }, home)).kind
  }

  for (let i = 0; i < 31; i++) {
    const address = i < 12 ? home.address : newUserAddress()
    await signInWithCode(db, { ticket: stranger, code: '000000' }, at(START, address))
  }
  const right = await enter(generateTotpCode(secret, START))
  const own = []
  for (let i = 0; i < 6; i++) own.push(await enter('000000'))

  expect(right).toBe('in')
  expect(own).toEqual([...Array(5).fill('refused'), 'wait'])
})

test('under another SECRET_KEY the app’s codes are wrong and recovery codes still work', async () => {
  const { person, secret, recovery } = await newCodePerson(START)
  const other = { ...at(START), cipher: createCipher(randomBytes(32)) }
  const both = { email: person.email, password: PASSWORD }

  const app = await signInWithPassword(
    db,
    { ...both, code: generateTotpCode(secret, START) },
    other,
  )
  const recovered = await signInWithPassword(db, { ...both, code: recovery[0]! }, other)

  expect([app.kind, recovered.kind]).toEqual(['refused', 'in'])
})
