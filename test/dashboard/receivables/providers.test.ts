// A company's account at its bank: tried for real, saved, never shown again.

import { beforeEach, expect, test } from 'vitest'
import { pixApiTexts } from '../../../src/providers/pix-api/texts.ts'
import { openCertificates } from '../../support/certificates.ts'
import { openFakeBank } from '../../support/fake-bank.ts'
import { openHouse } from '../../support/house.ts'
import { read } from '../../support/link-desk.ts'
import { textOf } from '../../support/payer.ts'
import {
  BANK_PAGE,
  BANK_SECRET,
  bankForm,
  type Fields,
  MARKET_PAGE,
  openProviderDesk,
  sendBank,
} from '../../support/provider-desk.ts'

const house = await openHouse({ local: true })
const { stored } = house
const { openDesk, accountOf, auditOf } = openProviderDesk(house)

const { authority, pfxOf } = await openCertificates()
const [bankCa, ourCa, strangeCa] = [await authority(), await authority(), await authority()]
const ours = await ourCa.issue()
const expired = await ourCa.issue({ days: -1 })
const { pfx, passphrase } = await pfxOf(ours)
const secure = await openFakeBank({ tls: { ...(await bankCa.issue()), ca: ourCa.pem } })
const plain = await openFakeBank()

beforeEach(() => {
  plain.heal()
  secure.heal()
})

const { connection: sentences } = pixApiTexts

const secureForm = (more: Fields = {}) => bankForm(secure.url, { 'ca.texto': bankCa.pem, ...more })

const stepsIn = (html: string) =>
  [...html.matchAll(/<li class="is-(good|bad)">/g)].map(([, how]) => how)

test('the bank is chosen first, and its page says where the credentials are', async () => {
  const { desk } = await openDesk()

  const first = await read(desk, BANK_PAGE)
  const [efi, sicoob] = [
    await read(desk, `${BANK_PAGE}?banco=efi`),
    await read(desk, `${BANK_PAGE}?banco=sicoob`),
  ]

  expect(first).toContain('<option value="inter">Inter</option>')
  expect(first).not.toContain('clientId')
  expect(textOf(efi)).toContain('Na conta Efí, abra API › Aplicações')
  expect(efi).toContain('<option value="efi" selected>')
  expect(efi).toMatch(/id="pfx" name="pfx" type="file"/)
  expect(textOf(sicoob)).toContain('No portal Sicoob Developers')
  expect(sicoob.indexOf('name="clientSecret"')).toBeGreaterThan(sicoob.indexOf('Opções avançadas'))
})

test('every field that an account at a bank may have can be reached, whatever the bank', async () => {
  const { desk } = await openDesk()
  const known = [
    ...['test', 'baseUrl', 'tokenUrl', 'clientId', 'clientSecret', 'tokenAuth', 'grantInQuery'],
    ...['scope', 'extraHeaders', 'extraQuery', 'pfx', 'cert', 'key', 'passphrase', 'ca', 'pixKey'],
    ...['merchantName', 'merchantCity', 'copyPasteFields', 'skipMtlsHeader'],
    'extraQuery.gw-dev-app-key',
  ]

  for (const bank of ['efi', 'inter', 'bb', 'itau', 'santander', 'sicoob', 'custom']) {
    const html = await read(desk, `${BANK_PAGE}?banco=${bank}`)
    expect(known.filter((name) => !html.includes(` name="${name}"`))).toEqual([])
  }
})

test('an account is tried and saved, over TLS with a certificate of ours, and its secrets are seen nowhere', async () => {
  const { company, desk } = await openDesk()
  const form = secureForm({ pfx: Buffer.from(pfx, 'base64'), passphrase })

  const saved = await sendBank(desk, form)
  const page = await read(desk, saved.headers.location!)
  const list = await read(desk, '/painel/recebimentos')

  expect(saved.statusCode).toBe(303)
  expect(textOf(page)).toContain('Conta salva, e a conexão funcionou.')
  expect(textOf(list)).toMatch(/Pix do seu banco Modo de teste .* Conexão testada em/)
  expect(await accountOf(company, 'pix-api')).toMatchObject({
    ...{ testMode: true, testFailure: null, testedAt: expect.any(String) },
    config: { pfx, passphrase, clientSecret: BANK_SECRET, ca: bankCa.pem.trim() },
  })
  expect(await auditOf(company)).toEqual(['provider_account_saved Pix do seu banco'])
  const dump = await stored()
  for (const secret of [BANK_SECRET, pfx.slice(0, 60), bankCa.pem.slice(40, 90)]) {
    for (const seen of [page, list, dump]) expect(seen).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  }
  expect(page).toContain(`Salvo: ••••`)
})

