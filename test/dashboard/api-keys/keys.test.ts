// API keys at the dashboard: made, shown once, exchanged, limited and revoked.
import { expect, test } from 'vitest'
import { issueApiKey, listApiKeys } from '../../../src/api/api-key.ts'
import { listAudit } from '../../../src/companies/audit.ts'
import { buildKeyCurl } from '../../../src/dashboard/api-keys/form.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { SCOPES, type Scope } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { apiKeys } from '../../../src/database/tables.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import {
  openWebhookDashboard,
  readFieldValue,
  readMainText,
} from '../../support/dashboard/webhooks.ts'
import { BASE_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock } = testApp
const { openClient, actionsOf } = openWebhookDashboard(testApp)

const KEYS = '/painel/chaves'
const NEW = `${KEYS}/nova`
const HOUR_MS = 3_600_000

async function ask(key: string) {
  const headers = { authorization: `Bearer ${key}` }
  const { statusCode } = await app.inject({ url: '/api/payment-links', headers })
  return statusCode
}

/** The keys of the company besides the one that it began with. */
async function keysOf(companyId: string) {
  return (await listApiKeys(db, companyId)).filter(({ name }) => name !== 'Testes')
}

test('a key is shown on the answer that made it, works, and is never shown again', async () => {
  const { company, dashboardClient } = await openClient()
  const form = await dashboardClient.get(NEW)

  const made = await dashboardClient.post(NEW, {
    id: readFieldValue(form.body, 'id')!,
    name: ' Loja <virtual> ',
    access: 'chosen',
    scopes: ['payment-links', 'customers:read'],
  })
  const list = await dashboardClient.get(KEYS)

  const key = readFieldValue(made.body, 'key')!
  expect(made.statusCode).toBe(200)
  expect(made.headers['cache-control']).toBe('no-store')
  expect(await ask(key)).toBe(200)
  expect(made.body).toContain(`Bearer ${key}`)
  expect(readMainText(made.body)).toContain('Pode: Ver, criar e alterar links, Ver clientes')
  expect(list.body).toContain('Loja &lt;virtual&gt;')
  expect(list.body).toContain(`sk_live_••••${key.slice(-4)}`)
  expect(list.body).not.toContain(key)
  expect(await actionsOf(company.id)).toEqual([['key_created', 'Loja <virtual>']])
})

test('a form that is sent twice makes one key, and says why it is not shown', async () => {
  const { company, dashboardClient } = await openClient()
  const stranger = await openClient()
  const form = { id: newId(), name: 'Loja', access: 'all' }

  const first = await dashboardClient.post(NEW, form)
  const second = await dashboardClient.post(NEW, form)
  const page = await dashboardClient.get(second.headers.location!)
  const foreign = await dashboardClient.post(NEW, { ...form, id: stranger.company.keyId })

  expect([first.statusCode, second.statusCode]).toEqual([200, 303])
  expect(page.body).toContain('Esta chave já foi criada. Por segurança ela não aparece de novo')
  expect(foreign.headers.location).toContain('chave-ja-criada')
  expect(await keysOf(company.id)).toHaveLength(1)
  expect(await ask(readFieldValue(first.body, 'key')!)).toBe(200)
  expect(await ask(stranger.company.key)).toBe(200)
  expect(await actionsOf(company.id)).toHaveLength(1)
})

test.each([null, ...SCOPES])('the command that is shown works for a key of %s', async (scope) => {
  const company = await testApp.newCompany()
  const scopes = scope && [scope as Scope]
  const { key } = await issueApiKey(db, company.id, 'Loja', scopes)

  const curl = buildKeyCurl(BASE_URL, key, scopes)

  const [, url, header, payload] = curl.match(
    /^curl http:\/\/localhost:3000(\S+) \\\n {2}-H 'Authorization: ([^']+)'(?:[\s\S]*-d '(.+)')?$/,
  )!
  const { statusCode } = await app.inject({
    ...{ url: url!, method: payload ? 'POST' : 'GET', payload: payload ?? '' },
    headers: { authorization: header!, ...(payload && { 'content-type': 'application/json' }) },
  })
  expect(statusCode).toBe(payload ? 201 : 200)
})

