// Real money: a deliberate step, with a checklist of facts. And who moves it in the test environment.

import { beforeEach, expect, test } from 'vitest'
import { findCompany, updateCompany } from '../../../src/companies/company.ts'
import { choiceTexts } from '../../../src/dashboard/receivables/texts.ts'
import { saveAccount, testAccount } from '../../../src/providers/accounts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  BANK_PATH,
  MERCADO_PAGO_PATH,
  openProviderDashboard,
} from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { MERCADO_PAGO_KEYS, openFakeMercadoPago } from '../../support/providers/mercadopago/fake.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const live = await openTestApp({ local: true, mail: true, baseUrl: 'https://vintem.example.com' })
const { db, clock, needs } = live
const dashboard = openProviderDashboard(live)
const { openClient, openRealClient, prepare, providersOf, auditOf } = dashboard
const bank = await openFakeBank()
const mercadoPago = await openFakeMercadoPago(clock.now)

beforeEach(() => {
  bank.heal()
  bank.book.webhooks.clear()
})

const PIX = `${BANK_PATH}/pix`
const CARDS = `${MERCADO_PAGO_PATH}/cartao`
const RECEIVABLES = '/painel/recebimentos'
const { checks } = choiceTexts

/** A company with an account at the bank that works; nothing is chosen. */
async function withBank(more: { test?: boolean; prepared?: boolean } = {}) {
  const { test: isTest = false, prepared = true } = more
  const open = await (isTest ? openClient() : openRealClient())
  if (prepared) await prepare(open.company)
  await openAccount(open.company, isTest)
  return open
}

async function openAccount({ id: companyId }: Pick<TestCompany, 'id'>, isTest: boolean) {
  const key = { companyId, provider: 'pix-api', now: clock.now() } as const
  await saveAccount(needs, { ...key, config: { ...bank.config, test: isTest } })
  await testAccount(needs, key)
}

test('with everything in order Pix goes live, the bank is told where to notify, and it is on record', async () => {
  const { company, dashboardClient } = await withBank()

  const page = await readPage(dashboardClient, PIX)
  const done = await dashboardClient.post(PIX, { entendo: 'on' })
  const list = await readPage(dashboardClient, done.headers.location!)

  expect(readPageText(page)).toContain('Pronto: Conexão testada com estes dados')
  expect(readPageText(page)).not.toContain('Falta algo da lista acima.')
  expect(done.headers.location).toBe(`${RECEIVABLES}?feito=provedor-escolhido`)
  expect(await providersOf(company)).toEqual(['pix-api', null])
  expect(readPageText(list)).toMatch(/Pix do seu banco Em uso/)
  expect(readPageText(list)).not.toContain('Simulador')
  expect(bank.calls(/^PUT .webhook/)).toHaveLength(1)
  expect(await auditOf(company)).toEqual(['provider_chosen Pix do seu banco'])
})

test('while anything of the checklist is not in order, or the word is not given, the company does not go live', async () => {
  const { company, dashboardClient } = await withBank()
  const wrong: [keyof typeof checks, object][] = [
    ['taxId', { taxId: null }],
    ['support', { supportEmail: null, supportPhone: null }],
    ['notice', { mailPayments: false }],
  ]

  for (const [name, changes] of wrong) {
    const before = await findCompany(db, company.id)
    await updateCompany(db, company.id, changes, clock.now())
    const page = await readPage(dashboardClient, PIX)
    const refused = await dashboardClient.post(PIX, { entendo: 'on' })
    const { taxId, supportEmail, supportPhone, mailPayments } = before!
    const mended = { taxId, supportEmail, supportPhone, mailPayments }
    await updateCompany(db, company.id, mended, clock.now())

    expect(readPageText(page)).toContain(`Falta: ${checks[name].text} ${checks[name].todo}`)
    expect(refused.body).toContain(`<a href="#check-${name}">${checks[name].todo}</a>`)
    expect(refused.body).toContain(`id="check-${name}"`)
    expect(refused.body).toMatch(/id="entendo"[^>]* checked/)
  }
  const unsaid = await dashboardClient.post(PIX)
  expect(readFormErrors(unsaid.body)).toEqual([['entendo', choiceTexts.understand]])
  expect(await providersOf(company)).toEqual([null, null])
})

