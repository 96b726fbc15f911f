// A company's account at Mercado Pago, Woovi or Pagar.me, as its owners set it up and take it live.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { mercadoPagoTexts } from '../../../src/providers/mercadopago/texts.ts'
import { openPixTexts } from '../../../src/providers/openpix/texts.ts'
import { pagarmeTexts } from '../../../src/providers/pagarme/texts.ts'
import type { RealProvider } from '../../../src/providers/registry.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  MERCADO_PAGO_PATH,
  openProviderDashboard,
  submitAccount,
} from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { MERCADO_PAGO_KEYS, openFakeMercadoPago } from '../../support/providers/mercadopago/fake.ts'
import { APP_ID, openFakeOpenPix } from '../../support/providers/openpix/fake.ts'
import { openFakePagarme, SECRET_KEY } from '../../support/providers/pagarme/fake.ts'
import { openTestApp } from '../../support/test-app.ts'

const baseUrl = 'https://vintem.example.com'
const testApp = await openTestApp({ local: true, mail: true, baseUrl })
const { now } = testApp.clock
const { openClient, openRealClient, prepare, accountOf, providersOf } =
  openProviderDashboard(testApp)
const mercadoPago = await openFakeMercadoPago(now)
const woovi = await openFakeOpenPix({ now })
const pagarme = await openFakePagarme({ now })

type Fields = Record<string, string>

const MERCADO_PAGO: Fields = { ...MERCADO_PAGO_KEYS, baseUrl: mercadoPago.url, test: 'on' }
const WOOVI = { test: 'homologacao', appId: APP_ID, baseUrl: woovi.url }
const PAGARME = { secretKey: SECRET_KEY, baseUrl: pagarme.url }

const toPath = (provider: RealProvider) => `/painel/recebimentos/${provider}`

test.each<[RealProvider, Fields, secrets: string[], how: string]>([
  ['mercadopago', MERCADO_PAGO, ['accessToken', 'webhookSecret'], 'Suas integrações'],
  ['openpix', WOOVI, ['appId'], 'crie uma API com os escopos'],
  ['pagarme', PAGARME, ['secretKey'], 'copie a chave secreta'],
])(
  '%s: an account is tried and saved, its secrets stay when left blank and are seen nowhere',
  async (...given) => {
    const [provider, form, secrets, how] = given
    const path = toPath(provider)
    const { company, dashboardClient } = await openClient()
    const before = await readPage(dashboardClient, path)
    const blank = Object.fromEntries(secrets.map((name) => [name, '']))

    const saved = await submitAccount(dashboardClient, path, form)
    const kept = await submitAccount(dashboardClient, path, { ...form, ...blank })
    const after = await readPage(dashboardClient, path)

    const { notifyToken, config } = (await accountOf(company, provider))!
    expect(readPageText(before)).toContain(how)
    for (const { headers } of [saved, kept])
      expect(headers.location).toBe(`${path}?feito=conta-salva-e-testada`)
    expect(after).toContain(`value="${baseUrl}/webhooks/${provider}/${notifyToken}"`)
    for (const name of secrets) {
      expect(config[name]).toBe(form[name])
      expect(after).not.toContain(form[name])
      expect(readPageText(after)).toContain(`Salvo: ••••${form[name]!.slice(-4)}`)
    }
  },
)

test.each<RealProvider>(['openpix', 'malga', 'pix-api'])(
  'a new account at %s is of the environment that the person is in',
  async (provider) => {
    const [test, real] = [await openClient(), await openRealClient()]
    const path = `${toPath(provider)}?banco=efi`

    expect(await readPage(test.dashboardClient, path)).toMatch(/value="homologacao" selected/)
    expect(await readPage(real.dashboardClient, path)).toMatch(/value="producao" selected/)
  },
)

test.each<[RealProvider, Fields, errors: [field: string, message: string][]]>([
  ['openpix', { ...WOOVI, appId: '' }, [['appId', 'Preencha: AppID.']]],
  ['openpix', { ...WOOVI, appId: 'curto' }, [['appId', openPixTexts.appId]]],
  ['pagarme', { ...PAGARME, secretKey: '' }, [['secretKey', 'Preencha: Chave secreta.']]],
  ['pagarme', { ...PAGARME, secretKey: 'pk_test_123' }, [['secretKey', pagarmeTexts.key]]],
  [
    'mercadopago',
    { publicKey: 'abc', accessToken: '', webhookSecret: '' },
    [
      ['publicKey', mercadoPagoTexts.key],
      ['accessToken', 'Preencha: Access Token.'],
      ['webhookSecret', 'Preencha: Assinatura secreta dos webhooks.'],
    ],
  ],
  [
    'mercadopago',
    { ...MERCADO_PAGO, webhookSecret: 'abc1234' },
    [['webhookSecret', 'Informe ao menos 8 caracteres.']],
  ],
])(
  '%s: what is wrong is said at its field, and nothing is saved: %j',
  async (provider, form, errors) => {
    const { company, dashboardClient } = await openClient()

    const refused = await submitAccount(dashboardClient, toPath(provider), form)

    expect(readFormErrors(refused.body)).toEqual(errors)
    expect(await accountOf(company, provider)).toBeUndefined()
  },
)

