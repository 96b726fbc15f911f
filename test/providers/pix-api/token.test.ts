// The token: asked for as each bank wants it, once however many wait for it, and anew when it ends.
import { afterEach, expect, test } from 'vitest'
import { hasFailedStep } from '../../../src/providers/connection.ts'
import type { PixApiConfig } from '../../../src/providers/pix-api/config.ts'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { openBankAccount } from '../../support/providers/bank/account.ts'
import {
  buildPixChargeKey,
  buildRefundRequest,
  newPixCharge,
} from '../../support/providers/charges.ts'

const { bank, provider, charged, clock, now } = await openBankAccount()
const { tokens } = bank

afterEach(() => {
  tokens.ungranted = []
})

/** Another account here, with nothing in its memory. */
function opened(more: Partial<PixApiConfig> = {}) {
  const provider = createPixApiProvider({ ...bank.config, ...more }, { now })
  const asked = tokens.issued
  return {
    charge: () => provider.charge(newPixCharge(now()), now()),
    find: () => provider.find(buildPixChargeKey(newPixCharge(now()), null), now()),
    issued: () => tokens.issued - asked,
  }
}

test('twenty calls at once wait for one token', async () => {
  const { charge, issued } = opened()

  const outcomes = await Promise.all(Array.from({ length: 20 }, charge))

  expect(outcomes.every(({ status }) => status === 'pending')).toBe(true)
  expect(issued()).toBe(1)
})

test('a token is used until a minute before its end', async () => {
  const { find, issued } = opened()

  await find()
  clock.offsetMs = (tokens.seconds - 61) * 1_000
  await find()
  expect(issued()).toBe(1)
  clock.offsetMs = (tokens.seconds - 59) * 1_000
  await find()

  expect(issued()).toBe(2)
})

test('a token that the bank takes back is renewed once, and no charge is lost', async () => {
  const { charge, find, issued } = opened()
  await find()
  tokens.valid.clear()

  const outcomes = await Promise.all(Array.from({ length: 20 }, charge))

  expect(outcomes.every(({ status }) => status === 'pending')).toBe(true)
  expect(issued()).toBe(2)
})

test('a token that the bank calls forbidden is renewed, but not once for each call without a right', async () => {
  const { find, issued } = opened()
  await find()
  clock.offsetMs = 61_000
  bank.next({ on: /^GET .cob/, does: 'answer', status: 403 })

  expect(await find()).toMatchObject({ status: 'unknown' })
  expect(issued()).toBe(2)

  bank.next({ on: /^GET .cob/, does: 'answer', status: 403, times: 3 })
  for (let i = 0; i < 3; i++) await expect(find()).rejects.toThrow('403')
  expect(issued()).toBe(2)
})

test('a bank that takes no token at all is asked for two, not for ever', async () => {
  const { find, charge, issued } = opened()
  await find()
  bank.next({ on: /^PUT .cob/, does: 'answer', status: 401, times: 100 })

  await expect(charge()).rejects.toThrow('401')

  expect(issued()).toBe(2)
})

test('a failed token is asked for again by the next call', async () => {
  const { find, issued } = opened()
  bank.next({ on: /^POST .oauth/, does: 'answer', status: 500 })

  await expect(find()).rejects.toThrow('There is no token')
  await find()

  expect(issued()).toBe(1)
})

const SCOPES = 'cob.write cob.read'
const BASIC = `Basic ${Buffer.from('padaria:pao:quente').toString('base64')}`
const BODY = { client_id: 'padaria', client_secret: 'pao:quente' }
const GRANT = { grant_type: 'client_credentials' }

test.each([
  ['efi', BASIC, {}, GRANT],
  ['bb', BASIC, {}, { ...GRANT, scope: SCOPES }],
  ['inter', undefined, {}, { ...GRANT, ...BODY, scope: SCOPES }],
  ['itau', undefined, {}, { ...GRANT, ...BODY }],
  ['sicredi', BASIC, {}, { ...GRANT, scope: SCOPES }],
  ['bradesco', BASIC, {}, GRANT],
  ['c6', undefined, {}, { ...GRANT, ...BODY }],
  ['banrisul', undefined, {}, { ...GRANT, ...BODY, scope: SCOPES }],
  ['santander', undefined, GRANT, BODY],
] as const)(
  '%s is asked for a token in its own manner',
  async (preset, authorization, query, form) => {
    const { find } = opened({ preset })

    await find()

    const token = bank.calls(/oauth/).at(-1)!
    expect(token.headers.authorization).toBe(authorization)
    expect(token.query).toEqual(query)
    expect(Object.fromEntries(new URLSearchParams(token.text))).toEqual(form)
  },
)

