// A test event is sent like any other, and its page shows what the receiver answered.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openWebhookDashboard, readMainText } from '../../support/dashboard/webhooks.ts'
import { answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { needs } = testApp
const { openClient, addReceiver, deliver, readDelivery, actionsOf } = openWebhookDashboard(testApp)

const HOOKS = '/painel/integracoes'

async function openWith(url: string) {
  const { company, dashboardClient } = await openClient()
  const endpoint = await addReceiver(company.id, url)
  return { company, dashboardClient, ...endpoint, path: `${HOOKS}/${endpoint.id}` }
}

const idIn = (location: unknown) => String(location).match(/entregas\/([\w-]+)\?/)![1]!

test('the answer is shown with its status, its time and the request that it answers', async () => {
  const receiver = await openReceiver(answerWith(200, {}, '{"ok":"<b>"}'))
  const { company, dashboardClient, path, secret } = await openWith(receiver.url)

  const sent = await dashboardClient.post(`${path}/testar`, { type: 'transaction.refunded' })
  const waiting = await dashboardClient.get(sent.headers.location!)
  await deliver()
  const page = await dashboardClient.get(sent.headers.location!)

  expect(sent.statusCode).toBe(303)
  expect(waiting.headers.refresh).toBe('3')
  expect(page.headers).not.toHaveProperty('refresh')
  expect(receiver.hits).toHaveLength(1)
  const { body, headers } = receiver.hits[0]!
  const event = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(event).toMatchObject({ type: 'transaction.refunded', testMode: true })
  const words = readMainText(page.body)
  expect(words).toContain('Evento de teste enviado.')
  expect(words).toMatch(/1ª tentativa · HTTP 200 .* \d+ ms/)
  expect(words).toContain(`webhook-id: ${headers['webhook-id']}`)
  expect(words).toContain(`webhook-timestamp: ${headers['webhook-timestamp']}`)
  expect(words).toContain(`POST ${receiver.url}`)
  expect(page.body).toContain('{&quot;ok&quot;:&quot;&lt;b&gt;&quot;}')
  expect(page.body).not.toContain('Ver pagamento')
  expect(await readDelivery(idIn(sent.headers.location))).toMatchObject({
    ...{ status: 'delivered', attempts: 1, statusCode: 200, dueAt: null, leasedUntil: null },
  })
  expect(await actionsOf(company.id)).toEqual([['test_event_sent', receiver.url]])
})

test('twenty a minute are enough', async () => {
  const { company, dashboardClient, path } = await openWith((await openReceiver()).url)
  const limit = { max: 20, windowMs: 60_000 }
  for (let i = 0; i < 20; i++) await needs.limiter.countHit(`test-event:${company.id}`, limit)

  const { statusCode, body } = await dashboardClient.post(`${path}/testar`)

  expect(statusCode).toBe(429)
  expect(body).toContain('Muitos eventos de teste em pouco tempo.')
  expect(await actionsOf(company.id)).toEqual([])
})
