import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { expect, inject, onTestFinished, test } from 'vitest'
import { listAudit, OPERATOR } from '../../src/companies/audit.ts'
import { decryptRedirectSecret } from '../../src/companies/redirect-secret.ts'
import { eq, sql } from '../../src/database/drizzle.ts'
import {
  companies,
  events,
  mails,
  sandboxCharges,
  transactions,
  users,
  webhookDeliveries,
} from '../../src/database/tables.ts'
import { verifyPassword } from '../../src/users/password.ts'
import { createUser } from '../../src/users/user.ts'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import { runStatement } from '../support/postgres/statement.ts'
import { type Answer, runCommand } from '../support/run-command.ts'
import { openTestApp } from '../support/test-app.ts'
import { writeUser } from '../support/users.ts'

const ANOTHER_KEY = randomBytes(32).toString('base64')
const ABSENT = '0199f3c1-5d2e-7c3a-9b41-2f6f0c1d8e7a'

const testApp = await openTestApp()
const { db } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { cli, json } = withEnv({})

test('a key made by the CLI opens the API, and is refused at the next request once it is revoked', async () => {
  const company = await testApp.newCompany()
  const { id, key } = await json('key create --name Loja --company', company.id)
  const headers = { authorization: `Bearer ${key}` }

  const before = await testApp.app.inject({ url: '/api/payment-links', headers })
  const revoked = await json('key revoke', id)
  const after = await testApp.app.inject({ url: '/api/payment-links', headers })

  expect(before.statusCode).toBe(200)
  expect(revoked).toEqual({ id, revoked: true })
  expect(after.statusCode).toBe(401)
  const by = { actor: OPERATOR, subjectId: id, subject: 'Loja' }
  expect(await listAudit(db, company.id, { limit: 10 })).toMatchObject([
    { ...by, action: 'key_revoked' },
    { ...by, action: 'key_created' },
  ])
})

test('a key is restricted to networks, and set free again', async () => {
  const company = await testApp.newCompany()
  const { id } = await json('key create --name Loja --company', company.id)

  const restricted = await json('key restrict --networks 203.0.113.0/24,2001:db8::1', id)
  const free = await json('key restrict --networks any', id)

  expect(restricted.allowedNetworks).toEqual(['203.0.113.0/24', '2001:db8::1/128'])
  expect(free).toEqual({ id, allowedNetworks: null })
})

test('a company comes with the secret of its redirects and an owner who can sign in', async () => {
  const args = ['--name', '  Café Ão  ', '--tax-id', '11.222.333/0001-81']
  const made = await json('company create --email Ana@Cafe.com.br', ...args)

  const [company] = await db.select().from(companies).where(eq(companies.id, made.id))
  const [test] = await db.select().from(companies).where(eq(companies.testOf, made.id))
  const [owner] = await db.select().from(users).where(eq(users.companyId, made.id))

  expect(made).toEqual({
    id: company!.id,
    name: 'Café Ão',
    redirectSecret: decryptRedirectSecret(testApp.cipher, company!),
    testRedirectSecret: decryptRedirectSecret(testApp.cipher, test!),
    owner: { email: 'ana@cafe.com.br', password: expect.stringMatching(/^[\w-]{20}$/) },
  })
  expect(company!.taxId).toBe('11222333000181')
  expect(owner).toMatchObject({ email: 'ana@cafe.com.br', role: 'owner' })
  expect(await verifyPassword(made.owner.password, owner!.passwordHash)).toBe(true)
})

test('an owner with the e-mail of another person leaves no company behind', async () => {
  const { id: companyId } = await testApp.newCompany('Livraria')
  const email = 'eva@livraria.com.br'
  await createUser(db, { companyId, email, password: 'segredo', role: 'member' })

  const refused = await cli('company create --email', email, '--name', 'Livraria Dois')

  const left = await db.select().from(companies).where(eq(companies.name, 'Livraria Dois'))
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('The e-mail eva@livraria.com.br belongs to another user')
  expect(left).toEqual([])
})

