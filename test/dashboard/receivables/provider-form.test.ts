// The form of an account at a bank: what stays, what is refused and where, and what is done with the
// account that was saved.

import { afterEach, expect, test } from 'vitest'
import { accountTexts } from '../../../src/dashboard/receivables/texts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { providerAccountTexts } from '../../../src/providers/texts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  BANK_PATH,
  BANK_SECRET,
  buildBankForm,
  openProviderDashboard,
  submitBankAccount,
} from '../../support/dashboard/providers.ts'
import { openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock } = testApp
const { openClient, openRealClient, providersOf, accountOf, auditOf } =
  openProviderDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)
const plain = await openFakeBank()

afterEach(() => plain.heal())

test('what is left blank stays, but not at another bank, nor where that is asked for', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))

  const kept = await submitBankAccount(
    dashboardClient,
    buildBankForm(plain.url, { clientSecret: '', scope: 'cob.read' }),
  )
  const config = (await accountOf(company, 'pix-api'))!.config
  const other = await submitBankAccount(
    dashboardClient,
    buildBankForm(plain.url, { preset: 'santander', clientSecret: '' }),
  )
  const anew = await submitBankAccount(
    dashboardClient,
    buildBankForm(plain.url, { clientSecret: '', semManter: 'on' }),
  )

  expect(kept.statusCode).toBe(303)
  expect(config).toMatchObject({ clientSecret: BANK_SECRET, scope: 'cob.read' })
  expect(readFormErrors(other.body)).toContainEqual(['clientSecret', 'Informe o Client Secret.'])
  expect(readFormErrors(anew.body)).toEqual([['clientSecret', 'Informe o Client Secret.']])
  expect((await accountOf(company, 'pix-api'))!.config).toEqual(config)
})

test('what is wrong stands at its field, what was typed stays, secrets do not', async () => {
  const { company, dashboardClient } = await openClient()
  const form = buildBankForm('http://banco.example.com', {
    ...{ clientId: '', clientSecret: 'segredo-que-nao-volta', pixKey: '<script>' },
    ...{ extraHeaders: 'sem dois pontos', merchantCity: 'Uma cidade comprida demais' },
  })

  const answer = await submitBankAccount(dashboardClient, form)
  const pairs = await submitBankAccount(dashboardClient, { ...form, extraHeaders: '' })

  expect(answer.statusCode).toBe(422)
  expect(readFormErrors(answer.body)).toEqual([
    ['extraHeaders', 'Escreva um por linha, como nome: valor.'],
  ])
  expect(readFormErrors(pairs.body).map(([field]) => field)).toEqual([
    ...['baseUrl', 'tokenUrl', 'clientId', 'pixKey', 'merchantCity'],
  ])
  expect(readFormErrors(pairs.body)).toContainEqual(['clientId', 'Preencha: Client ID.'])
  for (const { body } of [answer, pairs]) {
    expect(body).toContain('value="&lt;script&gt;"')
    expect(body).toContain('Uma cidade comprida demais')
    expect(body).not.toContain('segredo-que-nao-volta')
  }
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
})

