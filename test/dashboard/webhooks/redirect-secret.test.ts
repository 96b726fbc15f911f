// The secret that signs payers' returns, changed at the dashboard: shown once, and the one before ends.
import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { decryptRedirectSecret } from '../../../src/companies/redirect-secret.ts'
import { readLastForm } from '../../support/dashboard/refunds.ts'
import { openWebhookDashboard, readFieldValue } from '../../support/dashboard/webhooks.ts'
import { openTestApp } from '../../support/test-app.ts'

const PATH = '/painel/integracoes/retorno'

const testApp = await openTestApp({ local: true })
const { db, cipher } = testApp
const { openClient, actionsOf } = openWebhookDashboard(testApp)

async function secretOf(companyId: string) {
  return decryptRedirectSecret(cipher, (await findCompany(db, companyId))!)
}

test('a new one is shown on that answer alone, and signs from then on in this environment', async () => {
  const { company, dashboardClient } = await openClient()
  const before = [await secretOf(company.id), await secretOf(company.realId)]
  const asked = await dashboardClient.get(PATH)

  const shown = await dashboardClient.post(PATH, readLastForm(asked.body))

  const fresh = readFieldValue(shown.body, 'secret')
  expect(shown.headers['cache-control']).toBe('no-store')
  expect(fresh).toMatch(/^[\da-f]{64}$/)
  expect(fresh).not.toBe(before[0])
  expect([await secretOf(company.id), await secretOf(company.realId)]).toEqual([fresh, before[1]])
  expect((await dashboardClient.get('/painel/integracoes')).body).not.toContain(fresh)
  expect(await actionsOf(company.id)).toEqual([['redirect_secret_rotated', null]])
})

test('the same form sent again changes nothing, nor does one without its page', async () => {
  const { company, dashboardClient } = await openClient()
  const form = readLastForm((await dashboardClient.get(PATH)).body)
  const shown = await dashboardClient.post(PATH, form)

  const answers = [
    await dashboardClient.post(PATH, form),
    await dashboardClient.post(PATH, {}),
    await dashboardClient.post(PATH, { version: 'ontem' }),
    await dashboardClient.post(PATH, { version: '1' }),
  ]

  for (const { headers } of answers) expect(headers.location).toBe(`${PATH}?feito=retorno-ja-mudou`)
  expect(await secretOf(company.id)).toBe(readFieldValue(shown.body, 'secret'))
  expect(await actionsOf(company.id)).toHaveLength(1)
})
