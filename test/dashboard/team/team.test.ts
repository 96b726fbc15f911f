// Equipe: who is in the company, what each may do, and how somebody comes to be in it.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { mails } from '../../../src/database/tables.ts'
import { createInvitation, listInvitations } from '../../../src/users/invitation.ts'
import { listUsers } from '../../../src/users/user.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { openTestApp } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp()
const { app, db, clock, needs, newCompany } = testApp

let made = 0
const newEmail = () => `colega${++made}@exemplo.com.br`

async function openTeam() {
  const { id, realId: companyId } = await newCompany()
  const owner = await openDashboardClient(testApp, { companyId: id })
  return { companyId, owner }
}

async function newColleague(companyId: string, role: 'owner' | 'member' = 'member') {
  const email = newEmail()
  const { id } = await writeUser(db, { companyId, email, role })
  return { id, email }
}

async function entriesOf(companyId: string) {
  const entries = await listAudit(db, companyId, { limit: 20 })
  return entries.map(({ action, actor, subject, details }) => ({ action, actor, subject, details }))
}

const linkIn = (html: string) => html.match(/\/painel\/convite\/([\w-]{43})/)?.[1]

test('an invitation is shown once as a link that opens, and is written down', async () => {
  const { companyId, owner } = await openTeam()

  const answer = await owner.post('/painel/equipe/convidar', {
    email: ' Nova2@Exemplo.com.br',
    role: 'owner',
  })
  const token = linkIn(answer.body)
  const opened = await app.inject(`/painel/convite/${token}`)

  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(opened.statusCode).toBe(200)
  expect(opened.body).toContain('nova2@exemplo.com.br')
  expect((await owner.get('/painel/equipe')).body).not.toContain(token)
  const details = { role: 'Proprietário' }
  expect(await entriesOf(companyId)).toEqual([
    { action: 'user_invited', actor: owner.email, subject: 'nova2@exemplo.com.br', details },
  ])
  expect(await db.select().from(mails)).toEqual([])
})

test('where mail is sent, the invitation goes by mail too, and whether it got there is told', async () => {
  const mailing = await openTestApp({ mail: true })
  const { id, realId: companyId } = await mailing.newCompany()
  const owner = await openDashboardClient(mailing, { companyId: id })

  const invited = { email: 'carta@exemplo.com.br', role: 'member' }
  const answer = await owner.post('/painel/equipe/convidar', invited)

  expect(answer.body).toContain('segue por e-mail para carta@exemplo.com.br')
  expect(await mailing.db.select().from(mails)).toMatchObject([
    { template: 'invitation', recipient: 'carta@exemplo.com.br', companyId },
  ])
  expect(await mailing.stored()).not.toContain(linkIn(answer.body))
  const isUntold = async () =>
    (await owner.get('/painel/equipe')).body.includes('O e-mail não pôde ser entregue.')
  expect(await isUntold()).toBe(false)
  await mailing.db.update(mails).set({ dueAt: null, failure: '550 no such user' })
  expect(await isUntold()).toBe(true)
})

test('an invitation that is refused keeps what was typed and invites no person', async () => {
  const { companyId, owner } = await openTeam()
  const { email } = await newColleague(companyId)

  const answer = await owner.post('/painel/equipe/convidar', { email: '"><script>x@' })
  const known = await owner.post('/painel/equipe/convidar', { email, role: 'member' })

  expect(answer.statusCode).toBe(422)
  expect(answer.body).toContain('Informe um e-mail válido')
  expect(answer.body).toContain('Escolha o que a pessoa pode fazer.')
  expect(answer.body).toContain('value="&quot;&gt;&lt;script&gt;x@"')
  expect(known.statusCode).toBe(422)
  expect(known.body).toContain('Não foi possível convidar este e-mail.')
  expect(await listInvitations(db, companyId, clock.now())).toEqual([])
})

test('invitations are limited, for each may be a mail', async () => {
  const { companyId, owner } = await openTeam()
  const limit = { max: 30, windowMs: 3_600_000 }
  const invite = () =>
    owner.post('/painel/equipe/convidar', { email: 'mesma@exemplo.com.br', role: 'member' })
  for (let i = 0; i < 29; i++) await needs.limiter.countHit(`invite:${companyId}`, limit)

  const answers = [await invite(), await invite()]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 429])
})

test('a withdrawn invitation opens nothing any more', async () => {
  const { companyId, owner } = await openTeam()
  const token = linkIn(
    (await owner.post('/painel/equipe/convidar', { email: newEmail(), role: 'member' })).body,
  )
  const [invitation] = await listInvitations(db, companyId, clock.now())
  const path = `/painel/equipe/convites/${invitation!.id}/cancelar`

  const answer = await owner.post(path)
  const again = await owner.post(path)

  expect(answer.headers.location).toBe('/painel/equipe?feito=convite-cancelado')
  expect(again.statusCode).toBe(404)
  expect((await app.inject(`/painel/convite/${token}`)).statusCode).toBe(410)
  expect(await entriesOf(companyId)).toMatchObject([
    { action: 'invitation_withdrawn', subject: invitation!.email },
    { action: 'user_invited' },
  ])
})

