// What gives access or directs money: only for a person who has shown within ten minutes that it is them, and
// they are asked before they fill anything in.
import { afterEach, expect, test } from 'vitest'
import { listApiKeys } from '../../../src/api/api-key.ts'
import { SCOPES } from '../../../src/database/enums.ts'
import { confirmTotpSetup, startTotpSetup } from '../../../src/users/two-factor.ts'
import {
  type DashboardClient,
  openCompanyClient,
  postForm,
} from '../../support/dashboard/client.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import { readLastForm } from '../../support/dashboard/refunds.ts'
import { requireKind } from '../../support/kind.ts'
import { readPageText } from '../../support/payer.ts'
import { generateTotpCode } from '../../support/people.ts'
import { openTestApp } from '../../support/test-app.ts'
import { PASSWORD } from '../../support/users.ts'

const MINUTE_MS = 60_000
const NEW_KEY = '/painel/chaves/nova'
const STEP_UP = '/painel/confirmar'
const BANK_PATH = '/painel/recebimentos/pix-api'

const testApp = await openTestApp()
const { app, db, cipher, clock } = testApp

afterEach(() => {
  clock.offsetMs = 0
})

const openClient = () => openCompanyClient(testApp)

/** Turns the second step of this person on, by a code that is used then. */
async function turnOnCodes({ id }: DashboardClient) {
  const { secret } = requireKind(await startTotpSetup(db, cipher, id), 'started')
  const code = generateTotpCode(secret, clock.now())
  await confirmTotpSetup(db, cipher, id, code, clock.now())
  return { secret, code }
}

const KEY_FORM = { name: 'Loja', access: 'chosen', scopes: SCOPES.slice(0, 2) }

async function keysOf(companyId: string) {
  const keys = await listApiKeys(db, companyId)
  return keys.map(({ name, scopes }) => [name, scopes?.length])
}

/** Answers the page that asks. */
function confirm(dashboardClient: DashboardClient, page: string, stepUp: string) {
  return dashboardClient.post(STEP_UP, { ...readLastForm(page), stepUp })
}

/** Opens what asks first, and the page that asks. */
async function openAsking(dashboardClient: DashboardClient, path = NEW_KEY) {
  const { statusCode, headers } = await dashboardClient.get(path)
  expect(statusCode).toBe(303)
  return dashboardClient.get(headers.location!)
}

test('who signed in less than ten minutes ago is not asked', async () => {
  const { company, dashboardClient } = await openClient()

  clock.offsetMs = 5 * MINUTE_MS - 5_000
  const form = await dashboardClient.get(NEW_KEY)
  clock.offsetMs = 10 * MINUTE_MS - 5_000
  const made = await dashboardClient.post(NEW_KEY, { name: 'Loja', access: 'all' })

  expect([form.statusCode, made.statusCode]).toEqual([200, 200])
  expect(await keysOf(company.id)).toEqual(expect.arrayContaining([['Loja', undefined]]))
})

test('a form is shown only while there is time to fill it in; what was just done is told until then', async () => {
  const { dashboardClient } = await openClient()
  clock.offsetMs = 5 * MINUTE_MS

  const form = await dashboardClient.get(NEW_KEY)
  const done = await dashboardClient.get(`${BANK_PATH}?feito=conta-salva`)

  expect([form.statusCode, done.statusCode]).toEqual([303, 200])
})

test('after ten minutes the password is asked for before the form, which opens then', async () => {
  const { company, dashboardClient } = await openClient()
  clock.offsetMs = 10 * MINUTE_MS

  const asked = await openAsking(dashboardClient)
  const wrong = await confirm(dashboardClient, asked.body, 'outra senha qualquer')
  const right = await confirm(dashboardClient, wrong.body, PASSWORD)
  const form = await dashboardClient.get(right.headers.location!)
  const made = await dashboardClient.post(NEW_KEY, KEY_FORM)

  expect(asked.body).toContain('type="password"')
  expect(readPageText(asked.body)).not.toContain('O que você enviou')
  expect(wrong.statusCode).toBe(422)
  expect(readFormErrors(wrong.body)).toEqual([['stepUp', 'Senha incorreta.']])
  expect(right.headers.location).toBe(NEW_KEY)
  expect([form.statusCode, made.statusCode]).toEqual([200, 200])
  expect(await keysOf(company.id)).toEqual(expect.arrayContaining([['Loja', 2]]))
})

