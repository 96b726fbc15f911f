// API keys at the dashboard: made, shown once and revoked, by owners alone.
import { expect, test } from 'vitest'
import { issueApiKey, listApiKeys } from '../../../src/api/api-key.ts'
import { buildKeyCurl } from '../../../src/dashboard/api-keys/view.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { SCOPES, type Scope } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { apiKeys } from '../../../src/database/tables.ts'
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
    ...{ name: ' Loja <virtual> ', access: 'all' },
  })
  const list = await dashboardClient.get(KEYS)

  const key = readFieldValue(made.body, 'key')!
  expect(made.statusCode).toBe(200)
  expect(made.headers['cache-control']).toBe('no-store')
  expect(await ask(key)).toBe(200)
  expect(made.body).toContain(`Bearer ${key}`)
  expect(list.body).toContain('Loja &lt;virtual&gt;')
  expect(list.body).toContain(`sk_live_••••${key.slice(-4)}`)
  expect(list.body).not.toContain(key)
  expect(await keysOf(company.id)).toMatchObject([{ name: 'Loja <virtual>', scopes: null }])
  expect(await actionsOf(company.id)).toEqual([['key_created', 'Loja <virtual>']])
})

test('a form that is sent twice makes one key, and says why it is not shown', async () => {
  const { company, dashboardClient } = await openClient()
  const form = { id: newId(), name: 'Loja', access: 'all' }

  const first = await dashboardClient.post(NEW, form)
  const second = await dashboardClient.post(NEW, form)
  const page = await dashboardClient.get(second.headers.location!)

  expect([first.statusCode, second.statusCode]).toEqual([200, 303])
  expect(page.body).toContain('Esta chave já foi criada. Por segurança ela não aparece de novo')
  expect(await keysOf(company.id)).toHaveLength(1)
  expect(await ask(readFieldValue(first.body, 'key')!)).toBe(200)
  expect(await actionsOf(company.id)).toHaveLength(1)
})

test("another company's key of the same id is neither touched nor shown", async () => {
  const stranger = await openClient()
  const { company, dashboardClient } = await openClient()

  const { headers } = await dashboardClient.post(NEW, { id: stranger.company.keyId, name: 'Loja' })

  expect(headers.location).toContain('chave-ja-criada')
  expect(await keysOf(company.id)).toEqual([])
  expect(await ask(stranger.company.key)).toBe(200)
})

test('a key may do what was ticked, and what a wider one allows is not said twice', async () => {
  const { company, dashboardClient } = await openClient()
  const scopes = ['transactions', 'transactions:read', 'customers:read']

  const { body } = await dashboardClient.post(NEW, { name: 'Relatórios', access: 'chosen', scopes })

  expect(await keysOf(company.id)).toMatchObject([{ scopes: ['transactions', 'customers:read'] }])
  expect(readMainText(body)).toContain('Pode: Ver transações e devolver, Ver clientes')
})

