// The address that a bank notifies: a Pix key that tells somebody else already is left or replaced as its company says;
// and our address can be changed: the one before ends, and the bank is told.
import { afterEach, expect, test } from 'vitest'
import { providerAccountTexts } from '../../../src/providers/texts.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
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
const NOTIFY = `${BANK_PATH}/notificacoes`
const testApp = await openTestApp({ local: true })
const { openClient, accountOf, providersOf } = openProviderDashboard(testApp)
const bank = await openFakeBank()
const { webhooks } = bank.book

afterEach(() => {
  webhooks.clear()
  bank.heal()
})

/** An account that is used; `told`: whom its key tells before. */
async function chosen(told: string | null) {
  if (told) webhooks.set(PIX_KEY, told)
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(bank.url))
  const answer = await dashboardClient.post(`${BANK_PATH}/pix`, {})
  const readToken = async () => (await accountOf(company, 'pix-api'))!.notifyToken
  return { company, dashboardClient, answer, readToken }
}

async function notify(token: string) {
  const url = `/webhooks/pix-api/${token}`
  return (await testApp.app.inject({ method: 'POST', url, payload: { pix: [] } })).statusCode
}

test('a key that tells another system is left alone until a person who saw both addresses says yes', async () => {
  const { company, dashboardClient, answer, readToken } = await chosen(THEIRS)
  const question = readPageText(await readPage(dashboardClient, answer.headers.location!))
  const page = readPageText(await readPage(dashboardClient, BANK_PATH))
  const before = await readToken()

  const asked = await dashboardClient.post(NOTIFY, {})
  const rotated = await dashboardClient.post(`${BANK_PATH}/endereco`, {})
  const untouched = webhooks.get(PIX_KEY)
  const replaced = await dashboardClient.post(NOTIFY, { trocar: 'sim' })
  const gone = await dashboardClient.get(NOTIFY)

  expect(answer.headers.location).toBe(`${NOTIFY}?feito=provedor-escolhido`)
  expect((await providersOf(company))[0]).toBe('pix-api')
  expect(question).toContain(`Hoje o banco avisa: ${THEIRS}`)
  expect(question).toMatch(/O nosso endereço: http:\/\/localhost:3000\/webhooks\/pix-api\/\S+/)
  expect(question).toContain('Manter como está')
  expect(page).toContain(`outro endereço, que foi mantido: ${THEIRS}`)
  expect(page).toContain('encontrados por consulta')
  expect(asked.headers.location).toBe(NOTIFY)
  expect(rotated.headers.location).toBe(`${BANK_PATH}?feito=endereco-trocado#notificacoes`)
  expect(await readToken()).not.toBe(before)
  expect(untouched).toBe(THEIRS)
  expect(replaced.headers.location).toBe(`${BANK_PATH}?feito=notificacoes-registradas`)
  expect(webhooks.get(PIX_KEY)).toContain(`/webhooks/pix-api/${await readToken()}`)
  expect(gone.headers.location).toBe(BANK_PATH)
  expect(await accountOf(company, 'pix-api')).toMatchObject({
    registration: 'registered',
    registeredUrl: null,
  })
})

test('the bank gets the new address, the old one is no account’s, and a refusal is shown', async () => {
  const { dashboardClient, readToken } = await chosen(null)
  const before = await readToken()
  const asked = await dashboardClient.get(`${BANK_PATH}/endereco`)

  const answer = await dashboardClient.post(`${BANK_PATH}/endereco`, {})
  const after = await readToken()
  const told = webhooks.get(PIX_KEY)
  bank.next({ on: /^PUT .webhook/, does: 'answer', status: 400, body: '{}' })
  const refused = await dashboardClient.post(NOTIFY)

  expect(asked.body).toContain('Trocar o endereço em que')
  expect(answer.headers.location).toBe(`${BANK_PATH}?feito=endereco-registrado#notificacoes`)
  expect(told).toBe(`${testApp.needs.baseUrl}/webhooks/pix-api/${after}`)
  expect([await notify(before), await notify(after)]).toEqual([404, 200])
  expect((await dashboardClient.get(BANK_PATH)).body).toContain(after)
  expect(readFormErrors(refused.body)).toEqual([['content', providerAccountTexts.notRegistered]])
})
