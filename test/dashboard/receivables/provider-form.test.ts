// The form of an account at a bank: what stays, what is refused and where, and what is done with the
// account that was saved.

import { X509Certificate } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { listFields, readSentAccount } from '../../../src/dashboard/receivables/account-fields.ts'
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
import { openCertificates } from '../../support/providers/certificates.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock } = testApp
const { openClient, providersOf, accountOf, auditOf } = openProviderDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)
const plain = await openFakeBank()
const PEM = '-----BEGIN CERTIFICATE-----'

afterEach(() => plain.heal())

test('what is left blank stays, but not at another bank, nor where that is asked for', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))

  const kept = await submitBankAccount(
    dashboardClient,
    buildBankForm(plain.url, { clientSecret: '\u200b ', scope: ' cob.read\u200b' }),
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
    ...{
      'cert.texto': PEM,
      extraHeaders: 'sem dois pontos',
      merchantCity: 'Uma cidade comprida demais',
    },
  })

  const answer = await submitBankAccount(dashboardClient, form)
  const real = await submitBankAccount(dashboardClient, {
    ...buildBankForm(plain.url),
    test: 'producao',
  })

  expect(answer.statusCode).toBe(422)
  const errors = readFormErrors(answer.body)
  expect(errors.map(([field]) => field)).toEqual([
    ...['baseUrl', 'tokenUrl', 'clientId', 'key', 'pixKey', 'extraHeaders', 'merchantCity'],
  ])
  expect(errors).toContainEqual(['clientId', 'Preencha: Client ID.'])
  expect(errors).toContainEqual(['extraHeaders', 'Escreva um por linha, como nome: valor.'])
  expect(answer.body).toContain('value="&lt;script&gt;"')
  expect(answer.body).toContain('Uma cidade comprida demais')
  expect(answer.body).toContain('sem dois pontos')
  expect(answer.body).not.toContain('segredo-que-nao-volta')
  expect(readFormErrors(real.body)).toEqual([['actions', providerAccountTexts.realAccount]])
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

test('a certificate is taken in DER too, and PEM with the marks and line breaks of Windows', async () => {
  const { cert, key } = await (await openCertificates().authority()).issue()
  const ofWindows = Buffer.from(`\ufeff${key.replaceAll('\n', '\r\n')}`)

  const { config } = readSentAccount(
    { cert: new X509Certificate(cert).raw, key: ofWindows, ca: Buffer.from('0 nothing') },
    listFields('pix-api', 'custom'),
  )

  expect(config).toMatchObject({ cert: cert.trim(), key: key.trim(), ca: '0 nothing' })
})

test('an account in use, or that payments are under way at, is not overwritten by one that does not work, or another, unless that is said', async () => {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  const choice = { companyId: company.id, method: 'pix', now: clock.now() } as const
  await chooseProvider(db, { ...choice, provider: 'pix-api' })
  await pay(await newLink({ methods: ['pix'] }, company), PIX)
  const wrong = buildBankForm(plain.url, { clientSecret: 'outro-segredo-9999' })
  const other = buildBankForm((await openFakeBank()).url)

  const broken = await submitBankAccount(dashboardClient, wrong)
  const untested = await accountOf(company, 'pix-api')
  const forced = await submitBankAccount(dashboardClient, { ...wrong, mesmoAssim: 'on' })
  const { clientSecret } = (await accountOf(company, 'pix-api'))!.config
  const renewed = await submitBankAccount(dashboardClient, buildBankForm(plain.url))
  // New payments go elsewhere by now; the one that began is still to be paid here.
  await chooseProvider(db, { ...choice, provider: 'sandbox' })
  const replaced = await submitBankAccount(dashboardClient, other)
  const kept = (await accountOf(company, 'pix-api'))!.config
  const forcedToo = await submitBankAccount(dashboardClient, { ...other, mesmoAssim: 'on' })

  expect(readFormErrors(broken.body)).toEqual([['mesmoAssim', accountTexts.notSaved]])
  expect(broken.body).toContain('id="mesmoAssim"')
  expect(untested!.config.clientSecret).toBe(BANK_SECRET)
  expect(clientSecret).toBe('outro-segredo-9999')
  expect(readFormErrors(replaced.body)).toEqual([['mesmoAssim', accountTexts.notReplaced]])
  expect(readPageText(replaced.body)).toContain(providerAccountTexts.otherAccount)
  expect(kept.baseUrl).toBe(plain.url)
  for (const { statusCode } of [forced, renewed, forcedToo]) expect(statusCode).toBe(303)
  expect(await accountOf(company, 'pix-api')).toMatchObject({ testFailure: null })
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

test('an account says that its secrets cannot be read any more, and can be set up anew', async () => {
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
