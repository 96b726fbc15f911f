// How many deliveries of one endpoint are under way at a time: earned, lost, and never at others' cost.
import type { ServerResponse } from 'node:http'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { eq, sql } from '../../../src/database/drizzle.ts'
import type { DeliveryOutcome } from '../../../src/database/enums.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { type ClaimedDelivery, claimDeliveries } from '../../../src/webhooks/deliveries/claim.ts'
import {
  adjustConcurrency,
  deliverDue,
  startDeliveryWorker,
} from '../../../src/webhooks/deliveries/delivery.ts'
import { answerWith, openReceiver, openWebhooks } from '../../support/receiver.ts'

const { db, needs, companyWith, emit } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const HOOK = 'https://loja.example/hook'
const LIMIT_MS = 10_000
const log = { error: vi.fn(), info: vi.fn() }
vi.setConfig({ testTimeout: 3 * LIMIT_MS })

const later = (ms: number) => new Date(NOW.getTime() + ms)

afterEach(async () => {
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
})

/** A receiver at this URL with so many webhooks due. */
async function backlogAt(url: string, count: number, concurrency = 5) {
  const { companyId, endpointId } = await companyWith(url)
  await db.update(webhookEndpoints).set({ concurrency }).where(eq(webhookEndpoints.id, endpointId))
  await emit(companyId, NOW)
  await db.execute(sql`
    with made as (
      insert into events (id, company_id, type, body, created_at)
      select gen_random_uuid(), company_id, type, body, created_at
      from events cross join generate_series(2, ${count}::int) where company_id = ${companyId}
      returning id, created_at
    )
    insert into webhook_deliveries (id, event_id, endpoint_id, due_at, created_at)
    select gen_random_uuid(), id, ${endpointId}::uuid, created_at, created_at from made`)
  return { companyId, endpointId }
}

async function concurrencyOf(endpointId: string) {
  const [endpoint] = await db
    .select({ concurrency: webhookEndpoints.concurrency })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
  return endpoint!.concurrency
}

/** Answers no request before `answerAll`. */
async function openSlowReceiver() {
  let held: ServerResponse[] = []
  const receiver = await openReceiver((_request, response) => held.push(response))
  const answerAll = () => {
    for (const response of held.splice(0)) response.writeHead(204).end()
  }
  onTestFinished(() => {
    held = []
  })
  return { ...receiver, answerAll }
}

function startWorker(concurrency?: number) {
  const listener = { subscribe() {} }
  const options = {
    ...needs,
    deadlineMs: LIMIT_MS,
    listener,
    log,
    pollMs: 20,
    now: () => new Date(),
    ...(concurrency && { concurrency }),
  }
  const stop = startDeliveryWorker(options)
  onTestFinished(() => stop(0))
}

test('a receiver that is slow and well is sent ever more at a time, by all processes together', async () => {
  const slow = await openSlowReceiver()
  await backlogAt(slow.url, 35)
  startWorker()
  startWorker()

  let asked = 0
  for (const together of [5, 10, 20]) {
    asked += together
    await expect.poll(() => slow.hits).toHaveLength(asked)
    slow.answerAll()
  }

  expect(slow.load.most).toBe(20)
})

test('a receiver that fails is sent one at a time in the end', async () => {
  const failing = await openReceiver(answerWith(500))
  const { endpointId } = await backlogAt(failing.url, 20, 8)

  await deliverDue(needs, NOW)

  expect(failing.hits).toHaveLength(20)
  expect(await concurrencyOf(endpointId)).toBe(1)
})

test('those that fail together halve it once, and what succeeds of them does not undo that', async () => {
  const { endpointId } = await backlogAt(HOOK, 20, 16)
  const claimed = await claimDeliveries(db, NOW, 50)
  const failed = { outcome: 'timeout', statusCode: null, startedAt: NOW, endedAt: NOW } as const
  const delivered = { ...failed, outcome: 'delivered', statusCode: 204 } as const

  for (const delivery of claimed.slice(0, 8)) await adjustConcurrency(db, delivery, failed)
  for (const delivery of claimed.slice(8)) await adjustConcurrency(db, delivery, delivered)

  expect(claimed).toHaveLength(16)
  expect(await concurrencyOf(endpointId)).toBe(8)
})

