// Into a company by a link that an owner hands over.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { invitations } from '../../src/database/tables.ts'
import {
  acceptInvitation,
  createInvitation,
  findInvitation,
  listInvitations,
} from '../../src/users/invitation.ts'
import { purgeInvitations } from '../../src/users/session.ts'
import { findUserByEmail, listUsers, verifyUserPassword } from '../../src/users/user.ts'
import { openUsers, warmConnections } from '../support/people.ts'
import { openTestApp } from '../support/test-app.ts'
import { PASSWORD } from '../support/users.ts'

const testApp = await openTestApp()
const { db, newCompany, stored } = testApp
const { newPerson } = openUsers(testApp)

const START = new Date('2026-03-01T12:00:00.000Z')
const DAY_MS = 24 * 3600 * 1000
const after = (ms: number) => new Date(START.getTime() + ms)

let guests = 0
const newGuest = () => `convidada${++guests}@exemplo.com.br`

async function invited({ email = newGuest(), role = 'member' as 'member' | 'owner' } = {}) {
  const { id: companyId } = await newCompany('Café Ão')
  const invitation = { companyId, email, role, invitedBy: 'dona@exemplo.com.br' }
  return { ...invitation, ...(await createInvitation(db, invitation, START)), again: invitation }
}

/** Open ones, as of START. */
async function writeInvitations(companyId: string, count: number) {
  const rows = Array.from({ length: count }, () => ({
    ...{ id: newId(), companyId, email: newGuest(), role: 'member' as const, invitedBy: 'x' },
    ...{ tokenHash: randomBytes(32), expiresAt: after(7 * DAY_MS).toISOString() },
  }))
  await db.insert(invitations).values(rows)
}

test('an invitation says where to and lets its person in, once', async () => {
  const { token, companyId, email } = await invited({ role: 'owner' })

  const shown = await findInvitation(db, token, after(7 * DAY_MS - 1))
  const accepted = await Promise.all(
    [1, 2, 3].map(() => acceptInvitation(db, { token, password: PASSWORD }, after(DAY_MS))),
  )

  expect(shown).toEqual({ companyName: 'Café Ão', email, role: 'owner' })
  const [user, ...others] = accepted.flatMap((one) => (one.kind === 'accepted' ? [one] : []))
  expect(others).toEqual([])
  expect(user).toEqual({ kind: 'accepted', id: user!.id, companyId, email, role: 'owner' })
  expect(await verifyUserPassword(db, user!.id, PASSWORD)).toBe(true)
  expect(await findInvitation(db, token, START)).toBeUndefined()
  expect(await listInvitations(db, companyId, START)).toEqual([])
})

test('an invitation is over after seven days, and listed as such until it is forgotten', async () => {
  const { token, companyId, email } = await invited()
  const accept = { token, password: PASSWORD }

  const late = await acceptInvitation(db, accept, after(7 * DAY_MS))
  const listed = await listInvitations(db, companyId, after(7 * DAY_MS))

  expect(late).toEqual({ kind: 'expired' })
  expect(await findInvitation(db, token, after(7 * DAY_MS))).toBeUndefined()
  expect(listed).toMatchObject([{ email, expired: true, invitedBy: 'dona@exemplo.com.br' }])
  expect((await listInvitations(db, companyId, after(DAY_MS)))[0]!.expired).toBe(false)
  await purgeInvitations(db, after(37 * DAY_MS - 1))
  expect(await listInvitations(db, companyId, START)).toHaveLength(1)
  await purgeInvitations(db, after(37 * DAY_MS))
  expect(await listInvitations(db, companyId, START)).toEqual([])
})

test('a person who is invited again has one link, the new one, for another seven days', async () => {
  const first = await invited()
  const shouted = { ...first.again, email: first.email.toUpperCase(), role: 'owner' as const }

  const second = await createInvitation(db, shouted, after(6 * DAY_MS))

  expect(await findInvitation(db, first.token, after(6 * DAY_MS))).toBeUndefined()
  expect(await findInvitation(db, second.token, after(12 * DAY_MS))).toMatchObject({
    email: first.email,
    role: 'owner',
  })
  const listed = await listInvitations(db, first.companyId, after(6 * DAY_MS))
  expect(listed.map(({ id }) => id)).toEqual([second.id])
})

test('a person of any company is not invited, and the inviter does not learn the company', async () => {
  const [colleague, stranger] = [await newPerson(), await newPerson()]
  const invitation = { companyId: colleague.companyId, role: 'member', invitedBy: 'x' } as const

  const refusals = [colleague, stranger].map(({ email }) =>
    createInvitation(db, { ...invitation, email }, START).catch(({ statusCode, message }) => ({
      statusCode,
      message,
    })),
  )

  const refusal = { statusCode: 409, message: 'Não foi possível convidar este e-mail.' }
  expect(await Promise.all(refusals)).toEqual([refusal, refusal])
})

test('a person who joined another company meanwhile cannot join a second one', async () => {
  const email = newGuest()
  const [one, other] = [await invited({ email }), await invited({ email })]
  const accept = ({ token }: { token: string }) =>
    acceptInvitation(db, { token, password: PASSWORD }, START)

  const first = await accept(one)

  expect(first.kind).toBe('accepted')
  expect(await accept(other)).toEqual({ kind: 'emailTaken' })
  expect(await listUsers(db, other.companyId)).toEqual([])
})

test('no more than fifty are invited at a time, and invitations that are over do not count', async () => {
  const first = await invited()
  await writeInvitations(first.companyId, 49)

  const tooMany = { ...first.again, email: newGuest() }

  await expect(createInvitation(db, tooMany, START)).rejects.toMatchObject({ statusCode: 409 })
  await createInvitation(db, first.again, START)
  await createInvitation(db, tooMany, after(7 * DAY_MS))
})

test('of many who are invited at once no more than fifty are', async () => {
  const first = await invited()
  await writeInvitations(first.companyId, 47)
  await warmConnections(db)

  const invitings = Array.from({ length: 8 }, () =>
    createInvitation(db, { ...first.again, email: newGuest() }, START),
  )
  const results = await Promise.allSettled(invitings)

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await listInvitations(db, first.companyId, START)).toHaveLength(50)
})

test('a weak password lets no person join, and the invitation stays', async () => {
  const { token, email } = await invited()

  const weak = acceptInvitation(db, { token, password: 'curta' }, START)

  await expect(weak).rejects.toMatchObject({ statusCode: 422, errors: [{ field: 'password' }] })
  expect(await findUserByEmail(db, email)).toBeUndefined()
  const strong = await acceptInvitation(db, { token, password: PASSWORD }, START)
  expect(strong.kind).toBe('accepted')
})

test('the token of an invitation is kept as its hash alone', async () => {
  const { token } = await invited()

  const everything = await stored()

  expect(token).toMatch(/^[\w-]{43}$/)
  expect(everything).not.toContain(token)
  expect(everything).not.toContain(Buffer.from(token).toString('hex'))
})
