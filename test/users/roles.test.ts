// What each role may do, written out once more, so that a change of the table is made twice.
import { expect, test } from 'vitest'
import { ROLES, type Role } from '../../src/database/enums.ts'
import { newId } from '../../src/database/id.ts'
import { users } from '../../src/database/tables.ts'
import { getEntries } from '../../src/record.ts'
import { getRights, hasRight, listRolesWith, type Right } from '../../src/users/roles.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const SELLING = ['editLinks', 'editCustomers', 'simulatePayments'] as const
const EVERYBODYS = ['ownAccount', 'read'] as const

const listRights = (role: Role) =>
  getEntries(getRights(role))
    .filter(([, isAllowed]) => isAllowed)
    .map(([right]) => right)

test.each<[Role, readonly Right[]]>([
  ['finance', [...EVERYBODYS, ...SELLING, 'refund', 'receivables', 'payouts']],
  ['member', [...EVERYBODYS, ...SELLING]],
  ['accountant', [...EVERYBODYS, 'payouts', 'fullDocuments']],
])('%s may do this and no more', (role, rights) => {
  expect(listRights(role)).toEqual(rights)
})

test('an owner may do everything', () => {
  expect(Object.values(getRights('owner'))).not.toContain(false)
})

test('documents in full are for owners and accountants alone', () => {
  expect(listRolesWith('fullDocuments')).toEqual(['owner', 'accountant'])
  expect(ROLES.filter((role) => hasRight(role, 'fullDocuments'))).toEqual(['owner', 'accountant'])
})

test.each(ROLES)('%s can be stored', async (role) => {
  const made = await db
    .insert(users)
    .values(await buildPerson(role))
    .returning({ role: users.role })

  expect(made).toEqual([{ role }])
})

test('an unknown role cannot', async () => {
  // What a process that is not ours may send.
  const unknown = 'admin' as Role

  await expect(db.insert(users).values(await buildPerson(unknown))).rejects.toMatchObject({
    cause: { constraint: 'users_role' },
  })
})

async function buildPerson(role: Role) {
  const { realId: companyId } = await newCompany()
  const id = newId()
  return { id, companyId, email: `${id}@exemplo.com.br`, passwordHash: 'x', role }
}
