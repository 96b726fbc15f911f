// The secret of an endpoint at the dashboard: hidden, shown to owners who ask, and changed; and the secret that signs
// payers' returns, which is shown once when it is changed.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { decryptRedirectSecret } from '../../../src/companies/redirect-secret.ts'
import { revealSecret } from '../../../src/webhooks/endpoints/secret.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import { readLastForm } from '../../support/dashboard/refunds.ts'
import {
  openWebhookDashboard,
  readFieldValue,
  readMainText,
} from '../../support/dashboard/webhooks.ts'
import { openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, cipher } = testApp
const { openClient, addReceiver, emit, deliver, actionsOf } = openWebhookDashboard(testApp)

const HOOK = 'https://93.184.216.34/hook'
const RETURNS = '/painel/integracoes/retorno'

async function openWith(url = HOOK) {
  const { company, dashboardClient } = await openClient()
  const endpoint = await addReceiver(company.id, url)
  return { company, dashboardClient, ...endpoint, path: `/painel/integracoes/${endpoint.id}` }
}

test('the secret is shown to an owner who asks, on that answer alone, and it is remembered who', async () => {
  const { company, dashboardClient, path, secret } = await openWith()

  const shown = await dashboardClient.post(`${path}/segredo`)
  const later = await dashboardClient.get(path)

  expect(readFieldValue(shown.body, 'secret')).toBe(secret)
  expect(shown.headers['cache-control']).toBe('no-store')
  expect(later.body).not.toContain(secret)
  expect(await actionsOf(company.id)).toEqual([['secret_revealed', HOOK]])
})

test('a secret that another SECRET_KEY sealed is said to be unreadable', async () => {
  const { company, dashboardClient, id, path } = await openWith()
  const broken = Buffer.alloc(64)
  await db.$client.query('update webhook_endpoints set secret = $1 where id = $2', [broken, id])

  const { statusCode, body } = await dashboardClient.post(`${path}/segredo`)

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([['segredo', expect.stringContaining('SECRET_KEY')]])
  expect(await actionsOf(company.id)).toEqual([])
})

test('a changed secret is shown once, and for a day the one before signs too', async () => {
  const receiver = await openReceiver()
  const { company, dashboardClient, path, secret, id } = await openWith(receiver.url)
  const asked = await dashboardClient.get(`${path}/trocar-segredo`)
  const form = { version: readFieldValue(asked.body, 'version')! }

  const shown = await dashboardClient.post(`${path}/trocar-segredo`, form)
  const refused = []
  for (const version of [form.version, 'ontem', ''])
    refused.push(await dashboardClient.post(`${path}/trocar-segredo`, { version }))
  const next = await dashboardClient.get(`${path}/trocar-segredo`)
  await emit(company.id)
  await deliver()

  const fresh = readFieldValue(shown.body, 'secret')!
  for (const { headers } of refused)
    expect(headers.location).toBe(`${path}?feito=segredo-ja-trocado`)
  expect(await revealSecret(db, cipher, company.id, id)).toBe(fresh)
  expect(readMainText(shown.body)).toContain('O segredo anterior também assina até')
  expect(readMainText(next.body)).toContain('Uma troca já está em andamento')
  const { body, headers } = receiver.hits[0]!
  for (const one of [secret, fresh]) {
    expect(new Webhook(one).verify(body, headers as Record<string, string>)).toBeTruthy()
  }
  expect(await actionsOf(company.id)).toMatchObject([['secret_rotated', expect.anything()]])
})

test('a new secret of returns is shown on that answer alone, signs from then on in this environment, and comes of one form once', async () => {
  const { company, dashboardClient } = await openClient()
  const secretOf = async (companyId: string) =>
    decryptRedirectSecret(cipher, (await findCompany(db, companyId))!)
  const before = [await secretOf(company.id), await secretOf(company.realId)]
  const form = readLastForm((await dashboardClient.get(RETURNS)).body)

  const shown = await dashboardClient.post(RETURNS, form)
  const refused = []
  for (const wrong of [form, {}, { version: 'ontem' }, { version: '1' }])
    refused.push(await dashboardClient.post(RETURNS, wrong))

  const fresh = readFieldValue(shown.body, 'secret')
  expect(shown.headers['cache-control']).toBe('no-store')
  expect(fresh).toMatch(/^[\da-f]{64}$/)
  expect(fresh).not.toBe(before[0])
  expect([await secretOf(company.id), await secretOf(company.realId)]).toEqual([fresh, before[1]])
  for (const { headers } of refused)
    expect(headers.location).toBe(`${RETURNS}?feito=retorno-ja-mudou`)
  expect((await dashboardClient.get('/painel/integracoes')).body).not.toContain(fresh)
  expect(await actionsOf(company.id)).toEqual([['redirect_secret_rotated', null]])
})
