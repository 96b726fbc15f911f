// An account at Woovi: its configuration, its notifications, its connection.
import { expect, test } from 'vitest'
import type { Hint } from '../../../src/providers/notification.ts'
import { openPixConfig } from '../../../src/providers/openpix/config.ts'
import { openPixTexts } from '../../../src/providers/openpix/texts.ts'
import { openOpenPixAccount } from '../../support/providers/openpix/account.ts'
import { APP_ID } from '../../support/providers/openpix/fake.ts'

const { woovi, provider, open, clock, now, paid } = await openOpenPixAccount()
const NOTIFY_URL = 'https://vintem.example.com/webhooks/openpix/segredo'
const ID = '0199aaaa-0000-7000-8000-000000000000'
const readOf = (...hints: Hint[]) => ({ kind: 'read', hints })

test('an account is one for tests where it is said to be', () => {
  expect(provider.testMode).toBe(true)
  expect(open({ test: false }).testMode).toBe(false)
})

test.each([
  ['an unknown field', { clientId: 'x' }],
  ['no AppID', { appId: '' }],
  ['an AppID that is no header', { appId: 'Q2xpZW50X0lkX2Zha2U6\r\nx: y' }],
  ['an address that is none', { baseUrl: 'ftp://api.openpix.com.br' }],
])('a configuration with %s is refused', (_what, more) => {
  expect(openPixConfig.safeParse({ appId: APP_ID, ...more }).success).toBe(false)
})

/** The vector of Woovi's documentation, "Como validar o Webhook Signature?". */
const VECTOR_BODY =
  '{ "pixQrCode": null, "charge": { "status": "COMPLETED", "customer": { "name": "Antonio Victor", "taxID": { "taxID": "12345678976", "type": "BR:CPF" }, "email": "antoniocliente@example.com", "correlationID": "4979ceba-2132-4292-bd90-bee7fb2125e4" }, "value": 1000, "comment": "Pagamento OpenPix", "transactionID": "ea83401ed4834b3ea6f1f283b389af29", "correlationID": "417bae21-3d08-4cdb-9c2d-fee63c89e9e4", "paymentLinkID": "34697ed2-3790-4b60-8512-e7465b142d84", "createdAt": "2021-03-12T12:43:54.528Z", "updatedAt": "2021-03-12T12:44:09.360Z", "brCode": "https://api.openpix.com.br/openpix/openpix/testing?transactionID=ea83401ed4834b3ea6f1f283b389af29" }, "pix": { "charge": { "status": "COMPLETED", "customer": { "name": "Antonio Victor", "taxID": { "taxID": "12345678976", "type": "BR:CPF" }, "email": "antoniocliente@example.com", "correlationID": "4979ceba-2132-4292-bd90-bee7fb2125e4" }, "value": 1000, "comment": "Pagamento OpenPix", "transactionID": "ea83401ed4834b3ea6f1f283b389af29", "correlationID": "417bae21-3d08-4cdb-9c2d-fee63c89e9e4", "paymentLinkID": "34697ed2-3790-4b60-8512-e7465b142d84", "createdAt": "2021-03-12T12:43:54.528Z", "updatedAt": "2021-03-12T12:44:09.360Z" }, "customer": { "correlationID": "9134e286-6f71-427a-bf00-241681624586", "email": "email1@example.com", "name": "Loma", "phone": "+5511999999999", "taxID": { "taxID": "47043622050", "type": "BR:CPF" } }, "payer": { "correlationID": "9134e286-6f71-427a-bf00-241681624586", "email": "email1@example.com", "name": "Loma", "phone": "+5511999999999", "taxID": { "taxID": "47043622050", "type": "BR:CPF" } }, "time": "2021-03-12T12:44:09.269Z", "value": 1, "transactionID": "ea83401ed4834b3ea6f1f283b389af29", "infoPagador": "OpenPix testing" }, "company": { "id": "624f46f9e93f9f521c8308d7", "name": "Pizzaria do José", "taxID": "4722767300014" }, "account": { "clientId": "ZOJ64B9B-ZM1W-89MI-4UCI-OP2LVIU6NY75" } }'
const VECTOR_SIGNATURE =
  'lL2nnXgmLFGgxJ8+jCDguqouU4ucrIxYJcU5SPrJFaNcJajTJHYVldqc/z4YFIjAjtPEALe699WosgPY08W7CLpidvtm06Qwa4YMB0l/DcTS93O91NdSH/adjugEKiOb76Zj/0jB8mqOmWCFYbweOBa17bssuEkd5Lw7Q5L314Y='
const VECTOR = {
  headers: { 'x-webhook-signature': VECTOR_SIGNATURE },
  query: {},
  body: Buffer.from(VECTOR_BODY),
}

test('the signature of Woovi’s own vector is understood, in production alone', async () => {
  const live = open({ test: false })

  expect(await live.readNotification(VECTOR)).toEqual(
    readOf({ kind: 'reference', reference: '417bae21-3d08-4cdb-9c2d-fee63c89e9e4' }),
  )
  expect(await open().readNotification(VECTOR)).toMatchObject({ kind: 'forged' })
})

test.each<[string, (told: typeof VECTOR) => object]>([
  [
    'with a body changed by a cent',
    (told) => ({ body: Buffer.from(told.body.toString().replace('1000', '1001')) }),
  ],
  ['without a signature', () => ({ headers: {} })],
  ['with a signature of nothing', () => ({ headers: { 'x-webhook-signature': '' } })],
  [
    'with a signature that is no base64',
    () => ({ headers: { 'x-webhook-signature': '☃'.repeat(64) } }),
  ],
  ['with two signatures', () => ({ headers: { 'x-webhook-signature': [VECTOR_SIGNATURE, 'x'] } })],
])('a notification %s is forged', async (_how, change) => {
  const reading = await open({ test: false }).readNotification({ ...VECTOR, ...change(VECTOR) })

  expect(reading).toMatchObject({ kind: 'forged' })
})

