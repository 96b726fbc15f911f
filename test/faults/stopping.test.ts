// SIGTERM: what runs is finished, what cannot be finished is given back, and no caller keeps us waiting.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { buildTestCard } from '../support/payer.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { openServices } from '../support/processes/service.ts'
import {
  awaitQuiet,
  createTestMerchant,
  fillCheckoutForm,
  makeAllDue,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'
import { neverAnswer, openReceiver } from '../support/receiver.ts'

const { db, url } = await openDatabase()
const SOON = { timeout: 10_000 }
const CLOSE_WITHIN_MS = 10_000
const { start, killAll } = openServices(url, TRUSTING_ENVIRONMENT)

afterEach(killAll)

async function readFirstRow(text: string) {
  return (await db.$client.query(text)).rows[0]
}

function isRefusing({ baseUrl }: { baseUrl: string }) {
  return fetch(`${baseUrl}/healthz`).then(
    () => false,
    () => true,
  )
}

/** A client that keeps its connection open between requests, as browsers and proxies do. */
function openKeepAliveClient(baseUrl: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path: string) => {
    const sent = request(baseUrl + path, { agent }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    await once(answer, 'end')
    return answer as { statusCode: number; headers: Record<string, string> }
  }
}

test('a payment under way when the signal comes is answered, and idle clients do not keep the process', async () => {
  const service = await start()
  const testMerchant = await createTestMerchant(db, service.baseUrl)
  const submit = await fillCheckoutForm(service.baseUrl, testMerchant.slug, buildTestCard('ok'))
  const idle = openKeepAliveClient(service.baseUrl)
  expect((await idle('/healthz')).headers.connection).toBe('keep-alive')
  const holder = await db.$client.connect()
  await holder.query('begin; lock table events in exclusive mode')
  const paying = submit()
  await expect
    .poll(
      () =>
        readFirstRow(
          "select 1 as one from pg_locks where relation = 'events'::regclass and not granted",
        ),
      SOON,
    )
    .toEqual({ one: 1 })

  const startedAt = performance.now()
  const ended = service.end('SIGTERM')
  await expect.poll(() => isRefusing(service), SOON).toBe(true)
  await holder.query('rollback')
  holder.release()
  const answer = await paying

  expect(answer.status).toBe(303)
  expect(answer.headers.get('connection')).toBe('close')
  expect(await ended).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(CLOSE_WITHIN_MS)
  expect(await readFirstRow('select status from transactions')).toEqual({ status: 'approved' })
})

test('a proxy that keeps its connection is answered on it once more, and then told to go', async () => {
  const service = await start()
  const proxy = openKeepAliveClient(service.baseUrl)
  await proxy('/healthz')

  const ended = service.end('SIGTERM')
  await expect.poll(() => isRefusing(service), { ...SOON, interval: 5 }).toBe(true)
  const answer = await proxy('/healthz')

  expect(answer.statusCode).toBe(200)
  expect(answer.headers.connection).toBe('close')
  expect(await ended).toBe(0)
})

test.each([
  ['that is stopped gives back', 'SIGTERM', { status: 'pending', attempts: 0, leased_until: null }],
  ['that is killed leaves', 'SIGKILL', { status: 'pending', attempts: 1 }],
] as const)(
  'a webhook without an answer that a process %s is delivered by the next one, as the same event',
  async (_what, signal, left) => {
    let answering = neverAnswer
    const receiver = await openReceiver((request, response) => answering(request, response))
    const service = await start()
    const testMerchant = await createTestMerchant(db, service.baseUrl, {
      receiverUrl: receiver.url,
    })
    await (await fillCheckoutForm(service.baseUrl, testMerchant.slug, buildTestCard('ok')))()
    await expect.poll(() => receiver.hits.length, SOON).toBe(1)

    const startedAt = performance.now()
    const code = await service.end(signal)

    expect(code).toBe(signal === 'SIGTERM' ? 0 : signal)
    expect(performance.now() - startedAt).toBeLessThan(CLOSE_WITHIN_MS)
    const delivery =
      'select status, attempts, leased_until from webhook_deliveries order by id desc'
    expect(await readFirstRow(delivery)).toMatchObject(left)
    answering = (_request, response) => response.end()
    await makeAllDue(db)
    await start()
    await expect.poll(() => receiver.hits.length, SOON).toBe(2)
    await awaitQuiet(db)
    const [first, second] = receiver.hits
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)
  },
)