test('a secret and a file that came with a refused form are asked for again, or the saved ones would stay', async () => {
  const { dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  const more = {
    ...{ clientSecret: 'outro', pixKey: '', 'ca.texto': 'x', pfx: Buffer.from('y') },
    'extraQuery.gw-dev-app-key': 'z',
  }

  const refused = await submitBankAccount(dashboardClient, buildBankForm(plain.url, more))
  const untouched = await submitBankAccount(
    dashboardClient,
    buildBankForm(plain.url, { clientSecret: '', pixKey: '' }),
  )

  const asked = [...refused.body.matchAll(/id="([^"]*)-hint">Informe de novo/g)]
  expect(asked.map(([, field]) => field).sort()).toEqual([
    ...['ca', 'clientSecret', 'extraQuery.gw-dev-app-key', 'pfx'],
  ])
  expect(refused.body).toContain('<details class="disclosure" open>')
  expect(untouched.statusCode).toBe(422)
  expect(untouched.body).not.toContain('Informe de novo')
})

test('headers, parameters and lists are read as they are written, and shown again', async () => {
  const { company, dashboardClient } = await openClient()
  const more = {
    extraHeaders: 'x-conta: 123\r\nx-id: {uuid}',
    extraQuery: 'a: b',
    'extraQuery.gw-dev-app-key': 'chave-de-desenvolvedor',
    copyPasteFields: 'pixCopiaECola, qr',
    ...{ tokenAuth: 'body', grantInQuery: 'nao', skipMtlsHeader: 'sim' },
  }

  await submitBankAccount(dashboardClient, buildBankForm(plain.url, more))
  const page = await readPage(dashboardClient, BANK_PATH)

  expect((await accountOf(company, 'pix-api'))!.config).toMatchObject({
    extraHeaders: { 'x-conta': '123', 'x-id': '{uuid}' },
    extraQuery: { a: 'b', 'gw-dev-app-key': 'chave-de-desenvolvedor' },
    copyPasteFields: ['pixCopiaECola', 'qr'],
    ...{ tokenAuth: 'body', grantInQuery: false, skipMtlsHeader: true },
  })
  expect(page).toContain('x-conta: 123\nx-id: {uuid}</textarea>')
  expect(page).toContain('>a: b</textarea>')
  expect(page).toContain('value="pixCopiaECola, qr"')
  expect(page).toMatch(/value="nao" selected/)
  expect(page).not.toContain('chave-de-desenvolvedor')
})

test('an account in use is not overwritten by one that does not work, unless that is said', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  await chooseProvider(db, {
    companyId: company.id,
    method: 'pix',
    provider: 'pix-api',
    now: clock.now(),
  })
  const wrong = buildBankForm(plain.url, { clientSecret: 'outro-segredo-9999' })

  const refused = await submitBankAccount(dashboardClient, wrong)
  const kept = (await accountOf(company, 'pix-api'))!.config
  const forced = await submitBankAccount(dashboardClient, { ...wrong, mesmoAssim: 'on' })

  expect(readFormErrors(refused.body)).toEqual([['mesmoAssim', accountTexts.notSaved]])
  expect(refused.body).toContain('id="mesmoAssim"')
  expect(kept.clientSecret).toBe(BANK_SECRET)
  expect(forced.statusCode).toBe(303)
  expect((await accountOf(company, 'pix-api'))!.config.clientSecret).toBe('outro-segredo-9999')
})

test('an account that payments are under way at is not overwritten by another, unless that is said', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  const now = clock.now()
  await chooseProvider(db, { companyId: company.id, method: 'pix', provider: 'pix-api', now })
  await pay(await newLink({ methods: ['pix'] }, company), PIX)
  // New payments go elsewhere by now; this one is still to be paid here.
  await chooseProvider(db, { companyId: company.id, method: 'pix', provider: 'sandbox', now })
  const other = buildBankForm((await openFakeBank()).url)

  const renewed = await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  const refused = await submitBankAccount(dashboardClient, other)
  const kept = (await accountOf(company, 'pix-api'))!.config
  const forced = await submitBankAccount(dashboardClient, { ...other, mesmoAssim: 'on' })

  expect(renewed.statusCode).toBe(303)
  expect(readFormErrors(refused.body)).toEqual([['mesmoAssim', accountTexts.notReplaced]])
  expect(readPageText(refused.body)).toContain(providerAccountTexts.otherAccount)
  expect(kept.baseUrl).toBe(plain.url)
  expect(forced.statusCode).toBe(303)
  expect(await accountOf(company, 'pix-api')).toMatchObject({ testFailure: null })
})

