// An address that news or payers go to: whoever makes or moves one, the owners are told by e-mail, and Registro
// keeps it.
import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { mails } from '../../../src/database/tables.ts'
import { openCompanyClient } from '../../support/dashboard/client.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ mail: true })
const { app, db } = testApp

beforeEach(async () => {
  await db.delete(mails)
})

const listTold = async () =>
  (await db.select().from(mails)).map(({ recipient, data }) => [
    ...[recipient, data.what, data.subject, data.actor],
  ])

test('an endpoint that is made or moved is told to the owners, by whatever hand, and no other change of it', async () => {
  const { company, dashboardClient: owner } = await openCompanyClient(testApp)
  const [first, second] = ['https://93.184.216.34/hook', 'https://93.184.216.34/outro']
  const events = ['transaction.approved', 'transaction.refunded']
  const headers = { authorization: `Bearer ${company.key}` }
  const patch = (path: string, payload: object) =>
    app.inject({ method: 'PATCH', url: path, headers, payload })
  const real = await testApp.openReal(company)

  const { id } = (await company.post('/api/webhook-endpoints', { url: first })).json()
  await real.post('/api/webhook-endpoints', { url: first })
  await patch(`/api/webhook-endpoints/${id}`, { url: second, disabled: true })
  await patch(`/api/webhook-endpoints/${id}`, { url: second, disabled: false })
  await owner.post('/painel/integracoes/novo', { url: first, events })
  await owner.post(`/painel/integracoes/${id}/editar`, { url: second, events })
  await owner.post(`/painel/integracoes/${id}/editar`, { url: first, events })

  expect(await listTold()).toEqual(
    [
      // Of the real one alone: programs make test endpoints all day.
      ['endpoint_created', first, 'Chave de API “Testes”'],
      ['endpoint_changed', second, 'Chave de API “Testes”'],
      ['endpoint_created', first, owner.email],
      ['endpoint_changed', first, owner.email],
    ].map((told) => [owner.email, ...told]),
  )
  const moved = await listAudit(db, company.id, { limit: 5 })
  expect(moved.map(({ action, details }) => [action, details.url])).toEqual([
    ['endpoint_changed', `endereço: ${second} → ${first}`],
    ['endpoint_changed', undefined],
    ['endpoint_created', undefined],
    ['endpoint_changed', `endereço: ${first} → ${second}`],
    ['endpoint_created', undefined],
  ])
})

test('where notices go and whom payers are told to ask is told to the owners when it changes', async () => {
  const { company, dashboardClient: owner } = await openCompanyClient(testApp)
  const settings = { name: 'Padaria', city: 'Recife' }

  await owner.post('/painel/ajustes', settings)
  const before = await listTold()
  await owner.post('/painel/ajustes', { ...settings, supportEmail: 'oi@padaria.example' })
  await owner.post('/painel/ajustes', { ...settings, supportPhone: '(11) 98765-4321' })
  await owner.post('/painel/ajustes/emails', { noticeEmail: 'caixa@padaria.example' })

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
