// A company's account at Woovi, as its owners set it up and take it live.
import { expect, test } from 'vitest'
import { openPixTexts } from '../../../src/providers/openpix/texts.ts'
import { APP_ID, openFakeOpenPix } from '../../support/fake-openpix.ts'
import { openHouse } from '../../support/house.ts'
import { errorsIn, read } from '../../support/link-desk.ts'
import { textOf } from '../../support/payer.ts'
import { openProviderDesk, sendAccount } from '../../support/provider-desk.ts'

const house = await openHouse({ local: true, mail: true, baseUrl: 'https://vintem.example.com' })
const { openDesk, prepare, accountOf, channelsOf } = openProviderDesk(house)
const woovi = await openFakeOpenPix({ now: house.clock.now })
const PAGE = '/painel/recebimentos/openpix'
const FORM = { test: 'producao', appId: APP_ID, baseUrl: woovi.url }
const STRANGER = 'UmFuZG9tQXBwSWQ6c2VjcmV0'

test('an AppID is tried, saved and never shown again; left blank it stays', async () => {
  const { company, desk } = await openDesk()
  const before = textOf(await read(desk, PAGE))

  const saved = await sendAccount(desk, PAGE, { ...FORM, test: 'homologacao' })
  const kept = await sendAccount(desk, PAGE, { ...FORM, appId: '' })
  const after = await read(desk, PAGE)

  expect(before).toContain('crie uma API com os escopos')
  expect([saved, kept].map(({ headers }) => headers.location)).toEqual(
    Array(2).fill(`${PAGE}?feito=conta-salva-e-testada`),
  )
  expect((await accountOf(company, 'openpix'))!.config).toMatchObject({
    appId: APP_ID,
    test: false,
  })
  expect(after).not.toContain(APP_ID)
  expect(textOf(after)).toContain(`Salvo: ••••${APP_ID.slice(-4)}`)
  expect(textOf(after)).toContain('Pagamentos reais')
})

test('what is wrong is said at its field, or as Woovi said it', async () => {
  const { company, desk } = await openDesk()

  const missing = await sendAccount(desk, PAGE, { ...FORM, appId: '' })
  const short = await sendAccount(desk, PAGE, { ...FORM, appId: 'curto' })
  const refused = await sendAccount(desk, PAGE, { ...FORM, appId: STRANGER, testar: 'sim' })

  expect(errorsIn(missing.body)).toEqual([['appId', 'Preencha: AppID.']])
  expect(errorsIn(short.body)).toEqual([['appId', openPixTexts.appId]])
  expect(textOf(refused.body)).toContain(openPixTexts.appIdRefused)
  expect(await accountOf(company, 'openpix')).toBeUndefined()
})

test('with everything in order Pix goes live, and Woovi is told where to notify', async () => {
  const { company, desk } = await openDesk()
  await prepare(company)
  await sendAccount(desk, PAGE, FORM)

  const page = textOf(await read(desk, `${PAGE}/pix`))
  const done = await desk.post(`${PAGE}/pix`, { entendo: 'on' })
  const again = await desk.post(`${PAGE}/notificacoes`, {})

  expect(page).toContain('registramos na Woovi o endereço')
  expect(done.headers.location).toBe('/painel/recebimentos?feito=provedor-escolhido')
  expect(await channelsOf(company)).toEqual(['openpix', false, 'sandbox', true])
  expect(again.headers.location).toBe(`${PAGE}?feito=notificacoes-registradas`)
  const { notifyToken } = (await accountOf(company, 'openpix'))!
  const url = `https://vintem.example.com/webhooks/openpix/${notifyToken}`
  const events = woovi.book.webhooks.filter((one) => one.url === url).map(({ event }) => event)
  expect(new Set(events).size).toBe(events.length)
  expect(events).toContain('OPENPIX:CHARGE_COMPLETED')
})

test('cards do not go there', async () => {
  const { desk } = await openDesk()

  expect((await desk.get(`${PAGE}/cartao`)).statusCode).toBe(404)
})
