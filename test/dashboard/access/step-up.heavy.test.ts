// What gives access or directs money: only for whoever has shown within ten minutes that it is them, and
// nothing is lost that was typed.
import { afterEach, expect, test } from 'vitest'
import { issueApiKey, listApiKeys } from '../../../src/api/api-key.ts'
import { SCOPES } from '../../../src/database/enums.ts'
import { confirmTotpSetup, startTotpSetup } from '../../../src/users/two-factor.ts'
import {
  type DashboardClient,
  openCompanyClient,
  openDashboardClient,
} from '../../support/dashboard/client.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import {
  BANK_PATH,
  BANK_SECRET,
  buildBankForm,
  openProviderDashboard,
  submitBankAccount,
} from '../../support/dashboard/providers.ts'
import { readLastForm } from '../../support/dashboard/refunds.ts'
import { requireKind } from '../../support/kind.ts'
import { readPageText } from '../../support/payer.ts'
import { generateTotpCode } from '../../support/people.ts'
import { openCertificates } from '../../support/providers/certificates.ts'
import { openFakeBank } from '../../support/providers/fake-bank.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const MINUTE_MS = 60_000
const NEW_KEY = '/painel/chaves/nova'

const testApp = await openTestApp({ local: true })
const { db, cipher, clock } = testApp
const { accountOf } = openProviderDashboard(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

function openClient() {
  return openCompanyClient(testApp)
}

const KEY_FORM = { name: 'Loja', access: 'chosen', scopes: SCOPES.slice(0, 2) }

async function keysOf(companyId: string) {
  const keys = await listApiKeys(db, companyId)
  return keys.map(({ name, scopes }) => [name, scopes?.length])
}

/** Answers the page that asks. */
function confirm(dashboardClient: DashboardClient, path: string, page: string, stepUp: string) {
  return dashboardClient.post(path, { ...readLastForm(page), stepUp })
}

test('whoever signed in less than ten minutes ago is not asked', async () => {
  const { company, dashboardClient } = await openClient()

  clock.offsetMs = 10 * MINUTE_MS - 5_000
  const made = await dashboardClient.post(NEW_KEY, { name: 'Loja', access: 'all' })

  expect(made.statusCode).toBe(200)
  expect(await keysOf(company.id)).toEqual(expect.arrayContaining([['Loja', undefined]]))
})

test('after ten minutes the password is asked for, and the form that was sent is carried out', async () => {
  const { company, dashboardClient } = await openClient()
  clock.offsetMs = 10 * MINUTE_MS

  const asked = await dashboardClient.post(NEW_KEY, KEY_FORM)
  const before = await keysOf(company.id)
  const wrong = await confirm(dashboardClient, NEW_KEY, asked.body, 'outra senha qualquer')
  const stillBefore = await keysOf(company.id)
  const made = await confirm(dashboardClient, NEW_KEY, wrong.body, PASSWORD)
  const next = await dashboardClient.post(NEW_KEY, { name: 'Outra', access: 'all' })

  expect(asked.statusCode).toBe(403)
  expect(readPageText(asked.body)).toContain('O que você enviou está guardado')
  expect(asked.body).toContain('type="password"')
  expect(wrong.statusCode).toBe(422)
  expect(readFormErrors(wrong.body)).toEqual([['stepUp', 'Senha incorreta.']])
  expect([before, stillBefore]).toEqual([[['Testes', undefined]], [['Testes', undefined]]])
  expect(made.statusCode).toBe(200)
  expect(made.body).toContain('sk_live_')
  expect(next.statusCode).toBe(200)
  expect(await keysOf(company.id)).toEqual(
    expect.arrayContaining([
      ['Loja', 2],
      ['Outra', undefined],
    ]),
  )
})

test('who has a second step is asked for a code, and the password does not do', async () => {
  const { company, dashboardClient } = await openClient()
  const { secret } = requireKind(await startTotpSetup(db, cipher, dashboardClient.id), 'started')
  const code = generateTotpCode(secret, clock.now())
  await confirmTotpSetup(db, cipher, dashboardClient.id, code, clock.now())
  clock.offsetMs = 11 * MINUTE_MS

  const asked = await dashboardClient.post(NEW_KEY, KEY_FORM)
  const byPassword = await confirm(dashboardClient, NEW_KEY, asked.body, PASSWORD)
  const byOldCode = await confirm(dashboardClient, NEW_KEY, asked.body, code)
  const now = generateTotpCode(secret, clock.now())
  const byCode = await confirm(dashboardClient, NEW_KEY, asked.body, now)

  expect(asked.body).toContain('autocomplete="one-time-code"')
  expect([byPassword.statusCode, byOldCode.statusCode]).toEqual([422, 422])
  expect(byCode.statusCode).toBe(200)
  expect(await keysOf(company.id)).toHaveLength(2)
})

test.each([
  ['passwords', false, 'Muitas tentativas com a senha errada.'],
  ['codes', true, 'Muitas tentativas com o código errado.'],
])('whoever found a screen open guesses five %s and no more', async (_what, hasTotp, sentence) => {
  const { company, dashboardClient } = await openClient()
  if (hasTotp) {
    const { secret } = requireKind(await startTotpSetup(db, cipher, dashboardClient.id), 'started')
    const code = generateTotpCode(secret, clock.now())
    await confirmTotpSetup(db, cipher, dashboardClient.id, code, clock.now())
  }
  clock.offsetMs = 11 * MINUTE_MS
  const asked = await dashboardClient.post(NEW_KEY, KEY_FORM)

  const answers = []
  for (let i = 0; i < 7; i++) {
    answers.push(await confirm(dashboardClient, NEW_KEY, asked.body, `chute número ${i}`))
  }

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    ...Array(5).fill(422),
    ...Array(2).fill(429),
  ])
  expect(answers.at(-1)?.body).toContain(sentence)
  expect(await keysOf(company.id)).toHaveLength(1)
})