test.each([
  [{ name: ' ' }, 'name', 'Dê um nome à chave'],
  [{ name: 'x'.repeat(65) }, 'name', 'Use no máximo 64 caracteres.'],
  [{ name: 'a\u202eb' }, 'name', 'Remova os caracteres'],
  [{ access: 'chosen' }, 'scopes', 'Escolha ao menos uma permissão.'],
  [{ access: 'chosen', scopes: 'everything' }, 'scopes', 'Escolha ao menos uma permissão.'],
])('%o makes no key and says why at its field', async (wrong, field, sentence) => {
  const { company, dashboardClient } = await openClient()
  const typed: Record<string, string> = { name: '"Loja"', access: 'all', ...wrong }

  const { statusCode, body } = await dashboardClient.post(NEW, typed)

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([[field, expect.stringContaining(sentence)]])
  expect(body).toContain(`id="${field}"`)
  expect(body).toContain(`value="${typed.name!.replaceAll('"', '&quot;')}"`)
  expect(body).toMatch(new RegExp(`value="${typed.access}" checked`))
  expect(await keysOf(company.id)).toEqual([])
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
  await set('Usada', { lastUsedAt: at(-5 * 60_000 - 1_000) })
  await set('Trocada', { expiresAt: at(HOUR_MS) })
  await set('Vencida', { expiresAt: at(-1) })
  await set('Revogada', { revokedAt: at(-1) })

  const { body } = await dashboardClient.get(KEYS)

  const row = (name: string) =>
    body.split('<tr>').find((one) => one.includes(`>${name}</span><span class="sub"`)) ?? ''
  expect(readMainText(`<main>${row('Usada')}`)).toMatch(
    /· criada (hoje|ontem) \d\d:\d\d Ver tudo (hoje|ontem) \d\d:\d\d Ativa Endereços .* Trocar .* Revogar/,
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

test('the list goes on, page by page, newest first', async () => {
  const { company, dashboardClient } = await openClient()
  for (let i = 1; i <= 21; i++) await issueApiKey(db, company.id, `Chave ${i}`)
  const names = (html: string) => [...html.matchAll(/key-name">([^<]*)</g)].map(([, name]) => name)

  const first = await dashboardClient.get(KEYS)
  const next = first.body.match(/rel="next" href="([^"]*)"/)![1]!
  const second = await dashboardClient.get(next)

  const all = Array.from({ length: 21 }, (_, i) => `Chave ${21 - i}`)
  expect([...names(first.body), ...names(second.body)]).toEqual([...all, 'Testes'])
  expect(second.body).not.toContain('rel="next"')
})

test('before a key is revoked or exchanged it is said when it was used; then it opens nothing', async () => {
  const { company, dashboardClient } = await openClient()
  const lastUsedAt = clock.now().toISOString()
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, company.keyId))
  const path = `${KEYS}/${company.keyId}/revogar`

  const asked = await dashboardClient.get(path)
  const exchange = await dashboardClient.get(`${KEYS}/${company.keyId}/trocar`)
  const stillWorks = await ask(company.key)
  const done = await dashboardClient.post(path)
  await dashboardClient.post(path)

  expect(readMainText(asked.body)).toContain(
    `Revogar a chave "Testes" (••••${company.key.slice(-4)})?`,
  )
  expect(readMainText(asked.body)).toMatch(/Último uso: (hoje|ontem) \d\d:\d\d\./)
  expect(readMainText(exchange.body)).toMatch(/Último uso da atual: (hoje|ontem) \d\d:\d\d ?\./)
  expect(stillWorks).toBe(200)
  expect(done.headers.location).toBe(`${KEYS}?feito=chave-revogada`)
  await expect.poll(() => ask(company.key)).toBe(401)
  expect(await actionsOf(company.id)).toEqual([['key_revoked', 'Testes']])
  expect((await dashboardClient.get(path)).statusCode).toBe(409)
})

test('keys are for owners', async () => {
  const { company, dashboardClient } = await openClient('member')
  const one = `${KEYS}/${company.keyId}`
  const reads = [KEYS, NEW, `${one}/revogar`, `${one}/trocar`]
  const writes = [NEW, `${one}/revogar`, `${one}/trocar`]

  const answers = [
    ...(await Promise.all(reads.map((path) => dashboardClient.get(path)))),
    ...(await Promise.all(
      writes.map((path) => dashboardClient.post(path, { name: 'x', hours: '0' })),
    )),
  ]

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([403]))
  expect(await ask(company.key)).toBe(200)
  expect(await listApiKeys(db, company.id)).toHaveLength(1)
})

test("another company's key is not found", async () => {
  const stranger = await openClient()
  const { dashboardClient } = await openClient()

  for (const id of [stranger.company.keyId, newId(), 'nada']) {
    for (const path of [`${KEYS}/${id}/revogar`, `${KEYS}/${id}/trocar`]) {
      expect((await dashboardClient.get(path)).statusCode).toBe(404)
      expect((await dashboardClient.post(path, { hours: '0' })).statusCode).toBe(404)
    }
  }

  expect(await ask(stranger.company.key)).toBe(200)
})
