// What a company may tell us of its bank, and what each preset knows by itself.
import { expect, test } from 'vitest'
import { isCnpj } from '../../../src/payer-rules.js'
import {
  findInstitution,
  pixApiConfig,
  toBankSettings,
} from '../../../src/providers/pix-api/config.ts'
import { PIX_API_PRESETS, PRESETS } from '../../../src/providers/pix-api/presets.ts'
import { pixApiAdapter } from '../../../src/providers/pix-api/profile.ts'
import { buildBankConfig } from '../../support/providers/bank/fake.ts'

const PFX = { pfx: 'MIIB', passphrase: 'segredo' }
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n'
const EFI = {
  preset: 'efi',
  clientId: 'Client_Id_1',
  clientSecret: 'Client_Secret_1',
  pixKey: 'caixa@padaria.com.br',
  ...PFX,
}
const CUSTOM = {
  preset: 'custom',
  baseUrl: 'https://pix.banco.com.br/v2/',
  tokenUrl: 'https://pix.banco.com.br/token',
  clientId: 'um',
  clientSecret: 'dois',
  pixKey: '12ABC34501DE35',
}

/** The paths of what is wrong. */
function wrong(config: object) {
  const { error } = pixApiConfig.safeParse(config)
  return error?.issues.map(({ path }) => path.join('.')) ?? []
}

test('a preset needs little, and knows the rest', () => {
  const parsed = pixApiConfig.parse(EFI)

  expect(toBankSettings(parsed)).toMatchObject({
    ...EFI,
    test: false,
    baseUrl: 'https://pix.api.efipay.com.br/v2',
    tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
    tokenAuth: 'basic',
    scope: '',
    skipMtlsHeader: true,
  })
  expect(toBankSettings(pixApiConfig.parse({ ...EFI, test: true }))).toMatchObject({
    baseUrl: 'https://pix-h.api.efipay.com.br/v2',
    tokenUrl: 'https://pix-h.api.efipay.com.br/oauth/token',
  })
})

test('what a company configures goes before what the preset knows', () => {
  const parsed = pixApiConfig.parse({
    ...EFI,
    baseUrl: 'https://novo.efipay.com.br/v3',
    scope: 'cob.read',
    skipMtlsHeader: false,
    extraHeaders: { 'x-loja': '7' },
  })

  expect(toBankSettings(parsed)).toMatchObject({
    baseUrl: 'https://novo.efipay.com.br/v3',
    tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
    scope: 'cob.read',
    skipMtlsHeader: false,
    extraHeaders: { 'x-loja': '7' },
  })
})

test('extra headers of the bank stay beside those of the company', () => {
  const { clientSecret: _, ...sicoob } = { ...EFI, preset: 'sicoob' }
  const parsed = pixApiConfig.parse({ ...sicoob, extraHeaders: { 'x-loja': '7' } })

  expect(toBankSettings(parsed).extraHeaders).toEqual({ client_id: '{clientId}', 'x-loja': '7' })
})

test('what was parsed and kept is parsed again to the same', () => {
  for (const config of [EFI, CUSTOM]) {
    const parsed = pixApiConfig.parse(config)

    expect(pixApiConfig.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed)
  }
})

test.each(PIX_API_PRESETS)(
  '%s can be configured from its own fields, in all its places',
  (preset) => {
    const { fields, production, homologation, label, credentials, source } = PRESETS[preset]
    const values: Record<string, string> = {
      ...CUSTOM,
      pfx: PFX.pfx,
      cert: PEM,
      key: PEM,
      'extraQuery.gw-dev-app-key': 'd27b',
    }
    const needed = fields.filter(({ optional }) => !optional).map(({ name }) => name)
    const config = Object.fromEntries(
      needed.map((name) => {
        const [first, inner] = name.split('.') as [string, string?]
        return [first, inner ? { [inner]: values[name] } : values[name]]
      }),
    )

    expect(wrong({ preset, ...config })).toEqual([])
    expect(wrong({ preset, ...config, test: true })).toEqual(
      homologation || preset === 'custom' ? [] : ['baseUrl', 'tokenUrl'],
    )
    for (const { baseUrl, tokenUrl } of [production, homologation].filter((one) => one !== null)) {
      expect([baseUrl, tokenUrl]).toEqual([
        expect.stringMatching(/^https:\/\/\S+[^/]$/),
        expect.stringMatching(/^https:\/\/\S+[^/]$/),
      ])
    }
    expect(label).not.toBe('')
    expect(source === null).toBe(preset === 'custom')
    if (source)
      expect(source).toEqual({
        from: expect.stringMatching(/\S/),
        date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      })
    expect(credentials).toMatch(/\.$/)
  },
)

test('every secret and every file of a preset is among the fields that are masked', () => {
  const { main, more } = pixApiAdapter.listFields()
  const masked = [...main, ...more].map(({ name, kind }) => `${name}: ${kind}`)
  const all = PIX_API_PRESETS.flatMap((preset) => PRESETS[preset].fields)
  const hidden = all.filter(({ kind }) => ['secret', 'passphrase', 'pfx', 'pem'].includes(kind))

  expect(masked).toEqual(expect.arrayContaining(hidden.map(({ name, kind }) => `${name}: ${kind}`)))
})

