// Events as they happen, over real connections.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { restrictApiKey, revokeApiKey } from '../../../src/api/api-key.ts'
import type { EventType } from '../../../src/database/enums.ts'
import { stopAnswering } from '../../../src/http/lifecycle.ts'
import { recordEvent } from '../../../src/webhooks/events/event.ts'
import { findCurrentCursor, openEventFeed } from '../../../src/webhooks/events/feed.ts'
import { MAX_COMPANY_STREAMS, openEventStream } from '../../../src/webhooks/events/stream.ts'
import { askAndLeave, openStream } from '../../support/processes/event-stream.ts'
import { startTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await startTestApp({ pollMs: 20 })
const { app, db, clock, newCompany, anotherProcess } = testApp
const baseUrl = await listen(app)

const SOON = { timeout: 10_000 }
const UNKNOWN_ID = '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'

async function listen(server: FastifyInstance) {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

async function emit({ id: companyId }: TestCompany, type: EventType = 'transaction.approved') {
  const event = { companyId, type, testMode: true, data: { n: 1 }, now: clock.now() }
  return (await db.transaction((tx) => recordEvent(tx, event))).eventId
}

const follow = (company: TestCompany, query = '', lastEventId = '', at = baseUrl) =>
  openStream(`${at}/api/events/stream${query}`, company.key, lastEventId)

const idsOf = (messages: { id?: string }[]) => messages.map(({ id }) => id)

test('an event comes as the body of its webhook, once it is committed', async () => {
  const company = await newCompany()
  await emit(company)
  const { answer, messages } = await follow(company)

  const id = await emit(company, 'transaction.refunded')
  await emit(await newCompany())
  await expect.poll(() => messages.length, SOON).toBe(1)

  const event = (await company.get(`/api/events/${id}`)).json()
  const { createdAt: _, deliveries: __, ...sent } = event
  expect(messages).toEqual([{ id, event: 'transaction.refunded', data: JSON.stringify(sent) }])
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'ratelimit-remaining': '99',
  })
})

test('a client that comes back after an event gets all that came since, each once', async () => {
  const company = await newCompany()
  const seen = await emit(company)
  const missed: string[] = []
  // More than two readings of the feed take.
  for (let i = 0; i < 25; i++) missed.push(await emit(company))

  const byHeader = await follow(company, '', seen)
  const byQuery = await follow(company, `?after=${seen.toUpperCase()}`)
  const byBoth = await follow(company, `?after=${seen}`, missed.at(-2))
  await expect.poll(() => byHeader.messages.length, SOON).toBe(missed.length)
  const late = await emit(company)

  for (const { messages } of [byHeader, byQuery]) {
    await expect.poll(() => idsOf(messages), SOON).toEqual([...missed, late])
  }
  await expect.poll(() => idsOf(byBoth.messages), SOON).toEqual([missed.at(-1), late])
})

test('an id that the company does not have is refused, and so is a type that there is not', async () => {
  const company = await newCompany()
  const foreign = await emit(await newCompany())

  const unknown = await follow(company, '', UNKNOWN_ID)
  const others = await follow(company, `?after=${foreign}`)
  const noId = await follow(company, '', 'ontem')
  const noType = await follow(company, '?types=transaction.approved,lost')

  for (const [{ answer }, field] of [
    [unknown, 'Last-Event-ID'],
    [others, 'after'],
  ] as const) {
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors: [{ field, code: 'unknown_event' }] })
  }
  expect([noId.answer.status, noType.answer.status]).toEqual([422, 422])
})

test('only the types that were asked for come', async () => {
  const company = await newCompany()
  const { messages } = await follow(company, '?types=transaction.refunded,dispute.opened')

  await emit(company)
  const refunded = await emit(company, 'transaction.refunded')
  await emit(company)
  const opened = await emit(company, 'dispute.opened')

  await expect.poll(() => idsOf(messages), SOON).toEqual([refunded, opened])
})