test('the list says of each key what it may do, when it was used, and whether it still works', async () => {
  const { company, dashboardClient } = await openClient()
  const now = clock.now().getTime()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const set = async (name: string, values: object) => {
    const { id } = await issueApiKey(db, company.id, name, ['read'])
    await db.update(apiKeys).set(values).where(eq(apiKeys.id, id))
  }
  await set('Usada', { lastUsedAt: at(-5 * 60_000 - 1_000), allowedNetworks: ['203.0.113.7/32'] })
  await set('Trocada', { expiresAt: at(HOUR_MS) })
  await set('Vencida', { expiresAt: at(-1) })
  await set('Revogada', { revokedAt: at(-1) })

  const { body } = await dashboardClient.get(KEYS)

  const row = (name: string) =>
    body.split('<tr>').find((one) => one.includes(`>${name}</span></th>`)) ?? ''
  expect(readMainText(`<main>${row('Usada')}`)).toMatch(
    /criada (hoje|ontem) \d\d:\d\d Ver tudo Só de 203.0.113.7\/32 (hoje|ontem) \d\d:\d\d Ativa .*Endereços .* Trocar .* Revogar/,
  )
  expect(readMainText(`<main>${row('Trocada')}`)).toMatch(/Nunca Vale até \d\d\/.* Revogar/)
  expect(row('Trocada')).not.toContain('/trocar')
  for (const [name, word] of [
    ['Vencida', 'Substituída'],
    ['Revogada', 'Revogada'],
  ] as const) {
    expect(row(name)).toContain(`badge-neutral">${word}`)
    expect(row(name)).not.toContain('href')
  }
})

test('a key is exchanged: the new one is shown once, the old one works as long as was chosen', async () => {
  const { company, dashboardClient } = await openClient()
  const path = `${KEYS}/${company.keyId}/trocar`
  const lastUsedAt = clock.now().toISOString()
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, company.keyId))

  const asked = await dashboardClient.get(path)
  const wrong = await dashboardClient.post(path, { hours: 'toString' })
  const done = await dashboardClient.post(path, { hours: '24' })
  const again = await dashboardClient.post(path, { hours: '168' })
  const page = await dashboardClient.get(again.headers.location!)

  expect(asked.body).toMatch(/value="24" selected/)
  expect(readFormErrors(wrong.body)).toEqual([['hours', 'Escolha até quando a chave antiga vale.']])
  expect(readMainText(asked.body)).toMatch(/Último uso da atual: (hoje|ontem) \d\d:\d\d ?\./)
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

test('a key is limited and freed, and a form that is stale is refused; Registro says from what to what', async () => {
  const { company, dashboardClient } = await openClient()
  const path = `${KEYS}/${company.keyId}/enderecos`
  const shown = readFormFields((await dashboardClient.get(path)).body, path)

  const done = await dashboardClient.post(path, { networks: '203.0.113.7' })
  const stale = await dashboardClient.post(path, { ...shown, networks: '203.0.113.8' })
  const kept = readFormFields((await dashboardClient.get(path)).body, path)
  await dashboardClient.post(path, { networks: ' ' })

  expect(done.headers.location).toContain('chave-limitada')
  expect([stale.statusCode, kept.networks]).toEqual([409, ['203.0.113.7/32']])
  expect(readMainText(stale.body)).toContain(
    `${dashboardClient.email} mudou “Endereços permitidos” de qualquer lugar para 203.0.113.7/32`,
  )
  const entries = await listAudit(db, company.id, { limit: 5 })
  const told = [
    'Endereços permitidos: 203.0.113.7/32 → qualquer lugar',
    'Endereços permitidos: qualquer lugar → 203.0.113.7/32',
  ]
  expect(entries.map(({ action, details }) => [action, details])).toEqual(
    told.map((allowedNetworks) => ['key_restricted', { allowedNetworks }]),
  )
  const log = readMainText((await dashboardClient.get('/painel/registro')).body)
  for (const change of told) expect(log).toContain(change)
})

test('before a key is revoked it is said when it was used; then it opens nothing', async () => {
  const { company, dashboardClient } = await openClient()
  const lastUsedAt = clock.now().toISOString()
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, company.keyId))
  const path = `${KEYS}/${company.keyId}/revogar`

  const asked = await dashboardClient.get(path)
  const stillWorks = await ask(company.key)
  const done = await dashboardClient.post(path)
  await dashboardClient.post(path)

  expect(readMainText(asked.body)).toContain(
    `Revogar a chave "Testes" (••••${company.key.slice(-4)})?`,
  )
  expect(readMainText(asked.body)).toMatch(/Último uso: (hoje|ontem) \d\d:\d\d\./)
  expect(stillWorks).toBe(200)
  expect(done.headers.location).toBe(`${KEYS}?feito=chave-revogada`)
  await expect.poll(() => ask(company.key)).toBe(401)
  expect(await actionsOf(company.id)).toEqual([['key_revoked', 'Testes']])
  for (const act of ['revogar', 'trocar', 'enderecos'])
    expect((await dashboardClient.get(`${KEYS}/${company.keyId}/${act}`)).statusCode).toBe(409)
})
