// An account at Malga: its configuration, its notifications, its connection, and what payers' browsers are given.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { malgaConfig } from '../../../src/providers/malga/config.ts'
import { openMalga } from '../../support/providers/malga/account.ts'
import { CLIENT_ID } from '../../support/providers/malga/fake.ts'

const { clock, fake, logged, provider, open } = await openMalga()

const NOTIFY_URL = 'https://loja.example/webhooks/malga/segredo'

test.each([
  ['an unknown field', { clientSecret: 'x' }],
  ['a key that was cut off', { apiKey: 'abc' }],
  ['a sub-account that is none', { merchantId: 'loja-1' }],
  ['an address that is none', { baseUrl: 'ftp://api.malga.io' }],
])('a configuration with %s is refused', (_what, more) => {
  expect(malgaConfig.safeParse({ ...fake.config, ...more }).success).toBe(false)
})

test('a card is turned into a token by a key of some minutes, for the account’s environment', async () => {
  const real = open({ test: false })

  const given = [await provider.openCardFields!(), await real.openCardFields!()]

  expect(provider.cardFields).toEqual({ publicKey: CLIENT_ID })
  expect([provider.testMode, real.testMode]).toEqual([true, false])
  expect(given).toMatchObject([{ isTest: true }, { isTest: false }])
  expect(fake.calls(/auth$/).at(-1)!.body).toEqual({ scope: ['tokens'], expires: 600 })
})

test('the payer’s device is collected where the page may post to, and nowhere else', async () => {
  const token = '123e4567-e89b-12d3-a456-426614174000'
  fake.book.manner.bankUrl = 'https://centinelapi.cardinalcommerce.com'
  const known = await provider.setUpCard!(token)
  fake.book.manner.bankUrl = 'https://cardinalcommerce.com.example'
  const strange = await provider.setUpCard!(token)

  const url = 'https://centinelapi.cardinalcommerce.com/V1/Cruise/Collect'
  const setupId = expect.any(String)
  expect(known).toEqual({ setupId, collection: { url, token: `jwt-of-${token}` } })
  expect(strange).toEqual({ setupId, collection: null })
  expect(logged.join()).toContain('cardinalcommerce.com.example')
  expect(fake.calls(/setup$/).at(-1)!.body).toEqual({ sourceType: 'token', tokenId: token })
})

test('webhooks are registered once for each event, and what was turned off is registered anew', async () => {
  await provider.registerNotifications!(NOTIFY_URL)
  await provider.registerNotifications!(NOTIFY_URL)
  const events = fake.book.webhooks.map(({ event }) => event)
  fake.book.webhooks[0]!.status = false
  await provider.registerNotifications!(NOTIFY_URL)

  expect(events).toEqual([
    ...['transaction.authorized', 'transaction.failed', 'transaction.canceled'],
    ...['transaction.voided', 'transaction.charged_back', 'transaction.dispute'],
    ...['transaction.dispute_closed', 'transaction.refund_pending', 'transaction.revert_void'],
  ])
  expect(fake.book.webhooks.map(({ event }) => event)).toEqual([...events, events[0]])
  expect(fake.calls(/^POST .v1.webhooks$/)[0]!.body).toEqual({
    ...{ event: events[0], endpoint: NOTIFY_URL, version: 1.1, status: true },
  })
})

test.each(['list', 'each'] as const)(
  'a notification leads to its charge when its signature is right, however old that is (keys: %s)',
  async (tellsKeys) => {
    fake.book.manner.tellsKeys = tellsKeys
    const account = open()
    await account.registerNotifications!(NOTIFY_URL)
    const id = newId()

    const read = [
      await account.readNotification(fake.notification(id)),
      await account.readNotification(fake.notification(id, { at: new Date(0) })),
      await account.readNotification(fake.notification(id, { object: 'seller' })),
    ]

    const hints = [{ kind: 'reference', reference: id }]
    expect(read).toEqual([
      { kind: 'read', hints },
      { kind: 'forged', hints },
      { kind: 'read', hints: [] },
    ])
  },
)