test('a pasted certificate and key do as well as files of them', async () => {
  const { company, desk } = await openDesk()

  const pasted = await sendBank(
    desk,
    secureForm({ 'cert.texto': ours.cert, 'key.texto': ours.key }),
  )
  const again = await sendBank(
    desk,
    secureForm({ cert: Buffer.from(ours.cert), key: Buffer.from(ours.key) }),
  )

  expect([pasted.headers.location, again.headers.location]).toEqual(
    Array(2).fill(`${BANK_PAGE}?feito=conta-salva-e-testada`),
  )
  expect((await accountOf(company, 'pix-api'))!.config).toMatchObject(ours)
})

const PAIR = { 'cert.texto': ours.cert, 'key.texto': ours.key }
test.each<[string, () => Fields, string | RegExp]>([
  [
    'a wrong authority',
    () => secureForm({ ...PAIR, 'ca.texto': strangeCa.pem }),
    sentences.theirUnknown,
  ],
  [
    'an expired certificate',
    () => secureForm({ 'cert.texto': expired.cert, 'key.texto': expired.key }),
    /O certificado da sua empresa venceu em \d\d\/\d\d\/\d{4}/,
  ],
  ['no certificate', () => secureForm(), sentences.closed],
  [
    'refused credentials',
    () => bankForm(plain.url, { clientSecret: 'outro-segredo-9999' }),
    sentences.credentials,
  ],
  [
    'a wrong passphrase',
    () => secureForm({ pfx: Buffer.from(pfx, 'base64'), passphrase: 'errada' }),
    sentences.wrongPassphrase,
  ],
])(
  'with %s the page says so, and tried without saving nothing is kept',
  async (_what, form, sentence) => {
    const { company, desk } = await openDesk()

    const tried = await sendBank(desk, { ...form(), testar: 'sim' })
    const before = await accountOf(company, 'pix-api')
    const saved = await sendBank(desk, form())
    const list = await read(desk, '/painel/recebimentos')

    expect(tried.statusCode).toBe(200)
    expect(stepsIn(tried.body)).toEqual(['bad'])
    expect(textOf(tried.body)).toMatch(sentence)
    expect(tried.body).toContain('value="padaria"')
    expect(tried.body).not.toContain('outro-segredo-9999')
    expect(before).toBeUndefined()
    expect(saved.headers.location).toBe(`${BANK_PAGE}?feito=conta-salva`)
    expect(textOf(list)).toMatch(sentence)
  },
)

test('each step of a test is told, of what is typed as of what is saved', async () => {
  const { desk } = await openDesk()

  const typed = await sendBank(desk, { ...bankForm(plain.url), testar: 'sim' })
  await sendBank(desk, bankForm(plain.url))
  plain.next({ on: /^GET .cob$/, does: 'answer', status: 403, body: '{}' })
  const again = await desk.post(`${BANK_PAGE}/testar`)

  expect(stepsIn(typed.body)).toEqual(['good', 'good', 'good'])
  expect(stepsIn(again.body)).toEqual(['good', 'bad', 'good'])
  expect(textOf(again.body)).toContain('Falhou: Consultar cobranças Pix')
  expect(textOf(await read(desk, BANK_PAGE))).toMatch(/O teste de .* falhou: /)
})

test('members see none of it', async () => {
  const { company, desk } = await openDesk('member')

  const answers = await Promise.all([
    ...[BANK_PAGE, MARKET_PAGE, `${BANK_PAGE}/pix`, `${BANK_PAGE}/remover`].map((url) =>
      desk.get(url),
    ),
    sendBank(desk, bankForm(plain.url)),
    desk.post(`${BANK_PAGE}/testar`),
    desk.post(`${MARKET_PAGE}/cartao`, { entendo: 'on' }),
  ])

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(answers.length).fill(403))
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
})
