// The four roles as Equipe gives them: chosen when somebody is invited, changed later, and never taken.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { roleTexts } from '../../../src/dashboard/layout/texts.ts'
import { ROLES } from '../../../src/database/enums.ts'
import { texts } from '../../../src/texts.ts'
import { listUsers } from '../../../src/users/user.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readTableRows } from '../../support/dashboard/html.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp()
const { app, db, newCompany } = testApp

const INVITE = '/painel/equipe/convidar'
const NOT_OWNERS = ROLES.filter((role) => role !== 'owner')

let made = 0
const newEmail = () => `papel${++made}@exemplo.com.br`

async function openTeam() {
  const { id, realId: companyId } = await newCompany()
  const owner = await openDashboardClient(testApp, { companyId: id })
  return { companyId, owner }
}

async function accept(path: string) {
  const form = new URLSearchParams({ password: 'quatro palavras sem rumo' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject({ method: 'POST', url: path, payload: form.toString(), headers })
}

test('each role is offered with what it may do, the least first', async () => {
  const { owner } = await openTeam()

  const text = readPageText((await owner.get(INVITE)).body)

  const places = ['accountant', 'member', 'finance', 'owner'] as const
  const found = places.map((role) => text.indexOf(`${texts.roles[role]} ${roleTexts[role]}`))
  expect(Math.min(...found)).toBeGreaterThan(0)
  expect(found.toSorted((a, b) => a - b)).toEqual(found)
})

test('a person is the same where an address names them in capitals, and Registro knows them', async () => {
  const { companyId, owner } = await openTeam()
  const { id } = await writeUser(db, { companyId, email: newEmail(), role: 'member' })
  const path = `/painel/equipe/${id.toUpperCase()}`

  const shown = await owner.get(path)
  const changed = await owner.post(path, { role: 'finance' })

  expect([shown.statusCode, changed.statusCode]).toEqual([200, 303])
  expect(await listAudit(db, companyId, { limit: 1 })).toMatchObject([{ subjectId: id }])
})

test.each(ROLES)('whoever is invited as %s is that, and all pages say so', async (role) => {
  const { companyId, owner } = await openTeam()
  const email = newEmail()

  const invited = await owner.post(INVITE, { email, role })
  const path = invited.body.match(/\/painel\/convite\/[\w-]{43}/)![0]
  const question = await app.inject(path)
  await accept(path)

  const [, ofThem] = readTableRows((await owner.get('/painel/equipe')).body)
  expect(readPageText(question.body)).toContain(texts.roles[role])
  expect(await listUsers(db, companyId)).toMatchObject([{ role: 'owner' }, { email, role }])
  expect(ofThem!.slice(0, 2)).toEqual([email, texts.roles[role]])
})

test.each(ROLES)('an owner makes a colleague %s, which is written down', async (role) => {
  const { companyId, owner } = await openTeam()
  const email = newEmail()
  const before = role === 'member' ? 'finance' : 'member'
  const { id } = await writeUser(db, { companyId, email, role: before })

  await owner.post(`/painel/equipe/${id}`, { role })

  expect(await listUsers(db, companyId)).toMatchObject([{ role: 'owner' }, { role }])
  expect(await listAudit(db, companyId, { limit: 5 })).toMatchObject([
    { action: 'role_changed', subject: email, details: { role: texts.roles[role] } },
  ])
})

test.each(NOT_OWNERS)('who is %s gives nobody a role, least of all themselves', async (role) => {
  const { companyId, owner } = await openTeam()
  const person = await openDashboardClient(testApp, { companyId, role })

  const answers = [
    await person.get('/painel/equipe'),
    await person.post(INVITE, { email: newEmail(), role: 'owner' }),
    await person.post(`/painel/equipe/${person.id}`, { role: 'owner' }),
    await person.post(`/painel/equipe/${owner.id}/remover`),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
  expect(await listUsers(db, companyId)).toMatchObject([{ role: 'owner' }, { role }])
})

test.each(NOT_OWNERS)('the last owner does not become %s', async (role) => {
  const { companyId, owner } = await openTeam()

  const answer = await owner.post(`/painel/equipe/${owner.id}`, { role })

  expect(answer.statusCode).toBe(422)
  expect(await listUsers(db, companyId)).toMatchObject([{ role: 'owner' }])
})
