// An account at Mercado Pago: its configuration, its notifications, its connection, its quotes.
import { expect, test } from 'vitest'
import { readOrderHints } from '../../../src/providers/mercadopago/notification.ts'
import { mercadoPagoConfig } from '../../../src/providers/mercadopago/provider.ts'
import { openMercadoPago } from '../../support/providers/mercadopago/account.ts'
import {
  MERCADO_PAGO_KEYS,
  PUBLIC_KEY,
  signNotification,
} from '../../support/providers/mercadopago/fake.ts'

const { clock, fake, provider, open } = await openMercadoPago()

test('keys of one environment make a test account', () => {
  const production = { accessToken: 'APP_USR-12345678', publicKey: 'APP_USR-12345678' }

  expect(provider.testMode).toBe(true)
  expect(open(production).testMode).toBe(false)
  expect(open({ ...production, test: true }).testMode).toBe(true)
  expect(provider.cardFields).toEqual({ publicKey: PUBLIC_KEY })
})

test.each([
  ['an unknown field', { clientSecret: 'x' }],
  ['a token of another kind', { accessToken: 'sk_live_123456789' }],
  ['an address that is none', { baseUrl: 'ftp://api.mercadopago.com' }],
  ['no webhook secret', { webhookSecret: '' }],
])('a configuration with %s is refused', (_what, more) => {
  expect(mercadoPagoConfig.safeParse({ ...MERCADO_PAGO_KEYS, ...more }).success).toBe(false)
})

// The vector of the documentation: https://www.mercadopago.com.br/developers, Webhooks.
const VECTOR = {
  headers: {
    'x-signature':
      'ts=1704908010,v1=b18091cdf42a297cf1e9e5c037c3cdf029dfee5d88f64e8eda2b4d2513a95b14',
    'x-request-id': 'r1',
  },
  query: { 'data.id': 'ord01abc', type: 'order' },
  body: Buffer.from('{"type":"order","data":{"id":"ORD01ABC"}}'),
}
const VECTOR_AT = new Date(1_704_908_010_000)
const ID = 'ORDTST01KYMB0S1TKGKCWFSB1ZRR3EW7'
const readOf = (...references: string[]) => ({
  kind: 'read',
  hints: references.map((reference) => ({ kind: 'reference', reference })),
})

test('a notification points at its order when its signature is right, however old that is', () => {
  const short = open({ webhookSecret: 's'.padEnd(8, 's') })

  expect(provider.readNotification(signNotification(ID, { at: VECTOR_AT }))).toEqual(readOf(ID))
  expect(short.readNotification(VECTOR)).toMatchObject({ kind: 'forged' })
})

test('the signature of a known vector is understood', () => {
  expect(readOrderHints(VECTOR, 's')).toEqual(readOf('ORD01ABC'))
})

test.each([
  ['in milliseconds', { milliseconds: true }],
  ['over the id in lower case', { lowerCase: true }],
])('a signature %s is Mercado Pago’s too', (_how, how) => {
  expect(provider.readNotification(fake.notification(ID, how))).toEqual(readOf(ID))
})

test('a signature over the id in lower case is right for an address that has it as it is', () => {
  const lower = fake.notification(ID, { lowerCase: true })

  const mixed = { ...lower, query: { ...lower.query, 'data.id': ID } }

  expect(provider.readNotification(mixed)).toEqual(readOf(ID))
})

test.each<[string, (told: Told) => object]>([
  ['signed with another secret', () => fake.notification(ID, { secret: 'another-secret' })],
  ['without a signature', (told) => ({ ...told, headers: {} })],
  ['with a signature of nothing', (told) => ({ ...told, headers: { 'x-signature': 'ts=,v1=' } })],
  ['for another order', (told) => ({ ...told, query: { ...told.query, 'data.id': 'ORD02' } })],
  [
    'for another request',
    (told) => ({ ...told, headers: { ...told.headers, 'x-request-id': '1' } }),
  ],
])('a notification %s is forged', (_how, forge) => {
  const forged = { ...fake.notification(ID), ...forge(fake.notification(ID)) }

  expect(provider.readNotification(forged)).toMatchObject({ kind: 'forged' })
})

type Told = ReturnType<typeof fake.notification>

test('a notification about something else than an order is taken and points at nothing', () => {
  const told = fake.notification('123456789', { type: 'payment' })

  expect(provider.readNotification(told)).toEqual(readOf())
  expect(provider.readNotification({ ...told, body: Buffer.from('{bad') })).toEqual(readOf())
})

test('installments are quoted by Mercado Pago for credit cards of these first digits', async () => {
  const rows = await provider.quotes!({ bin: '42424242', amountCents: 10_000 })
  await provider.quotes!({ bin: '50317557', amountCents: 10_000 })

  expect(rows).toHaveLength(12)
  expect(rows.slice(0, 3)).toEqual([
    { installments: 1, installmentCents: 10_000, totalCents: 10_000 },
    { installments: 2, installmentCents: 5_100, totalCents: 10_200 },
    { installments: 3, installmentCents: 3_467, totalCents: 10_401 },
  ])
  const asked = fake.calls(/^GET .*installments$/).map(({ query }) => query)
  expect(asked).toEqual([
    { payment_method_id: 'visa', amount: '100.00', bin: '42424242' },
    { payment_method_id: 'master', amount: '100.00', bin: '50317557' },
  ])
  expect(fake.calls(/^GET .*payment_methods$/)).toHaveLength(1)
})

test.each(['401178', '999999'])('cards that begin with %s are quoted nothing', async (bin) => {
  expect(await provider.quotes!({ bin, amountCents: 10_000 })).toEqual([])
})

test('the connection is tested by a real token and a real read', async () => {
  const before = fake.asked.length

  const steps = await provider.testConnection(clock.now())

  expect(steps).toEqual([
    { step: 'token', ok: true },
    { step: 'read', ok: true },
  ])
  expect(fake.asked.slice(before).map(({ path }) => path)).toEqual([
    '/v1/payment_methods',
    '/v1/orders',
  ])
})

test.each<[string, object, RegExp]>([
  ['a token that is not theirs', { accessToken: 'TEST-somebody-elses' }, /recusou o Access Token/],
  ['keys of two environments', { publicKey: 'APP_USR-12345678' }, /ambientes diferentes/],
  ['no way there', { baseUrl: 'http://127.0.0.1:1' }, /Não foi possível chegar/],
])('a connection with %s fails in words that help', async (_what, more, reason) => {
  const steps = await open(more).testConnection(clock.now())

  expect(steps).toEqual([{ step: 'token', ok: false, reason: expect.stringMatching(reason) }])
})

test.each<[number, RegExp]>([
  [403, /não tem permissão/],
  [404, /resposta inesperada \(404\)/],
])('a connection says when reading is answered %d', async (status, reason) => {
  fake.next({ does: 'pass' }, { does: 'answer', status })

  const [, read] = await provider.testConnection(clock.now())

  expect(read).toEqual({ step: 'read', ok: false, reason: expect.stringMatching(reason) })
})
