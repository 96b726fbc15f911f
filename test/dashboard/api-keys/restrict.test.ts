// From where a key may be used, said when it is made and changed later.
import { expect, test } from 'vitest'
import { findApiKey, listApiKeys, revokeApiKey } from '../../../src/api/api-key.ts'
import { listAudit } from '../../../src/companies/audit.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import { openWebhookDashboard, readMainText } from '../../support/dashboard/webhooks.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openClient } = openWebhookDashboard(testApp)

const KEYS = '/painel/chaves'
const pathOf = (id: string) => `${KEYS}/${id}/enderecos`
const networksOf = async (id: string) => (await findApiKey(db, undefined, id))?.allowedNetworks
const MANY = Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`)

test('a key is made for the networks that were typed, and its list says so', async () => {
  const { company, dashboardClient } = await openClient()
  const form = {
    name: 'Loja',
    access: 'all',
    networks: '203.0.113.7\r\n 2001:DB8::/48, 203.0.113.7',
  }

  await dashboardClient.post(`${KEYS}/nova`, form)

  const made = (await listApiKeys(db, company.id)).find(({ name }) => name === 'Loja')
  expect(made).toMatchObject({ allowedNetworks: ['203.0.113.7/32', '2001:db8::/48'] })
  expect(readMainText((await dashboardClient.get(KEYS)).body)).toContain(
    'Só de 203.0.113.7/32, 2001:db8::/48',
  )
})

test('what is no network makes no key', async () => {
  const { company, dashboardClient } = await openClient()

  const form = { name: 'Loja', access: 'all', networks: 'loja.com.br' }
  const { statusCode, body } = await dashboardClient.post(`${KEYS}/nova`, form)

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([['networks', expect.stringContaining('loja.com.br')]])
  expect(await listApiKeys(db, company.id)).toHaveLength(1)
})

test('a key is limited later and freed again, each of it in Registro', async () => {
  const { company, dashboardClient } = await openClient()
  const path = pathOf(company.keyId)

  const done = await dashboardClient.post(path, { networks: MANY.slice(1).join('\n') })
  const limited = await networksOf(company.keyId)
  const page = await dashboardClient.get(path)
  await dashboardClient.post(path, { networks: ' ' })

  expect(done.headers.location).toContain('chave-limitada')
  expect(limited).toHaveLength(20)
  expect(page.body).toContain('203.0.113.20/32')
  expect(await networksOf(company.keyId)).toBeNull()
  const entries = await listAudit(db, company.id, { limit: 5 })
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['key_restricted', { allowedNetworks: '' }],
    ['key_restricted', { allowedNetworks: limited!.join(', ') }],
  ])
  const log = readMainText((await dashboardClient.get('/painel/registro')).body)
  expect(log).toContain('Mudou os endereços de uma chave de API')
  expect(log).toContain('De qualquer lugar')
})

test('networks that another owner allowed meanwhile are not lost without a word', async () => {
  const { company, dashboardClient } = await openClient()
  const path = pathOf(company.keyId)
  const shown = readFormFields((await dashboardClient.get(path)).body, path)
  await dashboardClient.post(path, { networks: '203.0.113.7' })

  const asked = await dashboardClient.post(path, { ...shown, networks: '203.0.113.8' })
  const kept = await networksOf(company.keyId)
  await dashboardClient.post(path, readFormFields(asked.body, path))

  expect(asked.statusCode).toBe(409)
  expect(readMainText(asked.body)).toContain(
    '“Endereços permitidos” mudou para 203.0.113.7/32 enquanto você editava.',
  )
  expect(kept).toEqual(['203.0.113.7/32'])
  expect(await networksOf(company.keyId)).toEqual(['203.0.113.8/32'])
})

test('that another owner freed the key meanwhile is told in whole sentences', async () => {
  const { company, dashboardClient } = await openClient()
  const path = pathOf(company.keyId)
  await dashboardClient.post(path, { networks: '203.0.113.7' })
  const shown = readFormFields((await dashboardClient.get(path)).body, path)
  await dashboardClient.post(path, { networks: '' })

  const asked = readMainText(
    (await dashboardClient.post(path, { ...shown, networks: '203.0.113.8' })).body,
  )

  expect(asked).toContain('“Endereços permitidos” mudou para qualquer lugar enquanto você editava')
})

test.each([
  ['203.0.113.0/33', '"203.0.113.0/33"'],
  ['loja.com.br', '"loja.com.br"'],
  [MANY.join(','), 'no máximo 20'],
])('%s is refused at its field', async (networks, said) => {
  const { company, dashboardClient } = await openClient()

  const { statusCode, body } = await dashboardClient.post(pathOf(company.keyId), { networks })

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([['networks', expect.stringContaining(said)]])
  expect(await networksOf(company.keyId)).toBeNull()
})

test('not of a key that is another company’s, or over, and not by members', async () => {
  const stranger = await openClient()
  const { company, dashboardClient } = await openClient()
  const member = await openClient('member')
  const networks = { networks: '203.0.113.7' }
  await revokeApiKey(db, company.keyId, clock.now())

  const answers = [
    await dashboardClient.get(pathOf(stranger.company.keyId)),
    await dashboardClient.post(pathOf(stranger.company.keyId), networks),
    await dashboardClient.get(pathOf(company.keyId)),
    await dashboardClient.post(pathOf(company.keyId), networks),
    await member.dashboardClient.post(pathOf(member.company.keyId), networks),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 409, 409, 403])
  expect(await networksOf(stranger.company.keyId)).toBeNull()
})
