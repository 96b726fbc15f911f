// What `/metrics` reports, to which callers, and what it never contains.
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { newId } from '../../src/database/id.ts'
import { mails } from '../../src/database/tables.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { measureProvider } from '../../src/providers/measured.ts'
import { ProviderDown } from '../../src/providers/provider.ts'
import { deliverDue } from '../../src/webhooks/deliveries/delivery.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { answerInTurn, openReceiver } from '../support/receiver.ts'
import { buildMailNeeds, openSmtpServer, sendAllMails } from '../support/smtp-server.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ mail: true, local: true })
const { app, db, needs, cipher, clock, newCompany, anotherProcess } = testApp

const TOKEN = 'um-token-para-as-metricas'
const LINKS = '/api/payment-links'

const metrics = await createMetrics()
const sandbox = needs.providers.sandbox
const bank = { isAway: false }
const provider = measureProvider(
  {
    ...sandbox,
    charge: async (charge, now) => {
      if (bank.isAway) throw new ProviderDown('away')
      return sandbox.charge(charge, now)
    },
  },
  metrics,
)
const counting = {
  ...{ metrics, metricsToken: TOKEN },
  providers: { open: async () => provider },
}
/** A process that counts. */
const measured = await buildApp({ ...needs, ...counting })
afterAll(() => measured.close())
afterEach(() => {
  needs.lifecycle.phase = 'ready'
})

async function readMetrics(from = measured) {
  const read = await from.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(read.statusCode).toBe(200)
  return read.body
}

/** The value of a series by the beginning of its line; undefined where there is none. */
function readSeries(body: string, series: string) {
  const line = body.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('without a token set there are no metrics; with one, only its bearer finds them', async () => {
  const unknown = await app.inject('/metrica')
  const absent = await app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })

  const requestId = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
  const shown = [absent, unknown].map(({ body }) => body.replace(requestId, ''))
  expect(absent.statusCode).toBe(404)
  expect(shown[0]).toBe(shown[1])
  for (const authorization of [undefined, TOKEN, `Bearer ${TOKEN}x`, 'Bearer ', `Basic ${TOKEN}`]) {
    const refused = await measured.inject({
      url: '/metrics',
      headers: authorization === undefined ? {} : { authorization },
    })
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    expect(refused.json()).toEqual({
      status: 'error',
      message: 'Token de métricas inválido ou ausente.',
    })
  }
  expect(await readMetrics()).toContain('# TYPE vintem_ready gauge')
})

