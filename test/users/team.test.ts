// The people of a company: their roles, how one goes, and their passwords.
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { createPasswordReset, isResetToken } from '../../src/users/password-reset.ts'
import { createSession, findSession } from '../../src/users/session.ts'
import {
  changePassword,
  createUser,
  findUserByEmail,
  listUsers,
  removeUser,
  setPassword,
  updateUserRole,
  verifyUserPassword,
} from '../../src/users/user.ts'
import { requireKind } from '../support/kind.ts'
import { openUsers, type TestUser } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { newPerson } = openUsers(testApp)

const NOW = new Date('2026-03-01T12:00:00.000Z')
const LAST_OWNER = { statusCode: 409, code: 'last_owner' }

const sessionOf = ({ id: userId }: TestUser) =>
  createSession(db, { userId, address: '203.0.113.7', userAgent: 'Firefox', now: NOW })
const rolesOf = async (companyId: string) =>
  (await listUsers(db, companyId)).map(({ role }) => role)

test('a company lists its people in the order in which they came, without their secrets', async () => {
  const owner = await newPerson()
  const member = await newPerson({ companyId: owner.companyId, role: 'member' })
  await newPerson()

  const people = await listUsers(db, owner.companyId)

  expect(people).toEqual([
    expect.objectContaining({ id: owner.id, email: owner.email, role: 'owner' }),
    expect.objectContaining({ id: member.id, role: 'member', totpEnabled: false }),
  ])
  expect(JSON.stringify(people)).not.toContain('argon2')
})

test('an e-mail is one person’s, however it is written', async () => {
  const { id: companyId } = await newCompany()
  const user = { companyId, password: PASSWORD, role: 'owner' } as const

  const made = await createUser(db, { ...user, email: ' Ana.Uma@Exemplo.com.br' })
  const again = await createUser(db, { ...user, email: 'ana.uma@exemplo.com.BR' })

  expect(again).toEqual({ kind: 'emailTaken' })
  expect(await findUserByEmail(db, 'ANA.UMA@exemplo.com.br ')).toMatchObject({
    id: requireKind(made, 'created').id,
    email: 'ana.uma@exemplo.com.br',
  })
  expect(await findUserByEmail(db, 'a\0@exemplo.com.br')).toBeUndefined()
  expect(await findUserByEmail(db, `${'a'.repeat(10_000)}@exemplo.com.br`)).toBeUndefined()
})

test('a role changes for the session under way', async () => {
  const owner = await newPerson()
  const member = await newPerson({ companyId: owner.companyId, role: 'member' })
  const { token } = await sessionOf(member)
  const { companyId } = owner

  const changed = await updateUserRole(db, {
    companyId,
    userId: member.id,
    before: 'member',
    role: 'owner',
  })

  expect(changed).toMatchObject({ id: member.id, email: member.email, role: 'owner' })
  expect((await findSession(db, token, NOW))!.user.role).toBe('owner')
  await updateUserRole(db, { companyId, userId: owner.id, before: 'owner', role: 'member' })
  expect(await rolesOf(companyId)).toEqual(['member', 'owner'])
})

test('a person who is removed is signed out and gone', async () => {
  const owner = await newPerson()
  const member = await newPerson({ companyId: owner.companyId, role: 'member' })
  const { token } = await sessionOf(member)

  const removed = await removeUser(db, { companyId: owner.companyId, userId: member.id })

  expect(removed).toMatchObject({ email: member.email })
  expect(await findSession(db, token, NOW)).toBeUndefined()
  expect(await rolesOf(owner.companyId)).toEqual(['owner'])
})

test('the last owner neither goes nor steps down', async () => {
  const { companyId, id: userId } = await newPerson()
  await newPerson({ companyId, role: 'member' })

  const step = () => updateUserRole(db, { companyId, userId, before: 'owner', role: 'member' })

  await expect(removeUser(db, { companyId, userId })).rejects.toMatchObject(LAST_OWNER)
  await expect(step()).rejects.toMatchObject(LAST_OWNER)
  await updateUserRole(db, { companyId, userId, before: 'owner', role: 'owner' })
  expect(await rolesOf(companyId)).toEqual(['owner', 'member'])
})

test('of owners who all go at once one stays', async () => {
  const first = await newPerson()
  const { companyId } = first
  const others = await Promise.all(Array.from({ length: 4 }, () => newPerson({ companyId })))

  const goings = [first, ...others].map(({ id: userId }, i) =>
    i % 2 === 0
      ? removeUser(db, { companyId, userId })
      : updateUserRole(db, { companyId, userId, before: 'owner', role: 'member' }),
  )
  const results = await Promise.allSettled(goings)

  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['last_owner'])
  expect((await rolesOf(companyId)).filter((role) => role === 'owner')).toHaveLength(1)
})

test('a changed password ends all sessions but the one it was changed in, and links to reset it', async () => {
  const person = await newPerson()
  const [here, there] = [await sessionOf(person), await sessionOf(person)]
  const { token } = requireKind(await createPasswordReset(db, person.email, NOW), 'created')
  const change = { userId: person.id, password: 'goiabada com queijo', keep: here.id }

  const wrong = await changePassword(db, { ...change, current: 'não é esta senha' })
  const untouched = await findSession(db, there.token, NOW)
  const right = await changePassword(db, { ...change, current: PASSWORD })

  expect([wrong.kind, untouched !== undefined, right.kind]).toEqual([
    'wrongPassword',
    true,
    'changed',
  ])
  expect(await verifyUserPassword(db, person.id, 'goiabada com queijo')).toBe(true)
  expect(await verifyUserPassword(db, person.id, PASSWORD)).toBe(false)
  expect(await verifyUserPassword(db, newId(), PASSWORD)).toBe(false)
  expect(await findSession(db, here.token, NOW)).toBeDefined()
  expect(await findSession(db, there.token, NOW)).toBeUndefined()
  expect(await isResetToken(db, token, NOW)).toBe(false)
})

test('of two changes from the same old password one is made', async () => {
  const { id: userId } = await newPerson()

  const changes = await Promise.all(
    ['primeira escolha', 'segunda escolha'].map((password) =>
      changePassword(db, { userId, current: PASSWORD, password }),
    ),
  )

  expect(changes.map(({ kind }) => kind).sort()).toEqual(['changed', 'wrongPassword'])
})

test('a weak password is refused in a sentence and changes nothing', async () => {
  const person = await newPerson()
  const change = { userId: person.id, current: PASSWORD, password: 'senha12345678' }

  await expect(changePassword(db, change)).rejects.toMatchObject({
    statusCode: 422,
    errors: [{ field: 'password', message: expect.stringContaining('fácil de adivinhar') }],
  })

  expect(await verifyUserPassword(db, person.id, PASSWORD)).toBe(true)
})

test('a password that the operator sets signs the person out everywhere', async () => {
  const person = await newPerson()
  const { token } = await sessionOf(person)

  const done = await setPassword(db, person.email.toUpperCase(), 'do operador')

  const { id, email, companyId } = person
  expect(done).toEqual({ kind: 'replaced', id, email, companyId })
  expect(await findSession(db, token, NOW)).toBeUndefined()
  expect(await verifyUserPassword(db, person.id, 'do operador')).toBe(true)
  const unknown = await setPassword(db, 'ninguem@exemplo.com.br', 'do operador')
  expect(unknown).toEqual({ kind: 'notFound' })
})