const PROMPT_MS = 7_500

type Told = { outcome: DeliveryOutcome; statusCode?: number; tookMs?: number; idle?: true }

const TOLD: [string, Told, number, number][] = [
  ['an answer in good time', { outcome: 'delivered', statusCode: 204, tookMs: PROMPT_MS }, 8, 9],
  ['one that is late', { outcome: 'delivered', statusCode: 204, tookMs: PROMPT_MS + 1 }, 8, 8],
  ['one while there was work for no more', { outcome: 'delivered', idle: true }, 8, 8],
  ['one below the ceiling', { outcome: 'delivered' }, 49, 50],
  ['one at the ceiling', { outcome: 'delivered' }, 50, 50],
  ['a timeout', { outcome: 'timeout' }, 8, 4],
  ['a connection that is refused', { outcome: 'connection_refused' }, 9, 4],
  ['an error of the receiver', { outcome: 'http_error', statusCode: 500 }, 8, 4],
  ['too many requests', { outcome: 'http_error', statusCode: 429 }, 8, 4],
  ['a refusal', { outcome: 'http_error', statusCode: 499 }, 8, 8],
  ['an answer that is too long', { outcome: 'response_too_large', statusCode: 200 }, 8, 8],
  ['a secret of ours that does not open', { outcome: 'secret_unreadable' }, 8, 8],
  ['a failure above the floor', { outcome: 'timeout' }, 2, 1],
  ['a failure at the floor', { outcome: 'timeout' }, 1, 1],
]

test('what a receiver answers makes it be sent more or fewer at a time', async () => {
  const { endpointId } = await backlogAt(HOOK, 5)
  const [delivery] = await claimDeliveries(db, NOW, 50)
  expect(delivery).toMatchObject({ concurrency: 5, isSaturated: true })

  for (const [what, { outcome, statusCode = null, tookMs = 0, idle }, before, after] of TOLD) {
    const claimed: ClaimedDelivery = { ...delivery!, concurrency: before, isSaturated: !idle }
    const changes = { concurrency: before }
    await db.update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.id, endpointId))

    const times = { startedAt: NOW, endedAt: later(tookMs) }
    await adjustConcurrency(db, claimed, { outcome, statusCode, ...times })

    expect([what, await concurrencyOf(endpointId)]).toEqual([what, after])
  }
})

test('an endpoint with work for one fewer than it may have is not full', async () => {
  await backlogAt(HOOK, 4)

  const claimed = await claimDeliveries(db, NOW, 50)

  expect(claimed.map(({ isSaturated }) => isSaturated)).toEqual([false, false, false, false])
})

test('the endpoint with the fewest in progress comes first, however long others have been due', async () => {
  const greedy = await backlogAt(HOOK, 60, 50)
  await claimDeliveries(db, NOW, 10)
  const modest = await companyWith(HOOK)
  for (let i = 0; i < 3; i++) await emit(modest.companyId, later(1_000))

  const claimed = await claimDeliveries(db, later(2_000), 4)

  const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId)
  expect(byEndpoint.get(modest.endpointId)).toHaveLength(3)
  expect(byEndpoint.get(greedy.endpointId)).toHaveLength(1)
})

test('what is reserved goes to endpoints with few under way alone', async () => {
  const greedy = await backlogAt(HOOK, 60, 50)

  const first = await claimDeliveries(db, NOW, 12, 4)
  const second = await claimDeliveries(db, NOW, 4, 4)
  const { endpointId } = await backlogAt(HOOK, 10)
  const third = await claimDeliveries(db, NOW, 4, 4)

  expect(first.map((delivery) => delivery.endpointId)).toEqual(Array(8).fill(greedy.endpointId))
  expect(second).toEqual([])
  expect(third.map((delivery) => delivery.endpointId)).toEqual(Array(4).fill(endpointId))
})

test('a receiver that has earned much and hangs holds up no other', async () => {
  const slow = await openSlowReceiver()
  const healthy = await openReceiver()
  await backlogAt(slow.url, 20, 50)
  await backlogAt(healthy.url, 20)

  startWorker(8)

  await expect.poll(() => healthy.hits).toHaveLength(20)
  expect(slow.load.most).toBeLessThanOrEqual(6)
})
