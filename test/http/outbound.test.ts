import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { expect, test } from 'vitest'
import {
  checkPublicUrl,
  createGuardedAgent,
  createGuardedConnector,
} from '../../src/http/outbound.ts'
import { postWebhook } from '../../src/webhooks/deliveries/attempt.ts'
import { openProbe, openReceiver, openSelfSignedReceiver } from '../support/receiver.ts'

const PUBLIC = '93.184.215.14'

/** Every way to write loopback that a URL or a resolver understands. */
const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1'],
  ...['017700000001', '127.0.0.1.', '0', '0.0.0.0', '127.255.255.254', '１２７.０.０.１'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', 'localhost', 'LOCALHOST', 'localhost.'],
  ...['a.localhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '①②⑦.⓪.⓪.①'],
]

const SPECIAL = [
  ...['0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1'],
  ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.7'],
  ...['203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[::ffff:10.0.0.1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::1]', '[100::1]', '[2001::1]'],
  ...['[2001:1ff:ffff::1]', '[2001:db8::1]', '[2002::1]', '[fc00::1]', '[fdff::1]', '[fe80::1]'],
  ...['[febf::1]', '[fec0::1]', '[ff02::1]', '[::ffff:0:127.0.0.1]', '[::ffff:0:808:808]'],
  ...['168.63.129.16', '[3fff::1]', '[3fff:fff:ffff::1]', '[5f00::1]', '[5f00:ffff::1]'],
]

const ORDINARY = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['192.0.1.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '[2001:200::1]', '[2600::1]', '[2a00::1]', '[64:ff9b:2::1]'],
  ...['[fbff::1]', '[::ffff:8.8.8.8]', '[::fffe:0:808:808]', '168.63.129.15', '168.63.129.17'],
  ...['[3fff:1000::1]', '[3ffe:ffff::1]', '[5eff::1]', '[5f01::1]'],
]

const resolvesTo =
  (...answers: string[][]): LookupFunction =>
  (_hostname, _options, callback) => {
    const addresses = answers.length > 1 ? answers.shift()! : answers[0]!
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }

test.each([...LOOPBACK, ...SPECIAL])('https://%s is refused when it is saved', async (host) => {
  expect(await checkPublicUrl(`https://${host}/hook`, false)).toBe('private_address')
})

test.each(ORDINARY)('https://%s may be called', async (host) => {
  expect(await checkPublicUrl(`https://${host}/hook`, false)).toBeNull()
})

test('a name is refused when any of its addresses is private', async () => {
  const mixed = resolvesTo([PUBLIC, '10.0.0.1'])
  const sixOnly = resolvesTo(['fd00::1'])
  const honest = resolvesTo([PUBLIC, '2600::1'])

  expect(await checkPublicUrl('https://a.example/', false, mixed)).toBe('private_address')
  expect(await checkPublicUrl('https://a.example/', false, sixOnly)).toBe('private_address')
  expect(await checkPublicUrl('https://a.example/', false, honest)).toBeNull()
})

test('a name that does not resolve yet may be saved', async () => {
  const nowhere: LookupFunction = (_hostname, _options, callback) => {
    callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), [])
  }

  expect(await checkPublicUrl('https://soon.example/', false, nowhere)).toBeNull()
})

test('only https, no user or password, and at most 2048 characters are accepted', async () => {
  const long = (length: number) => `https://${PUBLIC}/`.padEnd(length, 'a')

  expect(await checkPublicUrl(`http://${PUBLIC}/`, false)).toBe('https_only')
  expect(await checkPublicUrl(`https://user@${PUBLIC}/`, false)).toBe('credentials')
  expect(await checkPublicUrl(`https://:secret@${PUBLIC}/`, false)).toBe('credentials')
  expect(await checkPublicUrl(long(2_048), false)).toBeNull()
  expect(await checkPublicUrl(long(2_049), false)).toBe('too_long')
  expect(await checkPublicUrl(`ftp://${PUBLIC}/`, false)).toBe('invalid_url')
  expect(await checkPublicUrl('loja.com.br/hook', false)).toBe('invalid_url')
})

