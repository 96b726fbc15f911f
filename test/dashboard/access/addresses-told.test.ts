// An address that news or payers go to: whoever makes or moves one, the owners are told by e-mail, and Registro
// keeps it.
import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { mails } from '../../../src/database/tables.ts'
import { openCompanyClient } from '../../support/dashboard/client.ts'
import { openTestApp } from '../../support/test-app.ts'

const ENDPOINTS = '/api/webhook-endpoints'

const testApp = await openTestApp({ mail: true })
const { app, db } = testApp

beforeEach(async () => {
  await db.delete(mails)
})

const listTold = async () =>
  (await db.select().from(mails)).map(({ recipient, data }) => [
    ...[recipient, data.what, data.subject, data.actor],
  ])

/** From the first on. */
const listDone = async (companyId: string) =>
  (await listAudit(db, companyId, { limit: 20 }))
    .map(({ action, details }) => [action, details])
    .toReversed()

const useKey =
  ({ key }: { key: string }) =>
  (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    app.inject({
      ...{ method, url: ENDPOINTS + path, headers: { authorization: `Bearer ${key}` } },
      ...(payload && { payload }),
    })

test('an endpoint that is made or moved, or its secret changed, is told to the owners, by whatever hand, and no other change of it', async () => {
  const { company, dashboardClient: owner } = await openCompanyClient(testApp)
  const [first, second] = ['https://93.184.216.34/hook', 'https://93.184.216.34/outro']
  const events = ['transaction.approved', 'transaction.refunded']
  const real = await testApp.openReal(company)
  const byKey = useKey(real)

  const { id } = (await real.post(ENDPOINTS, { url: first })).json()
  await byKey('PATCH', `/${id}`, { url: second, disabled: true })
  await byKey('PATCH', `/${id}`, { url: second, disabled: false })
  await byKey('POST', `/${id}/rotate-secret`, {})
  await owner.post('/painel/integracoes/novo', { url: first, events })

  expect(await listTold()).toEqual(
    [
      ['endpoint_created', first, 'Chave de API “Testes”'],
      ['endpoint_changed', second, 'Chave de API “Testes”'],
      ['secret_rotated', second, 'Chave de API “Testes”'],
      ['endpoint_created', first, owner.email],
    ].map((told) => [owner.email, ...told]),
  )
  const moved = `endereço: ${first} → ${second}`
  expect(await listDone(company.id)).toEqual([
    ['endpoint_created', {}],
    ['endpoint_changed', { url: moved, change: 'disabled' }],
    ['endpoint_changed', { change: 'enabled' }],
    ['secret_rotated', {}],
    ['endpoint_created', {}],
  ])
})

test('what a key does to test endpoints is all in Registro, and told once an hour', async () => {
  const { company, dashboardClient: owner } = await openCompanyClient(testApp)
  const url = 'https://93.184.216.34/hook'
  const byKey = useKey(company)

  const { id } = (await company.post(ENDPOINTS, { url })).json()
  for (const change of [
    { headers: { 'X-Gateway-Key': 'segredo-1', 'X-Loja': 'segredo-2' } },
    { headers: { 'X-Loja': 'segredo-3' } },
    { headers: {} },
    { events: ['transaction.refunded'] },
    { events: ['transaction.refunded'] },
  ])
    await byKey('PATCH', `/${id}`, change)
  await byKey('POST', `/${id}/test`, { type: 'transaction.refunded' })
  await byKey('POST', `/${id}/rotate-secret`, {})
  await byKey('DELETE', `/${id}`)
  await byKey('DELETE', `/${id}`)

  const told = ['endpoint_created', url, 'Chave de API “Testes”']
  expect(await listTold()).toEqual([[owner.email, ...told]])
  const done = await listDone(company.id)
  expect(done).toEqual([
    ['endpoint_created', {}],
    [
      'endpoint_changed',
      {
        headers: 'cabeçalhos: nada → X-Gateway-Key, X-Loja',
        headerValues: 'valores dos cabeçalhos enviados: X-Gateway-Key, X-Loja',
      },
    ],
    [
      'endpoint_changed',
      {
        headers: 'cabeçalhos: X-Gateway-Key, X-Loja → X-Loja',
        headerValues: 'valores dos cabeçalhos enviados: X-Loja',
      },
    ],
    ['endpoint_changed', { headers: 'cabeçalhos: X-Loja → nada' }],
    ['endpoint_changed', { events: 'eventos: transaction.approved → transaction.refunded' }],
    ['test_event_sent', { type: 'transaction.refunded' }],
    ['secret_rotated', {}],
    ['endpoint_removed', {}],
  ])

  testApp.clock.offsetMs += 3_600_000
  await company.post(ENDPOINTS, { url })
  expect(await listTold()).toHaveLength(2)
})

test('where notices go and whom payers are told to ask is told to the owners when it changes', async () => {
  const { company, dashboardClient: owner } = await openCompanyClient(testApp)
  const contact = '/painel/ajustes/contato'
  const noticeEmail = 'caixa@padaria.example'

  await owner.post('/painel/ajustes', { name: 'Padaria', city: 'Recife' })
  const before = await listTold()
  await owner.post(contact, { supportEmail: 'oi@padaria.example' })
  await owner.post(contact, { supportPhone: '(11) 98765-4321' })
  await owner.post(contact, { supportPhone: '(11) 98765-4321', noticeEmail })

  expect(before).toEqual([])
  expect(await listTold()).toEqual(
    [
      'e-mail de atendimento: nenhum → oi@padaria.example',
      'e-mail de atendimento: oi@padaria.example → nenhum; telefone de atendimento: nenhum → (11) 98765-4321',
      'e-mail dos avisos: nenhum → caixa@padaria.example',
    ].map((subject) => [owner.email, 'settings_changed', subject, owner.email]),
  )
  const entries = await listAudit(db, company.id, { limit: 9 })
  expect(entries.map(({ action }) => action)).toEqual(Array(4).fill('settings_changed'))
})
