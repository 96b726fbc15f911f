// A company's account at Mercado Pago, as its owners set it up.

import { afterAll, expect, test } from 'vitest'
import { mercadoPagoTexts } from '../../../src/providers/mercadopago/texts.ts'
import { openFakeMercadoPago } from '../../support/fake-mercadopago.ts'
import { openHouse } from '../../support/house.ts'
import { errorsIn, read } from '../../support/link-desk.ts'
import { KEYS } from '../../support/mercadopago.ts'
import { textOf } from '../../support/payer.ts'
import { MARKET_PAGE, openProviderDesk, sendAccount } from '../../support/provider-desk.ts'

const house = await openHouse({ local: true })
const { openDesk, accountOf } = openProviderDesk(house)
const market = await openFakeMercadoPago(house.clock.now)

afterAll(() => market.close())

test('Mercado Pago: the address to paste stands there before anything is saved, and stays', async () => {
  const { company, desk } = await openDesk()
  const before = await read(desk, MARKET_PAGE)
  const form = { ...KEYS, baseUrl: market.url }

  const saved = await sendAccount(desk, MARKET_PAGE, form)
  const kept = await sendAccount(desk, MARKET_PAGE, {
    ...{ publicKey: KEYS.publicKey, accessToken: '', webhookSecret: '', baseUrl: market.url },
    test: 'on',
  })
  const after = await read(desk, MARKET_PAGE)

  const { notifyToken, config } = (await accountOf(company, 'mercadopago'))!
  const url = `${house.needs.baseUrl}/webhooks/mercadopago/${notifyToken}`
  expect([saved, kept].map(({ headers }) => headers.location)).toEqual(
    Array(2).fill(`${MARKET_PAGE}?feito=conta-salva-e-testada`),
  )
  expect(before).toContain(`value="${url}"`)
  expect(after).toContain(`value="${url}"`)
  expect(config).toMatchObject({ ...KEYS, test: true })
  for (const secret of [KEYS.accessToken, KEYS.webhookSecret]) expect(after).not.toContain(secret)
  expect(after).toContain(`value="${KEYS.publicKey}"`)
})

test('Mercado Pago: keys of two kinds are told apart, and what is no key at its field', async () => {
  const { desk } = await openDesk()

  const mixed = await sendAccount(desk, MARKET_PAGE, {
    ...{ ...KEYS, publicKey: 'APP_USR-0987654321-fedcba', baseUrl: market.url, testar: 'sim' },
    accessToken: 'TEST-1234567890-abcdef-loja',
  })
  const wrong = await sendAccount(desk, MARKET_PAGE, {
    publicKey: 'abc',
    accessToken: '',
    webhookSecret: '',
  })

  expect(textOf(mixed.body)).toContain(mercadoPagoTexts.mixedKeys)
  expect(errorsIn(wrong.body)).toEqual([
    ['publicKey', mercadoPagoTexts.key],
    ['accessToken', 'Preencha: Access Token.'],
    ['webhookSecret', 'Preencha: Assinatura secreta dos webhooks.'],
  ])
})
