import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { EVENT_TYPES } from '../../../src/database/enums.ts'
import { events, webhookDeliveries, webhookEndpoints } from '../../../src/database/tables.ts'
import { ENDPOINTS_PATH, openEndpoints, PUBLIC_HOOK_URL } from '../../support/endpoints.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, stored, logged } = testApp
const { newCaller } = openEndpoints(testApp)

async function rowOf(id: string) {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  return row!
}

test('an endpoint is made, and its secret is shown this once', async () => {
  const caller = await newCaller()

  const made = await caller.ask('POST', '', { url: PUBLIC_HOOK_URL })

  const { id, secret, ...rest } = made.json()
  const [shown, list] = [await caller.ask('GET', `/${id}`), await caller.ask('GET')]
  expect(made.statusCode).toBe(201)
  expect(made.headers.location).toBe(`${ENDPOINTS_PATH}/${id}`)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(rest).toEqual({
    url: PUBLIC_HOOK_URL,
    events: ['transaction.approved'],
    headerNames: [],
    disabled: false,
    disabledAt: null,
    rotatingUntil: null,
    testMode: true,
    createdAt: expect.any(String),
  })
  expect(shown.json()).toEqual({ id, ...rest })
  expect(list.json()).toEqual({
    data: [{ id, ...rest }],
    hasMore: false,
    nextCursor: null,
    limit: 20,
  })
  expect(await stored()).not.toContain(secret)
  expect(logged.join()).not.toContain(secret)
})

test('all that is wrong with one comes back together', async () => {
  const caller = await newCaller()
  const { id } = (await caller.ask('POST', '', { url: PUBLIC_HOOK_URL })).json()
  const wrong = { url: 'http://loja.example.com', events: ['nada'], headers: { host: 'x' } }
  const errors = [
    { field: 'events.0' },
    { field: 'url', code: 'https_only' },
    { field: 'headers.host', code: 'reserved' },
  ]

  expect((await caller.ask('POST', '', wrong)).json()).toMatchObject({ errors })
  expect((await caller.ask('PATCH', `/${id}`, wrong)).json()).toMatchObject({ errors })
  const { events: _, ...shaped } = wrong
  expect((await caller.ask('POST', '', shaped)).json()).toMatchObject({ errors: errors.slice(1) })
})

const WRONG_ADDRESSES = [
  ['http://loja.com.br/hook', 'https_only', 'Use uma URL https.'],
  ['https://10.0.0.1/', 'private_address', 'Este endereço não é público.'],
  ['https://[::1]/', 'private_address', 'Este endereço não é público.'],
  ['https://ana:senha@93.184.216.34/', 'credentials', 'Remova o usuário e a senha da URL.'],
  ['loja', 'invalid_url', 'Informe uma URL completa'],
  ['ftp://loja.com.br/', 'invalid_url', 'Informe uma URL completa'],
  [`https://93.184.216.34/${'x'.repeat(2_048)}`, 'too_big', 'Use no máximo 2048 caracteres.'],
] as const

test('what is no address for webhooks is refused, made or changed', async () => {
  const caller = await newCaller()
  const { id } = await caller.add()

  for (const [url, code, message] of WRONG_ADDRESSES) {
    for (const refused of [
      await caller.ask('POST', '', { url }),
      await caller.ask('PATCH', `/${id}`, { url, disabled: true }),
    ]) {
      expect(refused.statusCode).toBe(422)
      expect(refused.json().errors).toEqual([
        { field: 'url', code, message: expect.stringContaining(message) },
      ])
    }
  }
  expect(await rowOf(id)).toMatchObject({ url: PUBLIC_HOOK_URL, disabledAt: null })
})

test.each([
  ['no address', {}, 'url', 'required'],
  ['an address of another type', { url: 7 }, 'url', 'invalid_type'],
  ['no event', { url: PUBLIC_HOOK_URL, events: [] }, 'events', 'too_small'],
  [
    'an event that does not exist',
    { url: PUBLIC_HOOK_URL, events: ['x'] },
    'events.0',
    'invalid_value',
  ],
  [
    'an event twice',
    { url: PUBLIC_HOOK_URL, events: Array(2).fill(EVENT_TYPES[0]) },
    'events',
    'repeated',
  ],
  ['a typo', { url: PUBLIC_HOOK_URL, event: [] }, 'event', 'unknown_field'],
])('%s is a 422', async (_, payload, field, code) => {
  const caller = await newCaller()

  const refused = await caller.ask('POST', '', payload)

  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toMatchObject([{ field, code }])
})

test('what is given is changed and nothing else', async () => {
  const caller = await newCaller()
  const { id, secret: _, ...before } = await caller.add()
  const change = async (changes: object) => (await caller.ask('PATCH', `/${id}`, changes)).json()

  const moved = await change({ url: 'https://93.184.216.34/outro' })
  const subscribed = await change({ events: ['transaction.refunded', 'transaction.approved'] })
  const same = await change({})
  const echoed = await change({ ...same, disabled: true })
  const offStill = await change({ disabled: true })
  const on = await change({ disabled: false })

  expect(moved).toEqual({ id, ...before, url: 'https://93.184.216.34/outro' })
  expect(subscribed.events).toEqual(['transaction.refunded', 'transaction.approved'])
  expect(same).toEqual(subscribed)
  expect(echoed).toEqual({ ...same, disabled: true, disabledAt: expect.any(String) })
  expect(offStill).toEqual(echoed)
  expect(on).toEqual(same)
})

test('a deleted endpoint is gone with its deliveries, and the event stays', async () => {
  const caller = await newCaller()
  const { id } = await caller.add()
  await caller.ask('POST', `/${id}/test`)

  const deleted = await caller.ask('DELETE', `/${id}`)

  expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
  expect((await caller.ask('GET', `/${id}`)).statusCode).toBe(404)
  expect((await caller.ask('DELETE', `/${id}`)).statusCode).toBe(404)
  expect(await db.$count(webhookDeliveries, eq(webhookDeliveries.endpointId, id))).toBe(0)
  expect(await db.$count(events, eq(events.companyId, caller.id))).toBe(1)
})
