// What an operator does to people, keys and endpoints by the command line, and where the company reads of it.
import { expect, test } from 'vitest'
import { issueApiKey, rollApiKey } from '../../src/api/api-key.ts'
import { listAudit } from '../../src/companies/audit.ts'
import { saveServiceFacts } from '../../src/database/open.ts'
import { mails } from '../../src/database/tables.ts'
import { createSession, findSession } from '../../src/users/session.ts'
import { confirmTotpSetup, startTotpSetup } from '../../src/users/two-factor.ts'
import { findUserByEmail, verifyUserPassword } from '../../src/users/user.ts'
import { listEndpoints } from '../../src/webhooks/endpoints/endpoint.ts'
import { requireKind } from '../support/kind.ts'
import { generateTotpCode } from '../support/people.ts'
import { runCommand } from '../support/run-command.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'
import { writeUser } from '../support/users.ts'

const OPERATOR = 'Operador (linha de comando)'
const NOW = new Date()

const { app, db, cipher, url, secretKey, newCompany } = await openTestApp()

const run = (line: string, ...more: string[]) =>
  runCommand([...line.split(' '), ...more], { DATABASE_URL: url, SECRET_KEY: secretKey })

async function cli(line: string, ...more: string[]) {
  const { status, stdout } = await run(line, ...more)
  expect(status).toBe(0)
  return stdout
}

test('a password that the operator resets signs its person out, and the company reads of it', async () => {
  const { id: companyId } = await newCompany()
  const email = 'eva@livraria.com.br'
  const made = JSON.parse(await cli(`user create --json --email ${email} --company`, companyId))
  const session = { userId: made.id, address: '::1', userAgent: '', now: NOW }
  const { token } = await createSession(db, session)

  const { password } = JSON.parse(await cli('user reset-password --json --email', email))

  expect(await verifyUserPassword(db, made.id, password)).toBe(true)
  expect(await findSession(db, token, NOW)).toBeUndefined()
  const by = { actor: OPERATOR, userId: null, subjectId: made.id, subject: email }
  expect(await listAudit(db, companyId, { limit: 10 })).toMatchObject([
    { ...by, action: 'password_reset' },
    { ...by, action: 'user_joined' },
  ])
})

test('the second step of who lost it is taken off by the operator, and the person and the owners are told', async () => {
  const { id: companyId, realId } = await newCompany()
  const owner = 'dona@livraria.com.br'
  await writeUser(db, { companyId: realId, email: owner, role: 'owner' })
  const email = 'ivo@livraria.com.br'
  const { id } = await writeUser(db, { companyId: realId, email, role: 'member' })
  const { secret } = requireKind(await startTotpSetup(db, cipher, id), 'started')
  await confirmTotpSetup(db, cipher, id, generateTotpCode(secret, NOW), NOW)
  const { token } = await createSession(db, { userId: id, address: '::1', userAgent: '', now: NOW })
  const reset = ['user', 'reset-second-factor', '--email', email]
  const env = { DATABASE_URL: url, SECRET_KEY: secretKey, SMTP_URL: 'smtp://127.0.0.1:9' }

  const done = await runCommand(reset, env)
  const again = await runCommand(reset, env)

  expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining(email) })
  expect(await findUserByEmail(db, email)).toMatchObject({ totpEnabledAt: null, totpSecret: null })
  expect(await findSession(db, token, NOW)).toBeUndefined()
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('no second step') })
  expect(await listAudit(db, companyId, { limit: 9 })).toMatchObject([
    { actor: OPERATOR, action: 'totp_disabled', subjectId: id, subject: email },
  ])
  const told = await db.select().from(mails)
  expect(told.map(({ recipient, data }) => [data.what, data.actor, recipient]).sort()).toEqual([
    ['totp_disabled', OPERATOR, owner],
    ['totp_disabled', OPERATOR, email],
  ])
})