test('a key that Woovi has changed is learnt, asked for now and then only', async () => {
  const appId = 'T3V0cm9BcHBJZDpzZWdyZWRv'
  const other = open({ appId })
  const first = woovi.completed(ID)
  const keysAsked = () =>
    woovi.calls(/public-keys/).filter(({ headers }) => headers.authorization === appId)

  const learnt = await other.readNotification(first)
  woovi.signer.renew()
  const renewed = woovi.completed(ID)
  const early = await other.readNotification(renewed)
  clock.offsetMs += 11 * 60_000
  const later = await other.readNotification(renewed)

  const told = readOf({ kind: 'reference', reference: ID })
  expect([learnt, later]).toEqual([told, told])
  expect(early).toMatchObject({ kind: 'forged' })
  expect(keysAsked()).toHaveLength(2)
  expect(await other.readNotification(first)).toMatchObject({ kind: 'forged' })
})

test('keys that cannot be read leave the known ones as they are', async () => {
  const live = open({ test: false })
  const body = '{"public_keys":[{"key":"x"}]}'
  woovi.next({ on: /public-keys/, does: 'answer', status: 200, body })

  expect(await live.readNotification(woovi.completed(ID))).toMatchObject({ kind: 'forged' })
  expect(await live.readNotification(VECTOR)).toMatchObject({ kind: 'read' })
})

test('each event points at its charge, a dispute at its Pix, others at nothing', async () => {
  const { charge, pix } = await paid()
  const { transactionId } = charge
  const read = (event: string, payload: object) =>
    provider.readNotification(woovi.notification(event, payload))
  const told = { correlationID: transactionId }

  expect(
    await read('OPENPIX:TRANSACTION_RECEIVED', { charge: told, pix: { charge: told } }),
  ).toEqual(readOf({ kind: 'reference', reference: transactionId }))
  expect(await read('OPENPIX:TRANSACTION_REFUND_RECEIVED', { pix: { charge: told } })).toEqual(
    readOf({ kind: 'reference', reference: transactionId }),
  )
  expect(
    await read('OPENPIX:CHARGE_COMPLETED', {
      charge: { correlationID: transactionId.toUpperCase() },
    }),
  ).toEqual(readOf({ kind: 'reference', reference: transactionId }))
  const { endToEndId } = pix
  expect(
    await read('OPENPIX:DISPUTE_CREATED', { dispute: { status: 'OPENED', endToEndId } }),
  ).toEqual(readOf({ kind: 'endToEndId', endToEndId }))
  expect(await read('OPENPIX:MOVEMENT_CONFIRMED', { payment: { value: 1 } })).toEqual(readOf())
  expect(await read('OPENPIX:CHARGE_COMPLETED', { charge: { correlationID: "'; --" } })).toEqual(
    readOf(),
  )
})

test('the call by which a webhook is tried out is welcome, and tells nothing', async () => {
  const body = Buffer.from('{"evento":"teste_webhook","event":"OPENPIX:CHARGE_COMPLETED"}')

  expect(await provider.readNotification({ headers: {}, query: {}, body })).toEqual(readOf())
})

test('a webhook is made for each event, once; what else is there stays', async () => {
  woovi.book.webhooks.push({
    id: 'w1',
    event: 'OPENPIX:CHARGE_COMPLETED',
    url: 'https://erp.example.com/woovi',
    isActive: true,
  })

  await provider.registerNotifications!(NOTIFY_URL)
  const made = woovi.book.webhooks.filter(({ url }) => url === NOTIFY_URL)
  await provider.registerNotifications!(NOTIFY_URL)
  made[0]!.isActive = false
  await provider.registerNotifications!(NOTIFY_URL)

  expect(new Set(made.map(({ event }) => event)).size).toBe(made.length)
  expect(made.map(({ event }) => event)).toContain('OPENPIX:DISPUTE_ACCEPTED')
  expect(woovi.book.webhooks).toHaveLength(made.length + 2)
})

test('a connection that works is told step by step', async () => {
  const steps = ['token', 'read', 'webhook'].map((step) => ({ step, ok: true }))

  expect(await provider.testConnection(now())).toEqual(steps)
})

test('what does not work is told in words', async () => {
  const { keyRefused, keyForbidden, unreachable, tooMany, said } = openPixTexts
  const answer = (on: RegExp, status: number, body = '') =>
    woovi.next({ on, does: 'answer', status, body })

  const stranger = await open({ appId: 'UmFuZG9tQXBwSWQ6c2VjcmV0' }).testConnection(now())
  answer(/^GET .dispute/, 403)
  const scope = await provider.testConnection(now())
  answer(/^GET .webhook/, 429)
  const limited = await provider.testConnection(now())
  const nowhere = await open({ baseUrl: 'http://127.0.0.1:1' }).testConnection(now())

  expect(stranger).toEqual([
    { step: 'token', ok: false, reason: said(keyRefused, 'appID inválido') },
  ])
  expect(scope[1]).toEqual({ step: 'read', ok: false, reason: keyForbidden })
  expect(limited[2]).toEqual({ step: 'webhook', ok: false, reason: tooMany })
  expect(nowhere).toEqual([{ step: 'token', ok: false, reason: unreachable }])
})