test('answers are counted by the pattern of their route, and nothing in a label was typed by anybody', async () => {
  const company = await newCompany('Padaria Segredo')
  const headers = { authorization: `Bearer ${company.key}` }
  const made = await measured.inject({
    method: 'POST',
    url: LINKS,
    headers,
    payload: MINIMAL_LINK,
  })
  const { id, slug } = made.json()

  await measured.inject({ url: `${LINKS}/${id}`, headers })
  await measured.inject({ url: `${LINKS}/${slug}?q=segredo`, headers })
  await measured.inject({ url: `${LINKS}/${newId()}`, headers })
  await measured.inject({ method: 'PUT', url: `${LINKS}/${id}`, headers })
  await measured.inject({ url: `/pagar/${slug}`, remoteAddress: '203.0.113.77' })
  await measured.inject(`/segredo/${slug}`)
  await measured.inject({ url: '/api/segredo', headers })
  const body = await readMetrics()

  const count = (method: string, route: string, status: string) =>
    readSeries(
      body,
      `vintem_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
    )
  expect(count('POST', LINKS, '2xx')).toBe(1)
  expect(count('GET', `${LINKS}/:idOrSlug`, '2xx')).toBe(2)
  expect(count('GET', `${LINKS}/:idOrSlug`, '4xx')).toBe(1)
  expect(count('PUT', `${LINKS}/:idOrSlug`, '4xx')).toBe(1)
  expect(count('GET', '/pagar/:slug', '2xx')).toBe(1)
  expect(count('any', 'unknown', '4xx')).toBe(2)
  for (const secret of [id, slug, company.id, company.keyId, 'segredo', 'Segredo', '203.0.113']) {
    expect(body).not.toContain(secret)
  }
})

test('payments are counted by what they came to, and the calls to providers by how they went', async () => {
  const company = await newCompany()
  const link = { ...MINIMAL_LINK, methods: ['pix', 'credit_card'] }
  const { id } = (await company.post(LINKS, link)).json()
  const pay = (payload: object) =>
    measured.inject({
      method: 'POST',
      url: `${LINKS}/${id}/simulate-payment`,
      headers: { authorization: `Bearer ${company.key}` },
      payload,
    })

  const paid = await pay({})
  const declined = await pay({ method: 'credit_card', scenario: 'funds' })
  bank.isAway = true
  const failed = await pay({ method: 'credit_card' })
  bank.isAway = false

  expect([paid, declined, failed].map((answer) => answer.json().status)).toEqual([
    'approved',
    'declined',
    'declined',
  ])
  const body = await readMetrics()
  const payments = (labels: string) => readSeries(body, `vintem_payments_total{${labels}}`)
  const card = 'method="credit_card",provider="sandbox"'
  expect(payments('method="pix",provider="sandbox",outcome="approved"')).toBe(1)
  expect(payments(`${card},outcome="declined"`)).toBe(1)
  expect(payments(`${card},outcome="error"`)).toBe(1)
  const charges = (outcome: string) =>
    readSeries(
      body,
      `vintem_provider_call_duration_seconds_count{provider="sandbox",operation="charge",outcome="${outcome}"}`,
    )
  expect([charges('ok'), charges('down')]).toEqual([2, 3])
})

test('webhooks, e-mails and what limits refuse are counted', async () => {
  const company = await newCompany()
  const receiver = await openReceiver(answerInTurn(500, 204, 410))
  const endpoint = { companyId: company.id, url: receiver.url, allowPrivate: true }
  await createEndpoint(db, cipher, endpoint)
  const { id } = (await company.post(LINKS, MINIMAL_LINK)).json()
  const pay = () => company.post(`${LINKS}/${id}/simulate-payment`, {})
  const deliver = () => deliverDue({ db, cipher, agent: needs.agent, metrics }, clock.now())
  await pay()
  await deliver()
  clock.offsetMs += 60_000
  await deliver()
  await pay()
  await deliver()
  await db.delete(mails)
  await db.insert(mails).values({
    ...{ id: newId(), recipient: 'ana@example.com', template: 'no-such-template', data: {} },
    dueAt: clock.now().toISOString(),
  })
  const { url } = await openSmtpServer()
  await sendAllMails({ ...buildMailNeeds(testApp, url), metrics })
  for (let i = 0; i < 100; i++) {
    await needs.limiter.countHit('bad-key:127.0.0.1', { max: 100, windowMs: 60_000 })
  }
  await measured.inject({ url: LINKS, headers: { authorization: 'Bearer sk_live_errada' } })

  const body = await readMetrics()

  const ends = (status: string) =>
    readSeries(body, `vintem_webhook_deliveries_total{status="${status}"}`)
  expect([ends('delivered'), ends('failed')]).toEqual([1, 1])
  expect(readSeries(body, 'vintem_mails_total{outcome="failed"}')).toBe(1)
  expect(readSeries(body, 'vintem_limit_refusals_total{limit="bad-key"}')).toBe(1)
})

test('with the database gone the rest is told, and that it is gone', async () => {
  const gone = connectDatabase('postgres://unknown:nothing@127.0.0.1:1/nowhere', { max: 7 })
  onTestFinished(() => gone.$client.end())
  const before = await readMetrics()
  const behind = await anotherProcess({ ...counting, db: gone })

  const body = await readMetrics(behind)

  const gauges = [
    'ready',
    'webhook_deliveries_due',
    'database_size_bytes',
    'pool_connections_waiting',
  ]
  const readGauges = (from: string) => gauges.map((name) => readSeries(from, `vintem_${name}`))
  expect(readGauges(before)).toEqual([1, expect.any(Number), expect.any(Number), 0])
  expect(readGauges(body)).toEqual([0, undefined, undefined, 0])
  expect(readSeries(body, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  expect(readSeries(body, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  expect(readSeries(body, 'process_start_time_seconds')).toBeGreaterThan(1_700_000_000)
  expect(body).toMatch(
    /^vintem_build_info\{version="\d+\.\d+\.\d+",commit="[0-9a-f]*",node="v\d+\.\d+\.\d+"\} 1$/m,
  )
})

test('a process that is starting tells its metrics, and that it is not ready', async () => {
  needs.lifecycle.phase = 'starting'

  expect(readSeries(await readMetrics(), 'vintem_ready')).toBe(0)
})
