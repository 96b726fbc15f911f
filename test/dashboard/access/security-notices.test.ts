// What touches an account, or a company's access and money: told by e-mail to the person and the owners,
// and kept in Registro.
import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { desc, eq } from '../../../src/database/drizzle.ts'
import { requireFound } from '../../../src/database/found.ts'
import { mails, sessions } from '../../../src/database/tables.ts'
import { createInvitation } from '../../../src/users/invitation.ts'
import { createPasswordReset } from '../../../src/users/password-reset.ts'
import { startTotpSetup } from '../../../src/users/two-factor.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { buildBankForm, submitBankAccount } from '../../support/dashboard/providers.ts'
import { readLastForm } from '../../support/dashboard/refunds.ts'
import { requireKind } from '../../support/kind.ts'
import { generateTotpCode, newUserAddress } from '../../support/people.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const NEW_PASSWORD = 'goiabada com queijo'

const testApp = await openTestApp({ mail: true, local: true })
const { app, db, cipher, clock, newCompany } = testApp

beforeEach(async () => {
  await db.delete(mails)
})

/** An owner and a member of a company. */
async function openTeam() {
  const company = await newCompany()
  const seat = { companyId: company.id }
  return {
    company,
    owner: await openDashboardClient(testApp, seat),
    member: await openDashboardClient(testApp, { ...seat, role: 'member' }),
  }
}

/** What was written of it, to whom. */
async function listNotices() {
  const rows = await db.select().from(mails).where(eq(mails.template, 'security-notice'))
  return rows.map(({ data, recipient }) => `${data.what} → ${recipient}`).sort()
}

async function actionsOf(companyId: string) {
  return (await listAudit(db, companyId, { limit: 20 })).map(({ action }) => action)
}

function send(
  url: string,
  form: Record<string, string>,
  cookies: Record<string, string> = {},
  remoteAddress = newUserAddress(),
) {
  return app.inject({
    method: 'POST',
    url,
    cookies,
    payload: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    remoteAddress,
  })
}

test('an IPv4 address is told as one, whatever the socket makes of it', async () => {
  const { company, member } = await openTeam()
  const credentials = { email: member.email, password: PASSWORD }

  await send('/painel/entrar', credentials, {}, '::ffff:192.0.2.7')

  const [entry] = await listAudit(db, company.id, { limit: 1 })
  const [session] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, requireFound(entry?.userId)))
    .orderBy(desc(sessions.id))
  const [notice] = await db.select().from(mails)
  expect([entry?.address, session?.address, notice?.data.address]).toEqual(
    Array.from({ length: 3 }, () => '192.0.2.7'),
  )
})

test('a browser that never signed in is told of, and then it is known', async () => {
  const { company, owner, member } = await openTeam()
  const credentials = { email: member.email, password: PASSWORD }

  const first = await send('/painel/entrar', credentials)
  const told = await listNotices()
  const cookies = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]))
  const { painel: _, ...device } = cookies
  const second = await send('/painel/entrar', credentials, device)

  expect([first.statusCode, second.statusCode]).toEqual([303, 303])
  expect(told).toEqual([`new_device → ${member.email}`, `new_device → ${owner.email}`].sort())
  expect(await listNotices()).toEqual(told)
  const entries = await listAudit(db, company.id, { limit: 5 })
  expect(entries.map(({ details }) => details)).toEqual([{}, { newDevice: 'Firefox no Linux' }])
})

test('a member’s new password is told to the member and the owners', async () => {
  const { owner, member } = await openTeam()

  const form = { current: PASSWORD, password: NEW_PASSWORD }
  const changed = await member.post('/painel/conta/senha', form)

  const cookies = Object.fromEntries(changed.cookies.map(({ name, value }) => [name, value]))
  const again = await send(
    '/painel/entrar',
    { email: member.email, password: NEW_PASSWORD },
    cookies,
  )

  expect([changed.statusCode, again.statusCode]).toEqual([303, 303])
  expect(await listNotices()).toEqual(
    [`password_changed → ${member.email}`, `password_changed → ${owner.email}`].sort(),
  )
})

test('a password by a link is told, and that browser is the person’s from then on', async () => {
  const { owner } = await openTeam()
  const { token } = requireKind(await createPasswordReset(db, owner.email, clock.now()), 'created')

  const reset = await send(`/painel/senha/${token}`, { password: NEW_PASSWORD })
  const cookies = Object.fromEntries(reset.cookies.map(({ name, value }) => [name, value]))
  const signIn = { email: owner.email, password: NEW_PASSWORD }
  const inside = await send('/painel/entrar', signIn, cookies)

  expect(inside.statusCode).toBe(303)
  expect(await listNotices()).toEqual([`password_reset → ${owner.email}`])
})

