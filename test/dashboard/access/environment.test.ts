// From one environment of a company into the other, and what a person finds there.
import { expect, test } from 'vitest'
import { getSessionCookie } from '../../../src/dashboard/access/session-guard.ts'
import { createSession } from '../../../src/users/session.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { BANK_CONFIG, openAccountsAtBank } from '../../support/providers/accounts.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'
import { writeUser } from '../../support/users.ts'

const testApp = await openTestApp()
const { app, clock, db, needs, newCompany, openReal } = testApp
const { newLink, pay } = openCheckout(testApp)
const { save, choose } = openAccountsAtBank(testApp)

const WORKED = [{ step: 'token', ok: true } as const]
const BANNER = 'AMBIENTE DE TESTE'
const LINK = { title: 'Bolo de fubá', amount: '19,90', methods: ['pix'] }

async function goLive({ realId }: TestCompany) {
  await save(realId, { ...BANK_CONFIG, test: false }, { steps: WORKED })
  await choose(realId)
}

/** Somebody who has chosen no environment yet, by the cookie of a session. */
async function signIn({ realId }: TestCompany) {
  const email = `pessoa-${realId.slice(-12)}@exemplo.com.br`
  const { id: userId } = await writeUser(db, { companyId: realId, email, role: 'owner' })
  const seat = { userId, address: '203.0.113.7', userAgent: 'Testes', now: clock.now() }
  const { token } = await createSession(db, seat)
  const cookies = { [getSessionCookie(needs).name]: token }
  return { token, read: async () => (await app.inject({ url: '/painel', cookies })).body }
}

const isInTest = (html: string) => html.includes(BANNER)

/** Another tab of the same browser, which still shows the environment that it was opened in. */
function openOldTab(dashboardClient: DashboardClient) {
  const { csrf } = dashboardClient
  return (url: string, form: Record<string, string> = {}) =>
    dashboardClient.postBare(url, { _csrf: csrf, ...form })
}

test('the dashboard opens in the test environment until the company can be paid, and in the real one from then on', async () => {
  const company = await newCompany()
  const { read } = await signIn(company)

  const before = await read()
  await goLive(company)
  const after = await read()

  expect([before, after].map(isInTest)).toEqual([true, false])
})

test('the environment that was chosen is kept by the session, whatever is usual, and by that session alone', async () => {
  const company = await newCompany()
  await goLive(company)
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.realId })
  const { read } = await signIn(company)

  const switched = await dashboardClient.post('/painel/ambiente', { para: 'teste' })

  expect(switched.statusCode).toBe(303)
  expect(isInTest(await readPage(dashboardClient, '/painel/links'))).toBe(true)
  expect(isInTest(await read())).toBe(false)
  await dashboardClient.post('/painel/ambiente', { para: 'real' })
  expect(isInTest(await readPage(dashboardClient, '/painel/links'))).toBe(false)
})

test('the switch says where one is, and leads to the same list of the other', async () => {
  const { id: companyId } = await newCompany()
  const dashboardClient = await openDashboardClient(testApp, { companyId })

  const html = await readPage(dashboardClient, '/painel/links')
  const back = html.match(/name="voltar" value="([^"]+)"/)![1]!
  const switched = await dashboardClient.post('/painel/ambiente', { para: 'real', voltar: back })
  const outside = await dashboardClient.post('/painel/ambiente', { voltar: 'https://evil.example' })

  expect(html).toMatch(/value="teste" aria-pressed="true"/)
  expect(html).toMatch(/value="real" aria-pressed="false"/)
  expect(switched.headers.location).toBe('/painel/links')
  expect(outside.headers.location).toBe('/painel')
})

test('a form that was opened before the switch is refused in a clear sentence, and does nothing', async () => {
  const company = await newCompany()
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const postFromOldTab = openOldTab(dashboardClient)
  await dashboardClient.post('/painel/ambiente', { para: 'real' })
  const real = await openReal(company)

  const refused = await postFromOldTab('/painel/links/novo', { ...LINK, methods: 'pix' })
  const key = await postFromOldTab('/painel/chaves/nova', { name: 'Loja' })

  for (const { statusCode, body } of [refused, key]) {
    expect(statusCode).toBe(409)
    expect(readPageText(body)).toContain(
      'Nada foi feito: em outra aba, o painel passou para o ambiente real.',
    )
  }
  for (const environment of [company, real]) {
    expect((await environment.get('/api/payment-links')).json().data).toEqual([])
  }
  const { rows } = await db.$client.query(
    `select count(*)::int from api_keys where name = 'Loja' and company_id = any($1)`,
    [[company.id, company.realId]],
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('signing out and switching work from a tab of either environment', async () => {
  const { id: companyId } = await newCompany()
  const dashboardClient = await openDashboardClient(testApp, { companyId })
  const postFromOldTab = openOldTab(dashboardClient)
  await dashboardClient.post('/painel/ambiente', { para: 'real' })

  const back = await postFromOldTab('/painel/ambiente', { para: 'teste' })
  const there = isInTest(await readPage(dashboardClient, '/painel'))
  await dashboardClient.post('/painel/ambiente', { para: 'real' })
  const out = await postFromOldTab('/painel/sair')

  expect(back.statusCode).toBe(303)
  expect(there).toBe(true)
  expect(out.headers.location).toBe('/painel/entrar')
  expect((await dashboardClient.get('/painel')).statusCode).toBe(303)
})

test('an endpoint of the real environment is offered no test event, and none is sent', async () => {
  const company = await newCompany()
  const hook = { url: 'https://1.1.1.1/hook' }
  const inTest = (await company.post('/api/webhook-endpoints', hook)).json()
  const inReal = (await (await openReal(company)).post('/api/webhook-endpoints', hook)).json()
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const offered = await readPage(dashboardClient, `/painel/integracoes/${inTest.id}`)
  await dashboardClient.post('/painel/ambiente', { para: 'real' })

  const real = await readPage(dashboardClient, `/painel/integracoes/${inReal.id}`)
  const refused = await dashboardClient.post(`/painel/integracoes/${inReal.id}/testar`)

  expect(offered).toContain('Enviar evento de')
  expect(real).not.toContain('/testar')
  expect(readPageText(real)).not.toContain('evento de teste')
  expect(refused.statusCode).toBe(422)
  expect(readPageText(refused.body)).toContain(
    'Eventos de teste só vão a endpoints do ambiente de teste.',
  )
})

test('a real link takes no simulated payment', async () => {
  const company = await newCompany()
  await goLive(company)
  const real = await openReal(company)
  const link = await newLink({ methods: ['pix'] }, real)
  const { row, browser, url } = await pay(link, PIX)
  const dashboardClient = await openDashboardClient(testApp, { companyId: real.id })

  const [page, shown] = [
    await browser.get(url),
    await readPage(dashboardClient, `/painel/transacoes/${row.id}`),
  ]
  const answers = [
    await browser.post(`${url}/simulate`, {}),
    await dashboardClient.post(`/painel/transacoes/${row.id}/simular`),
    await browser.get(`/pagar/sandbox/3ds/sbx_${row.id}`),
    await browser.post(`/pagar/sandbox/3ds/sbx_${row.id}`, { answer: 'approve' }),
  ]

  expect(row).toMatchObject({ testMode: false, provider: 'pix-api' })
  expect(page.body + shown).not.toMatch(/[Ss]imular/)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
})
