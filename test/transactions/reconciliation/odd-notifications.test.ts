// What strangers send to the addresses of notifications: it is taken as a hint, refused or not found, never a 500.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { saveAccount } from '../../../src/providers/accounts.ts'
import type { RealProvider } from '../../../src/providers/registry.ts'
import { newUserAddress } from '../../support/people.ts'
import { BANK_CONFIG } from '../../support/providers/accounts.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, needs, clock, newCompany } = testApp
const company = await newCompany()

const SECRET = 'assinatura-da-loja-0099'
const STORE = {
  ...{ accessToken: 'TEST-1234567890-abcdef', publicKey: 'TEST-0987654321-fedcba' },
  ...{ webhookSecret: SECRET, baseUrl: 'http://127.0.0.1:9' },
}
const WOOVI = { appId: 'Q2xpZW50X0lkX2Zha2U6Q2xpZW50', test: true, baseUrl: 'http://127.0.0.1:9' }
const CONFIGS: [RealProvider, Record<string, unknown>][] = [
  ['pix-api', BANK_CONFIG],
  ['mercadopago', STORE],
  ['openpix', WOOVI],
]

const addresses = await Promise.all(
  CONFIGS.map(async ([provider, config]) => {
    const account = { companyId: company.id, provider, config, now: clock.now() }
    const at = { ...needs, allowPrivate: true }
    return `/webhooks/${provider}/${(await saveAccount(at, account)).notifyToken}`
  }),
)

function notify(url: string, payload: string, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json' }
  const remoteAddress = newUserAddress()
  return app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...type, ...headers },
    remoteAddress,
  })
}

/** As Mercado Pago signs it. */
function sign(id: string) {
  const ts = String(clock.now().getTime())
  const manifest = `id:${id};ts:${ts};`
  return {
    'x-signature': `ts=${ts},v1=${createHmac('sha256', SECRET).update(manifest).digest('hex')}`,
  }
}

const HUGE = 'x'.repeat(9_000)
const QUERIES = [
  ...['data.id=a&data.id=b', 'data.id=a&type=order&type=payment', 'data.id[]=a', 'data.id[x]=a'],
  ...[
    'type=order&topic=order&topic=x',
    '__proto__=x&constructor=y',
    'data.id=%00&type=%00',
    'data.id',
  ],
  ...['data.id=%E0%A4%A', `data.id=${HUGE}`, '?&&==', 'ignorar=&x=1'],
]
const BODIES = [
  ...[
    'x',
    '{',
    '[]',
    'null',
    '1',
    '"a"',
    '{"data":[],"type":[]}',
    '{"data":{"id":{}},"type":"order"}',
  ],
  ...[
    '{"data":{"id":"a\\u0000b","id2":1},"type":"order"}',
    '{"pix":{}}',
    '{"pix":[null,1,[],{"txid":[]}]}',
  ],
  ...[
    '{"charge":[],"pix":{"charge":{"correlationID":[1]},"endToEndId":{}}}',
    '\u0000',
    '['.repeat(9_000),
  ],
  ...[`{"pix":[{"txid":"${HUGE}"}]}`, '{"__proto__":{"x":1},"evento":["teste_webhook"]}'],
]
const HEADERS: Record<string, string>[] = [
  { 'x-signature': 'ts=1,v1=x' },
  { 'x-signature': `ts=1700000000,v1=${'0'.repeat(64)}`, 'x-request-id': HUGE },
  { 'x-webhook-signature': 'A'.repeat(344) },
  { 'content-type': 'text/plain; charset=utf-99' },
]

test.each(addresses)('odd queries, bodies and headers: %s', async (address) => {
  const answers = [
    ...(await Promise.all(QUERIES.map((query) => notify(`${address}?${query}`, '{}', sign('a'))))),
    ...(await Promise.all(BODIES.map((body) => notify(address, body, sign('a'))))),
    ...(await Promise.all(HEADERS.map((headers) => notify(address, '{}', headers)))),
    await app.inject({ url: `${address}?data.id=a&data.id=b` }),
  ]

  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => ![200, 400, 401, 404, 414].includes(status))).toEqual([])
})

test.each([
  ...[
    'a%00b',
    '%00',
    'a%2Fb',
    '%F0%9F%8D%9E',
    'x'.repeat(5_000),
    "'",
    '%25',
    '..%2f..',
    '__proto__',
  ],
])('an address of no account is not found: %.20s', async (token) => {
  const answers = await Promise.all(
    CONFIGS.map(([provider]) => notify(`/webhooks/${provider}/${token}`, '{}')),
  )

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
})

test('of a parameter that comes twice the first one counts', async () => {
  const [, address] = addresses
  const body = JSON.stringify({ type: 'order', data: { id: 'ORD0001' } })

  const answers = [
    await notify(`${address}?data.id=ORD0001&data.id=ORD0002&type=order`, body, sign('ORD0001')),
    await notify(`${address}?data.id=ORD0001&data.id=ORD0002&type=order`, body, sign('ORD0002')),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401])
})
