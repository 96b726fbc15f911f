// Minha conta: one's password and sessions, and the second step of signing in, turned on and off.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { describeDevice } from '../../../src/dashboard/access/session.ts'
import { createSession, listSessions } from '../../../src/users/session.ts'
import { consumeTwoFactorCode } from '../../../src/users/two-factor.ts'
import { verifyUserPassword } from '../../../src/users/user.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { generateTotpCode } from '../../support/people.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const testApp = await openTestApp()
const { app, db, cipher, clock, newCompany } = testApp
const NEW_PASSWORD = 'broa de milho com erva-doce'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

async function openClient() {
  const { id: companyId } = await newCompany()
  return {
    companyId,
    dashboardClient: await openDashboardClient(testApp, { companyId, role: 'member' }),
  }
}

async function openElsewhere({ id: userId }: DashboardClient, userAgent = ANDROID) {
  const seat = { userId, address: '198.51.100.4', userAgent, now: clock.now() }
  return createSession(db, seat)
}

const isIn = async (token: string) =>
  (await app.inject({ url: '/painel', cookies: { painel: token } })).statusCode === 200

async function actionsOf(companyId: string) {
  const entries = await listAudit(db, companyId, { limit: 20 })
  return entries.map(({ action, subject }) => [action, subject])
}

test('a new password takes the current one, ends the other sessions and keeps this one', async () => {
  const { companyId, dashboardClient } = await openClient()
  const other = await openElsewhere(dashboardClient)

  const answer = await dashboardClient.post('/painel/conta/senha', {
    current: PASSWORD,
    password: NEW_PASSWORD,
  })

  expect(answer.headers.location).toBe('/painel/conta?feito=senha-trocada')
  expect(await verifyUserPassword(db, dashboardClient.id, NEW_PASSWORD)).toBe(true)
  expect(await isIn(other.token)).toBe(false)
  expect((await dashboardClient.get(answer.headers.location!)).body).toContain('Senha trocada.')
  expect(await actionsOf(companyId)).toEqual([['password_changed', null]])
})

test('a wrong or a weak password changes nothing, says why, and is not shown again', async () => {
  const { companyId, dashboardClient } = await openClient()

  const wrong = await dashboardClient.post('/painel/conta/senha', {
    current: 'nada disso aqui',
    password: NEW_PASSWORD,
  })
  const weak = await dashboardClient.post('/painel/conta/senha', {
    current: PASSWORD,
    password: 'curta',
  })
  const empty = await dashboardClient.post('/painel/conta/senha')

  expect([wrong, weak, empty].map(({ statusCode }) => statusCode)).toEqual([422, 422, 422])
  expect(wrong.body).toContain('<a href="#current">Senha incorreta.')
  expect(weak.body).toContain('<a href="#password">Escolha uma senha de 12 a 128 caracteres.')
  for (const typed of [NEW_PASSWORD, 'nada disso aqui']) expect(wrong.body).not.toContain(typed)
  expect(await verifyUserPassword(db, dashboardClient.id, PASSWORD)).toBe(true)
  expect(await actionsOf(companyId)).toEqual([])
})

test('the current password cannot be guessed at an open screen', async () => {
  const { dashboardClient } = await openClient()
  const guess = (current: string) =>
    dashboardClient.post('/painel/conta/senha', { current, password: NEW_PASSWORD })

  const wrong = await Promise.all(Array.from({ length: 7 }, (_, i) => guess(`tentativa ${i}`)))
  const right = await guess(PASSWORD)
  clock.offsetMs += 61_000
  const later = await guess(PASSWORD)

  const statuses = wrong.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 422)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  expect(right.statusCode).toBe(429)
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
  expect(later.statusCode).toBe(303)
})

