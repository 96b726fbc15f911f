// What touches an account, a company's access and money, or an address that news and payers go to: told by e-mail to
// the person and the owners, by whatever hand, and kept in Registro.
import type { InjectOptions } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { desc, eq } from '../../../src/database/drizzle.ts'
import { requireFound } from '../../../src/database/found.ts'
import { mails, sessions } from '../../../src/database/tables.ts'
import { createInvitation } from '../../../src/users/invitation.ts'
import { createPasswordReset } from '../../../src/users/password-reset.ts'
import { startTotpSetup } from '../../../src/users/two-factor.ts'
import { openDashboardClient, postForm } from '../../support/dashboard/client.ts'
import { buildBankForm, submitBankAccount } from '../../support/dashboard/providers.ts'
import { readLastForm } from '../../support/dashboard/refunds.ts'
import { requireKind } from '../../support/kind.ts'
import { generateTotpCode, newUserAddress } from '../../support/people.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const NEW_PASSWORD = 'goiabada com queijo'
const ENDPOINTS = '/api/webhook-endpoints'
const HOOK = 'https://93.184.216.34/hook'
const BY_KEY = 'Chave de API “Testes”'

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
type Team = Awaited<ReturnType<typeof openTeam>>

/** What was written of it, to whom. */
async function listNotices() {
  const rows = await db.select().from(mails).where(eq(mails.template, 'security-notice'))
  return rows.map(({ data, recipient }) => `${data.what} → ${recipient}`).sort()
}

const toNotices = (what: string, people: { email: string }[]) =>
  people.map(({ email }) => `${what} → ${email}`).sort()

/** From the first on. */
async function listActs({ id }: Pick<TestCompany, 'id'>) {
  const entries = await listAudit(db, id, { limit: 20 })
  return entries.map(({ action, details }) => [action, details]).toReversed()
}

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const send = (url: string, form: Record<string, string>, more: InjectOptions = {}) =>
  postForm(app, url, form, { headers: { 'user-agent': USER_AGENT }, ...more })

const keepCookies = ({ cookies }: { cookies: { name: string; value: string }[] }) =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]))