test.each([
  ['is revoked', (id: string) => revokeApiKey(db, id, clock.now())],
  [
    'is bound to other networks',
    (id: string) => restrictApiKey(db, { id, allowedNetworks: ['203.0.113.0/24'] }),
  ],
])(
  'a key that %s ends its stream with a reason before another event, and no other',
  async (_what, forbid) => {
    const company = await newCompany()
    const [real, own] = [await testApp.openReal(company), await follow(company)]
    const other = await follow(real)

    await forbid(company.keyId)
    await emit(company)
    await expect.poll(() => own.seen.isOver, SOON).toBe(true)
    const id = await emit(real)

    expect(own.messages).toMatchObject([{ event: 'stream.closed' }])
    expect(JSON.parse(own.messages[0]!.data!)).toMatchObject({ reason: 'unauthorized' })
    await expect.poll(() => idsOf(other.messages), SOON).toEqual([id])
  },
)

test('a company may have so many streams, and one that ends makes room', async () => {
  const company = await newCompany()
  const opened = await Promise.all(
    Array.from({ length: MAX_COMPANY_STREAMS }, () => follow(company)),
  )

  const refused = await follow(company)
  const others = await follow(await newCompany())
  await opened[0]!.close()

  expect(opened.map(({ answer }) => answer.status)).toEqual(opened.map(() => 200))
  expect(refused.answer.status).toBe(429)
  expect(refused.answer.headers.get('retry-after')).toBe('30')
  expect(await refused.answer.json()).toEqual({
    status: 'error',
    message:
      'Use no máximo 20 conexões abertas com os eventos por ambiente. Feche uma e tente novamente.',
  })
  expect(others.answer.status).toBe(200)
  await expect.poll(async () => (await follow(company)).answer.status, SOON).toBe(200)
})

test('a client that left before the answer holds no slot', async () => {
  const company = await newCompany()
  const after = await emit(company)
  const headers = { authorization: `Bearer ${company.key}` }

  for (const query of ['', `?after=${after}`]) {
    const url = `${baseUrl}/api/events/stream${query}`
    await Promise.all(Array.from({ length: MAX_COMPANY_STREAMS }, () => askAndLeave(url, headers)))
  }

  await expect.poll(async () => (await follow(company)).answer.status, SOON).toBe(200)
})

test('a process that closes ends its streams at once, and another goes on where they were', async () => {
  const company = await newCompany()
  const other = await anotherProcess()
  const closing = await follow(company, '', '', await listen(other))
  const before = await emit(company)
  await expect.poll(() => closing.messages.length, SOON).toBe(1)

  const startedAt = performance.now()
  await stopAnswering(other)
  const tookMs = performance.now() - startedAt
  const meanwhile = await emit(company)
  const resumed = await follow(company, '', before)

  await expect.poll(() => idsOf(resumed.messages), SOON).toEqual([meanwhile])
  expect(closing.seen.isOver).toBe(true)
  expect(closing.messages[1]).toMatchObject({ event: 'stream.closed' })
  expect(JSON.parse(closing.messages[1]!.data!)).toMatchObject({ reason: 'closing' })
  expect(tookMs).toBeLessThan(1_500)
})

test('while nothing happens a comment says that it lives', async () => {
  const feed = openEventFeed({ db, log: { warn() {} }, pollMs: 20 })
  onTestFinished(feed.close)
  const { id: companyId } = await newCompany()
  const after = await findCurrentCursor(db, companyId)
  const isAllowed = async () => true
  const options = { feed, companyId, after, types: undefined, isAllowed, heartbeatMs: 50 }
  const texts: string[] = []

  for await (const text of openEventStream(options)) {
    texts.push(String(text))
    if (texts.length > 5) break
  }

  expect(texts[0]).toBe('retry: 2000\nid: 00000000-0000-0000-0000-000000000000\n\n')
  expect(new Set(texts.slice(1))).toEqual(new Set([':\n\n']))
})

test('a stream cannot be asked for by HEAD', async () => {
  const { key } = await newCompany()

  const { statusCode } = await app.inject({
    method: 'HEAD',
    url: '/api/events/stream',
    headers: { authorization: `Bearer ${key}` },
  })

  expect(statusCode).toBe(405)
})
