import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { Environment, readConfig } from '../src/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const DATABASE_URL = 'postgres://vintem:segredo@db:5432/vintem'

/** What is said of a wrong configuration, after `Wrong configuration: `. */
function refusalOf(env: NodeJS.ProcessEnv) {
  try {
    readConfig(env)
  } catch (error) {
    const [, said] = (error as Error).message.split('Wrong configuration: ')
    return said
  }
  return undefined
}

test('nothing has to be configured', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    baseUrl: 'http://localhost:3000',
    checkoutUrl: 'http://localhost:3000/pagar',
    isAddressGiven: false,
    secretKey: undefined,
    previousSecretKey: undefined,
    redisUrl: undefined,
    logLevel: 'info',
    trustProxy: false,
    allowPrivate: false,
    smtpUrl: undefined,
    mailFrom: { name: 'Vintém', address: 'nao-responda@localhost' },
    retention: {
      eventsDays: 180,
      stepsDays: 730,
      mailsDays: 30,
      sandboxDays: 365,
      auditDays: 1826,
    },
    metricsToken: undefined,
  })
})

test('everything can be configured', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '::1',
    DATABASE_URL,
    BASE_URL: 'https://vintem.example.com/',
    CHECKOUT_URL: 'https://pay.example.com/',
    SECRET_KEY: KEY,
    SECRET_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64'),
    REDIS_URL: 'redis://redis:6379',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '10.0.0.0/8, 192.168.0.1',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SMTP_URL: 'smtp://ana:segredo@mail.example.com:587',
    MAIL_FROM: 'Padaria Sol <caixa@sol.example.com>',
    RETENTION_EVENTS_DAYS: '31',
    RETENTION_AUDIT_DAYS: '36500',
    METRICS_TOKEN: 'um-token-de-16-c',
  })

  expect(config).toEqual({
    port: 8080,
    host: '::1',
    databaseUrl: DATABASE_URL,
    baseUrl: 'https://vintem.example.com',
    checkoutUrl: 'https://pay.example.com',
    isAddressGiven: true,
    secretKey: Buffer.alloc(32, 7),
    previousSecretKey: Buffer.alloc(32, 8),
    redisUrl: 'redis://redis:6379',
    logLevel: 'warn',
    trustProxy: '10.0.0.0/8, 192.168.0.1',
    allowPrivate: true,
    smtpUrl: 'smtp://ana:segredo@mail.example.com:587',
    mailFrom: { name: 'Padaria Sol', address: 'caixa@sol.example.com' },
    retention: {
      eventsDays: 31,
      stepsDays: 730,
      mailsDays: 30,
      sandboxDays: 365,
      auditDays: 36_500,
    },
    metricsToken: 'um-token-de-16-c',
  })
})

test('the addresses follow the port and one another', () => {
  expect(readConfig({ PORT: '8080' })).toMatchObject({
    baseUrl: 'http://localhost:8080',
    checkoutUrl: 'http://localhost:8080/pagar',
  })
  expect(readConfig({ BASE_URL: 'https://vintem.example.com/' })).toMatchObject({
    baseUrl: 'https://vintem.example.com',
    checkoutUrl: 'https://vintem.example.com/pagar',
  })
})

test('e-mails come from the host of the service, or from the sender that is named', () => {
  const from = (env: NodeJS.ProcessEnv) => readConfig(env).mailFrom

  expect(from({ BASE_URL: 'https://vintem.example.com:8443' })).toEqual({
    name: 'Vintém',
    address: 'nao-responda@vintem.example.com',
  })
  expect(from({ MAIL_FROM: 'caixa@sol.com.br' })).toEqual({ name: '', address: 'caixa@sol.com.br' })
})

test('an empty variable counts as absent, and what is not ours is left alone', () => {
  const empty = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, '']))

  expect(readConfig({ ...empty, HOME: '/root', NODE_ENV: 'x' })).toEqual(readConfig({}))
})

test('spaces around a value are left out', () => {
  const spaced = { LOG_LEVEL: ' warn', WEBHOOK_ALLOW_PRIVATE: 'true\r', PORT: ' 8080 ' }

  expect(readConfig(spaced)).toMatchObject({ logLevel: 'warn', allowPrivate: true, port: 8080 })
})