test('a form that waits is of one session and one address', async () => {
  const { company, dashboardClient } = await openClient()
  const other = await openDashboardClient(testApp, {
    companyId: company.id,
    email: `outra-${company.id}@exemplo.com.br`,
  })
  const { id } = await issueApiKey(db, company.id, 'Antiga')
  clock.offsetMs = 11 * MINUTE_MS
  const asked = await dashboardClient.post(NEW_KEY, KEY_FORM)

  const elsewhere = await confirm(
    dashboardClient,
    `/painel/chaves/${id}/trocar`,
    asked.body,
    PASSWORD,
  )
  const byOther = await confirm(other, NEW_KEY, asked.body, PASSWORD)
  const forged = await other.post(NEW_KEY, { waitingForm: 'e30', stepUp: PASSWORD })

  expect(elsewhere).toMatchObject({ statusCode: 303 })
  expect(elsewhere.headers.location).toBe(`/painel/chaves/${id}/trocar`)
  expect([byOther.statusCode, forged.statusCode]).toEqual([303, 303])
  expect(await keysOf(company.id)).toHaveLength(2)
})

test('a bank account waits with its certificate and its secrets, which nobody can read in the page', async () => {
  const { company, dashboardClient } = await openClient()
  const { authority } = openCertificates()
  const bankCa = await authority()
  const ourCa = await authority()
  const { cert, key } = await ourCa.issue()
  const bank = await openFakeBank({ tls: { ...(await bankCa.issue()), ca: ourCa.pem } })
  clock.offsetMs = 11 * MINUTE_MS
  const files = { cert: Buffer.from(cert), key: Buffer.from(key), 'ca.texto': bankCa.pem }

  const asked = await submitBankAccount(dashboardClient, buildBankForm(bank.url, files))
  const sent = new FormData()
  const answer = { ...readLastForm(asked.body), stepUp: PASSWORD }
  for (const [name, value] of Object.entries(answer)) sent.append(name, value)
  const saved = await dashboardClient.upload(BANK_PATH, sent)

  expect(asked.statusCode).toBe(403)
  expect(asked.body).toContain('enctype="multipart/form-data"')
  expect(asked.body).not.toContain(BANK_SECRET)
  expect(asked.body).not.toContain('PRIVATE KEY')
  expect(saved.headers.location).toBe(`${BANK_PATH}?feito=conta-salva-e-testada`)
  expect((await accountOf(company, 'pix-api'))!.config.clientSecret).toBe(BANK_SECRET)
})

test('files that are too large to wait are said to be, and chosen once more', async () => {
  const { company, dashboardClient } = await openClient()
  clock.offsetMs = 11 * MINUTE_MS
  const form = buildBankForm('https://banco.example', { pfx: Buffer.alloc(60_000, 7) })

  const asked = await submitBankAccount(dashboardClient, form)
  const sent = new FormData()
  sent.append('waitingForm', readLastForm(asked.body).waitingForm!)
  sent.append('stepUp', PASSWORD)
  const confirmed = await dashboardClient.upload(BANK_PATH, sent)
  const again = await dashboardClient.get(confirmed.headers.location!)

  expect(readPageText(asked.body)).toContain('Os arquivos são grandes demais para esperar aqui')
  expect(confirmed.statusCode).toBe(303)
  expect(again.statusCode).toBe(200)
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
})
