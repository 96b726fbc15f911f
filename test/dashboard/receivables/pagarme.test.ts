// A company's account at Pagar.me, as its owners set it up and take it live.
import { expect, test } from 'vitest'
import { pagarmeTexts } from '../../../src/providers/pagarme/texts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openProviderDashboard, submitAccount } from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { openFakePagarme, SECRET_KEY } from '../../support/providers/pagarme/fake.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true, baseUrl: 'https://vintem.example.com' })
const { openClient, accountOf, providersOf } = openProviderDashboard(testApp)
const pagarme = await openFakePagarme({ now: testApp.clock.now })
const PAGE = '/painel/recebimentos/pagarme'
const FORM = { secretKey: SECRET_KEY, baseUrl: pagarme.url }

test('a key is tried by a rehearsed order, saved and never shown again; cards go there then', async () => {
  const { company, dashboardClient } = await openClient()
  const before = readPageText(await readPage(dashboardClient, PAGE))

  const saved = await submitAccount(dashboardClient, PAGE, FORM)
  const kept = await submitAccount(dashboardClient, PAGE, { ...FORM, secretKey: '' })
  const after = await readPage(dashboardClient, PAGE)
  const chosen = await dashboardClient.post(`${PAGE}/cartao`, {})

  expect(before).toContain('copie a chave secreta')
  expect([saved, kept].map(({ headers }) => headers.location)).toEqual(
    Array(2).fill(`${PAGE}?feito=conta-salva-e-testada`),
  )
  const { notifyToken } = (await accountOf(company, 'pagarme'))!
  expect(after).not.toContain(SECRET_KEY)
  expect(readPageText(after)).toContain(`Salvo: ••••${SECRET_KEY.slice(-4)}`)
  expect(after).toContain(`https://vintem.example.com/webhooks/pagarme/${notifyToken}`)
  expect(chosen.headers.location).toBe('/painel/recebimentos?feito=provedor-escolhido')
  expect(await providersOf(company)).toEqual(['sandbox', 'pagarme'])
  expect([...pagarme.orders.values()].map(({ status }) => status)).toEqual(['canceled', 'canceled'])
})

test.each([
  ['', 'Preencha: Chave secreta.'],
  ['pk_test_1234567890', pagarmeTexts.key],
])('a key that is none is told at its field: "%s"', async (secretKey, message) => {
  const { dashboardClient } = await openClient()

  const refused = await submitAccount(dashboardClient, PAGE, { ...FORM, secretKey })

  expect(readFormErrors(refused.body)).toEqual([['secretKey', message]])
})

test('what Pagar.me refuses is said, and a key of real money is not for tests', async () => {
  const { company, dashboardClient } = await openClient()
  const send = (secretKey: string, more: object = {}) =>
    submitAccount(dashboardClient, PAGE, { ...FORM, secretKey, ...more })

  const stranger = await send('sk_test_somebody_else', { testar: 'sim' })
  const live = await send('sk_4815162342live')

  expect(readPageText(stranger.body)).toContain(pagarmeTexts.keyRefused)
  expect(readPageText(live.body)).toContain('Estas credenciais movem dinheiro de verdade')
  expect((await accountOf(company, 'pagarme'))?.testMode ?? true).toBe(true)
})
