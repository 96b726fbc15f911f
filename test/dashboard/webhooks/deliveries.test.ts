// Deliveries at the dashboard: found, understood, and sent once more.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { webhookDeliveries } from '../../../src/database/tables.ts'
import {
  findEndpoint,
  setEndpointDisabled,
  updateEndpoint,
} from '../../../src/webhooks/endpoints/endpoint.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormErrors } from '../../support/dashboard/links.ts'
import { openWebhookDashboard, readMainText } from '../../support/dashboard/webhooks.ts'
import { openPayments } from '../../support/payments.ts'
import { answerInTurn, answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, cipher, clock } = testApp
const { openClient, addReceiver, emit, deliver, giveUp, readDelivery, actionsOf } =
  openWebhookDashboard(testApp)
const { newMerchant, addPayment } = openPayments(testApp)

const DELIVERIES = '/painel/integracoes/entregas'
const HOOK = 'https://93.184.216.34/hook'
const DAY_MS = 86_400_000

/** The ids of the deliveries that a list shows, in its order. */
const idsIn = (html: string) =>
  [...html.matchAll(/row-link" href="\/painel\/integracoes\/entregas\/([\w-]+)"/g)].map(
    ([, id]) => id,
  )

async function openWith(url = HOOK) {
  const { company, dashboardClient } = await openClient()
  const endpoint = await addReceiver(company.id, url, { events: ['transaction.approved'] })
  return { company, dashboardClient, endpointId: endpoint.id }
}

test('deliveries are narrowed by endpoint, event, state and time; what is no filter narrows nothing', async () => {
  const { company, dashboardClient } = await openClient()
  const good = await addReceiver(company.id, (await openReceiver()).url)
  const bad = await addReceiver(company.id, (await openReceiver(answerWith(500))).url)
  const old = await emit(company.id, { endpointId: good.id })
  await db
    .update(webhookDeliveries)
    .set({ id: '01900000-0000-7000-8000-000000000001' })
    .where(eq(webhookDeliveries.id, old.id))
  const delivered = await emit(company.id, { endpointId: good.id, type: 'payment_link.expired' })
  const retrying = await emit(company.id, { endpointId: bad.id })
  const lost = await emit(company.id, { endpointId: bad.id })
  await deliver()
  await giveUp(lost.id)
  const queued = await emit(company.id, { endpointId: bad.id })
  const find = async (query: string) =>
    idsIn((await dashboardClient.get(`${DELIVERIES}?${query}`)).body)
  const all = [
    queued.id,
    lost.id,
    retrying.id,
    delivered.id,
    '01900000-0000-7000-8000-000000000001',
  ]

  expect(await find('')).toEqual(all)
  expect(await find(`endpoint=${bad.id}`)).toEqual(all.slice(0, 3))
  expect(await find('type=payment_link.expired')).toEqual([delivered.id])
  expect(await find('status=delivered')).toEqual(all.slice(3))
  expect(await find('status=failed')).toEqual([lost.id, retrying.id])
  expect(await find('status=given_up')).toEqual([lost.id])
  expect(await find('status=queued')).toEqual([queued.id])
  expect(await find('dias=7')).toEqual(all.slice(0, 4))
  expect(await find(`status=failed&endpoint=${good.id}`)).toEqual([])
  expect(await find(`status=x&type=x&dias=9&endpoint=${newId()}&cursor=%00`)).toEqual(all)
})

test('a delivery tells each attempt, where it went, what came back and what to do', async () => {
  const receiver = await openReceiver((request, response) => {
    const isFirst = request.url === '/antigo'
    response.writeHead(isFirst ? 500 : 401).end(isFirst ? '<script>erro</script>' : '')
  })
  const { company, dashboardClient, endpointId } = await openWith(`${receiver.url}antigo`)
  const { id } = await emit(company.id)
  await deliver()
  const at = { companyId: company.id, cipher, allowPrivate: true, now: clock.now() }
  const before = await findEndpoint(db, company.id, endpointId)
  await updateEndpoint(db, before, { url: `${receiver.url}novo` }, at)
  clock.offsetMs += 10_000
  await deliver()

  const { body } = await dashboardClient.get(`${DELIVERIES}/${id}`)

  clock.offsetMs = 0
  const words = readMainText(body)
  expect(words).toContain('Tentando de novo')
  expect(words).toContain('O destino respondeu HTTP 401. O destino pediu senha ou barrou o acesso.')
  expect(words.indexOf('2ª tentativa · HTTP 401')).toBeLessThan(words.indexOf('1ª tentativa ·'))
  expect(words).toMatch(/1ª tentativa · HTTP 500 \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d \d+ ms/)
  expect(words).toContain(`POST ${receiver.url}antigo content-type: application/json`)
  expect(words).toContain(`POST ${receiver.url}novo content-type: application/json`)
  expect(words).toContain('webhook-signature: (assinatura v1 omitida)')
  expect(body).toContain('&lt;script&gt;erro&lt;/script&gt;')
  expect(body).not.toContain('<script>erro')
  expect(words).toContain('Corpo vazio.')
  expect(words).toContain('Próxima tentativa')
  expect(words).toMatch(/\{ "id": "[-\w]{36}", "type": "transaction.approved", "timestamp"/)
})

test('a delivery leads to the payment that it tells of', async () => {
  const merchant = await newMerchant()
  const client = await openDashboardClient(testApp, { companyId: merchant.companyId })
  await addReceiver(merchant.companyId, HOOK)
  const paid = await addPayment(merchant, clock.now().toISOString())
  const { id } = await emit(merchant.companyId, { data: { transaction: { id: paid } } })

  expect((await client.get(`${DELIVERIES}/${id}`)).body).toContain(
    `href="/painel/transacoes/${paid}"`,
  )
})

test('what failed is sent again at a click, and its page follows it until it is through', async () => {
  const receiver = await openReceiver(answerInTurn(500, 204))
  const { company, dashboardClient } = await openWith(receiver.url)
  const { id } = await emit(company.id)
  await deliver()
  await giveUp(id)
  const path = `${DELIVERIES}/${id}`

  const before = await dashboardClient.get(path)
  const done = await dashboardClient.post(`${path}/reenviar`)
  const during = await dashboardClient.get(done.headers.location!)
  await deliver()
  const after = await dashboardClient.get(done.headers.location!)

  expect(readMainText(before.body)).toContain('Não tentaremos mais sozinhos.')
  expect(done.headers.location).toBe(`${path}?feito=entrega-reenviada`)
  expect([during.headers.refresh, after.headers.refresh]).toEqual(['3', undefined])
  expect(readMainText(during.body)).toContain('Sendo enviada.')
  expect(readMainText(after.body)).toMatch(/2ª tentativa · HTTP 204 .* 1ª tentativa · HTTP 500/)
  expect(receiver.hits).toHaveLength(2)
  expect(await actionsOf(company.id)).toEqual([
    ['delivery_resent', `transaction.approved → ${new URL(receiver.url).host}`],
  ])
})

test('what waits for a disabled endpoint, or is too old, is not sent again', async () => {
  const { company, dashboardClient, endpointId } = await openWith()
  const { id } = await emit(company.id)
  await giveUp(id)
  const path = `${DELIVERIES}/${id}`
  await setEndpointDisabled(db, company.id, endpointId, clock.now())

  const page = await dashboardClient.get(path)
  const waiting = await dashboardClient.post(`${path}/reenviar`)
  const since = new Date(clock.now().getTime() - 30 * DAY_MS - 1_000).toISOString()
  await db.update(webhookDeliveries).set({ createdAt: since }).where(eq(webhookDeliveries.id, id))
  const old = await dashboardClient.post(`${path}/reenviar`)

  expect(page.body).not.toContain('/reenviar')
  expect(readMainText(page.body)).toContain('O endpoint está desativado')
  expect([waiting.statusCode, old.statusCode]).toEqual([422, 422])
  expect(readFormErrors(waiting.body)).toEqual([['actions', expect.stringContaining('desativado')]])
  expect(readFormErrors(old.body)).toEqual([
    ['actions', expect.stringContaining('mais de 30 dias')],
  ])
  expect(await readDelivery(id)).toMatchObject({ status: 'failed', dueAt: null })
  expect(await actionsOf(company.id)).toEqual([])
})
