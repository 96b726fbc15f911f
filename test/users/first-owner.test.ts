// An empty installation: what it is given, once, and how its first owner comes in.
import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../src/companies/audit.ts'
import { listCompanies } from '../../src/companies/company.ts'
import { companies, users } from '../../src/database/tables.ts'
import { formatWelcome, initializeInstallation } from '../../src/users/first-owner.ts'
import { verifyPassword } from '../../src/users/password.ts'
import { requireKind } from '../support/kind.ts'
import { BASE_URL, openTestApp, resetTestApp } from '../support/test-app.ts'

const OWNER = {
  companyName: 'Padaria do Zé',
  email: 'Ze@Exemplo.com.br',
  password: 'pão de queijo 10',
}

const testApp = await openTestApp()
const { app, db, cipher, stored } = testApp

beforeEach(() => resetTestApp(testApp))

const initialize = async (sample: boolean) =>
  requireKind(await initializeInstallation(db, cipher, sample), 'initialized')
const open = () => app.inject('/configurar')
const send = (form: object) =>
  app.inject({
    method: 'POST',
    url: '/configurar',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...form }).toString(),
  })

test('of many processes that start together one welcomes, with a code, a company and a key', async () => {
  const welcomes = await Promise.all(
    Array.from({ length: 5 }, () => initializeInstallation(db, cipher, true)),
  )
  const [first, ...others] = welcomes.flatMap((one) => (one.kind === 'initialized' ? [one] : []))
  const again = await initializeInstallation(db, cipher, true)

  expect(others).toEqual([])
  expect(again).toEqual({ kind: 'alreadyInitialized' })
  expect(first!.code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  expect(await listCompanies(db)).toHaveLength(1)
  const headers = { authorization: `Bearer ${first!.key}` }
  expect((await app.inject({ url: '/api/payment-links', headers })).statusCode).toBe(200)
  const text = formatWelcome(first!, BASE_URL)
  for (const shown of [first!.code, first!.key!, `${BASE_URL}/configurar`]) {
    expect(text).toContain(shown)
  }
  const everything = JSON.stringify(await stored())
  expect(everything).not.toContain(first!.code)
  expect(everything).not.toContain(first!.key)
})

test('on a database of the operator’s own there is a code, and nothing to clear away', async () => {
  const first = await initializeInstallation(db, cipher, false)

  expect(first).toMatchObject({ kind: 'initialized', key: undefined })
  expect(await db.select().from(companies)).toEqual([])
})

test('the first owner names the company, sees a key that works, and then the page is gone', async () => {
  const { code } = await initialize(true)

  const form = await open()
  const done = await send({ ...OWNER, code: ` ${code.toLowerCase().replaceAll('-', '')}` })
  const after = [await open(), await send({ ...OWNER, code, email: 'outra@exemplo.com.br' })]

  expect(form.statusCode).toBe(200)
  expect(done.statusCode).toBe(200)
  expect(done.headers['cache-control']).toBe('no-store')
  const [key] = done.body.match(/sk_live_test\w{34}/)!
  const headers = { authorization: `Bearer ${key}` }
  expect((await app.inject({ url: '/api/payment-links', headers })).statusCode).toBe(200)
  expect((await db.select().from(companies)).map(({ name }) => name)).toEqual([
    OWNER.companyName,
    OWNER.companyName,
  ])
  const [owner, ...rest] = await db.select().from(users)
  expect(rest).toEqual([])
  expect(owner).toMatchObject({ email: 'ze@exemplo.com.br', role: 'owner' })
  expect(await verifyPassword(OWNER.password, owner!.passwordHash)).toBe(true)
  expect(after.map(({ statusCode }) => statusCode)).toEqual([404, 404])
})

test('the first owner is signed in, and the company’s log begins with them', async () => {
  const { code } = await initialize(false)

  const done = await send({ ...OWNER, code })
  const [cookie] = done.cookies
  const inside = await app.inject({ url: '/painel', cookies: { [cookie!.name]: cookie!.value } })
  const [company] = await db.select().from(companies)

  expect(done.body).toContain('href="/painel"')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(inside.statusCode).toBe(200)
  expect(inside.body).toContain('ze@exemplo.com.br')
  const entries = await listAudit(db, company!.id, { limit: 5 })
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['sign_in', 'ze@exemplo.com.br'],
    ['key_created', 'ze@exemplo.com.br'],
    ['user_joined', 'ze@exemplo.com.br'],
  ])
  // The key is one of the test environment.
  expect(entries[1]!.testMode).toBe(true)
})

test('the first owner’s password may not be their own e-mail', async () => {
  const { code } = await initialize(false)

  const answer = await send({ ...OWNER, code, password: 'ZE@exemplo.com.br' })

  expect(answer.statusCode).toBe(422)
  expect(answer.body).toContain('A senha não pode ser o seu e-mail.')
  expect(answer.body).toContain(`value="${code}"`)
  expect(await db.select().from(users)).toEqual([])
})

test('a wrong code or field makes no owner, keeps what was typed but the password, and is limited', async () => {
  const { code } = await initialize(false)

  const wrongCode = await send({ ...OWNER, code: 'AAAA-AAAA-AAAA' })
  const wrongFields = await send({ code, companyName: '', email: 'x', password: 'curta' })
  for (let i = 0; i < 8; i++) await send({ ...OWNER, code: `AAAA-AAAA-AAA${i}` })
  const tooMany = await send({ ...OWNER, code })

  expect(wrongCode.statusCode).toBe(422)
  expect(wrongCode.body).toContain('Confira o código de configuração')
  expect(wrongCode.body).toContain('Padaria do Zé')
  expect(wrongCode.body).not.toContain(OWNER.password)
  expect(wrongFields.statusCode).toBe(422)
  expect(wrongFields.body.match(/class="field-error"/g)).toHaveLength(3)
  expect(tooMany.statusCode).toBe(429)
  expect(await db.select().from(users)).toEqual([])
})

test('of two who give the code at the same time one becomes the owner', async () => {
  const { code } = await initialize(true)

  const answers = await Promise.all(
    ['ana', 'bia'].map((name) => send({ ...OWNER, code, email: `${name}@exemplo.com.br` })),
  )

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  expect(await db.select().from(users)).toHaveLength(1)
})
