// A company's account at Mercado Pago, as its owners set it up.

import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { mercadoPagoTexts } from '../../../src/providers/mercadopago/texts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  MERCADO_PAGO_PATH,
  openProviderDashboard,
  submitAccount,
} from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { MERCADO_PAGO_KEYS, openFakeMercadoPago } from '../../support/providers/mercadopago/fake.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { openClient, accountOf } = openProviderDashboard(testApp)
const mercadoPago = await openFakeMercadoPago(testApp.clock.now)

test('Mercado Pago: the address to paste stands there before anything is saved, and stays', async () => {
  const { company, dashboardClient } = await openClient()
  const before = await readPage(dashboardClient, MERCADO_PAGO_PATH)
  const form = mercadoPago.config

  const saved = await submitAccount(dashboardClient, MERCADO_PAGO_PATH, form)
  const kept = await submitAccount(dashboardClient, MERCADO_PAGO_PATH, {
    ...{
      publicKey: MERCADO_PAGO_KEYS.publicKey,
      accessToken: '',
      webhookSecret: '',
      baseUrl: mercadoPago.url,
    },
    test: 'on',
  })
  const after = await readPage(dashboardClient, MERCADO_PAGO_PATH)

  const { notifyToken, config } = (await accountOf(company, 'mercadopago'))!
  const url = `${testApp.needs.baseUrl}/webhooks/mercadopago/${notifyToken}`
  expect([saved, kept].map(({ headers }) => headers.location)).toEqual(
    Array(2).fill(`${MERCADO_PAGO_PATH}?feito=conta-salva-e-testada`),
  )
  expect(before).toContain(`value="${url}"`)
  expect(after).toContain(`value="${url}"`)
  expect(config).toMatchObject({ ...MERCADO_PAGO_KEYS, test: true })
  for (const secret of [MERCADO_PAGO_KEYS.accessToken, MERCADO_PAGO_KEYS.webhookSecret])
    expect(after).not.toContain(secret)
  expect(after).toContain(`value="${MERCADO_PAGO_KEYS.publicKey}"`)
})

test('Mercado Pago: of two who save the account the second is told, and the log names no secret', async () => {
  const { company, dashboardClient } = await openClient()
  const form = { ...mercadoPago.config, test: 'on' }
  const readVersion = (html: string) => html.match(/name="_version" value="([^"]*)"/)![1]!
  const shown = readVersion(await readPage(dashboardClient, MERCADO_PAGO_PATH))
  const send = (fields: Record<string, string>) =>
    submitAccount(dashboardClient, MERCADO_PAGO_PATH, { ...form, _version: shown, ...fields })

  const one = await send({})
  const refused = await send({ liabilityShift: 'preferred' })
  const _version = readVersion(refused.body)
  const kept = await send({ liabilityShift: 'preferred', _version })

  const log = JSON.stringify(await listAudit(testApp.db, company.id, { limit: 9 }))
  expect([one.statusCode, refused.statusCode, kept.statusCode]).toEqual([303, 409, 303])
  expect((await accountOf(company, 'mercadopago'))!.config.liabilityShift).toBe('preferred')
  expect(log).toContain(' → Aprovar assim mesmo')
  for (const secret of [MERCADO_PAGO_KEYS.accessToken, MERCADO_PAGO_KEYS.webhookSecret])
    expect(log).not.toContain(secret)
})

test('Mercado Pago: who bears fraud is chosen, in words that say what each choice means', async () => {
  const { company, dashboardClient } = await openClient()
  const form = mercadoPago.config
  const page = await readPage(dashboardClient, MERCADO_PAGO_PATH)
  const shift = async () => (await accountOf(company, 'mercadopago'))?.config.liabilityShift

  await submitAccount(dashboardClient, MERCADO_PAGO_PATH, form)
  const usual = await shift()
  await submitAccount(dashboardClient, MERCADO_PAGO_PATH, { ...form, liabilityShift: 'preferred' })
  const chosen = await shift()
  const after = await readPage(dashboardClient, MERCADO_PAGO_PATH)
  const wrong = await submitAccount(dashboardClient, MERCADO_PAGO_PATH, {
    ...{ ...form, liabilityShift: 'never' },
  })

  expect([usual, chosen, await shift()]).toEqual(['required', 'preferred', 'preferred'])
  expect(readPageText(page)).toContain('O 3-D Secure é pedido sempre. Recusar:')
  expect(after).toMatch(/<option value="preferred" selected>Aprovar assim mesmo<\/option>/)
  expect(readFormErrors(wrong.body).map(([field]) => field)).toEqual(['liabilityShift'])
})

test('Mercado Pago: keys of two kinds are told apart, and what is no key at its field', async () => {
  const { dashboardClient } = await openClient()

  const mixed = await submitAccount(dashboardClient, MERCADO_PAGO_PATH, {
    ...{
      ...MERCADO_PAGO_KEYS,
      publicKey: 'APP_USR-0987654321-fedcba',
      baseUrl: mercadoPago.url,
      testar: 'sim',
    },
    accessToken: 'TEST-1234567890-abcdef-loja',
  })
  const wrong = await submitAccount(dashboardClient, MERCADO_PAGO_PATH, {
    publicKey: 'abc',
    accessToken: '',
    webhookSecret: '',
  })
  const cut = await submitAccount(dashboardClient, MERCADO_PAGO_PATH, {
    ...MERCADO_PAGO_KEYS,
    webhookSecret: 'abc1234',
  })

  expect(readPageText(mixed.body)).toContain(mercadoPagoTexts.mixedKeys)
  expect(readFormErrors(wrong.body)).toEqual([
    ['publicKey', mercadoPagoTexts.key],
    ['accessToken', 'Preencha: Access Token.'],
    ['webhookSecret', 'Preencha: Assinatura secreta dos webhooks.'],
  ])
  expect(readFormErrors(cut.body)).toEqual([['webhookSecret', 'Informe ao menos 8 caracteres.']])
})