test('the bank is told where to send its notifications, and the page says when it would not be', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  const { notifyToken } = (await accountOf(company, 'pix-api'))!

  const done = await dashboardClient.post(`${BANK_PATH}/notificacoes`)
  plain.next({ on: /^PUT .webhook/, does: 'answer', status: 400, body: '{}' })
  const refused = await dashboardClient.post(`${BANK_PATH}/notificacoes`)

  const [told] = plain.calls(/^PUT .webhook/).map(({ text }) => JSON.parse(text).webhookUrl)
  expect(told).toBe(`${testApp.needs.baseUrl}/webhooks/pix-api/${notifyToken}`)
  expect(done.headers.location).toBe(`${BANK_PATH}?feito=notificacoes-registradas`)
  expect(refused.statusCode).toBe(422)
  expect(readFormErrors(refused.body)).toEqual([['content', providerAccountTexts.notRegistered]])
})

test('an account is removed after a question, but not while it is in use', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  const choice = { companyId: company.id, method: 'pix', now: clock.now() } as const
  await chooseProvider(db, { ...choice, provider: 'pix-api' })

  const question = await readPage(dashboardClient, `${BANK_PATH}/remover`)
  const refused = await dashboardClient.post(`${BANK_PATH}/remover`)
  await chooseProvider(db, { ...choice, provider: 'sandbox' })
  const removed = await dashboardClient.post(`${BANK_PATH}/remover`)
  const twice = await dashboardClient.post(`${BANK_PATH}/remover`)

  expect(readPageText(question)).toContain('Remover a conta Pix do seu banco?')
  expect(refused.statusCode).toBe(422)
  expect(readPageText(refused.body)).toContain(providerAccountTexts.chosenRemoved)
  expect(removed.headers.location).toBe('/painel/recebimentos?feito=conta-removida')
  expect(twice.statusCode).toBe(303)
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
  expect((await auditOf(company))[0]).toBe('provider_account_removed Pix do seu banco')
  expect(await providersOf(company)).toEqual(['sandbox', 'sandbox'])
})

test('an account whose secrets cannot be read any more says so, and can be set up anew', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  await db.$client.query(`update provider_accounts set config = '\\x00' where company_id = $1`, [
    company.id,
  ])

  const page = await readPage(dashboardClient, `${BANK_PATH}?banco=custom`)
  const tried = await dashboardClient.post(`${BANK_PATH}/testar`)
  const notified = await dashboardClient.post(`${BANK_PATH}/notificacoes`)
  const anew = await submitBankAccount(dashboardClient, buildBankForm(plain.url))

  expect(readPageText(page)).toContain(providerAccountTexts.unreadable)
  expect(readPageText(tried.body)).toContain(providerAccountTexts.unreadable)
  expect(notified.statusCode).toBe(422)
  expect(anew.headers.location).toBe(`${BANK_PATH}?feito=conta-salva-e-testada`)
})

test('a card number in a form with files is refused, and nothing of it is kept', async () => {
  const { company, dashboardClient } = await openClient()

  const form = { ...buildBankForm(plain.url), scope: '4111 1111 1111 1111' }
  const { statusCode, body } = await submitBankAccount(dashboardClient, form)

  expect(statusCode).toBe(422)
  expect(body).toContain('Dados de cartão não são aceitos aqui.')
  expect(body).toContain(`href="${BANK_PATH}"`)
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
  expect(JSON.stringify(await auditOf(company))).not.toContain('4111')
})

test('credentials of tests are refused in the real environment, and real ones in that of tests', async () => {
  const [inTest, inReal] = [await openClient(), await openRealClient()]
  const { testAccount: ofTests, realAccount: ofReal } = providerAccountTexts
  const form = (test: string) => ({ ...buildBankForm(plain.url), test })

  const refused = [
    await submitBankAccount(inTest.dashboardClient, form('producao')),
    await submitBankAccount(inReal.dashboardClient, form('homologacao')),
  ]

  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422])
  expect(refused.map(({ body }) => readFormErrors(body)[0]![1])).toEqual([ofReal, ofTests])
  for (const { company } of [inTest, inReal]) {
    expect(await accountOf(company, 'pix-api')).toBeUndefined()
  }
})
