// A lost password: asking for a link, which tells strangers nothing, and choosing a new one by it.
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { mails, passwordResets } from '../../../src/database/tables.ts'
import { openDashboardClient, postForm } from '../../support/dashboard/client.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../../support/smtp-server.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const testApp = await openTestApp({ mail: true })
const { app, db, newCompany } = testApp
const NEW_PASSWORD = 'broa de milho com erva-doce'

let made = 0
const newEmail = () => `gente${++made}@exemplo.com.br`

const send = (url: string, form: Record<string, string>, more: InjectOptions = {}) =>
  postForm(app, url, form, more)

async function newPerson() {
  const { id: companyId } = await newCompany()
  return { companyId, dashboardClient: await openDashboardClient(testApp, { companyId }) }
}

/** What the work behind the answer comes to. */
const settled = (count: () => Promise<number>) => expect.poll(count, { timeout: 5_000 })

test('a lost password: the link comes by mail, opens once, and signs out everywhere', async () => {
  const { companyId, dashboardClient } = await newPerson()
  const smtpServer = await openSmtpServer()

  const asked = await send('/painel/senha', { email: ` ${dashboardClient.email.toUpperCase()}` })
  await settled(() => db.$count(passwordResets)).toBe(1)
  await settled(() => db.$count(mails)).toBe(1)
  await sendAllMails(buildMailNeeds(testApp, smtpServer.url))
  const path = smtpServer.received[0]!.text!.match(/\/painel\/senha\/[\w-]{43}/)![0]
  const form = await app.inject(path)
  const weak = await send(path, { password: 'senha12345678' })
  const answer = await send(path, { password: NEW_PASSWORD })
  const again = await app.inject(path)

  expect(asked.headers.location).toBe('/painel/senha?feito=link')
  expect(form.statusCode).toBe(200)
  expect(weak.statusCode).toBe(422)
  expect(weak.body).toContain('Esta senha é fácil de adivinhar.')
  expect(answer.headers.location).toBe('/painel/entrar?feito=senha')
  expect((await app.inject(answer.headers.location!)).body).toContain('Entre com a nova.')
  expect(again.statusCode).toBe(410)
  expect((await dashboardClient.get('/painel')).statusCode).toBe(303)
  const signIn = { email: dashboardClient.email, password: NEW_PASSWORD }
  expect((await send('/painel/entrar', signIn)).statusCode).toBe(303)
  expect((await send('/painel/entrar', { ...signIn, password: PASSWORD })).statusCode).toBe(422)
  const entries = await listAudit(db, companyId, { limit: 5 })
  const actions = entries.map(({ action }) => action).filter((one) => one !== 'sign_in_failed')
  expect(actions).toEqual(['sign_in', 'password_reset'])
})

test('the answer does not tell whether an e-mail has an account', async () => {
  const { dashboardClient } = await newPerson()
  const before = await db.$count(mails)

  const known = await send('/painel/senha', { email: dashboardClient.email })
  const unknown = await send('/painel/senha', { email: newEmail() })
  const page = await app.inject(unknown.headers.location!)

  const bare = ({ date: _, 'x-request-id': __, ...headers }: typeof known.headers) => headers
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  expect(bare(known.headers)).toEqual(bare(unknown.headers))
  expect(page.body).toContain('Se este e-mail tem conta, enviamos um link')
  await settled(() => db.$count(mails)).toBe(before + 1)
})

test('the answer does not wait for what is done when somebody has the e-mail', async () => {
  const { dashboardClient } = await newPerson()
  const lock = await db.$client.connect()
  await lock.query('begin')
  await lock.query('select from users where email = $1 for update', [dashboardClient.email])
  const before = await db.$count(passwordResets)

  const answer = await send('/painel/senha', { email: dashboardClient.email })
  const meanwhile = await db.$count(passwordResets)
  await lock.query('rollback')
  lock.release()

  expect(answer.statusCode).toBe(303)
  expect(meanwhile).toBe(before)
  await settled(() => db.$count(passwordResets)).toBe(before + 1)
})

test('asking is limited by address aloud, and by account in silence', async () => {
  const { dashboardClient } = await newPerson()
  const before = await db.$count(mails)

  const spread = []
  for (let i = 0; i < 5; i++) {
    spread.push((await send('/painel/senha', { email: dashboardClient.email })).statusCode)
  }
  const crowded = []
  for (let i = 0; i < 11; i++) {
    const sent = await send('/painel/senha', { email: newEmail() }, { remoteAddress: '192.0.2.77' })
    crowded.push(sent.statusCode)
  }

  expect(spread).toEqual([303, 303, 303, 303, 303])
  expect(crowded.slice(0, 10).every((status) => status === 303)).toBe(true)
  expect(crowded[10]).toBe(429)
  await settled(() => db.$count(mails)).toBe(before + 3)
})

test('without mail the page says whom to ask, and asking writes nothing', async () => {
  const quiet = await testApp.anotherProcess({ mail: null })
  const { dashboardClient } = await newPerson()
  const before = await db.$count(passwordResets)

  const page = await quiet.inject('/painel/senha')
  const sent = await postForm(quiet, '/painel/senha', { email: dashboardClient.email })

  expect(page.body).toContain('user reset-password')
  expect(page.body).not.toContain('<form')
  expect(sent.body).toContain('user reset-password')
  expect(await db.$count(passwordResets)).toBe(before)
})