test.each<[RealProvider, Fields, said: string]>([
  ['openpix', { ...WOOVI, appId: 'UmFuZG9tQXBwSWQ6c2VjcmV0' }, openPixTexts.keyRefused],
  ['pagarme', { ...PAGARME, secretKey: 'sk_test_somebody_else' }, pagarmeTexts.keyRefused],
  [
    'mercadopago',
    { ...MERCADO_PAGO, publicKey: 'APP_USR-0987654321-fedcba', accessToken: 'TEST-123456-loja' },
    mercadoPagoTexts.mixedKeys,
  ],
])('%s: what the provider refuses is said as it said it', async (provider, form, said) => {
  const { dashboardClient } = await openClient()

  const saved = await submitAccount(dashboardClient, toPath(provider), form)

  expect(readPageText(await readPage(dashboardClient, toPath(provider)))).toContain(said)
  expect(saved.headers.location).toBe(`${toPath(provider)}?feito=conta-salva`)
})

test('Mercado Pago: of two who save the account the second is told, and the log names no secret', async () => {
  const { company, dashboardClient } = await openClient()
  const readVersion = (html: string) => html.match(/name="_version" value="([^"]*)"/)![1]!
  const page = await readPage(dashboardClient, MERCADO_PAGO_PATH)
  const send = (fields: Fields) =>
    submitAccount(dashboardClient, MERCADO_PAGO_PATH, {
      ...MERCADO_PAGO,
      _version: readVersion(page),
      ...fields,
    })

  const one = await send({})
  const usual = (await accountOf(company, 'mercadopago'))!.config.liabilityShift
  const refused = await send({ liabilityShift: 'preferred' })
  expect(readPageText(refused.body)).toContain('mudou “conta” para o que está salvo às')
  const _version = readVersion(refused.body)
  const wrong = await send({ liabilityShift: 'never', _version })
  const kept = await send({ liabilityShift: 'preferred', _version })

  const log = JSON.stringify(await listAudit(testApp.db, company.id, { limit: 9 }))
  expect([one, refused, wrong, kept].map(({ statusCode }) => statusCode)).toEqual([
    ...[303, 409, 422, 303],
  ])
  expect(readPageText(page)).toContain('O 3-D Secure é pedido sempre. Recusar:')
  expect(readFormErrors(wrong.body).map(([field]) => field)).toEqual(['liabilityShift'])
  expect([usual, (await accountOf(company, 'mercadopago'))!.config.liabilityShift]).toEqual([
    ...['required', 'preferred'],
  ])
  expect(log).toContain(' → Aprovar assim mesmo')
  for (const secret of [MERCADO_PAGO_KEYS.accessToken, MERCADO_PAGO_KEYS.webhookSecret])
    expect(log).not.toContain(secret)
})

test('Pagar.me: a rehearsed order is canceled, cards go there then, and a key of real money is not for tests', async () => {
  const { company, dashboardClient } = await openClient()
  const path = toPath('pagarme')

  const live = await submitAccount(dashboardClient, path, { ...PAGARME, secretKey: 'sk_48151live' })
  await submitAccount(dashboardClient, path, PAGARME)
  const chosen = await dashboardClient.post(`${path}/cartao`, {})

  expect(chosen.headers.location).toBe('/painel/recebimentos?feito=provedor-escolhido')
  expect(await providersOf(company)).toEqual(['sandbox', 'pagarme'])
  expect(new Set([...pagarme.orders.values()].map(({ status }) => status))).toEqual(
    new Set(['canceled']),
  )
  expect(readPageText(live.body)).toContain('Estas credenciais movem dinheiro de verdade')
  expect(await accountOf(company, 'pagarme')).toMatchObject({ testMode: true })
})

test('Woovi: with everything in order Pix goes live, and Woovi is told where to notify', async () => {
  const { company, dashboardClient } = await openRealClient()
  const path = toPath('openpix')
  await prepare(company)
  await submitAccount(dashboardClient, path, { ...WOOVI, test: 'producao' })

  const page = readPageText(await readPage(dashboardClient, `${path}/pix`))
  const done = await dashboardClient.post(`${path}/pix`, { entendo: 'on' })
  const again = await dashboardClient.post(`${path}/notificacoes`, {})

  expect(page).toContain('registramos na Woovi o endereço')
  expect(done.headers.location).toBe('/painel/recebimentos?feito=provedor-escolhido')
  expect(await providersOf(company)).toEqual(['openpix', null])
  expect(again.headers.location).toBe(`${path}?feito=notificacoes-registradas`)
  const { notifyToken } = (await accountOf(company, 'openpix'))!
  const url = `${baseUrl}/webhooks/openpix/${notifyToken}`
  const events = woovi.book.webhooks.filter((one) => one.url === url).map(({ event }) => event)
  expect(new Set(events).size).toBe(events.length)
  expect(events).toContain('OPENPIX:CHARGE_COMPLETED')
})
