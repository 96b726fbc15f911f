// What the API refused lately, as the dashboard tells it.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { failedCalls } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readMainText } from '../../support/dashboard/webhooks.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock, newCompany } = testApp

const CALLS = '/painel/integracoes/chamadas'

async function addCall(company: TestCompany, more: Partial<typeof failedCalls.$inferInsert> = {}) {
  await db.insert(failedCalls).values({
    ...{ id: newId(), companyId: company.id, apiKeyId: company.keyId, method: 'POST' },
    ...{ route: '/api/payment-links', status: 422, code: 'validation_error', requestId: newId() },
    ...{ fields: ['amountCents'], createdAt: clock.now().toISOString(), ...more },
  })
}

async function openClient() {
  const company = await newCompany()
  const client = await openDashboardClient(testApp, { companyId: company.id })
  return { company, client }
}

test('each call is shown with its key, route, answer, fields and request id', async () => {
  const { company, client } = await openClient()
  const stranger = await newCompany()
  const requestId = newId()
  const none = readMainText((await client.get(CALLS)).body)
  await addCall(company, { requestId })
  await addCall(company, { route: null, status: 404, code: 'not_found', fields: [] })
  await addCall(stranger, { route: '/api/de-outra' })

  const text = readMainText((await client.get(CALLS)).body)

  expect(none).toContain('Nenhum erro')
  expect(text).toContain('POST /api/payment-links')
  expect(text).toContain('validation_error')
  expect(text).toContain('Campos: amountCents')
  expect(text).toContain(requestId)
  expect(text).toContain(`Testes ••••${company.key.slice(-4)}`)
  expect(text).toContain('POST endereço que não existe')
  expect(text).not.toContain('/api/de-outra')
})

test('filters by key and by status narrow, and what is no filter does not', async () => {
  const { company, client } = await openClient()
  const other = await testApp.openReal(company)
  await addCall(company, { route: '/api/um' })
  await addCall(company, { route: '/api/dois', status: 409 })
  await addCall(company, { route: '/api/tres', apiKeyId: other.keyId })
  const see = async (query: string) => readMainText((await client.get(`${CALLS}?${query}`)).body)

  const byKey = await see(`chave=${company.keyId}`)
  const byStatus = await see('status=409')
  const both = await see(`chave=${other.keyId}&status=409`)
  const neither = await see('chave=nada&status=x')

  expect([byKey.includes('/api/dois'), byKey.includes('/api/tres')]).toEqual([true, false])
  expect([byStatus.includes('/api/um'), byStatus.includes('/api/dois')]).toEqual([false, true])
  expect(both).toContain('Nenhuma chamada corresponde a estes filtros.')
  expect(['um', 'dois', 'tres'].every((one) => neither.includes(`/api/${one}`))).toBe(true)
})
