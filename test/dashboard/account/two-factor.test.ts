// The second step of signing in, as a person turns it on and off.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { consumeTwoFactorCode, countRecoveryCodes } from '../../../src/users/two-factor.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { generateTotpCode } from '../../support/people.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const testApp = await openTestApp()
const { db, cipher, clock, newCompany } = testApp

async function openClient() {
  const { id: companyId } = await newCompany()
  return {
    companyId,
    dashboardClient: await openDashboardClient(testApp, { companyId, role: 'member' }),
  }
}

async function actionsOf(companyId: string) {
  const entries = await listAudit(db, companyId, { limit: 20 })
  return entries.map(({ action }) => action)
}

/** Sets the second step up on the pages and answers its secret and recovery codes. */
async function turnOn(dashboardClient: DashboardClient) {
  await dashboardClient.post('/painel/conta/duas-etapas')
  const page = await dashboardClient.get('/painel/conta/duas-etapas/confirmar')
  const secret = page.body.match(/id="secret"[^>]*>([A-Z2-7 ]+)</)![1]!.replaceAll(' ', '')
  const code = generateTotpCode(secret, clock.now())
  const answer = await dashboardClient.post('/painel/conta/duas-etapas/confirmar', { code })
  return { page, secret, answer, codes: codesIn(answer.body) }
}

const codesIn = (html: string) =>
  [...html.matchAll(/^(?:<textarea[^>]*>)?([2-9a-z]{4}-[2-9a-z]{4})(?![\w=-])/gm)].map(
    ([, code]) => code!,
  )

test('the second step is set up by a code, and its recovery codes are seen once', async () => {
  const { companyId, dashboardClient } = await openClient()

  const { page, secret, answer, codes } = await turnOn(dashboardClient)
  const account = await dashboardClient.get('/painel/conta')

  expect(page.body).toContain('<svg xmlns="http://www.w3.org/2000/svg"')
  expect(page.body).toContain(`secret=${secret}`)
  expect(answer.statusCode).toBe(200)
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
  expect(await actionsOf(companyId)).toEqual(['totp_enabled'])
})

test('a wrong code turns nothing on, and the same secret is shown again', async () => {
  const { companyId, dashboardClient } = await openClient()
  await dashboardClient.post('/painel/conta/duas-etapas')
  const before = await dashboardClient.get('/painel/conta/duas-etapas/confirmar')
  const secret = before.body.match(/id="secret"[^>]*>([A-Z2-7 ]+)</)![1]!

  const answer = await dashboardClient.post('/painel/conta/duas-etapas/confirmar', {
    code: '000000',
  })

  expect(answer.statusCode).toBe(422)
  expect(answer.body).toContain('Código incorreto.')
  expect(answer.body).toContain(secret)
  expect((await dashboardClient.get('/painel/conta')).body).toContain('Desativada')
  expect(await actionsOf(companyId)).toEqual([])
})

test('the page of the set-up is there only while something is begun', async () => {
  const { dashboardClient } = await openClient()

  const before = await dashboardClient.get('/painel/conta/duas-etapas/confirmar')
  await turnOn(dashboardClient)
  const after = await dashboardClient.get('/painel/conta/duas-etapas/confirmar')
  const begunAgain = await dashboardClient.post('/painel/conta/duas-etapas')

  expect([before.headers.location, after.headers.location]).toEqual([
    '/painel/conta',
    '/painel/conta',
  ])
  expect(begunAgain.statusCode).toBe(303)
  expect(await countRecoveryCodes(db, dashboardClient.id)).toBe(10)
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
  expect(await actionsOf(companyId)).toEqual([
    'totp_disabled',
    'recovery_codes_renewed',
    'totp_enabled',
  ])
})

test('whoever has no second step is not asked how to end it', async () => {
  const { dashboardClient } = await openClient()

  const pages = await Promise.all(
    ['desativar', 'codigos'].map((path) =>
      dashboardClient.get(`/painel/conta/duas-etapas/${path}`),
    ),
  )
  const renewed = await dashboardClient.post('/painel/conta/duas-etapas/codigos', {
    code: '000000',
  })

  for (const answer of [...pages, renewed]) expect(answer.headers.location).toBe('/painel/conta')
})
