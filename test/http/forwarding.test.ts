// Which proxies are trusted to name the address that a request comes from.
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import {
  findIgnoredForwarding,
  isTrustedProxy,
  reportIgnoredForwarding,
} from '../../src/http/forwarding.ts'
import { createServer } from '../../src/http/server.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, needs, logged } = await openTestApp()

async function appBehind(TRUST_PROXY: string) {
  const app = createServer({ ...needs, trustProxy: readConfig({ TRUST_PROXY }).trustProxy })
  reportIgnoredForwarding(app, db)
  app.get('/', () => '')
  onTestFinished(() => app.close())
  await db.$client.query(`delete from installation where name = 'ignored_forwarding'`)
  logged.length = 0
  const ask = (headers: Record<string, string>) =>
    app.inject({ url: '/', headers, remoteAddress: '10.0.0.7' })
  const told = () => logged.filter((line) => line.includes('forwarding header was ignored'))
  return { ask, told }
}

test.each(['false', '192.168.0.0/16'])(
  'behind a proxy that TRUST_PROXY=%s does not believe it is told once, in the log and to doctor',
  async (setting) => {
    const { ask, told } = await appBehind(setting)

    for (let i = 0; i < 3; i++) await ask({ 'x-forwarded-for': '203.0.113.9' })

    expect(told()).toHaveLength(1)
    expect(JSON.parse(told()[0]!)).toMatchObject({ header: 'x-forwarded-for', peer: '10.0.0.7' })
    await expect.poll(() => findIgnoredForwarding(db)).toMatchObject({ peer: '10.0.0.7' })
  },
)

test.each(['2', 'loopback, 10.0.0.0/8'])(
  'behind a proxy that TRUST_PROXY=%s believes nothing is told',
  async (setting) => {
    const { ask, told } = await appBehind(setting)

    await ask({ 'x-forwarded-for': '203.0.113.9' })
    await ask({})

    expect(told()).toEqual([])
    expect(await findIgnoredForwarding(db)).toBeUndefined()
  },
)

test('a header that is not trusted is reported too', async () => {
  const { ask, told } = await appBehind('1')

  await ask({ 'x-real-ip': '203.0.113.9' })

  expect(told()).toHaveLength(1)
})

test.each([
  ['1', '198.51.100.21:4001', '198.51.100.21'],
  ['1', '[2001:db8::1]:4001', '2001:db8::1'],
  ['1', '203.0.113.9, 198.51.100.21:4001', '198.51.100.21'],
  ['2', '203.0.113.9:1, 198.51.100.21:4001', '203.0.113.9'],
  ['2', 'unknown, 198.51.100.21:4001', '198.51.100.21'],
  ['3', '203.0.113.9, unknown, 198.51.100.21', '198.51.100.21'],
  ['loopback, 10.0.0.0/8', '203.0.113.9, 10.0.0.8:4001', '203.0.113.9'],
  ['1', 'unknown', '10.0.0.7'],
  ['1', '203.0.113.9, ', '10.0.0.7'],
  ['1', ',', '10.0.0.7'],
  ['false', '198.51.100.21:4001', '10.0.0.7'],
])('behind TRUST_PROXY=%s X-Forwarded-For: %s comes from %s', async (setting, written, ip) => {
  const { trustProxy } = readConfig({ TRUST_PROXY: setting })
  const server = createServer({ ...needs, trustProxy })
  server.get('/', (request) => request.ip)
  onTestFinished(() => server.close())

  const headers = { 'x-forwarded-for': written }
  const { body } = await server.inject({ url: '/', headers, remoteAddress: '10.0.0.7' })

  expect(body).toBe(ip)
})

test.each([
  ['false', '127.0.0.1', false],
  ['1', '203.0.113.9', true],
  ['loopback', '127.0.0.1', true],
  ['loopback', '::1', true],
  ['loopback', '::ffff:127.0.0.1', true],
  ['loopback', '10.0.0.1', false],
  ['uniquelocal', '172.31.255.255', true],
  ['uniquelocal', '172.32.0.0', false],
  ['10.0.0.1, 2001:db8::/32', '2001:db8::1', true],
  ['10.0.0.1, 2001:db8::/32', '10.0.0.2', false],
])('TRUST_PROXY=%s believes %s: %s', (setting, address, expected) => {
  const { trustProxy } = readConfig({ TRUST_PROXY: setting })

  expect(isTrustedProxy(trustProxy, address)).toBe(expected)
})