test('a form that is sent too late does nothing, says so, and opens again', async () => {
  const { company, dashboardClient } = await openClient()
  clock.offsetMs = 10 * MINUTE_MS

  const late = await dashboardClient.post(NEW_KEY, KEY_FORM)
  const asked = await dashboardClient.get(late.headers.location!)
  const right = await confirm(dashboardClient, asked.body, PASSWORD)
  const form = await dashboardClient.get(right.headers.location!)

  expect(late.statusCode).toBe(303)
  expect(readPageText(asked.body)).toContain('O que você enviou não foi feito.')
  expect(readPageText(form.body)).toContain('O que você enviou antes não foi feito')
  expect(form.body).toContain(`action="${NEW_KEY}"`)
  expect(await keysOf(company.id)).toHaveLength(1)
})

test('a button that asks leads back to the page where it stands', async () => {
  const { dashboardClient } = await openClient()
  const url = '/painel/conta'
  clock.offsetMs = 10 * MINUTE_MS

  const pressed = await dashboardClient.post('/painel/primeira-chave')
  const { cookie, csrf: _csrf } = dashboardClient
  const headers = { cookie, referer: `http://localhost${url}` }
  const sent = await postForm(app, `${url}/duas-etapas`, { _csrf }, { headers })

  expect(pressed.headers.location).toBe(`${STEP_UP}?voltar=%2Fpainel&enviado=sim`)
  expect(sent.headers.location).toBe(`${STEP_UP}?voltar=${encodeURIComponent(url)}&enviado=sim`)
})

test('who has a second step is asked for a code, and the password does not do', async () => {
  const { company, dashboardClient } = await openClient()
  const { secret, code } = await turnOnCodes(dashboardClient)
  clock.offsetMs = 11 * MINUTE_MS

  const asked = await openAsking(dashboardClient)
  const byPassword = await confirm(dashboardClient, asked.body, PASSWORD)
  const byOldCode = await confirm(dashboardClient, asked.body, code)
  const late = await dashboardClient.post(NEW_KEY, KEY_FORM)
  const now = generateTotpCode(secret, clock.now())
  const byCode = await confirm(dashboardClient, asked.body, now)
  const made = await dashboardClient.post(NEW_KEY, KEY_FORM)

  expect(asked.body).toContain('autocomplete="one-time-code"')
  expect([byPassword.statusCode, byOldCode.statusCode]).toEqual([422, 422])
  expect([late.statusCode, byCode.headers.location]).toEqual([303, NEW_KEY])
  expect(made.statusCode).toBe(200)
  expect(await keysOf(company.id)).toHaveLength(2)
})

test.each([
  ['passwords', false, 'Muitas tentativas com a senha errada.'],
  ['codes', true, 'Muitas tentativas com o código errado.'],
])('a stranger at an open screen guesses five %s and no more', async (_what, hasTotp, sentence) => {
  const { company, dashboardClient } = await openClient()
  if (hasTotp) await turnOnCodes(dashboardClient)
  clock.offsetMs = 11 * MINUTE_MS
  const asked = await openAsking(dashboardClient)

  const answers = []
  for (let i = 0; i < 7; i++) {
    answers.push(await confirm(dashboardClient, asked.body, `chute número ${i}`))
  }

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    ...Array(5).fill(422),
    ...Array(2).fill(429),
  ])
  expect(answers.at(-1)?.body).toContain(sentence)
  expect(await keysOf(company.id)).toHaveLength(1)
})
