// The address that a provider notifies: a Pix key that tells somebody else already is left or replaced as its company
// says; and our address can be changed: the one before ends, and the bank is told.
import { afterEach, expect, test } from 'vitest'
import { readPage } from '../../support/dashboard/links.ts'
import {
  BANK_PATH,
  buildBankForm,
  openProviderDashboard,
  submitBankAccount,
} from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { openFakeBank, PIX_KEY } from '../../support/providers/bank/fake.ts'
import { openTestApp } from '../../support/test-app.ts'

const THEIRS = 'https://erp.example.com/pix'
const testApp = await openTestApp({ local: true })
const { app } = testApp
const { openClient, accountOf, providersOf } = openProviderDashboard(testApp)
const bank = await openFakeBank()
const { webhooks } = bank.book

afterEach(() => webhooks.clear())

/** An account that is used; `told`: whom its key tells before. */
async function chosen(told: string | null = THEIRS) {
  if (told) webhooks.set(PIX_KEY, told)
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(bank.url))
  const answer = await dashboardClient.post(`${BANK_PATH}/pix`, {})
  const readToken = async () => (await accountOf(company, 'pix-api'))!.notifyToken
  return { company, dashboardClient, answer, readToken }
}

test('whoever begins to use a key that tells another system is asked, with both addresses', async () => {
  const { company, dashboardClient, answer } = await chosen()

  expect(answer.headers.location).toBe(`${BANK_PATH}/notificacoes?feito=provedor-escolhido`)
  expect(webhooks.get(PIX_KEY)).toBe(THEIRS)
  expect((await providersOf(company))[0]).toBe('pix-api')
  const question = readPageText(await readPage(dashboardClient, answer.headers.location!))
  expect(question).toContain(`Hoje o banco avisa: ${THEIRS}`)
  expect(question).toMatch(/O nosso endereço: http:\/\/localhost:3000\/webhooks\/pix-api\/\S+/)
  expect(question).toContain('Manter como está')
  const page = readPageText(await readPage(dashboardClient, BANK_PATH))
  expect(page).toContain(`outro endereço, que foi mantido: ${THEIRS}`)
  expect(page).toContain('encontrados por consulta')
})

test('asked to register again it asks again, and replaces only on a yes', async () => {
  const { company, dashboardClient } = await chosen()

  const asked = await dashboardClient.post(`${BANK_PATH}/notificacoes`, {})
  const before = webhooks.get(PIX_KEY)
  const replaced = await dashboardClient.post(`${BANK_PATH}/notificacoes`, { trocar: 'sim' })
  const gone = await dashboardClient.get(`${BANK_PATH}/notificacoes`)

  expect(asked.headers.location).toBe(`${BANK_PATH}/notificacoes`)
  expect(before).toBe(THEIRS)
  expect(replaced.headers.location).toBe(`${BANK_PATH}?feito=notificacoes-registradas`)
  expect(webhooks.get(PIX_KEY)).toContain('/webhooks/pix-api/')
  expect(gone.headers.location).toBe(BANK_PATH)
  expect(await accountOf(company, 'pix-api')).toMatchObject({
    registration: 'registered',
    registeredUrl: null,
  })
})

async function tell(token: string) {
  const url = `/webhooks/pix-api/${token}`
  const answer = await app.inject({ method: 'POST', url, payload: { pix: [] } })
  return answer.statusCode
}

test('the bank is told the new address, and the old one is nobody’s', async () => {
  const { dashboardClient, readToken } = await chosen(null)
  const before = await readToken()
  const asked = await dashboardClient.get(`${BANK_PATH}/endereco`)

  const answer = await dashboardClient.post(`${BANK_PATH}/endereco`, {})

  const after = await readToken()
  expect(asked.body).toContain('Trocar o endereço em que')
  expect(answer.headers.location).toBe(`${BANK_PATH}?feito=endereco-registrado#notificacoes`)
  expect(after).not.toBe(before)
  expect(webhooks.get(PIX_KEY)).toContain(after)
  expect([await tell(before), await tell(after)]).toEqual([404, 200])
  expect((await dashboardClient.get(BANK_PATH)).body).toContain(after)
})

test('of a key that tells somebody else the bank is left as it is', async () => {
  const { dashboardClient, readToken } = await chosen()
  const before = await readToken()

  const answer = await dashboardClient.post(`${BANK_PATH}/endereco`, {})

  expect(answer.headers.location).toBe(`${BANK_PATH}?feito=endereco-trocado#notificacoes`)
  expect(webhooks.get(PIX_KEY)).toBe(THEIRS)
  expect(await readToken()).not.toBe(before)
})