test('Sicoob knows who asks by the certificate, and wants the client in a header', async () => {
  const { find } = opened({ preset: 'sicoob' })

  // The fake takes no client without a secret.
  await expect(find()).rejects.toThrow('invalid_client')

  const { text, headers } = bank.calls(/oauth/).at(-1)!
  expect(Object.fromEntries(new URLSearchParams(text))).toEqual({
    ...GRANT,
    client_id: 'padaria',
    scope: SCOPES,
  })
  expect(headers.authorization).toBeUndefined()
  await opened({ preset: 'sicoob', tokenAuth: 'body' }).find()
  expect(bank.asked.at(-1)!.headers.client_id).toBe('padaria')
})

test('what a bank wants with every call goes with every call', async () => {
  const itau = opened({ preset: 'itau', extraHeaders: { 'x-conta-corrente': '123' } })
  const bb = opened({ preset: 'bb', extraQuery: { 'gw-dev-app-key': 'd27b' } })

  await itau.find()
  await itau.find()
  await bb.find()

  const [first, second, third] = bank.asked.slice(-4).filter(({ method }) => method === 'GET')
  const uuid = expect.stringMatching(/^[\da-f]{8}-/)
  expect(first!.headers).toMatchObject({ 'x-correlationid': uuid, 'x-conta-corrente': '123' })
  expect(first!.headers['x-correlationid']).not.toBe(second!.headers['x-correlationid'])
  expect(third!.query).toEqual({ 'gw-dev-app-key': 'd27b' })
})

test('each call is made under a token that allows no more than it takes', async () => {
  const provider = createPixApiProvider(bank.config, { now })
  const charge = newPixCharge(now())
  const from = bank.asked.length

  await provider.charge(charge, now())
  const { endToEndId } = bank.pay(charge.txid, 1_990)
  await provider.find(buildPixChargeKey(charge, charge.txid, endToEndId), now())
  const paid = { reference: charge.txid, endToEndId }
  await provider.refund(buildRefundRequest(charge, 500, paid), now())
  await provider.registerNotifications!('https://vintem.example.com/webhooks/pix-api/segredo')

  const scopes = bank.asked
    .slice(from)
    .filter(({ path }) => path === '/oauth/token')
    .map(({ text }) => new URLSearchParams(text).get('scope'))
  expect(scopes).toEqual([SCOPES, 'pix.read', 'pix.write pix.read', 'webhook.write webhook.read'])
})

test.each([
  ['webhook.write', ['webhook.read', 'webhook.write']],
  ['pix.write', ['pix.write']],
])('an application without %s charges and is paid all the same', async (_what, ungranted) => {
  tokens.ungranted = ungranted
  const provider = createPixApiProvider(bank.config, { now })
  const charge = newPixCharge(now())

  const outcome = await provider.charge(charge, now())
  const { endToEndId } = bank.pay(charge.txid, 1_990)
  const found = await provider.find(buildPixChargeKey(charge, charge.txid, endToEndId), now())

  expect([outcome.status, found.status]).toEqual(['pending', 'approved'])
})

test('a connection is tried in an account full of the charges of other systems, too', async () => {
  const { cobs } = bank.book
  const { txid } = await charged()
  const items = { infoAdicionais: 'x'.repeat(4_000) }
  for (let n = 0; n < 100; n++) cobs.set(`ERP${n}`, Object.assign({ ...cobs.get(txid)! }, items))

  const steps = await provider.testConnection(now())

  expect(steps.filter(({ ok }) => !ok)).toEqual([])
})

test('a connection without the permission for webhooks is told so, and works', async () => {
  tokens.ungranted = ['webhook.read', 'webhook.write']
  const provider = createPixApiProvider(bank.config, { now })

  const steps = await provider.testConnection(now())

  expect(steps.map(({ ok }) => ok)).toEqual([true, true, false])
  expect(steps[2]).toMatchObject({ isOptional: true, reason: expect.stringContaining('consulta') })
  expect(hasFailedStep(steps)).toBe(false)
})

test('scopes that the company names are asked for, and no others', async () => {
  const { charge } = opened({ scope: 'cob.write cob.read pix.read' })

  await charge()

  const { text } = bank.calls(/oauth/).at(-1)!
  expect(new URLSearchParams(text).get('scope')).toBe('cob.write cob.read pix.read')
})