test('people read plain text, in which a list holds no secret', async () => {
  const { id, key } = await testApp.newCompany('Sebo da Sé')
  const [made, listed] = await Promise.all([
    cli('user create --email', 'rui@sebo.com.br', '--company', 'Sebo da Sé'),
    cli('key list --company', id),
  ])

  expect(made.stdout).toMatch(
    /^The owner rui@sebo\.com\.br is created\.\nPassword \(shown only once\): [\w-]{20}\n$/,
  )
  expect(listed.stdout).toMatch(new RegExp(`…${key.slice(-4)}  never used  Testes\n$`))
  expect(listed.stdout).not.toContain(key.slice(0, 12))
})

const NOUNS =
  'company user key webhook provider listen trigger pay secrets reconcile migrate demo doctor'

test('the help names each noun', async () => {
  const { status, stdout } = await cli('--help')

  expect(status).toBe(0)
  const named = [...stdout.matchAll(/^ {2}([a-z-]+)(?: \[options\]| <[A-Z|]+>)* {2,}/gm)]
  expect(named.map(([, name]) => name)).toEqual(expect.arrayContaining(NOUNS.split(' ')))
})

test.each([
  ['company', ['create', 'list']],
  ['user', ['create', 'reset-password', 'reset-second-factor']],
  ['key', ['create', 'list', 'restrict', 'revoke']],
  ['webhook', ['add', 'list', 'remove', 'enable', 'disable', 'rotate', 'deliveries', 'resend']],
  ['provider', ['set', 'show', 'test']],
  ['secrets', ['rotate', 'rotate-redirect', 'rotate-notification']],
])('the help of "%s" names %j', async (noun, names) => {
  const { command }: { command: CommandUnknownOpts } = await import(`../../src/commands/${noun}.ts`)

  const shown = command.createHelp().visibleCommands(command)
  expect(shown.map((one) => one.name())).toEqual(expect.arrayContaining(names))
})

test('an instant that no database has is wrong use', async () => {
  const asked = await cli('webhook resend --failed-since 0000-01-01T00:00:00Z --company', ABSENT)

  expect(asked).toMatchObject({ status: 2, stdout: '' })
  expect(asked.stderr).toMatch(
    /^option '--failed-since <INSTANT>' .* It must be an instant with its zone/,
  )
})

test('an endpoint is added by the rules for addresses, and its failed deliveries are sent again', async () => {
  const company = await testApp.newCompany('Floricultura')
  const add = ['--company', company.id, '--url', 'http://127.0.0.1:9/']
  const [refused, endpoint] = await Promise.all([
    cli('webhook add', ...add),
    withEnv({ WEBHOOK_ALLOW_PRIVATE: 'true' }).json('webhook add', ...add),
  ])
  await pay(await newLink({}, company), buildTestCard('ok'))
  await db.update(webhookDeliveries).set({ status: 'failed', dueAt: null })

  const [listed, rotated, resent] = await Promise.all([
    json('webhook deliveries --limit 5 --company', company.id),
    json('webhook rotate', endpoint.id),
    json('webhook resend --failed-since 2026-01-01T00:00:00Z --company', company.id),
  ])

  const [delivery] = await db.select().from(webhookDeliveries)
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('https://') })
  expect(endpoint).toEqual({
    id: expect.any(String),
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    testMode: true,
  })
  expect(listed).toMatchObject([{ id: delivery!.id, endpointId: endpoint.id }])
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(rotated.secret).not.toBe(endpoint.secret)
  expect(resent).toEqual({ resent: 1 })
  expect(delivery).toMatchObject({ status: 'pending', dueAt: expect.any(String) })
})

test('a payment that is due to be asked about is settled by one reconciliation', async () => {
  const link = await newLink()
  const email = 'maria@padaria.example.com'
  await writeUser(db, { companyId: link.companyId, email, role: 'member' })
  const { row } = await pay(link, { ...buildTestCard('slow'), email })
  const checkAt = new Date(Date.now() - 1_000).toISOString()
  await db.update(transactions).set({ checkAt }).where(eq(transactions.id, row.id))
  const past = sql`now() - interval '1 minute'`
  await db.update(sandboxCharges).set({ createdAt: past })

  const answer = await withEnv({ SMTP_URL: 'smtp://mail.example.com' }).json('reconcile')

  expect(answer).toEqual({ checked: 1, problems: [] })
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await db.$count(mails, eq(mails.subjectId, row.id))).toBe(1)
})

