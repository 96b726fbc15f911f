// What the doctor says of where this installation stands.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { findIgnoredForwarding } from '../../src/http/forwarding.ts'
import { runProgram } from '../support/processes/program.ts'
import { openSmtpServer } from '../support/smtp-server.ts'
import { openTestApp } from '../support/test-app.ts'

const SECRET_KEY = randomBytes(32).toString('base64')
const { db, needs, url } = await openTestApp()

async function askDoctor(more: Record<string, string>) {
  const { stdout } = await runProgram(['doctor'], {
    env: { DATABASE_URL: url, SECRET_KEY, ...more },
  })
  return (about: string) => stdout.split('\n').find((line) => line.includes(`${about}: `))
}

const askOfProxy = async (TRUST_PROXY: string) => (await askDoctor({ TRUST_PROXY }))('proxy')

test('the doctor tells of a proxy that is not believed, until it is', async () => {
  const before = await askOfProxy('false')
  const app = await buildApp(needs)
  await app.inject({
    url: '/healthz',
    headers: { 'x-forwarded-for': '203.0.113.9' },
    remoteAddress: '10.0.0.7',
  })
  await app.close()
  await expect.poll(() => findIgnoredForwarding(db)).toBeDefined()

  const [ignored, believed] = [await askOfProxy('false'), await askOfProxy('uniquelocal')]

  expect(before).toBe('ok    proxy: no forwarding header was ignored')
  expect(ignored).toMatch(
    /^warn {2}proxy: a forwarding header from 10\.0\.0\.7 was ignored on \d{4}-\d\d-\d\d — if this is your proxy/,
  )
  expect(believed).toBe(before)
})

test('a machine with a clock that is hours off is told of that', async () => {
  const ahead = `globalThis.Date = class extends Date {
    constructor(...given) { given.length ? super(...given) : super(Date.now()) }
    static now() { return super.now() + 6 * 3_600_000 }
  }`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ahead)}`

  const find = await askDoctor({ NODE_OPTIONS })

  expect(find('clock')).toMatch(/^fail {2}clock: 6 hours from the database's/)
})

test('a mail server is tried with its password, and none is no fault', async () => {
  const server = await openSmtpServer({
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'certa' ? done(null, { user: 'vintem' }) : done(new Error('senha errada')),
  })
  const askOfMail = async (SMTP_URL: string) => (await askDoctor({ SMTP_URL }))('mail')
  const as = (password: string) => server.url.replace('//', `//vintem:${password}@`)

  const [good, wrong, none] = [
    await askOfMail(as('certa')),
    await askOfMail(as('errada')),
    await askOfMail(''),
  ]
  await server.close()
  const gone = await askOfMail(as('certa'))

  expect(good).toBe('ok    mail: the server of SMTP_URL answers and accepts the login')
  expect(wrong).toMatch(/^fail {2}mail: Invalid login: .* — check SMTP_URL/)
  expect(none).toBe('ok    mail: no SMTP_URL here, so no server was tried')
  expect(gone).toMatch(/^fail {2}mail: connect ECONNREFUSED .* — check SMTP_URL/)
  expect(server.received).toEqual([])
})

test('an address that no provider can notify is warned of', async () => {
  const askOfAddress = async (BASE_URL: string) => (await askDoctor({ BASE_URL }))('address')

  const [plain, secure] = [
    await askOfAddress('http://vintem.example.com'),
    await askOfAddress('https://vintem.example.com'),
  ]

  expect(plain).toMatch(
    /^warn {2}address: http:\/\/vintem\.example\.com is not https — set BASE_URL to the public https address/,
  )
  expect(secure).toBe('ok    address: https://vintem.example.com')
})