test('what an operator gives into hands is told to the owners', async () => {
  const { id: companyId, realId } = await newCompany()
  const owner = 'dono@avisada.com.br'
  await writeUser(db, { companyId: realId, email: owner, role: 'owner' })
  // The service sends e-mails; the shell of the operator needs no SMTP_URL for that.
  const baseUrl = 'https://vintem.example.com'
  const smtpUrl = 'smtp://127.0.0.1:9'
  await saveServiceFacts(db, { baseUrl, checkoutUrl: baseUrl, smtpUrl })
  const env = { DATABASE_URL: url, SECRET_KEY: secretKey }
  const told = async (line: string) => {
    await db.delete(mails)
    expect((await runCommand(line.split(' '), env)).status).toBe(0)
    const all = await db.select().from(mails)
    return all.map(({ recipient, data }) => `${data.what} ${recipient}`).sort()
  }
  const hook = 'https://93.184.215.14/hook'

  const key = await told(`key create --live --name Loja --company ${companyId}`)
  const member = await told(`user create --email m@avisada.com.br --company ${companyId}`)
  const made = `user create --role owner --email socia@avisada.com.br --company ${companyId}`
  const second = await told(made)
  const reset = await told('user reset-password --email socia@avisada.com.br')
  const added = await told(`webhook add --live --url ${hook} --company ${companyId}`)
  const [endpoint] = await listEndpoints(db, realId)
  const rotated = await told(`webhook rotate ${endpoint?.id}`)
  const returns = await told(`secrets rotate-redirect --live --company ${companyId}`)

  expect(member).toEqual([])
  const owners = [owner, 'socia@avisada.com.br']
  expect(key).toEqual([`key_created ${owner}`])
  expect(second).toEqual(owners.map((email) => `user_joined ${email}`))
  expect(reset).toEqual(owners.map((email) => `password_reset ${email}`))
  expect(added).toEqual(owners.map((email) => `endpoint_created ${email}`))
  expect(rotated).toEqual(owners.map((email) => `secret_rotated ${email}`))
  expect(returns).toEqual(owners.map((email) => `redirect_secret_rotated ${email}`))
})

test('keys are made with scopes and listed with them, and a scope that does not exist is refused', async () => {
  const { id } = await newCompany()
  const made = await cli('key create --json --name Painel --scopes', 'read', '--company', id)
  const limited = 'payment-links,transactions:read'
  await cli('key create --name Loja --scopes', limited, '--company', id)

  const listed = await cli('key list --company', id)
  const wrong = await run('key create --name Loja --scopes', 'write', '--company', id)

  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("'write' is invalid. It must be read, payment-links"),
  })
  const { key, scopes } = JSON.parse(made)
  const headers = { authorization: `Bearer ${key}` }
  const links = '/api/payment-links'
  expect(scopes).toEqual(['read'])
  expect((await app.inject({ url: links, headers })).statusCode).toBe(200)
  const post = { method: 'POST', url: links, headers, payload: MINIMAL_LINK } as const
  expect((await app.inject(post)).statusCode).toBe(403)
  expect(listed.match(/ {2}(everything|read|payment-links,transactions:read) {2}/g)).toHaveLength(3)
})

test('a list of keys tells until when a rolled one works', async () => {
  const { id: companyId } = await newCompany()
  const [soon, over] = [new Date(NOW.getTime() + 3_600_000), new Date(NOW.getTime() - 1)]
  for (const until of [soon, over]) {
    const { id } = await issueApiKey(db, companyId, 'Trocada')
    await rollApiKey(db, { companyId, id, until, now: NOW })
  }

  const listed = await cli('key list --company', companyId)

  expect(listed).toContain(`never used, works until ${soon.toISOString()}`)
  expect(listed).toContain(`replaced ${over.toISOString()}`)
})

test('what an operator does to an endpoint stands in Registro, without what its address may hide', async () => {
  const { id: companyId, realId } = await newCompany()
  const url = 'https://93.184.215.14/hook?token=segredo'
  const { id } = JSON.parse(await cli(`webhook add --json --url ${url} --company`, companyId))

  for (const verb of ['disable', 'disable', 'enable', 'rotate', 'remove']) {
    await cli(`webhook ${verb}`, id)
  }

  const entries = await listAudit(db, realId, { limit: 9 })
  const about = { actor: OPERATOR, subjectId: id, subject: 'https://93.184.215.14/hook' }
  expect(entries).toMatchObject([
    { ...about, action: 'endpoint_removed' },
    { ...about, action: 'secret_rotated' },
    { ...about, action: 'endpoint_changed', details: { change: 'enabled' } },
    { ...about, action: 'endpoint_changed', details: { change: 'disabled' } },
    { ...about, action: 'endpoint_created', testMode: true },
  ])
})