test('a webhook endpoint is notice enough, and a disabled one none', async () => {
  const { company, dashboardClient } = await withBank()
  await updateCompany(db, company.id, { mailPayments: false }, clock.now())
  const made = await company.post('/api/webhook-endpoints', { url: 'https://127.0.0.1/hook' })
  await db.$client.query('update webhook_endpoints set disabled_at = now()')
  const disabled = await dashboardClient.post(PIX, { entendo: 'on' })
  await db.$client.query('update webhook_endpoints set disabled_at = null')

  // So is a telephone, of an e-mail.
  const reached = { supportEmail: null, supportPhone: '+5511987654321' }
  await updateCompany(db, company.id, reached, clock.now())
  const done = await dashboardClient.post(PIX, { entendo: 'on' })

  expect(made.statusCode).toBe(201)
  expect(disabled.statusCode).toBe(422)
  expect(done.statusCode).toBe(303)
})

test('with a test that failed, or none since the account was saved, the company does not go live', async () => {
  const { company, dashboardClient } = await withBank()
  bank.next({ on: /oauth/, does: 'answer', status: 401, times: 5 })
  await dashboardClient.post(`${BANK_PATH}/testar`)
  const failed = await dashboardClient.post(PIX, { entendo: 'on' })
  bank.heal()
  const key = { companyId: company.id, provider: 'pix-api', now: clock.now() } as const
  await saveAccount(needs, { ...key, config: { ...bank.config, test: false } })

  const untested = await dashboardClient.post(PIX, { entendo: 'on' })
  await dashboardClient.post(`${BANK_PATH}/testar`)
  const tested = await dashboardClient.post(PIX, { entendo: 'on' })

  for (const { body } of [failed, untested]) {
    expect(body).toContain(`<a href="#check-connection">${checks.connection.todo}</a>`)
  }
  expect(tested.statusCode).toBe(303)
})

test('a server without https takes no real money', async () => {
  const testApp = await openTestApp({ local: true, mail: true })
  const plain = openProviderDashboard(testApp)
  const { company, dashboardClient } = await plain.openRealClient()
  await plain.prepare(company)
  const key = { companyId: company.id, provider: 'pix-api', now: clock.now() } as const
  await saveAccount(testApp.needs, { ...key, config: { ...bank.config, test: false } })
  await testAccount(testApp.needs, key)

  const refused = await dashboardClient.post(PIX, { entendo: 'on' })

  expect(refused.body).toContain(`<a href="#check-https">${checks.https.todo}</a>`)
  expect(await plain.providersOf(company)).toEqual([null, null])
})

test('in the test environment a bank and the simulator take a word and no checklist; the account stays', async () => {
  const { company, dashboardClient } = await withBank({ test: true, prepared: false })
  const { dashboardClient: real } = await openRealClient()
  const back = `${RECEIVABLES}/sandbox/pix`

  const question = await readPage(dashboardClient, PIX)
  const done = await dashboardClient.post(PIX)
  const chosen = await providersOf(company)
  const list = await readPage(dashboardClient, RECEIVABLES)
  const backQuestion = await readPage(dashboardClient, back)
  const backDone = await dashboardClient.post(back)
  const elsewhere = [await real.get(back), await real.post(back)]

  expect(readPageText(question)).toContain('Usar Pix do seu banco no ambiente de teste para Pix?')
  expect(done.statusCode).toBe(303)
  expect(chosen).toEqual(['pix-api', 'sandbox'])
  expect(readPageText(list)).toContain('AMBIENTE DE TESTE')
  expect(readPageText(backQuestion)).toContain('Voltar ao simulador para Pix?')
  expect(backDone.headers.location).toBe(`${RECEIVABLES}?feito=provedor-escolhido`)
  expect(await providersOf(company)).toEqual(['sandbox', 'sandbox'])
  expect(await dashboard.accountOf(company, 'pix-api')).toBeDefined()
  expect(await auditOf(company)).toEqual([
    'provider_chosen Simulador',
    'provider_chosen Pix do seu banco',
  ])
  expect(elsewhere.map(({ statusCode }) => statusCode)).toEqual([404, 404])
})