test('sessions are listed with their device and place, this one marked', async () => {
  const { dashboardClient } = await openClient()
  await openElsewhere(dashboardClient)
  await openElsewhere(dashboardClient, '<script>alert(1)</script>')

  const { body } = await dashboardClient.get('/painel/conta')

  expect(body).toContain('Chrome no Android')
  expect(body).toContain('198.51.100.4')
  expect(body.match(/Esta sessão/g)).toHaveLength(1)
  expect(body.match(/conta\/sessoes\/[\w-]{36}\/encerrar"/g)).toHaveLength(2)
  expect(body).not.toContain('<script>alert')
})

test('a session is ended on its own, and all others at once', async () => {
  const { companyId, dashboardClient } = await openClient()
  const [phone, tablet, office] = await Promise.all(
    [1, 2, 3].map(() => openElsewhere(dashboardClient)),
  )

  const one = await dashboardClient.post(`/painel/conta/sessoes/${phone!.id}/encerrar`)
  const afterOne = await Promise.all([phone!, tablet!, office!].map(({ token }) => isIn(token)))
  const again = await dashboardClient.post(`/painel/conta/sessoes/${phone!.id}/encerrar`)
  const others = await dashboardClient.post('/painel/conta/sessoes/encerrar-outras')
  const left = await listSessions(db, dashboardClient.id, clock.now())

  expect(one.headers.location).toBe('/painel/conta?feito=sessao-encerrada')
  expect(afterOne).toEqual([false, true, true])
  expect(again.statusCode).toBe(404)
  expect(others.headers.location).toBe('/painel/conta?feito=sessoes-encerradas')
  expect(left.map(({ id }) => id)).toEqual([dashboardClient.sessionId])
  expect(await actionsOf(companyId)).toEqual([
    ['session_closed', 'Todas as outras'],
    ['session_closed', 'Chrome no Android'],
  ])
})

/** Sets the second step up on the pages and answers its secret and recovery codes. */
async function turnOn(dashboardClient: DashboardClient) {
  const path = '/painel/conta/duas-etapas/confirmar'
  await dashboardClient.post('/painel/conta/duas-etapas')
  const page = await dashboardClient.get(path)
  const secret = page.body.match(/id="secret"[^>]*>([A-Z2-7 ]+)</)![1]!.replaceAll(' ', '')
  const wrong = await dashboardClient.post(path, { code: '000000' })
  const before = await dashboardClient.get('/painel/conta')
  const code = generateTotpCode(secret, clock.now())
  const answer = await dashboardClient.post(path, { code })
  return { page, secret, wrong, before, answer, codes: codesIn(answer.body) }
}

const codesIn = (html: string) =>
  [...html.matchAll(/^(?:<textarea[^>]*>)?([2-9a-z]{4}-[2-9a-z]{4})(?![\w=-])/gm)].map(
    ([, code]) => code!,
  )

test('the second step is set up by a right code of the secret that is shown, and its recovery codes are seen once', async () => {
  const { companyId, dashboardClient } = await openClient()

  const { page, secret, wrong, before, answer, codes } = await turnOn(dashboardClient)
  const account = await dashboardClient.get('/painel/conta')

  expect(page.body).toContain('<svg xmlns="http://www.w3.org/2000/svg"')
  expect(page.body).toContain(`secret=${secret}`)
  expect([wrong.statusCode, answer.statusCode]).toEqual([422, 200])
  expect(wrong.body).toContain('Código incorreto.')
  expect(wrong.body).toContain(`secret=${secret}`)
  expect(before.body).toContain('Desativada')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(codes).toHaveLength(10)
  const file = decodeURIComponent(
    answer.body.match(/href="data:text\/plain;charset=utf-8,([^"]+)"/)![1]!,
  )
  for (const code of codes) expect(file).toContain(code)
  expect(account.body).toContain('Você ainda tem 10 códigos de recuperação.')
  expect(codesIn(account.body)).toEqual([])
  expect(account.body).not.toContain(secret)
  expect(
    await consumeTwoFactorCode(db, cipher, dashboardClient.id, codes[0]!, clock.now()),
  ).toEqual({ kind: 'consumed' })
  expect(await actionsOf(companyId)).toEqual([['totp_enabled', null]])
})

test('turning it off, or new recovery codes, take a code, and the password does not do', async () => {
  const { companyId, dashboardClient } = await openClient()
  const { secret, codes } = await turnOn(dashboardClient)
  const paths = ['desativar', 'codigos'].map((path) => `/painel/conta/duas-etapas/${path}`)
  clock.offsetMs += 30_000

  const asked = await Promise.all(paths.map((path) => dashboardClient.get(path)))
  const wrong = [
    await dashboardClient.post(paths[0]!, { password: PASSWORD }),
    await dashboardClient.post(paths[1]!, { password: PASSWORD, code: '000000' }),
  ]
  const renewed = await dashboardClient.post(paths[1]!, {
    code: generateTotpCode(secret, clock.now()),
  })
  const newCodes = codesIn(renewed.body)
  const old = await dashboardClient.post(paths[0]!, { code: codes[0]! })
  const off = await dashboardClient.post(paths[0]!, { code: newCodes[0]! })

  for (const { body } of asked) expect(body).toContain('ou um código de recuperação')
  for (const answer of [...wrong, old]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('Código incorreto ou já usado.')
  }
  expect(newCodes).toHaveLength(10)
  expect(newCodes).not.toContain(codes[0])
  expect(off.headers.location).toBe('/painel/conta?feito=duas-etapas-desativada')
  expect((await dashboardClient.get('/painel/conta')).body).toContain('Desativada')
  const actions = await actionsOf(companyId)
  expect(actions.map(([action]) => action)).toEqual([
    'totp_disabled',
    'recovery_codes_renewed',
    'totp_enabled',
  ])
})

test.each([
  [ANDROID, 'Chrome no Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari no iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome no iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge no Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Safari no Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox no Linux'],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet no Android',
  ],
  ['Something/1.0 (Windows NT 10.0)', 'Navegador no Windows'],
  ['curl/8.5.0', 'curl'],
  ['', 'Aparelho desconhecido'],
])('%s is %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})
