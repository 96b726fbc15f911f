// The worker beside a real Postgres: woken, polling, never held up, and stopped in order.
import { createServer, connect as dial, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { connectDatabase } from '../../../src/database/connect.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { openListener } from '../../../src/database/listen.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { startDeliveryWorker } from '../../../src/webhooks/deliveries/delivery.ts'
import { neverAnswer, openReceiver, openWebhooks } from '../../support/receiver.ts'

const { db, url, needs, companyWith, emit, deliveriesOf } = await openWebhooks()

const deaf = { subscribe() {} }
const NEVER_MS = 3_600_000
const LIMIT_MS = 10_000
vi.setConfig({ testTimeout: 3 * LIMIT_MS })

afterEach(async () => {
  await db.update(webhookEndpoints).set({ disabledAt: new Date().toISOString() })
})

function start(more: Partial<Parameters<typeof startDeliveryWorker>[0]> = {}) {
  const log = { error() {}, info() {} }
  const now = () => new Date()
  const stop = startDeliveryWorker({ ...needs, listener: deaf, log, now, pollMs: 20, ...more })
  onTestFinished(() => stop(0))
}

function listenTo(databaseUrl: string) {
  const listener = openListener(databaseUrl)
  onTestFinished(() => listener.close())
  return listener
}

async function deliveryOf(eventId: string) {
  const [delivery] = await deliveriesOf(eventId)
  return delivery!
}

/** Postgres behind a line that can be cut. */
async function cuttable(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const lines = new Set<Socket>()
  const state = { cut: false }
  const server = createServer((near) => {
    if (state.cut) return void near.destroy()
    const far = dial(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      lines.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await expect.poll(() => server.listening).toBe(true)
  onTestFinished(() => void server.close())
  const { port: ours } = server.address() as { port: number }
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${ours}` }).href,
    cut() {
      state.cut = true
      for (const line of lines) line.destroy()
    },
    mend() {
      state.cut = false
    },
  }
}

test('an approval wakes the worker, which need not poll', async () => {
  const receiver = await openReceiver()
  const { companyId } = await companyWith(receiver.url)
  const listener = listenTo(url)
  start({ listener, pollMs: NEVER_MS })
  const listening = sql`select from pg_stat_activity
    where datname = current_database() and query = 'listen delivery_due' and state = 'idle'`
  await expect.poll(async () => (await db.execute(listening)).rowCount).toBe(1)
  const { eventId } = await emit(companyId, new Date())
  await expect.poll(() => deliveryOf(eventId)).toMatchObject({ status: 'delivered' })

  await emit(companyId, new Date())

  await expect.poll(() => receiver.hits).toHaveLength(2)
})

test('behind a receiver that hangs no other one waits, and it has five attempts under way at most', async () => {
  const slow = await openReceiver(neverAnswer)
  const healthy = await openReceiver()
  const stuck = await companyWith(slow.url)
  const { companyId } = await companyWith(healthy.url)
  for (let i = 0; i < 20; i++) await emit(stuck.companyId, new Date())
  for (let i = 0; i < 20; i++) await emit(companyId, new Date())

  start({ concurrency: 8 })
  start({ concurrency: 8 })

  await expect.poll(() => healthy.hits).toHaveLength(20)
  expect(slow.load).toEqual({ now: 5, most: 5 })
})

test('a backlog of one receiver flows without waiting for a poll', async () => {
  const receiver = await openReceiver()
  const { companyId } = await companyWith(receiver.url)
  for (let i = 0; i < 12; i++) await emit(companyId, new Date())

  start({ pollMs: NEVER_MS, concurrency: 3 })

  await expect.poll(() => receiver.hits).toHaveLength(12)
  expect(receiver.load.most).toBeLessThanOrEqual(3)
  const ids = receiver.hits.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(12)
})

test('an attempt that ends during an outage is recorded after it, and not made again', async () => {
  const line = await cuttable(url)
  const held: (() => void)[] = []
  const receiver = await openReceiver((_request, response) => held.push(() => response.end()))
  const { companyId } = await companyWith(receiver.url)
  const behind = connectDatabase(line.url)
  onTestFinished(() => behind.$client.end())
  start({ db: behind })
  const { eventId } = await emit(companyId, new Date())
  await expect.poll(() => held).toHaveLength(1)

  line.cut()
  const queries = vi.spyOn(behind.$client, 'query')
  held[0]!()
  await expect.poll(() => queries).toHaveBeenCalled()
  line.mend()

  await expect.poll(() => deliveryOf(eventId)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(receiver.hits).toHaveLength(1)
})
