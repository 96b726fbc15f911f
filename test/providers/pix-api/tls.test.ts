// Mutual TLS for real: banks with certificates of their own authority that let in only whom they know.

import { afterAll, expect, test } from 'vitest'
import type { PixApiConfig } from '../../../src/providers/pix-api/config.ts'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { pixApiTexts } from '../../../src/providers/pix-api/texts.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { ProviderDown } from '../../../src/providers/provider.ts'
import { buildBankConfig, openFakeBank } from '../../support/providers/bank/fake.ts'
import { openCertificates } from '../../support/providers/certificates.ts'
import { newPixCharge } from '../../support/providers/charges.ts'
import { answerWith, findRefusingUrl, openReceiver } from '../../support/receiver.ts'

const { connection: sentences } = pixApiTexts
const now = () => new Date()
const { authority, pfxOf } = openCertificates()
const [bankCa, ourCa, strangeCa] = [await authority(), await authority(), await authority()]
const ours = await ourCa.issue()
const bank = await openFakeBank({ tls: { ...(await bankCa.issue()), ca: ourCa.pem } })
const opened: Provider[] = []

afterAll(() => Promise.all(opened.map((provider) => provider.close!())))

function account(more: Partial<PixApiConfig> = {}, url = bank.url) {
  const provider = createPixApiProvider(
    { ...buildBankConfig(url), ca: bankCa.pem, ...more },
    { now, createDeadline: bank.createDeadline },
  )
  opened.push(provider)
  return provider
}

async function firstReason(provider: Provider, at = now()) {
  const steps = await provider.testConnection(at)
  const failed = steps.find(({ ok }) => !ok)
  return `${failed?.step}: ${failed?.reason}`
}

const whole = { step: expect.any(String), ok: true }

test('a certificate and its key open the bank, and all three steps go well', async () => {
  const provider = account(ours)

  const steps = await provider.testConnection(now())

  expect(steps).toEqual([
    { step: 'token', ok: true },
    { step: 'read', ok: true },
    { step: 'webhook', ok: true },
  ])
  expect(bank.calls(/oauth/).length).toBeGreaterThan(0)
  expect(bank.calls(/^GET .cob$/).at(-1)!.query).toEqual({
    inicio: expect.stringMatching(/Z$/),
    fim: expect.stringMatching(/Z$/),
    'paginacao.itensPorPagina': '1',
  })
})

test('so does a .p12 with its passphrase, and a charge goes through', async () => {
  const provider = account(await pfxOf(ours))

  const outcome = await provider.charge(newPixCharge(now()), now())

  expect(outcome).toMatchObject({ status: 'pending' })
  expect(await provider.testConnection(now())).toEqual([whole, whole, whole])
})

// In TLS 1.3 the refusal comes after the handshake, and all that is seen of it is the end of the line.
test.each([
  ['TLSv1.2', 'without a certificate', {}, sentences.ourRefused],
  ['TLSv1.3', 'without a certificate', {}, sentences.closed],
  ['TLSv1.3', 'with one that it does not know', await strangeCa.issue(), sentences.closed],
] as const)(
  'over %s the bank lets no client in %s, and nothing is charged',
  async (maxVersion, _how, identity, sentence) => {
    const tls = { ...(await bankCa.issue()), ca: ourCa.pem, maxVersion }
    const other = await openFakeBank({ tls })
    const provider = account(identity, other.url)

    expect(await firstReason(provider)).toBe(`token: ${sentence}`)
    await expect(provider.charge(newPixCharge(now()), now())).rejects.toThrow(ProviderDown)
    expect(other.asked).toEqual([])
  },
)

test('a certificate of ours that has expired is named before the bank is asked', async () => {
  const asked = bank.asked.length
  const expired = await ourCa.issue({ days: -1 })

  const pem = await firstReason(account(expired))
  const pfx = await firstReason(account(await pfxOf(expired)))

  expect(pem).toMatch(/^token: O certificado da sua empresa venceu em \d\d\/\d\d\/\d{4}\./)
  expect(pfx).toBe(pem)
  expect(bank.asked).toHaveLength(asked)
})

test('so is one that is not valid yet', async () => {
  const yesterday = new Date(now().getTime() - 24 * 3_600_000)

  expect(await firstReason(account(ours), yesterday)).toContain('só vale a partir de')
})

test('a bank of another authority than the one given is not spoken to', async () => {
  const [asked, wrong] = [bank.asked.length, account({ ...ours, ca: strangeCa.pem })]

  expect(await firstReason(wrong)).toBe(`token: ${sentences.theirUnknown}`)
  await expect(wrong.charge(newPixCharge(now()), now())).rejects.toThrow(ProviderDown)
  expect(bank.asked).toHaveLength(asked)
})

