// Webhook endpoints at the dashboard: made, changed, disabled and removed, and how they fare.
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { listEndpoints, MAX_ENDPOINTS } from '../../../src/webhooks/endpoints/endpoint.ts'
import { revealSecret } from '../../../src/webhooks/endpoints/secret.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import {
  openWebhookDashboard,
  readFieldValue,
  readMainText,
} from '../../support/dashboard/webhooks.ts'
import { answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, cipher } = testApp
const { openClient, addReceiver, emit, deliver, actionsOf } = openWebhookDashboard(testApp)

const HOOKS = '/painel/integracoes'
const NEW = `${HOOKS}/novo`
const HOOK = 'https://93.184.216.34/hook'

/** A company that has its webhooks sent to this address, its owner at the dashboard. */
async function openWith(url = HOOK) {
  const { company, dashboardClient } = await openClient()
  const endpoint = await addReceiver(company.id, url)
  return { company, dashboardClient, ...endpoint, path: `${HOOKS}/${endpoint.id}` }
}

test('an endpoint is made for the events that were ticked, its secret hidden', async () => {
  const { company, dashboardClient } = await openClient()
  const form = await dashboardClient.get(NEW)

  const made = await dashboardClient.post(NEW, {
    id: readFieldValue(form.body, 'id')!,
    url: ` ${HOOK}?a=<b> `,
    events: ['transaction.refunded', 'transaction.approved'],
  })
  const page = await dashboardClient.get(made.headers.location!)

  expect([...form.body.matchAll(/value="([\w.]+)" checked/g)].map(([, type]) => type)).toEqual([
    'transaction.approved',
  ])
  const [endpoint] = await listEndpoints(db, company.id)
  expect(endpoint).toMatchObject({
    url: `${HOOK}?a=%3Cb%3E`,
    events: ['transaction.approved', 'transaction.refunded'],
  })
  expect(made.headers.location).toBe(`${HOOKS}/${endpoint!.id}?feito=endpoint-criado`)
  expect(page.body).toContain('whsec_•')
  expect(page.body).not.toMatch(/whsec_\w/)
  expect(await actionsOf(company.id)).toEqual([['endpoint_created', HOOK]])
})

test.each([
  ['as it was shown', (id: string) => id],
  ['in capitals', (id: string) => id.toUpperCase()],
])(
  'a form that is sent twice, its id %s, makes one endpoint and leaves its secret alone',
  async (_, write) => {
    const { company, dashboardClient } = await openClient()
    const stranger = await openWith()
    const id = newId()
    const form = { id: write(id), url: HOOK, events: 'transaction.approved' }
    const first = await dashboardClient.post(NEW, form)
    const secret = await revealSecret(db, cipher, company.id, id)

    const second = await dashboardClient.post(NEW, form)

    expect(second.headers.location).toBe(first.headers.location)
    expect(await listEndpoints(db, company.id)).toHaveLength(1)
    expect(await revealSecret(db, cipher, company.id, id)).toBe(secret)
    expect(await actionsOf(company.id)).toHaveLength(1)

    const other = await dashboardClient.post(NEW, { ...form, url: `${HOOK}/outro` })
    const wrong = await dashboardClient.post(NEW, { ...form, url: 'loja' })
    const foreign = await dashboardClient.post(NEW, { ...form, id: stranger.id })

    expect(other.headers.location).not.toBe(first.headers.location)
    expect([wrong.statusCode, foreign.statusCode]).toEqual([422, 404])
    expect(await listEndpoints(db, company.id)).toHaveLength(2)
  },
)

test('an address that is none, or where webhooks may not go, is refused with the reason', async () => {
  const app = await testApp.anotherProcess({ allowPrivate: false })
  const company = await testApp.newCompany()
  const dashboardClient = await openDashboardClient({ ...testApp, app }, { companyId: company.id })
  const { id } = await addReceiver(company.id, HOOK)

  for (const [url, sentence] of [
    ['', 'Informe o endereço'],
    ['loja', 'Informe uma URL completa'],
    ['https://10.0.0.1/hook', 'Este endereço não é público.'],
  ] as const) {
    const typed = { url, events: ['payment_link.expired'] }
    const made = await dashboardClient.post(NEW, typed)
    const changed = await dashboardClient.post(`${HOOKS}/${id}/editar`, typed)

    for (const { statusCode, body } of [made, changed]) {
      expect(statusCode).toBe(422)
      expect(readFormErrors(body)).toEqual([['url', expect.stringContaining(sentence)]])
      expect(readFieldValue(body, 'url')).toBe(url)
      expect(body).toMatch(/value="payment_link.expired" checked/)
    }
  }
  expect(await listEndpoints(db, company.id)).toMatchObject([{ url: HOOK }])
})