const useKey =
  ({ key }: { key: string }) =>
  (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    app.inject({
      ...{ method, url: ENDPOINTS + path, headers: { authorization: `Bearer ${key}` } },
      ...(payload && { payload }),
    })

const hookOf = async ({ company }: Team) =>
  `/painel/integracoes/${(await company.post(ENDPOINTS, { url: HOOK })).json().id}`

test.each<[what: string, told: ('owner' | 'member')[], act: (team: Team) => Promise<unknown>]>([
  ['key_created', ['owner'], ({ owner }) => owner.post('/painel/chaves/nova', { name: 'Loja' })],
  [
    'role_changed',
    ['owner', 'member'],
    ({ owner, member }) => owner.post(`/painel/equipe/${member.id}`, { role: 'owner' }),
  ],
  [
    'user_removed',
    ['owner', 'member'],
    ({ owner, member }) => owner.post(`/painel/equipe/${member.id}/remover`),
  ],
  [
    'provider_account_saved',
    ['owner'],
    async ({ owner }) => submitBankAccount(owner, buildBankForm((await openFakeBank()).url)),
  ],
  ['secret_revealed', ['owner'], async (team) => team.owner.post(`${await hookOf(team)}/segredo`)],
  [
    'secret_rotated',
    ['owner'],
    async (team) => team.owner.post(`${await hookOf(team)}/trocar-segredo`, { version: 'none' }),
  ],
  [
    'redirect_secret_rotated',
    ['owner'],
    async ({ owner }) => {
      const { body } = await owner.get('/painel/integracoes/retorno')
      return owner.post('/painel/integracoes/retorno', readLastForm(body))
    },
  ],
])('%s is told to %j', async (what, told, act) => {
  const team = await openTeam()

  await act(team)

  const notices = await listNotices()
  const people = told.map((one) => team[one])
  expect(notices.filter((one) => one.startsWith(`${what} `))).toEqual(toNotices(what, people))
  expect((await listActs(team.company)).map(([action]) => action)).toContain(what)
})

test('an IPv4 address is told as one, whatever the socket makes of it', async () => {
  const { company, member } = await openTeam()
  const credentials = { email: member.email, password: PASSWORD }

  await send('/painel/entrar', credentials, { remoteAddress: '::ffff:192.0.2.7' })

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
  const { painel: _, ...device } = keepCookies(first)
  const second = await send('/painel/entrar', credentials, { cookies: device })

  expect([first.statusCode, second.statusCode]).toEqual([303, 303])
  expect(told).toEqual(toNotices('new_device', [owner, member]))
  expect(await listNotices()).toEqual(told)
  expect(await listActs(company)).toEqual([
    ['sign_in', { newDevice: 'Firefox no Linux' }],
    ['sign_in', {}],
  ])
})

test('a new password, chosen inside or by a link, is told, and that browser is the person’s from then on', async () => {
  const { owner, member } = await openTeam()
  const { token } = requireKind(await createPasswordReset(db, owner.email, clock.now()), 'created')
  const form = { current: PASSWORD, password: NEW_PASSWORD }

  const changed = await member.post('/painel/conta/senha', form)
  const reset = await send(`/painel/senha/${token}`, { password: NEW_PASSWORD })
  for (const [answer, { email }] of [
    [changed, member],
    [reset, owner],
  ] as const) {
    const signIn = { email, password: NEW_PASSWORD }
    expect(
      (await send('/painel/entrar', signIn, { cookies: keepCookies(answer) })).statusCode,
    ).toBe(303)
  }

  expect(await listNotices()).toEqual([
    ...toNotices('password_changed', [owner, member]),
    ...toNotices('password_reset', [owner]),
  ])
})

test('a new owner is told to all owners, and the subject of a role says what it was', async () => {
  const { company, owner, member } = await openTeam()
  const invited = { email: `nova-${company.id.slice(-12)}@exemplo.com.br` }
  const invitation = { companyId: company.realId, ...invited, invitedBy: owner.email }
  const { token } = await createInvitation(db, { ...invitation, role: 'owner' }, clock.now())

  await send(`/painel/convite/${token}`, { password: NEW_PASSWORD })
  const joined = await listNotices()
  await owner.post(`/painel/equipe/${member.id}`, { role: 'finance' })

  expect(joined).toEqual(toNotices('user_joined', [owner, invited]))
  const subjects = (await db.select().from(mails)).map(({ data }) => data.subject)
  expect(subjects).toContain(`${member.email}: papel: Membro → Financeiro`)
})

test('the second step, on and off, is told', async () => {
  const { company, owner } = await openTeam()
  const { secret } = requireKind(await startTotpSetup(db, cipher, owner.id), 'started')
  const code = generateTotpCode(secret, clock.now())

  await owner.post('/painel/conta/duas-etapas/confirmar', { code })
  clock.offsetMs += 30_000
  const next = { code: generateTotpCode(secret, clock.now()) }
  await owner.post('/painel/conta/duas-etapas/desativar', next)

  const acts = ['totp_disabled', 'totp_enabled']
  expect(await listNotices()).toEqual(acts.map((what) => `${what} → ${owner.email}`))
  expect((await listActs(company)).map(([action]) => action)).toEqual(acts.toReversed())
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
  await expect.poll(listNotices).toEqual(toNotices('sign_in_failed', [owner, member]))
})

test('the payments of the real environment taken away as a table are told once a day', async () => {
  const { realId: companyId } = await newCompany()
  const email = `${newUserAddress().replaceAll('.', '-')}@exemplo.com.br`
  const owner = await openDashboardClient(testApp, { companyId })
  const member = await openDashboardClient(testApp, { companyId, role: 'member', email })

  await member.get('/painel/transacoes.csv')
  await member.get('/painel/transacoes.csv')

  expect(await listNotices()).toEqual(toNotices('csv_exported', [owner, member]))
})

const listTold = async () =>
  (await db.select().from(mails)).map(({ recipient, data }) => [
    ...[recipient, data.what, data.subject, data.actor],
  ])

test('a real endpoint that is made or moved, or its secret changed, is told by e-mail whichever role does it, and no other change of it', async () => {
  const { company, owner } = await openTeam()
  const second = 'https://93.184.216.34/outro'
  const real = await testApp.openReal(company)
  const byKey = useKey(real)

  const { id } = (await real.post(ENDPOINTS, { url: HOOK })).json()
  await byKey('PATCH', `/${id}`, { url: second, disabled: true })
  await byKey('PATCH', `/${id}`, { url: second, disabled: false })
  await byKey('POST', `/${id}/rotate-secret`, {})
  await owner.post('/painel/integracoes/novo', { url: HOOK, events: ['transaction.approved'] })

  expect(await listTold()).toEqual(
    [
      ['endpoint_created', HOOK, BY_KEY],
      ['endpoint_changed', second, BY_KEY],
      ['secret_rotated', second, BY_KEY],
      ['endpoint_created', HOOK, owner.email],
    ].map((told) => [owner.email, ...told]),
  )
  const moved = `endereço: ${HOOK} → ${second}`
  expect(await listActs(company)).toEqual([
    ['endpoint_created', {}],
    ['endpoint_changed', { url: moved, change: 'disabled' }],
    ['endpoint_changed', { change: 'enabled' }],
    ['secret_rotated', {}],
    ['endpoint_created', {}],
  ])
})

test('what a key does to test endpoints is all in Registro, and told once an hour', async () => {
  const { company, owner } = await openTeam()
  const byKey = useKey(company)

  const { id } = (await company.post(ENDPOINTS, { url: HOOK })).json()
  for (const change of [
    { headers: { 'X-Gateway-Key': 'segredo-1', 'X-Loja': 'segredo-2' } },
    { headers: { 'X-Loja': 'segredo-3' } },
    { headers: {} },
    { events: ['transaction.refunded'] },
    { events: ['transaction.refunded'] },
  ])
    await byKey('PATCH', `/${id}`, change)
  await byKey('POST', `/${id}/test`, { type: 'transaction.refunded' })
  await byKey('POST', `/${id}/rotate-secret`, {})
  await byKey('DELETE', `/${id}`)
  await byKey('DELETE', `/${id}`)

  expect(await listTold()).toEqual([[owner.email, 'endpoint_created', HOOK, BY_KEY]])
  const sent = (names: string) => ({ headerValues: `valores dos cabeçalhos enviados: ${names}` })
  expect(await listActs(company)).toEqual([
    ['endpoint_created', {}],
    [
      'endpoint_changed',
      { headers: 'cabeçalhos: nada → X-Gateway-Key, X-Loja', ...sent('X-Gateway-Key, X-Loja') },
    ],
    [
      'endpoint_changed',
      { headers: 'cabeçalhos: X-Gateway-Key, X-Loja → X-Loja', ...sent('X-Loja') },
    ],
    ['endpoint_changed', { headers: 'cabeçalhos: X-Loja → nada' }],
    ['endpoint_changed', { events: 'eventos: transaction.approved → transaction.refunded' }],
    ['test_event_sent', { type: 'transaction.refunded' }],
    ['secret_rotated', {}],
    ['endpoint_removed', {}],
  ])
  clock.offsetMs += 3_600_000
  await company.post(ENDPOINTS, { url: HOOK })
  expect(await listTold()).toHaveLength(2)
})

test('where notices go and whom payers are told to ask is told when it changes', async () => {
  const { company, owner } = await openTeam()
  const contact = '/painel/ajustes/contato'

  await owner.post('/painel/ajustes', { name: 'Padaria', city: 'Recife' })
  const before = await listTold()
  await owner.post(contact, { supportEmail: 'oi@padaria.example' })
  await owner.post(contact, { supportPhone: '(11) 98765-4321' })
  await owner.post(contact, {
    ...{ supportPhone: '(11) 98765-4321', noticeEmail: 'caixa@padaria.example' },
  })

  expect(before).toEqual([])
  expect(await listTold()).toEqual(
    [
      'e-mail de atendimento: nenhum → oi@padaria.example',
      'e-mail de atendimento: oi@padaria.example → nenhum; telefone de atendimento: nenhum → (11) 98765-4321',
      'e-mail dos avisos: nenhum → caixa@padaria.example',
    ].map((subject) => [owner.email, 'settings_changed', subject, owner.email]),
  )
  expect((await listActs(company)).map(([action]) => action)).toEqual(
    Array(4).fill('settings_changed'),
  )
})
