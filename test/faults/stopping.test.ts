// SIGTERM: what runs is finished, what cannot be finished is given back, and nobody keeps us waiting.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../support/database.ts'
import { card } from '../support/payer.ts'
import { hangs, receive } from '../support/receiver.ts'
import { type Service, startService } from '../support/service.ts'
import { fillIn, openShop, TRUSTING } from '../support/traffic.ts'

const { db, url } = await openDatabase()
const SOON = { timeout: 10_000 }
const CLOSE_WITHIN_MS = 10_000
const services: Service[] = []

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')))
})

async function start() {
  const service = await startService(url, TRUSTING)
  services.push(service)
  return service
}

async function firstOf(text: string) {
  return (await db.$client.query(text)).rows[0]
}

/** A client that keeps its connection open between requests, as browsers and proxies do. */
function keepAliveClient(baseUrl: string) {
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
  const shop = await openShop(db, service.baseUrl)
  const submit = await fillIn(service.baseUrl, shop.slug, card('ok'))
  const idle = keepAliveClient(service.baseUrl)
  expect((await idle('/healthz')).headers.connection).toBe('keep-alive')
  const holder = await db.$client.connect()
  await holder.query('begin; lock table events in exclusive mode')
  const paying = submit()
  await expect
    .poll(
      () =>
        firstOf(
          "select 1 as one from pg_locks where relation = 'events'::regclass and not granted",
        ),
      SOON,
    )
    .toEqual({ one: 1 })

  const startedAt = performance.now()
  const ended = service.end('SIGTERM')
  const refuses = () =>
    fetch(`${service.baseUrl}/healthz`).then(
      () => false,
      () => true,
    )
  await expect.poll(refuses, SOON).toBe(true)
  await holder.query('rollback')
  holder.release()
  const answer = await paying

  expect(answer.status).toBe(303)
  expect(answer.headers.get('connection')).toBe('close')
  expect(await ended).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(CLOSE_WITHIN_MS)
  expect(await firstOf('select status from transactions')).toEqual({ status: 'approved' })
})

test('a webhook that its receiver does not answer is given back, and the next process delivers it', async () => {
  let answering = hangs
  const receiver = await receive((request, response) => answering(request, response))
  const service = await start()
  const shop = await openShop(db, service.baseUrl, { receiverUrl: receiver.url })
  await (await fillIn(service.baseUrl, shop.slug, card('ok')))()
  await expect.poll(() => receiver.hits.length, SOON).toBe(1)

  const startedAt = performance.now()
  const code = await service.end('SIGTERM')

  expect(code).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(CLOSE_WITHIN_MS)
  expect(await firstOf('select status, attempts, leased_until from webhook_deliveries')).toEqual({
    status: 'pending',
    attempts: 0,
    leased_until: null,
  })
  answering = (_request, response) => response.end()
  await start()
  await expect.poll(() => receiver.hits.length, SOON).toBe(2)
  const [first, second] = receiver.hits
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
})