test.each<[string, (told: ReturnType<typeof fake.notification>) => object]>([
  ['of another body', ({ headers }) => ({ headers, body: fake.notification(newId()).body })],
  ['without a signature', () => ({ headers: {} })],
  [
    'of another time',
    ({ headers }) => ({ headers: { ...headers, 'x-plug-date': '1661795163719' } }),
  ],
  [
    'that is cut off',
    ({ headers }) => ({ headers: { ...headers, 'x-plug-signature': 'ab'.repeat(63) } }),
  ],
])('a notification %s is forged, and says all the same what it is about', async (_how, forge) => {
  const told = fake.notification(newId())

  const reading = await provider.readNotification({ ...told, ...forge(told) })

  expect(reading).toMatchObject({ kind: 'forged', hints: [{ kind: 'reference' }] })
})

test('unknown signatures make us ask for keys now and then, not each time', async () => {
  fake.book.manner.tellsKeys = 'never'
  const account = open()
  const before = fake.calls(/webhooks/).length
  for (const _ of [1, 2, 3]) await account.readNotification(fake.notification(newId()))
  const asked = fake.calls(/^GET .v1.webhooks$/).length
  fake.book.manner.tellsKeys = 'list'
  clock.offsetMs = 601_000

  expect(fake.calls(/webhooks/).length).toBeGreaterThan(before)
  expect(await account.readNotification(fake.notification(newId()))).toMatchObject({ kind: 'read' })
  expect(fake.calls(/^GET .v1.webhooks$/)).toHaveLength(asked + 1)
})

test('a notification that is garbage leads nowhere', async () => {
  for (const text of ['', '{', 'null', '[]', '{"data":7}', '{"data":null}']) {
    const told = { headers: {}, query: {}, body: Buffer.from(text) }

    expect(await provider.readNotification(told), text).toEqual({ kind: 'forged', hints: [] })
  }
})

const good = (step: string) => ({ step, ok: true })

test('the connection is tested by the sub-account, a key for a card, a search and the webhooks', async () => {
  expect(await provider.testConnection(clock.now())).toEqual(['token', 'read', 'webhook'].map(good))
})

test.each<[string, object, RegExp]>([
  ['a key that is not theirs', { apiKey: 'somebody-elses-key' }, /recusou as credenciais/],
  [
    'an unknown sub-account',
    { merchantId: '00000000-5717-4562-b3fc-2c963f66afa6' },
    /não conhece esta subconta/,
  ],
  ['no way there', { baseUrl: 'http://127.0.0.1:1' }, /Não foi possível chegar/],
])('a connection with %s fails in words that help', async (_what, more, reason) => {
  const steps = await open(more).testConnection(clock.now())

  expect(steps).toEqual([{ step: 'token', ok: false, reason: expect.stringMatching(reason) }])
})

test.each<[number, RegExp]>([
  [403, /não tem permissão/],
  [404, /resposta inesperada \(404\)/],
])('a connection says when reading is answered %d', async (status, reason) => {
  fake.next({ on: /^GET .v1.charges$/, does: 'answer', status })

  const [, read] = await provider.testConnection(clock.now())

  expect(read).toEqual({ step: 'read', ok: false, reason: expect.stringMatching(reason) })
})

test('what the documentation leaves open is told by the test of the connection', async () => {
  Object.assign(fake.book.manner, { heedsOrderId: false, tellsKeys: 'never' })
  fake.book.charges.set('x', {} as never)

  const [, read, webhook] = await provider.testConnection(clock.now())
  fake.book.charges.delete('x')

  expect(read).toMatchObject({ ok: false, reason: expect.stringMatching(/não filtra/) })
  expect(webhook).toMatchObject({
    ...{ ok: false, isOptional: true, reason: expect.stringMatching(/não mostra as chaves/) },
  })
})