test('owners are told of a key, a new owner, a role, a payout account and a method', async () => {
  const { company, owner, member } = await openTeam()
  const invited = `nova-${company.id.slice(-12)}@exemplo.com.br`
  const invitation = { companyId: company.realId, email: invited, invitedBy: owner.email }
  const { token } = await createInvitation(db, { ...invitation, role: 'owner' }, clock.now())

  await owner.post('/painel/chaves/nova', { name: 'Loja', access: 'all' })
  await owner.post(`/painel/equipe/${member.id}`, { role: 'owner' })
  await submitBankAccount(owner, buildBankForm((await openFakeBank()).url))
  await send(`/painel/convite/${token}`, { password: NEW_PASSWORD })

  const notices = await listNotices()
  expect(notices).toEqual(
    expect.arrayContaining([
      `key_created → ${owner.email}`,
      `role_changed → ${member.email}`,
      `role_changed → ${owner.email}`,
      `provider_account_saved → ${owner.email}`,
      `user_joined → ${invited}`,
      `user_joined → ${owner.email}`,
    ]),
  )
  expect(notices).not.toContain(`key_created → ${member.email}`)
  const rows = await db.select().from(mails)
  const subjects = rows.map(({ data: { what, subject } }) => `${what}: ${subject}`)
  expect(subjects).toContain(`role_changed: ${member.email}: papel: Membro → Proprietário`)
  expect(notices.filter((notice) => notice.startsWith('new_device'))).toEqual([])
})

test('that a person is removed is told to them and to the owners who stay', async () => {
  const { company, owner, member } = await openTeam()

  await owner.post(`/painel/equipe/${member.id}/remover`)

  expect(await listNotices()).toEqual(
    [`user_removed → ${member.email}`, `user_removed → ${owner.email}`].sort(),
  )
  expect(await actionsOf(company.id)).toEqual(['user_removed'])
})

test('the second step, on and off, is told', async () => {
  const { company, owner } = await openTeam()
  const { secret } = requireKind(await startTotpSetup(db, cipher, owner.id), 'started')
  const code = generateTotpCode(secret, clock.now())

  await owner.post('/painel/conta/duas-etapas/confirmar', { code })
  clock.offsetMs += 30_000
  const next = { code: generateTotpCode(secret, clock.now()) }
  await owner.post('/painel/conta/duas-etapas/desativar', next)

  expect(await listNotices()).toEqual([
    `totp_disabled → ${owner.email}`,
    `totp_enabled → ${owner.email}`,
  ])
  expect(await actionsOf(company.id)).toEqual(['totp_disabled', 'totp_enabled'])
})

test('ten guesses in an hour are told to the person and the owners, once', async () => {
  const { owner, member } = await openTeam()
  const guess = (i: number) =>
    send('/painel/entrar', { email: member.email, password: `chute número ${i}` })

  for (let i = 0; i < 9; i++) await guess(i)
  const before = await listNotices()
  await guess(9)
  await guess(10)

  expect(before).toEqual([])
  await expect
    .poll(listNotices)
    .toEqual([`sign_in_failed → ${member.email}`, `sign_in_failed → ${owner.email}`].sort())
})

test('the payments of the real environment taken away as a table are told once a day', async () => {
  const { realId: companyId } = await newCompany()
  const email = newUserAddress().replaceAll('.', '-')
  const seat = { companyId, role: 'member', email: `${email}@exemplo.com.br` } as const
  const [owner, member] = [
    await openDashboardClient(testApp, { companyId }),
    await openDashboardClient(testApp, seat),
  ]

  await member.get('/painel/transacoes.csv')
  await member.get('/painel/transacoes.csv')

  expect(await listNotices()).toEqual(
    [`csv_exported → ${member.email}`, `csv_exported → ${owner.email}`].sort(),
  )
})

test('a webhook secret that is shown or changed, and the one of returns, are told', async () => {
  const { company, owner } = await openTeam()
  const { id } = (
    await company.post('/api/webhook-endpoints', { url: 'https://93.184.216.34/hook' })
  ).json()
  const path = `/painel/integracoes/${id}`
  const made = await listNotices()

  await owner.post(`${path}/segredo`)
  await owner.post(`${path}/trocar-segredo`, { version: 'none' })
  const { body } = await owner.get('/painel/integracoes/retorno')
  await owner.post('/painel/integracoes/retorno', readLastForm(body))

  const told = ['endpoint_created', 'redirect_secret_rotated', 'secret_revealed', 'secret_rotated']
  expect(made).toEqual([`endpoint_created → ${owner.email}`])
  expect(await listNotices()).toEqual(told.map((what) => `${what} → ${owner.email}`))
  expect((await actionsOf(company.id)).sort()).toEqual(told)
})
