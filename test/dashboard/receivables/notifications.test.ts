// A Pix key that tells somebody else already: the dashboard shows both addresses and asks.
import { afterEach, expect, test } from 'vitest'
import { readPage } from '../../support/dashboard/links.ts'
import {
  BANK_PATH,
  buildBankForm,
  openProviderDashboard,
  submitBankAccount,
} from '../../support/dashboard/providers.ts'
import { readPageText } from '../../support/payer.ts'
import { openFakeBank, PIX_KEY } from '../../support/providers/fake-bank.ts'
import { openTestApp } from '../../support/test-app.ts'

const THEIRS = 'https://erp.example.com/pix'
const testApp = await openTestApp({ local: true })
const { openClient, accountOf, providersOf } = openProviderDashboard(testApp)
const bank = await openFakeBank()
const { webhooks } = bank.book

afterEach(() => webhooks.clear())

async function chosen() {
  webhooks.set(PIX_KEY, THEIRS)
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(bank.url))
  const answer = await dashboardClient.post(`${BANK_PATH}/pix`, {})
  return { company, dashboardClient, answer }
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
})

test('what is kept is shown, and that payments are found by asking', async () => {
  const { company, dashboardClient } = await chosen()

  const pages = [BANK_PATH, '/painel/recebimentos'].map((path) => readPage(dashboardClient, path))

  for (const page of await Promise.all(pages)) {
    expect(readPageText(page)).toContain(`outro endereço, que foi mantido: ${THEIRS}`)
    expect(readPageText(page)).toContain('encontrados por consulta')
  }
  expect(readPageText(await readPage(dashboardClient, '/painel'))).not.toContain('deixou de avisar')
  expect(await accountOf(company, 'pix-api')).toMatchObject({ registration: 'kept' })
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