test.each([
  ['has expired', { days: -1 }, sentences.theirExpired],
  ['is of another address', { name: 'DNS:pix.example.com' }, sentences.theirName],
])('a bank with a certificate that %s is not called', async (_how, certificate, sentence) => {
  const tls = { ...(await bankCa.issue(certificate)), ca: ourCa.pem }
  const other = await openFakeBank({ tls })

  const reason = await firstReason(account(ours, other.url))

  expect(reason).toBe(`token: ${sentence}`)
  expect(other.asked).toEqual([])
})

const pfx = await pfxOf(ours)
const { key: anotherKey } = await ourCa.issue()

test.each<[string, Partial<PixApiConfig>, string]>([
  ['a wrong passphrase', { ...pfx, passphrase: 'errada' }, sentences.wrongPassphrase],
  ['a missing passphrase', { pfx: pfx.pfx }, sentences.wrongPassphrase],
  ['a cipher of old', await pfxOf(ours, { legacy: true }), sentences.oldPfx],
  ['a file that is no .p12', { pfx: 'bm90IGEgcGZ4' }, sentences.unreadableCertificate],
  ['a file that is no certificate', { ...ours, cert: 'x' }, sentences.unreadableCertificate],
  ['the key of another one', { ...ours, key: anotherKey }, sentences.keyMismatch],
])('%s is told, and a charge charges nothing', async (_what, config, sentence) => {
  const provider = account(config)

  expect(await firstReason(provider)).toBe(`token: ${sentence}`)
  await expect(provider.charge(newPixCharge(now()), now())).rejects.toThrow(ProviderDown)
})

test('an address that does not exist, or does not answer, is told', async () => {
  const nowhere = account(ours, 'https://pix.nao-existe.invalid')
  const closed = account(ours, (await findRefusingUrl()).replace(/\/$/, ''))
  const noTls = account(ours, (await openReceiver()).url.replace(/^http:(.*)\/$/, 'https:$1'))

  expect(await firstReason(nowhere)).toBe(
    `token: ${sentences.hostNotFound('pix.nao-existe.invalid')}`,
  )
  expect(await firstReason(closed)).toBe(`token: ${sentences.refused}`)
  expect(await firstReason(noTls)).toBe(`token: ${sentences.notTls}`)
})

test('credentials that the bank does not know are told in its words', async () => {
  const reason = await firstReason(account({ ...ours, clientSecret: 'outra' }))

  expect(reason).toBe(`token: ${sentences.said(sentences.credentials, 'invalid_client')}`)
})

const FORBIDDEN = JSON.stringify({
  type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado',
  title: 'Acesso negado',
  detail: 'Falta o escopo.',
})
const said = (sentence: string) => sentences.said(sentence, 'AcessoNegado: Falta o escopo.')

test.each<[string, RegExp, number, string, string]>([
  ['a missing scope', /^GET .cob$/, 403, FORBIDDEN, `read: ${said(sentences.scope)}`],
  [
    'a key of another account',
    /^GET .webhook/,
    403,
    FORBIDDEN,
    `webhook: ${said(sentences.notTheKey)}`,
  ],
  [
    'a scope that does not exist',
    /oauth/,
    400,
    '{"error":"invalid_scope"}',
    `token: ${sentences.said(sentences.scope, 'invalid_scope')}`,
  ],
  [
    'a gateway that looks at the certificate',
    /oauth/,
    400,
    '<h1>No required SSL certificate</h1>',
    `token: ${sentences.ourRefused}`,
  ],
  ['a wrong path', /^GET .cob$/, 404, '<h1>404</h1>', `read: ${sentences.notThere}`],
  ['an outage', /^GET .cob$/, 503, '', `read: ${sentences.unavailable}`],
  ['a page that is no API', /^GET .cob$/, 200, '<h1>Olá</h1>', `read: ${sentences.garbage}`],
  ['a token that is none', /oauth/, 200, '<h1>Olá</h1>', `token: ${sentences.garbage}`],
])('%s is told', async (_what, on, status, body, reason) => {
  bank.next({ on, does: 'answer', status, body })

  expect(await firstReason(account(ours))).toBe(reason)
})

test('a bank that never answers is told after a while', async () => {
  const provider = account(ours)
  bank.next({ on: /^GET .cob$/, does: 'hang' })

  expect(await firstReason(provider)).toBe(`read: ${sentences.timeout}`)
})

test('connections may be kept to where their maker lets them', async () => {
  const { url, hits } = await openReceiver(answerWith(200))
  const provider = createPixApiProvider(buildBankConfig(url.replace(/\/$/, '')), {
    now,
    connector: () => (_to, callback) => {
      callback(Object.assign(new Error('private'), { code: 'ERR_PRIVATE_ADDRESS' }), null)
    },
  })

  expect(await firstReason(provider)).toBe(`token: ${sentences.privateAddress}`)
  expect(hits).toEqual([])
})
