// Which saved secrets an account at a provider has to be given again, once it would send them elsewhere.
import { expect, test } from 'vitest'
import { listSecretsLeftBehind, mergeSavedSecrets } from '../../src/providers/config.ts'
import { getAdapter, type RealProvider } from '../../src/providers/registry.ts'

const ELSEWHERE = 'https://estranho.example'
const BANK = {
  ...{
    preset: 'custom',
    baseUrl: 'https://banco.example/pix',
    tokenUrl: 'https://auth.banco.example',
  },
  ...{ clientSecret: 'segredo', cert: 'certificado', key: 'chave', ca: 'autoridade' },
}
const EFI = { preset: 'efi', clientSecret: 'segredo', pfx: 'certificado', passphrase: 'senha' }
const STORE = { accessToken: 'APP_USR-1', webhookSecret: 'assinatura', publicKey: 'APP_USR-2' }
const WOOVI = { appId: 'app', test: false }
const BANK_SECRETS = ['clientSecret', 'cert', 'key']

test.each<[string, RealProvider, object, object, string[]]>([
  ['the same address', 'pix-api', BANK, { baseUrl: 'https://banco.example:443/outro' }, []],
  ['what is no address', 'pix-api', BANK, { baseUrl: 'banco' }, []],
  ['another token address', 'pix-api', BANK, { tokenUrl: ELSEWHERE }, BANK_SECRETS],
  ['another base address', 'pix-api', BANK, { baseUrl: ELSEWHERE }, BANK_SECRETS],
  ['another port', 'pix-api', BANK, { baseUrl: 'https://banco.example:8443' }, BANK_SECRETS],
  [
    'both in each other’s place',
    'pix-api',
    BANK,
    { baseUrl: BANK.tokenUrl, tokenUrl: BANK.baseUrl },
    BANK_SECRETS,
  ],
  [
    'the secret alone typed again',
    'pix-api',
    BANK,
    { tokenUrl: ELSEWHERE, clientSecret: 'x' },
    ['cert', 'key'],
  ],
  ['another certificate', 'pix-api', BANK, { tokenUrl: ELSEWHERE, pfx: 'x' }, ['clientSecret']],
  [
    'no longer the bank’s own address',
    'pix-api',
    EFI,
    { baseUrl: ELSEWHERE },
    ['clientSecret', 'passphrase', 'pfx'],
  ],
  ['its place for tests', 'pix-api', EFI, { test: true }, ['clientSecret', 'passphrase', 'pfx']],
  [
    'the bank’s own address written out',
    'pix-api',
    EFI,
    { baseUrl: 'https://pix.api.efipay.com.br' },
    [],
  ],
  [
    'another address',
    'mercadopago',
    STORE,
    { baseUrl: ELSEWHERE },
    ['accessToken', 'webhookSecret'],
  ],
  [
    'its own address written out',
    'mercadopago',
    STORE,
    { baseUrl: 'https://api.mercadopago.com/' },
    [],
  ],
  ['another address', 'openpix', WOOVI, { baseUrl: ELSEWHERE }, ['appId']],
  ['its sandbox', 'openpix', WOOVI, { test: true }, ['appId']],
])('%s (%s)', (_, provider, before, change, asked) => {
  const adapter = getAdapter(provider)
  const { main, more } = adapter.listFields()
  const hidden = [...main, ...more].filter(({ kind }) => /^(secret|passphrase|pfx|pem)$/.test(kind))
  const blanks = Object.fromEntries(hidden.map(({ name }) => [name, '']))
  const given = { ...before, ...blanks, ...change }

  const left = listSecretsLeftBehind(given, { ...before }, adapter)
  const whole = mergeSavedSecrets(given, { ...before }, adapter)

  expect(left).toEqual(asked)
  for (const name of asked) expect(whole).not.toHaveProperty([name])
  if ('ca' in before) expect(whole).toMatchObject({ ca: before.ca })
})
