// The address that a provider notifies, changed at the dashboard: the one before ends, and the bank is told.
import { afterEach, expect, test } from 'vitest'
import {
  BANK_PATH,
  buildBankForm,
  MERCADO_PAGO_PATH,
  openProviderDashboard,
  submitBankAccount,
} from '../../support/dashboard/providers.ts'
import { openFakeBank, PIX_KEY } from '../../support/providers/fake-bank.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, db } = testApp
const { openClient, accountOf } = openProviderDashboard(testApp)
const bank = await openFakeBank()
const { webhooks } = bank.book

afterEach(() => webhooks.clear())

async function chosen() {
  const { company, dashboardClient } = await openClient()
  await submitBankAccount(dashboardClient, buildBankForm(bank.url))
  await dashboardClient.post(`${BANK_PATH}/pix`, {})
  const notify = async () => (await accountOf(company, 'pix-api'))!.notifyToken
  return { company, dashboardClient, notify }
}

async function tell(token: string) {
  const url = `/webhooks/pix-api/${token}`
  const answer = await app.inject({ method: 'POST', url, payload: { pix: [] } })
  return answer.statusCode
}

test('the bank is told the new address, and the old one is nobody’s', async () => {
  const { dashboardClient, notify } = await chosen()
  const before = await notify()
  const asked = await dashboardClient.get(`${BANK_PATH}/endereco`)

  const answer = await dashboardClient.post(`${BANK_PATH}/endereco`, {})

  const after = await notify()
  expect(asked.body).toContain('Trocar o endereço em que')
  expect(answer.headers.location).toBe(`${BANK_PATH}?feito=endereco-registrado#notificacoes`)
  expect(after).not.toBe(before)
  expect(webhooks.get(PIX_KEY)).toContain(after)
  expect([await tell(before), await tell(after)]).toEqual([404, 200])
  expect((await dashboardClient.get(BANK_PATH)).body).toContain(after)
})

test('of a key that tells somebody else the bank is left as it is', async () => {
  webhooks.set(PIX_KEY, 'https://erp.example.com/pix')
  const { dashboardClient, notify } = await chosen()
  const before = await notify()

  const answer = await dashboardClient.post(`${BANK_PATH}/endereco`, {})

  expect(answer.headers.location).toBe(`${BANK_PATH}?feito=endereco-trocado#notificacoes`)
  expect(webhooks.get(PIX_KEY)).toBe('https://erp.example.com/pix')
  expect(await notify()).not.toBe(before)
})

test('where there is no account nothing is changed', async () => {
  const { dashboardClient } = await openClient()
  const path = `${MERCADO_PAGO_PATH}/endereco`

  const answers = [await dashboardClient.get(path), await dashboardClient.post(path, {})]

  for (const { headers } of answers) expect(headers.location).toBe(MERCADO_PAGO_PATH)
  const { rows } = await db.$client.query(
    `select from audit_entries where action = 'notify_address_rotated' and subject like 'Mercado%'`,
  )
  expect(rows).toEqual([])
})
