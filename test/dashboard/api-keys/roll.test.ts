// An API key is exchanged at the dashboard for a new one, which takes over in a chosen time.
import { expect, test } from 'vitest'
import { listApiKeys } from '../../../src/api/api-key.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import {
  openWebhookDashboard,
  readFieldValue,
  readMainText,
} from '../../support/dashboard/webhooks.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock } = testApp
const { openClient, actionsOf } = openWebhookDashboard(testApp)

const KEYS = '/painel/chaves'
const HOUR_MS = 3_600_000

async function ask(key: string) {
  const headers = { authorization: `Bearer ${key}` }
  const { statusCode } = await app.inject({ url: '/api/payment-links', headers })
  return statusCode
}

test('a key is exchanged: the new one is shown once, the old one works as long as was chosen', async () => {
  const { company, dashboardClient } = await openClient()
  const path = `${KEYS}/${company.keyId}/trocar`

  const asked = await dashboardClient.get(path)
  const done = await dashboardClient.post(path, { hours: '24' })
  const again = await dashboardClient.post(path, { hours: '168' })
  const page = await dashboardClient.get(again.headers.location!)

  expect(asked.body).toMatch(/value="24" selected/)
  const key = readFieldValue(done.body, 'key')!
  expect([await ask(key), await ask(company.key)]).toEqual([200, 200])
  expect(readMainText(done.body)).toMatch(
    /A chave antiga .* continua funcionando .*: vale até \d\d\//,
  )
  expect(page.body).toContain('Esta chave já foi trocada.')
  const [old, heir, ...more] = await listApiKeys(db, company.id)
  const left = Date.parse(old!.expiresAt!) - clock.now().getTime()
  expect(Math.abs(left - 24 * HOUR_MS)).toBeLessThan(60_000)
  expect(heir).toMatchObject({ name: 'Testes', scopes: null, expiresAt: null })
  expect(more).toEqual([])
  expect(await actionsOf(company.id)).toEqual([['key_rolled', 'Testes']])
})

test('the old key may end at once', async () => {
  const { company, dashboardClient } = await openClient()

  const { body } = await dashboardClient.post(`${KEYS}/${company.keyId}/trocar`, { hours: '0' })

  expect(readMainText(body)).toContain('já não funciona')
  await expect.poll(() => ask(company.key)).toBe(401)
  expect(await ask(readFieldValue(body, 'key')!)).toBe(200)
})

test.each(['', '2', '1000', 'toString'])('"%s" is no time for an old key', async (hours) => {
  const { company, dashboardClient } = await openClient()

  const { statusCode, body } = await dashboardClient.post(`${KEYS}/${company.keyId}/trocar`, {
    hours,
  })

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([['hours', 'Escolha até quando a chave antiga vale.']])
  expect(await listApiKeys(db, company.id)).toHaveLength(1)
})

test('a revoked key is not exchanged', async () => {
  const { company, dashboardClient } = await openClient()
  await dashboardClient.post(`${KEYS}/${company.keyId}/revogar`)
  const path = `${KEYS}/${company.keyId}/trocar`

  const answers = [
    await dashboardClient.get(path),
    await dashboardClient.post(path, { hours: '1' }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409])
  expect(await listApiKeys(db, company.id)).toHaveLength(1)
})