const NOWHERE = [
  ...['example.com:0', '.', 'a..b', '.a.com', 'a.com..', '-a.com', 'a-.com', 'xn--', 'a!b.com'],
  ...[`${'a'.repeat(64)}.com`, `${'a.'.repeat(126)}com`],
]

test.each(NOWHERE)('nothing can be delivered to %s, in development neither', async (host) => {
  expect(await checkPublicUrl(`https://${host}/hook`, false)).toBe('invalid_url')
  expect(await checkPublicUrl(`http://${host}/hook`, true)).toBe('invalid_url')
})

test.each([
  ...['a.com.', 'a_b.example.com', 'xn--po-sia.com.br', 'pão.com.br', 'a--b.com', '3.com'],
  ...[`${'a'.repeat(63)}.com`, 'example.com:65535', 'soon', '[::1]:3000', '10.0.0.1'],
])('something may be delivered to %s', async (host) => {
  expect(await checkPublicUrl(`https://${host}/hook`, true)).toBeNull()
})

test('in development http and private addresses are accepted, a user still is not', async () => {
  expect(await checkPublicUrl('http://127.0.0.1:3000/', true)).toBeNull()
  expect(await checkPublicUrl('https://10.0.0.1/', true)).toBeNull()
  expect(await checkPublicUrl('http://user@127.0.0.1/', true)).toBe('credentials')
})

test.each(LOOPBACK)('a saved https://%s is refused again when connecting', async (host) => {
  const { port, seen } = await openProbe()
  const agent = createGuardedAgent({ allowPrivate: false })
  const message = { url: `https://${host}:${port}/`, headers: {}, body: '{}' }

  const answer = await postWebhook(message, { agent })

  expect(answer).toMatchObject({ outcome: 'private_address', statusCode: null })
  expect(seen.connections).toBe(0)
})

test('a name that was public when saved and turns to loopback is refused when connecting', async () => {
  const { port, seen } = await openProbe()
  const rebinding = resolvesTo([PUBLIC], ['127.0.0.1'])
  const url = `https://rebind.example:${port}/`
  const agent = createGuardedAgent({ allowPrivate: false, lookup: rebinding })

  const refusal = await checkPublicUrl(url, false, rebinding)
  const answer = await postWebhook({ url, headers: {}, body: '{}' }, { agent })

  expect(refusal).toBeNull()
  expect(answer).toMatchObject({ outcome: 'private_address' })
  expect(seen.connections).toBe(0)
})

test('nothing is sent to a peer on loopback, though a public address was looked up', async () => {
  const { url, hits } = await openSelfSignedReceiver()
  const turning: LookupFunction = (_hostname, _options, callback) => {
    const answers = [PUBLIC, '127.0.0.1']
    const answer = {
      get address() {
        return (answers.length > 1 ? answers.shift() : answers[0])!
      },
      family: 4,
    }
    callback(null, [answer])
  }
  const guard = createGuardedConnector({ allowPrivate: false, lookup: turning })
  const agent = new Agent({ connect: guard({ rejectUnauthorized: false, allowH2: false }) })
  const message = { url: url.replace('localhost', 'turning.example'), headers: {}, body: '{}' }

  const answer = await postWebhook(message, { agent })

  expect(answer).toMatchObject({ outcome: 'private_address', statusCode: null })
  expect(hits).toEqual([])
})

test('a plain http address saved in development is not called once private ones are refused', async () => {
  const agent = createGuardedAgent({ allowPrivate: false, lookup: resolvesTo([PUBLIC]) })
  const message = { url: 'http://a.example/', headers: {}, body: '{}' }

  expect(await postWebhook(message, { agent })).toMatchObject({ outcome: 'tls_failure' })
})

test('in development a receiver on this machine is called', async () => {
  const receiver = await openReceiver()
  const agent = createGuardedAgent({ allowPrivate: true })

  const answer = await postWebhook({ url: receiver.url, headers: {}, body: '{}' }, { agent })

  expect(answer).toMatchObject({ outcome: 'delivered', statusCode: 204 })
  expect(receiver.hits).toHaveLength(1)
})