test.each<[string, object, string[]]>([
  ['an unknown field', { apelido: 'x' }, ['']],
  ['an unknown preset', { preset: 'nubank' }, ['preset']],
  ['no secret', { clientSecret: undefined }, ['clientSecret']],
  ['no certificate', { pfx: undefined }, ['pfx']],
  ['two certificates', { cert: PEM, key: PEM }, ['pfx']],
  ['a certificate without its key', { pfx: undefined, cert: PEM }, ['key']],
  ['a key without its certificate', { pfx: undefined, key: KEY }, ['cert']],
  ['a certificate that is no PEM', { pfx: undefined, cert: 'x', key: PEM }, ['cert']],
  ['a certificate that is not in base64', { pfx: 'não' }, ['pfx']],
  ['a certificate of 64 KB', { pfx: 'MIIB'.repeat(16_385) }, ['pfx']],
  ['an empty Pix key', { pixKey: '' }, ['pixKey']],
  ['a word for a Pix key', { pixKey: 'padaria' }, ['pixKey']],
  ['plain http', { baseUrl: 'http://pix.banco.com.br/v2' }, ['baseUrl']],
  ['a file for an address', { baseUrl: 'file:///etc/passwd' }, ['baseUrl']],
  ['a password in an address', { tokenUrl: 'https://a:b@banco.com.br' }, ['tokenUrl']],
  ['a query in an address', { baseUrl: 'https://banco.com.br/?a=1' }, ['baseUrl']],
  ['a header that breaks the line', { extraHeaders: { x: 'a\r\nb: c' } }, ['extraHeaders.x']],
  ['a header that is no name', { extraHeaders: { 'a b': 'c' } }, ['extraHeaders.a b']],
  ['a secret that no header takes', { clientSecret: 'pão' }, ['clientSecret']],
  ['a merchant too long for a BR Code', { merchantName: 'x'.repeat(26) }, ['merchantName']],
])('%s is refused', (_what, change, at) => {
  expect(wrong({ ...EFI, ...change })).toEqual(at)
})

test('an unknown bank needs its addresses', () => {
  expect(wrong(CUSTOM)).toEqual([])
  expect(wrong(buildBankConfig('http://127.0.0.1:8080'))).toEqual([])
  expect(wrong({ ...CUSTOM, tokenUrl: undefined })).toEqual(['tokenUrl'])
  expect(toBankSettings(pixApiConfig.parse(CUSTOM)).baseUrl).toBe('https://pix.banco.com.br/v2')
})

test.each([
  '52998224725',
  '12ABC34501DE35',
  '+5511987654321',
  'caixa@padaria.com.br',
  '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
])('%s is a Pix key', (pixKey) => {
  expect(pixApiConfig.parse({ ...EFI, pixKey }).pixKey).toBe(pixKey)
})

test.each([
  ['529.982.247-25', '52998224725'],
  ['12.abc.345/01de-35', '12ABC34501DE35'],
  ['CNPJ: 12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['+55 (11) 98765-4321', '+5511987654321'],
  ['(11) 98765-4321', '+5511987654321'],
  ['11987654321', '+5511987654321'],
  ['52 99822-4725', '+5552998224725'],
  ['(11) 3456-7890', '+551134567890'],
  [' Caixa@Padaria.com.br\u200b', 'caixa@padaria.com.br'],
  ['7D9F0335-8DCC-4054-9BF9-0DBD61D36906', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'],
])('a Pix key typed as %s is the registered key %s', (typed, pixKey) => {
  expect(pixApiConfig.parse({ ...EFI, pixKey: typed }).pixKey).toBe(pixKey)
})

test('every known bank is an institution with a CNPJ', () => {
  const known = PIX_API_PRESETS.filter((name) => name !== 'custom')

  expect(known.filter((name) => !isCnpj(PRESETS[name].institution?.cnpj ?? ''))).toEqual([])
})

test.each<[string, object, object | undefined]>([
  ['the bank', EFI, { cnpj: '09089356000118', name: 'Efí S.A. - Instituição de Pagamento' }],
  ['an unknown institution, at another bank', CUSTOM, undefined],
  [
    'the one that the company names',
    { ...EFI, institutionCnpj: ' 00.000.000/0001-91 ', institutionName: 'Banco do Brasil' },
    { cnpj: '00000000000191', name: 'Banco do Brasil' },
  ],
  [
    'the one with the CNPJ that the company says',
    { ...CUSTOM, institutionCnpj: '00000000000191' },
    { cnpj: '00000000000191', name: null },
  ],
  [
    'the one with a CNPJ that lost its leading zero in a spreadsheet',
    { ...CUSTOM, institutionCnpj: '9089356000118' },
    { cnpj: '09089356000118', name: null },
  ],
])('a Pix is received by %s', (_who, config, institution) => {
  expect(findInstitution(pixApiConfig.parse(config))).toEqual(institution)
})

test('a CNPJ with a wrong digit names no institution', () => {
  expect(wrong({ ...EFI, institutionCnpj: '00.000.000/0001-92' })).toEqual(['institutionCnpj'])
})
