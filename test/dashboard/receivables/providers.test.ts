// A company's account at its bank: tried for real, saved, never shown again.

import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { PIX_API_PRESETS } from '../../../src/providers/pix-api/presets.ts'
import { pixApiTexts } from '../../../src/providers/pix-api/texts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  BANK_PATH,
  BANK_SECRET,
  buildBankForm,
  openProviderDashboard,
  submitBankAccount,
  type UploadFields,
} from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { openCertificates } from '../../support/providers/certificates.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { stored } = testApp
const { openClient, accountOf, auditOf } = openProviderDashboard(testApp)

const { authority, pfxOf } = openCertificates()
const [bankCa, ourCa] = [await authority(), await authority()]
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

const secureForm = (more: UploadFields = {}) =>
  buildBankForm(secure.url, { 'ca.texto': bankCa.pem, ...more })

const stepsIn = (html: string) =>
  [...html.matchAll(/<li class="is-(good|bad)">/g)].map(([, how]) => how)

test('the bank is chosen first, and its page says where the credentials are', async () => {
  const { dashboardClient } = await openClient()

  const first = await readPage(dashboardClient, BANK_PATH)
  const [efi, sicoob] = [
    await readPage(dashboardClient, `${BANK_PATH}?banco=efi`),
    await readPage(dashboardClient, `${BANK_PATH}?banco=sicoob`),
  ]

  expect(first).toContain('<option value="inter">Inter</option>')
  expect(first).not.toContain('clientId')
  expect(readPageText(efi)).toContain('Na conta Efí, abra API › Aplicações')
  expect(efi).toContain('<option value="efi" selected>')
  expect(efi).toMatch(/id="pfx" name="pfx" type="file"/)
  expect(readPageText(sicoob)).toContain('No portal Sicoob Developers')
  expect(sicoob.indexOf('name="clientSecret"')).toBeGreaterThan(sicoob.indexOf('Opções avançadas'))
})

test('at another address the secrets are asked for again, and each test is in Registro', async () => {
  const { company, dashboardClient } = await openClient()
  const form = buildBankForm(plain.url, { pfx: Buffer.from(pfx, 'base64'), passphrase })
  const stranger = await openFakeBank()
  const blank = { clientSecret: '', pfx: Buffer.alloc(0), passphrase: '' }
  await submitBankAccount(dashboardClient, form)
  const elsewhere = { ...blank, baseUrl: stranger.url, mesmoAssim: 'on' }

  const refused = await submitBankAccount(dashboardClient, { ...form, ...elsewhere })
  const before = await auditOf(company)
  plain.next({ on: /^GET .cob$/, does: 'answer', status: 403, body: '{}' })
  const tested = await dashboardClient.post(`${BANK_PATH}/testar`)

  expect(readFormErrors(refused.body).map(([field]) => field)).toEqual([
    ...['clientSecret', 'pfx', 'passphrase'],
  ])
  expect(readFormErrors(refused.body)[0]![1]).toContain('preencha de novo Client Secret')
  expect(stranger.asked).toEqual([])
  expect((await accountOf(company, 'pix-api'))!.config).toMatchObject({ baseUrl: plain.url })
  expect(stepsIn(tested.body)).toEqual(['good', 'bad', 'good'])
  expect(readPageText(tested.body)).toContain('Falhou: Consultar cobranças Pix')
  expect(readPageText(await readPage(dashboardClient, BANK_PATH))).toMatch(/O teste de .* falhou: /)
  expect(before).toEqual(['provider_account_saved Pix do seu banco'])
  expect(await auditOf(company)).toEqual(['provider_account_tested Pix do seu banco', ...before])
  const [entry] = await listAudit(testApp.db, company.id, { limit: 1 })
  expect(entry?.details).toEqual({ origins: plain.url })
})

test('every field that an account at a bank may have can be reached, whatever the bank', async () => {
  const { dashboardClient } = await openClient()
  const known = [
    ...['test', 'baseUrl', 'tokenUrl', 'clientId', 'clientSecret', 'tokenAuth', 'grantInQuery'],
    ...['scope', 'extraHeaders', 'extraQuery', 'pfx', 'cert', 'key', 'passphrase', 'ca', 'pixKey'],
    ...['merchantName', 'merchantCity', 'copyPasteFields', 'skipMtlsHeader'],
    'extraQuery.gw-dev-app-key',
  ]

  for (const bank of PIX_API_PRESETS) {
    const html = await readPage(dashboardClient, `${BANK_PATH}?banco=${bank}`)
    expect(known.filter((name) => !html.includes(` name="${name}"`))).toEqual([])
  }
})

test('an account is tried and saved, over TLS with a certificate of ours, and its secrets are seen nowhere', async () => {
  const { company, dashboardClient } = await openClient()
  const form = secureForm({ pfx: Buffer.from(pfx, 'base64'), passphrase })

  const saved = await submitBankAccount(dashboardClient, form)
  const page = await readPage(dashboardClient, saved.headers.location!)
  const list = await readPage(dashboardClient, '/painel/recebimentos')

  expect(saved.statusCode).toBe(303)
  expect(readPageText(page)).toContain('Conta salva, e a conexão funcionou.')
  expect(readPageText(list)).toMatch(/Pix do seu banco .* Conexão testada em/)
  expect(await accountOf(company, 'pix-api')).toMatchObject({
    ...{ testMode: true, testFailure: null, testedAt: expect.any(String) },
    config: { pfx, passphrase, clientSecret: BANK_SECRET, ca: bankCa.pem.trim() },
  })
  expect(await auditOf(company)).toEqual(['provider_account_saved Pix do seu banco'])
  await submitBankAccount(dashboardClient, form)
  await submitBankAccount(
    dashboardClient,
    secureForm({ 'cert.texto': ours.cert, 'key.texto': ours.key }),
  )
  const [pasted, again, first] = await listAudit(testApp.db, company.id, { limit: 3 })
  expect(Object.values(first!.details).join('; ')).not.toMatch(/Salvo|em branco/)
  expect([first, again, pasted].map((entry) => entry?.details.pfx?.split(': ')[1])).toEqual([
    'nada → enviado',
    'enviado → trocado',
    'enviado → nada',
  ])
  expect(pasted!.details.cert).toMatch(/: nada → enviado$/)
  const dump = await stored()
  for (const secret of [BANK_SECRET, pfx.slice(0, 60), bankCa.pem.slice(40, 90)]) {
    for (const seen of [page, list, dump]) expect(seen).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  }
  expect(page).toContain(`Salvo: ••••`)
})

test.each<[string, () => UploadFields, string | RegExp]>([
  [
    'an expired certificate',
    () => secureForm({ 'cert.texto': expired.cert, 'key.texto': expired.key }),
    /O certificado da sua empresa venceu em \d\d\/\d\d\/\d{4}/,
  ],
  [
    'refused credentials',
    () => buildBankForm(plain.url, { clientSecret: 'outro-segredo-9999' }),
    sentences.credentials,
  ],
])(
  'with %s it is saved all the same while it is not in use, and the pages say so',
  async (_, form, sentence) => {
    const { dashboardClient } = await openClient()

    const saved = await submitBankAccount(dashboardClient, form())
    const page = await readPage(dashboardClient, BANK_PATH)
    const list = await readPage(dashboardClient, '/painel/recebimentos')

    expect(saved.headers.location).toBe(`${BANK_PATH}?feito=conta-salva`)
    for (const html of [page, list]) expect(readPageText(html)).toMatch(sentence)
    expect(page).not.toContain('outro-segredo-9999')
  },
)