test('an empty database is reported by the doctor, and made ready by any other command', async () => {
  const url = await emptyDatabase()
  const empty = withEnv({ DATABASE_URL: url })

  const report = await empty.cli('doctor')
  const listed = await empty.json('company list')
  const later = await empty.cli('doctor')

  expect(report.status).toBe(1)
  expect(report.stdout).toMatch(/^fail {2}migrations: \d+ to be run — run "migrate"/m)
  expect(listed).toEqual([])
  expect(later.status).toBe(0)
  expect(later.stdout).toMatch(/^ok {4}migrations: up to date$/m)
})

test('the doctor names an approved payment without its event, and secrets that it can’t open', async () => {
  const { row } = await pay(await newLink(), buildTestCard('ok'))
  const [event] = await db.select().from(events).where(eq(events.companyId, row.companyId))
  await db.delete(events).where(eq(events.id, event!.id))

  const broken = await withEnv({ SECRET_KEY: ANOTHER_KEY }).cli('doctor --json')

  const encrypted = expect.stringMatching(
    /^secret key: decrypts 0 of \d+ secrets \(others: companies\.redirect_secret \d+/,
  )
  const lost = `approved payments: 1 (${row.id}) without a transaction.approved event`
  expect(broken.status).toBe(1)
  expect(failuresIn(broken)).toEqual([encrypted, lost])
})

test('what is not reachable is said in a readable line', async () => {
  const away = withEnv({
    DATABASE_URL: 'postgres://unknown@127.0.0.1:9/none',
    REDIS_URL: 'redis://127.0.0.1:9',
  })
  const [doctor, other, misconfigured] = await Promise.all([
    away.cli('doctor'),
    away.cli('company list'),
    withEnv({ SECRET_KEY: '' }).cli('doctor'),
  ])

  expect(doctor).toMatchObject({ status: 1, stderr: '' })
  expect(doctor.stdout).toMatch(
    /^fail {2}database: connect ECONNREFUSED 127\.0\.0\.1:9 — check DATABASE_URL/m,
  )
  expect(doctor.stdout).toMatch(
    /^fail {2}redis: connect ECONNREFUSED 127\.0\.0\.1:9 — check REDIS_URL/m,
  )
  expect(other).toMatchObject({ status: 1, stdout: '' })
  expect(other.stderr).toMatch(/^The database is not available .*\n$/)
  expect(misconfigured.status).toBe(1)
  expect(misconfigured.stdout).toMatch(/^fail {2}Wrong configuration: SECRET_KEY is required/)
})

test('the doctor does not wait for a Redis that takes connections and answers nothing', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => void mute.close())
  const { port } = mute.address() as AddressInfo

  const doctor = await withEnv({ REDIS_URL: `redis://127.0.0.1:${port}` }).cli('doctor')

  expect(doctor.stdout).toMatch(
    /^fail {2}redis: Redis does not answer within 2000 ms — check REDIS_URL/m,
  )
})

function failuresIn({ stdout }: Answer) {
  const { checks }: { checks: { status: string; what: string }[] } = JSON.parse(stdout)
  return checks.filter(({ status }) => status === 'fail').map(({ what }) => what)
}

async function emptyDatabase() {
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  await runStatement(inject('server'), `create database ${name}`)
  onTestFinished(async () => {
    await runStatement(inject('server'), `drop database ${name} with (force)`)
  })
  return Object.assign(new URL(inject('server')), { pathname: `/${name}` }).href
}

/** Each takes the words of `line`, and then further arguments, which may hold spaces. */
function withEnv(env: NodeJS.ProcessEnv) {
  const given = { DATABASE_URL: testApp.url, SECRET_KEY: testApp.secretKey, ...env }
  return { cli, json }

  async function cli(line: string, ...more: string[]): Promise<Answer> {
    return runCommand([...line.split(' '), ...more], given)
  }

  async function json(line: string, ...more: string[]) {
    const { status, stdout, stderr } = await cli(`${line} --json`, ...more)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return JSON.parse(stdout)
  }
}
