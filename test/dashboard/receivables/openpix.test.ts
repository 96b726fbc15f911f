// A company's account at Woovi, as its owners set it up and take it live.
import { expect, test } from 'vitest'
import { openPixTexts } from '../../../src/providers/openpix/texts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openProviderDashboard, submitAccount } from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { APP_ID, openFakeOpenPix } from '../../support/providers/openpix/fake.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({
  local: true,
  mail: true,
  baseUrl: 'https://vintem.example.com',
})
const { openClient, openRealClient, prepare, accountOf, providersOf } =
  openProviderDashboard(testApp)
const woovi = await openFakeOpenPix({ now: testApp.clock.now })
const PAGE = '/painel/recebimentos/openpix'
const FORM = { test: 'producao', appId: APP_ID, baseUrl: woovi.url }
const STRANGER = 'UmFuZG9tQXBwSWQ6c2VjcmV0'

test('an AppID is tried, saved and never shown again; left blank it stays', async () => {
  const { company, dashboardClient } = await openRealClient()
  const before = readPageText(await readPage(dashboardClient, PAGE))

  const saved = await submitAccount(dashboardClient, PAGE, FORM)
  const kept = await submitAccount(dashboardClient, PAGE, { ...FORM, appId: '' })
  const after = await readPage(dashboardClient, PAGE)

  expect(before).toContain('crie uma API com os escopos')
  expect([saved, kept].map(({ headers }) => headers.location)).toEqual(
    Array(2).fill(`${PAGE}?feito=conta-salva-e-testada`),
  )
  expect((await accountOf(company, 'openpix'))!.config).toMatchObject({
    appId: APP_ID,
    test: false,
  })
  expect(after).not.toContain(APP_ID)
  expect(readPageText(after)).toContain(`Salvo: ••••${APP_ID.slice(-4)}`)
})

test('what is wrong is said at its field, or as Woovi said it', async () => {
  const { company, dashboardClient } = await openClient()

  const missing = await submitAccount(dashboardClient, PAGE, { ...FORM, appId: '' })
  const short = await submitAccount(dashboardClient, PAGE, { ...FORM, appId: 'curto' })
  const refused = await submitAccount(dashboardClient, PAGE, {
    ...FORM,
    appId: STRANGER,
    testar: 'sim',
  })

  expect(readFormErrors(missing.body)).toEqual([['appId', 'Preencha: AppID.']])
  expect(readFormErrors(short.body)).toEqual([['appId', openPixTexts.appId]])
  expect(readPageText(refused.body)).toContain(openPixTexts.appIdRefused)
  expect(await accountOf(company, 'openpix')).toBeUndefined()
})

test('with everything in order Pix goes live, and Woovi is told where to notify', async () => {
  const { company, dashboardClient } = await openRealClient()
  await prepare(company)
  await submitAccount(dashboardClient, PAGE, FORM)

  const page = readPageText(await readPage(dashboardClient, `${PAGE}/pix`))
  const done = await dashboardClient.post(`${PAGE}/pix`, { entendo: 'on' })
  const again = await dashboardClient.post(`${PAGE}/notificacoes`, {})

  expect(page).toContain('registramos na Woovi o endereço')
  expect(done.headers.location).toBe('/painel/recebimentos?feito=provedor-escolhido')
  expect(await providersOf(company)).toEqual(['openpix', null])
  expect(again.headers.location).toBe(`${PAGE}?feito=notificacoes-registradas`)
  const { notifyToken } = (await accountOf(company, 'openpix'))!
  const url = `https://vintem.example.com/webhooks/openpix/${notifyToken}`
  const events = woovi.book.webhooks.filter((one) => one.url === url).map(({ event }) => event)
  expect(new Set(events).size).toBe(events.length)
  expect(events).toContain('OPENPIX:CHARGE_COMPLETED')
})
