// What Mercado Pago is told of a charge beside its amount: all that its approval recommendations ask for
// and we know, and who bears fraud.
import { expect, test } from 'vitest'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'
import type { WireFault } from '../../support/providers/server.ts'

const { clock, fake, provider, open, pix, card, charge, find } = await openMercadoPago()

const TOKEN = { token: 'fake_ok_0a1b2c3d', brand: 'visa', last4: '4242' }
const DEVICE = `armor.${'0f544cb78efb1e79'.repeat(16)}.7e4922c3e98543d6994ad65aa0446207`

test.each([
  ['a Pix', () => pix()],
  ['a card', () => card('ok', { installments: 3, totalCents: 10_401 })],
])('%s is ordered with what is sold: its title, its price, its link', async (_what, build) => {
  await charge(build())

  expect(fake.asked.at(-1)!.body).toMatchObject({
    total_amount: '100.00',
    items: [
      { title: 'Bolo de cenoura', unit_price: '100.00', quantity: 1, external_code: 'bolodecen' },
    ],
  })
})

const PAYER = { name: 'Maria da Silva', email: 'maria@exemplo.com.br' }
test.each<[string, { taxId: string | null; phone: string | null }, object]>([
  [
    'a person with a mobile phone',
    { taxId: '52998224725', phone: '11987654321' },
    { entity_type: 'individual', phone: { area_code: '11', number: '987654321' } },
  ],
  [
    'a company with a landline',
    { taxId: '12ABC34501DE35', phone: '8133334444' },
    {
      entity_type: 'association',
      identification: { type: 'CNPJ', number: '12ABC34501DE35' },
      phone: { area_code: '81', number: '33334444' },
    },
  ],
])('the payer is told whole: %s', async (_who, known, told) => {
  await charge(card('ok', { payer: { ...PAYER, ...known } }))

  expect(fake.asked.at(-1)!.body).toMatchObject({ payer: told })
})

test('what the payer did not give is not sent', async () => {
  await charge(pix({ payer: { ...PAYER, taxId: null, phone: null } }))

  const { payer } = fake.asked.at(-1)!.body as { payer: object }
  expect(Object.keys(payer).sort()).toEqual(['email', 'first_name', 'last_name'])
})

test('the payer’s device goes along with a card, and a card without one is charged all the same', async () => {
  const known = await charge(card('ok', { card: { ...TOKEN, deviceId: DEVICE } }))
  const unknown = await charge(card('ok', { card: { ...TOKEN, deviceId: null } }))
  await charge(pix())

  expect([known.status, unknown.status]).toEqual(['approved', 'approved'])
  expect(fake.asked.slice(-3).map(({ headers }) => headers['x-meli-session-id'])).toEqual([
    DEVICE,
    undefined,
    undefined,
  ])
})

test('only what makes an order says what device it is', async () => {
  const request = card('ok', { card: { ...TOKEN, deviceId: DEVICE } })
  const fault: WireFault = { works: true, does: 'answer', status: 409 }

  fake.next(fault)
  await charge(request)

  expect(fake.asked.slice(-3).map(({ headers }) => headers['x-meli-session-id'])).toEqual([
    DEVICE,
    undefined,
    undefined,
  ])
})

test.each(['required', 'preferred'] as const)(
  '3-D Secure is asked for always; the bank’s liability is %s where the account says so',
  async (liabilityShift) => {
    await open({ liabilityShift }).charge(card(), clock.now())

    expect(fake.asked.at(-1)!.body).toMatchObject({
      config: {
        online: {
          transaction_security: { validation: 'always', liability_shift: liabilityShift },
        },
      },
    })
  },
)

test('a card without the bank’s liability is not said to be authenticated', async () => {
  const lenient = open({ liabilityShift: 'preferred' })
  const authenticated = await lenient.charge(card(), clock.now())
  fake.settings.authenticates = false

  const attempted = await lenient.charge(card(), clock.now())
  const strict = await provider.charge(card(), clock.now())

  expect([authenticated, attempted, strict]).toMatchObject([
    { status: 'approved', threeDs: { status: 'authenticated', flow: 'frictionless' } },
    { status: 'approved', threeDs: { status: 'attempted', flow: 'frictionless' } },
    { status: 'approved', threeDs: { status: 'authenticated', flow: 'frictionless' } },
  ])
})

test('a challenge that was passed is the bank’s word, however little of it was asked for', async () => {
  const lenient = open({ liabilityShift: 'preferred' })
  const request = card('challenge')
  const { reference } = (await lenient.charge(request, clock.now())) as { reference: string }

  fake.answerChallenge(reference, true)

  expect(await find(request, reference)).toMatchObject({
    status: 'approved',
    threeDs: { status: 'authenticated', flow: 'challenge' },
  })
})