test('an invitation that is over says so, and the same person can be invited again', async () => {
  const { companyId, owner } = await openTeam()
  const email = newEmail()
  const eightDaysAgo = new Date(clock.now().getTime() - 8 * 24 * 3_600_000)
  const invited = { companyId, email, role: 'member', invitedBy: owner.email } as const
  await createInvitation(db, invited, eightDaysAgo)

  const page = await owner.get('/painel/equipe')
  const form = await owner.get(
    page.body.match(/href="(\/painel\/equipe\/convidar\?[^"]+)"/)![1]!.replaceAll('&amp;', '&'),
  )

  expect(page.body).toContain('Venceu')
  expect(form.body).toContain(`value="${email}"`)
  expect(form.body).toMatch(/value="member" checked/)
})

test('an owner makes another person owner, and back, but not unseen what another owner changed', async () => {
  const { companyId, owner } = await openTeam()
  const { id, email } = await newColleague(companyId)
  const path = `/painel/equipe/${id}`
  const role = async () => (await listUsers(db, companyId)).find((person) => person.id === id)!.role
  const [, shown] = (await owner.get(path)).body.match(/name="_version" value="([^"]+)"/)!

  const up = await owner.post(path, { role: 'owner' })
  const afterUp = await role()
  const same = await owner.post(path, { role: 'owner' })
  const stale = await owner.post(path, { role: 'accountant', _version: shown! })
  await owner.post(path, { role: 'member' })
  const nonsense = await owner.post(path, { role: 'king' })

  expect(up.headers.location).toBe('/painel/equipe?feito=papel-alterado')
  expect([same, stale, nonsense].map(({ statusCode }) => statusCode)).toEqual([303, 409, 422])
  expect(stale.body).toContain('Proprietário')
  expect([afterUp, await role()]).toEqual(['owner', 'member'])
  const changed = { action: 'role_changed', actor: owner.email, subject: email }
  expect(await entriesOf(companyId)).toEqual([
    { ...changed, details: { role: 'papel: Proprietário → Membro' } },
    { ...changed, details: { role: 'papel: Membro → Proprietário' } },
  ])
})

test('the last owner neither steps down nor leaves, and reads why', async () => {
  const { companyId, owner } = await openTeam()

  const down = await owner.post(`/painel/equipe/${owner.id}`, { role: 'member' })
  const leave = await owner.post(`/painel/equipe/${owner.id}/remover`)

  for (const answer of [down, leave]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('A empresa precisa de ao menos um proprietário.')
  }
  expect(await listUsers(db, companyId)).toMatchObject([{ id: owner.id, role: 'owner' }])
  expect(await entriesOf(companyId)).toEqual([])
})

test('removing a person asks first, and then signs them out everywhere', async () => {
  const { companyId, owner } = await openTeam()
  const member = await openDashboardClient(testApp, { companyId, role: 'member' })

  const question = await owner.get(`/painel/equipe/${member.id}/remover`)
  const before = await member.get('/painel')
  const answer = await owner.post(`/painel/equipe/${member.id}/remover`)
  const after = await member.get('/painel')

  expect(question.body).toContain(`Remover ${member.email} da empresa?`)
  expect([before.statusCode, after.statusCode]).toEqual([200, 303])
  expect(answer.headers.location).toBe('/painel/equipe?feito=pessoa-removida')
  expect((await listUsers(db, companyId)).map(({ id }) => id)).toEqual([owner.id])
  expect(await entriesOf(companyId)).toMatchObject([
    { action: 'user_removed', actor: owner.email, subject: member.email },
  ])
})

test.each([
  ['is removed', '/remover', {}],
  ['may not invite any more', '', { role: 'finance' }],
])(
  'the open invitations of an owner who %s are over, and the others stand',
  async (_, page, form) => {
    const { companyId, owner } = await openTeam()
    const leaver = await openDashboardClient(testApp, { companyId, role: 'owner' })
    const invite = async (by: typeof owner) => {
      const email = newEmail()
      const { body } = await by.post('/painel/equipe/convidar', { email, role: 'owner' })
      return { email, url: `/painel/convite/${linkIn(body)}` }
    }
    const [back, other] = [await invite(leaver), await invite(owner)]
    const { body: question } = await owner.get(`/painel/equipe/${leaver.id}/remover`)

    const changed = await owner.post(`/painel/equipe/${leaver.id}${page}`, form)

    expect(question).toContain('Os convites em aberto que a pessoa fez são cancelados.')
    expect(changed.statusCode).toBe(303)
    expect((await app.inject(back.url)).statusCode).toBe(410)
    expect((await app.inject(other.url)).statusCode).toBe(200)
    expect(await entriesOf(companyId)).toContainEqual({
      action: 'invitation_withdrawn',
      actor: owner.email,
      subject: back.email,
      details: {},
    })
  },
)