test.each([
  ['PORT', 'http', /^PORT must be /],
  ['PORT', '65536', /^PORT must be /],
  ['PORT', '-1', /^PORT must be /],
  ['PORT', '80.5', /^PORT must be /],
  ['PORT', '0x50', /^PORT must be /],
  ['PORT', '1e3', /^PORT must be /],
  [
    'DATABASE_URL',
    'mysql://ana:segredo@db/x',
    /^DATABASE_URL must be an address such as postgres:/,
  ],
  ['DATABASE_URL', 'ana:segredo@db', /^DATABASE_URL must be an address such as postgres:/],
  ['BASE_URL', 'vintem.example.com', /^BASE_URL must be an address such as https:/],
  ['BASE_URL', 'ftp://vintem.example.com', /^BASE_URL must be an address such as https:/],
  ['CHECKOUT_URL', '/pagar', /^CHECKOUT_URL must be an address such as https:/],
  ['METRICS_TOKEN', 'um-token-de-15c', /^METRICS_TOKEN must be 16 visible characters or more/],
  ['METRICS_TOKEN', 'um token de 16 c', /^METRICS_TOKEN must be 16 visible characters or more/],
  ['SECRET_KEY', 'segredo', /^SECRET_KEY must be 32 bytes in base64/],
  ['SECRET_KEY', Buffer.alloc(31).toString('base64'), /^SECRET_KEY must be 32 bytes in base64/],
  ['SECRET_KEY_PREVIOUS', 'segredo', /^SECRET_KEY_PREVIOUS must be 32 bytes in base64/],
  ['REDIS_URL', 'http://redis:6379', /^REDIS_URL must be an address such as redis:/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be /],
  ['TRUST_PROXY', 'yes please', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', '10.0.0.0/33', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', '0.0.0.0/0', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', '::/0', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', '10.0.0.1/8/8', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', 'loopback,', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', 'proxy.example.com', /^TRUST_PROXY must be /],
  ['TRUST_PROXY', '-1', /^TRUST_PROXY must be /],
  [
    'TRUST_PROXY',
    'true',
    /^TRUST_PROXY must be false, the number of proxies .* true would let every sender choose/,
  ],
  ['WEBHOOK_ALLOW_PRIVATE', 'yes', /^WEBHOOK_ALLOW_PRIVATE must be true or false/],
  ['SMTP_URL', 'http://ana:segredo@mail', /^SMTP_URL must be an address such as smtp:/],
  ['SMTP_URL', 'mail.example.com:587', /^SMTP_URL must be an address such as smtp:/],
  [
    'RETENTION_EVENTS_DAYS',
    '30',
    /^RETENTION_EVENTS_DAYS must be a number of days from 31 to 36500/,
  ],
  ['RETENTION_EVENTS_DAYS', '36501', /^RETENTION_EVENTS_DAYS must be/],
  ['RETENTION_AUDIT_DAYS', '1825', /^RETENTION_AUDIT_DAYS must be/],
  ['RETENTION_AUDIT_DAYS', 'forever', /^RETENTION_AUDIT_DAYS must be/],
  ['MAIL_FROM', 'Vintém', /^MAIL_FROM must be an address such as /],
  ['MAIL_FROM', 'a@b.com, c@d.com', /^MAIL_FROM must be an address such as /],
  ['MAIL_FROM', 'Loja\r\nBcc: x@y.com <a@b.com>', /^MAIL_FROM must be an address such as /],
])('%s=%s stops the start with one sentence that does not repeat it', (name, value, sentence) => {
  const said = refusalOf({ [name]: value })

  expect(said).toMatch(sentence)
  expect(said).toMatch(/^[^\n]+\.$/)
  expect(said).not.toContain('segredo')
})

test('all that is wrong is told at once', () => {
  expect(refusalOf({ PORT: 'x', LOG_LEVEL: 'x' })).toMatch(/^PORT .*; LOG_LEVEL /)
  expect(refusalOf({ PORT: 'x', DATABASE_URL })).toMatch(/^PORT .*; SECRET_KEY is required /)
})

test('a database of your own needs a secret key of your own', () => {
  expect(refusalOf({ DATABASE_URL })).toMatch(/^SECRET_KEY is required with DATABASE_URL/)
  expect(readConfig({ DATABASE_URL, SECRET_KEY: KEY }).secretKey).toHaveLength(32)
})

test('proxies are believed by number of hops or by address', () => {
  const trust = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy
  const two = trust('2')

  expect([trust('false'), trust('')]).toEqual([false, false])
  expect(trust('10.0.0.1')).toBe('10.0.0.1')
  expect(trust('loopback, uniquelocal')).toBe('loopback, uniquelocal')
  if (typeof two !== 'function') throw new Error('a number of hops is judged by hop')
  expect([0, 1, 2].map((hop) => two('10.0.0.1', hop))).toEqual([true, true, false])
})

test("the README's table of configuration lists exactly these variables", () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)]

  expect(rows.map(([, name]) => name)).toEqual(Object.keys(Environment.shape))
  const defaults = Environment.parse({})
  for (const [, name, shown] of rows) {
    const value = defaults[name as keyof typeof defaults]
    if (value !== undefined) expect([name, shown]).toEqual([name, String(value)])
  }
})

test('the example of an .env file lists exactly these variables, none of them set', () => {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')

  const names = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
  const shown = parseEnv(example.replace(/^# (?=[A-Z_]+=)/gm, ''))

  expect(parseEnv(example)).toEqual({})
  expect(names).toEqual(Object.keys(Environment.shape))
  expect(() => readConfig({ ...shown, SECRET_KEY: KEY })).not.toThrow()
  const defaults = Environment.parse({})
  for (const [name, value] of Object.entries(defaults)) {
    expect([name, shown[name]]).toEqual([name, String(value)])
  }
})