test('an endpoint without events, or one too many, is not made', async () => {
  const { company, dashboardClient } = await openClient()

  const empty = await dashboardClient.post(NEW, { url: HOOK, events: 'all' })
  for (let i = 0; i < MAX_ENDPOINTS; i++) await addReceiver(company.id, HOOK)
  const tooMany = await dashboardClient.post(NEW, { url: HOOK, events: [...EVENT_TYPES] })
  const list = await dashboardClient.get(HOOKS)

  expect(readFormErrors(empty.body)).toEqual([['events', 'Escolha ao menos um evento.']])
  expect(tooMany.statusCode).toBe(422)
  expect(readFormErrors(tooMany.body)).toEqual([
    ['url', 'Use no máximo 10 endpoints por ambiente.'],
  ])
  expect(list.body).not.toContain(NEW)
  expect(await listEndpoints(db, company.id)).toHaveLength(MAX_ENDPOINTS)
})

test('what is changed is remembered, and what is saved as it was is not', async () => {
  const { company, dashboardClient, path } = await openWith()
  const form = { url: HOOK, events: ['transaction.approved'] }

  await dashboardClient.post(`${path}/editar`, form)
  const unchanged = await actionsOf(company.id)
  const { headers } = await dashboardClient.post(`${path}/editar`, {
    ...form,
    events: [...EVENT_TYPES],
  })

  expect(unchanged).toEqual([])
  expect(headers.location).toBe(`${path}?feito=endpoint-alterado`)
  expect(await listEndpoints(db, company.id)).toMatchObject([{ events: EVENT_TYPES }])
  expect(await actionsOf(company.id)).toEqual([['endpoint_changed', HOOK]])
})

test('an endpoint is disabled and enabled again, each once', async () => {
  const { company, dashboardClient, path } = await openWith()

  await dashboardClient.post(`${path}/desativar`)
  await dashboardClient.post(`${path}/desativar`)
  const page = await dashboardClient.get(path)
  const refused = await dashboardClient.post(`${path}/testar`)
  const disabled = await listEndpoints(db, company.id)
  await dashboardClient.post(`${path}/reativar`)

  expect(readMainText(page.body)).toContain('Desativado As entregas esperam até você reativar')
  expect(page.body).not.toContain('Enviar evento de teste')
  expect(readFormErrors(refused.body)).toEqual([['actions', expect.stringContaining('desativado')]])
  expect(disabled).toMatchObject([{ disabledAt: expect.any(String) }])
  expect(await listEndpoints(db, company.id)).toMatchObject([{ disabledAt: null }])
  expect(await actionsOf(company.id)).toHaveLength(2)
})

test('endpoints are marked by how they fare, and what is wrong is said with what to do', async () => {
  const { company, dashboardClient } = await openClient()
  await addReceiver(company.id, (await openReceiver()).url)
  const bad = await addReceiver(company.id, (await openReceiver(answerWith(503))).url)
  await addReceiver(company.id, HOOK, { events: ['payment_link.expired'] })
  await emit(company.id)
  await deliver()

  const list = await dashboardClient.get(HOOKS)
  const page = await dashboardClient.get(`${HOOKS}/${bad.id}`)

  const marks = [...list.body.matchAll(/badge-(\w+)">([^<]*)<\/span>\s*<span class="sub">([^<]*)/g)]
  expect(marks.map(([, ...mark]) => mark)).toEqual([
    ['good', 'Saudável', '1 entrega em 24 horas'],
    ['bad', 'Com falhas', '1 de 1 entrega em 24 horas'],
    ['neutral', 'Sem entregas', 'Nenhuma entrega até agora'],
  ])
  expect(readMainText(page.body)).toContain('O destino respondeu HTTP 503.')
})

test('removing asks first, and then all of it is gone', async () => {
  const { company, dashboardClient, path } = await openWith()
  const { id } = await emit(company.id)

  const asked = await dashboardClient.get(`${path}/remover`)
  const stillThere = await listEndpoints(db, company.id)
  const done = await dashboardClient.post(`${path}/remover`)

  expect(readMainText(asked.body)).toContain(`Remover o endpoint ${HOOK}?`)
  expect(stillThere).toHaveLength(1)
  expect(done.headers.location).toBe(`${HOOKS}?feito=endpoint-removido`)
  expect((await dashboardClient.get(path)).statusCode).toBe(404)
  expect((await dashboardClient.get(`${HOOKS}/entregas/${id}`)).statusCode).toBe(404)
  expect(await actionsOf(company.id)).toEqual([['endpoint_removed', HOOK]])
})
