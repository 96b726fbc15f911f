// What becomes of a delivery, attempt by attempt.
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { webhookEndpoints } from '../../../src/database/tables.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { DELIVERY_RETRY_DELAYS_MS } from '../../../src/webhooks/deliveries/record.ts'
import { setEndpointDisabled } from '../../../src/webhooks/endpoints/endpoint.ts'
import { answerInTurn, answerWith, openReceiver, openWebhooks } from '../../support/receiver.ts'

const { db, needs, approvedFor, emit, deliveriesOf } = await openWebhooks()

const NOW = new Date('2026-01-01T00:00:00.000Z')
const DAY_MS = 86_400_000

const later = (ms: number, from: Date | string = NOW) => new Date(new Date(from).getTime() + ms)

// No test claims what another one leaves due.
afterEach(async () => {
  await db.update(webhookEndpoints).set({ disabledAt: NOW.toISOString() })
})

function headersOf(hit: { headers: object } | undefined) {
  return hit!.headers as Record<string, string>
}

test('an approved payment reaches the receiver signed, exactly as it was recorded', async () => {
  const receiver = await openReceiver(answerWith(201, {}, 'obrigado'))
  const now = new Date()
  const { secret, eventId, read } = await approvedFor(receiver.url, now)

  const attempted = await deliverDue(needs, now)

  const [hit] = receiver.hits
  const delivery = await read()
  expect(attempted).toBe(1)
  expect(new Webhook(secret).verify(hit!.body, headersOf(hit))).toEqual(JSON.parse(delivery.body))
  expect(hit!.body).toBe(delivery.body)
  expect(hit!.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': eventId })
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, dueAt: null })
  expect(delivery).toMatchObject({ statusCode: 201, deliveredAt: now.toISOString() })
  expect(delivery.attemptLog).toMatchObject([
    { number: 1, outcome: 'delivered', statusCode: 201, answer: 'obrigado' },
  ])
})

test('a receiver that fails for days is tried ten times, as scheduled, each signed at its own time, then given up', async () => {
  const receiver = await openReceiver(answerWith(500))
  const { read, eventId } = await approvedFor(receiver.url, NOW)

  let now = NOW
  const attemptedAt: number[] = []
  for (const [i, delayMs] of DELIVERY_RETRY_DELAYS_MS.entries()) {
    attemptedAt.push(Math.floor(now.getTime() / 1_000))
    expect(await deliverDue(needs, now)).toBe(1)
    const delivery = await read()
    expect(delivery).toMatchObject({ status: 'pending', attempts: i + 1, outcome: 'http_error' })
    const waitMs = new Date(delivery.dueAt!).getTime() - now.getTime()
    expect(waitMs).toBeGreaterThanOrEqual(delayMs * 0.9)
    expect(waitMs).toBeLessThanOrEqual(delayMs * 1.1)
    expect(await deliverDue(needs, later(-1, delivery.dueAt!))).toBe(0)
    now = new Date(delivery.dueAt!)
  }
  attemptedAt.push(Math.floor(now.getTime() / 1_000))
  expect(await deliverDue(needs, now)).toBe(1)

  expect(await deliverDue(needs, later(365 * DAY_MS, now))).toBe(0)
  const delivery = await read()
  expect(delivery).toMatchObject({ status: 'failed', attempts: 10, statusCode: 500, dueAt: null })
  expect(delivery.attemptLog.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const times = receiver.hits.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times).toEqual(attemptedAt)
  expect(new Set(receiver.hits.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([eventId]),
  )
})

test('a receiver that says when to come back is tried then', async () => {
  const receiver = await openReceiver(answerWith(503, { 'retry-after': '120' }))
  const { read } = await approvedFor(receiver.url, NOW)

  await deliverDue(needs, NOW)

  expect((await read()).dueAt).toBe(later(120_000).toISOString())
})

test('410 disables the endpoint and ends the delivery; what comes later waits until somebody enables it', async () => {
  const receiver = await openReceiver(answerInTurn(410, 204))
  const { companyId, endpointId, read } = await approvedFor(receiver.url, NOW)
  await deliverDue(needs, NOW)

  const during = await emit(companyId, NOW)

  expect(await read()).toMatchObject({ status: 'failed', outcome: 'gone', dueAt: null })
  expect(await deliverDue(needs, later(DAY_MS))).toBe(0)
  expect(await setEndpointDisabled(db, companyId, endpointId, null)).toBe(true)
  const { eventId } = await emit(companyId, NOW)
  expect(await deliverDue(needs, NOW)).toBe(2)
  for (const id of [during.eventId, eventId]) {
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }])
  }
})

test('a secret that cannot be read is a failed attempt that says so', async () => {
  const receiver = await openReceiver()
  const { read } = await approvedFor(receiver.url, NOW)
  const foreign = createCipher(Buffer.alloc(32, 7))

  const attempted = await deliverDue({ ...needs, cipher: foreign }, NOW)

  const delivery = await read()
  expect(attempted).toBe(1)
  expect(receiver.hits).toHaveLength(0)
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1, statusCode: null })
  expect(delivery.attemptLog[0]!.answer).toContain('SECRET_KEY')
})