test('a method is turned off by a word, in the real environment alone; the account stays', async () => {
  const { company, dashboardClient } = await withBank()
  // A bank that takes no address for notifications holds no company up.
  bank.next({ on: /^PUT .webhook/, does: 'answer', status: 400, body: '{}' })
  const live = await dashboardClient.post(PIX, { entendo: 'on' })
  const off = `${RECEIVABLES}/desligar/pix`

  const list = await readPage(dashboardClient, RECEIVABLES)
  const question = await readPage(dashboardClient, off)
  const done = await dashboardClient.post(off)
  const after = await readPage(dashboardClient, done.headers.location!)
  const { dashboardClient: test } = await openClient()
  const elsewhere = [await test.get(off), await test.post(off)]

  expect(live.headers.location).toBe(`${RECEIVABLES}?feito=provedor-sem-notificacoes`)
  expect(list).toContain(`href="${off}"`)
  expect(readPageText(question)).toContain('Parar de receber por Pix?')
  expect(readPageText(after)).toContain('ninguém mais consegue pagar por esta forma')
  expect(after).not.toContain(`href="${off}"`)
  expect(await providersOf(company)).toEqual([null, null])
  expect(await dashboard.accountOf(company, 'pix-api')).toBeDefined()
  expect((await auditOf(company))[0]).toMatch(/^method_turned_off/)
  expect(elsewhere.map(({ statusCode }) => statusCode)).toEqual([404, 404])
})

test('cards go to Mercado Pago, and the checklist shows the address to paste; then it sets the interest', async () => {
  const { company, dashboardClient } = await openRealClient()
  await prepare(company)
  const keys = {
    ...MERCADO_PAGO_KEYS,
    accessToken: 'APP_USR-1234567890-abcdef',
    publicKey: 'APP_USR-1-fedcba09',
  }
  const config = { ...keys, baseUrl: mercadoPago.url }
  const key = { companyId: company.id, provider: 'mercadopago', now: clock.now() } as const
  const { notifyToken } = await saveAccount(needs, {
    ...{ ...key, config, steps: [{ step: 'token', ok: true }] },
  })
  const terms = '/painel/links/previa?amount=100,00&methods=credit_card&maxInstallments=6'
  const before = await readPage(dashboardClient, `${terms}&interestMode=pass_to_customer`)

  const page = await readPage(dashboardClient, CARDS)
  const done = await dashboardClient.post(CARDS, { entendo: 'on' })

  expect(page).toContain(`value="https://vintem.example.com/webhooks/mercadopago/${notifyToken}"`)
  expect(done.statusCode).toBe(303)
  expect(await providersOf(company)).toEqual([null, 'mercadopago'])
  const after = await readPage(dashboardClient, `${terms}&interestMode=pass_to_customer`)
  const list = readPageText(await readPage(dashboardClient, RECEIVABLES))
  expect(readPageText(before)).toContain('2,99% ao mês')
  expect(readPageText(after)).toContain('Parcelado em até 6x: os juros são do Mercado Pago')
  expect(readPageText(after)).not.toContain('2,99%')
  expect(list).toContain('Quem define os juros é o Mercado Pago')
  expect(list).not.toContain('total R$ 1.204,80')
})

test('what is chosen already, or has no account, leads elsewhere and changes nothing', async () => {
  const { company, dashboardClient } = await openClient()

  const answers = [
    ...[await dashboardClient.get(PIX), await dashboardClient.post(PIX, { entendo: 'on' })],
    ...[
      await dashboardClient.get(`${RECEIVABLES}/sandbox/pix`),
      await dashboardClient.post(`${RECEIVABLES}/sandbox/pix`),
    ],
    await dashboardClient.get(`${BANK_PATH}/cartao`),
  ]

  expect(answers.map(({ statusCode, headers }) => headers.location ?? statusCode)).toEqual([
    ...[BANK_PATH, BANK_PATH, RECEIVABLES, RECEIVABLES, 404],
  ])
  expect(await auditOf(company)).toEqual([])
})
