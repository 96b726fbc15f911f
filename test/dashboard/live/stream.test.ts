// Pages that are told what comes in while they are open, over real connections.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openLiveHub } from '../../../src/dashboard/live/hub.ts'
import { eq } from '../../../src/database/drizzle.ts'
import type { EventType } from '../../../src/database/enums.ts'
import { sessions } from '../../../src/database/tables.ts'
import { stopAnswering } from '../../../src/http/lifecycle/closing.ts'
import { switchEnvironment } from '../../../src/users/session.ts'
import { recordEvent } from '../../../src/webhooks/events/event.ts'
import { type EventFeed, openEventFeed } from '../../../src/webhooks/events/feed.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { askAndLeave, openPageStream, openStream } from '../../support/processes/event-stream.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, needs, newCompany, anotherProcess } = testApp
const PATH = '/painel/ao-vivo'
const SOON = { timeout: 10_000 }
const baseUrl = await listen(app)

async function listen(server: FastifyInstance) {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

async function emit(companyId: string, type: EventType = 'transaction.approved') {
  const event = { companyId, type, testMode: true, data: { n: 1 }, now: clock.now() }
  return (await db.transaction((tx) => recordEvent(tx, event))).eventId
}

async function openMerchant() {
  const company = await newCompany()
  const client = await openDashboardClient(testApp, { companyId: company.id, role: 'accountant' })
  return { company, client }
}

const toNews = (payments: number, last: string) => ({
  id: last,
  data: JSON.stringify({ payments, last }),
})

test('an approved payment is told at once, by its number alone, and nothing else is', async () => {
  const { company, client } = await openMerchant()
  const other = await openMerchant()
  const { answer, messages } = await openPageStream(baseUrl + PATH, client.cookie)

  await emit(other.company.id)
  await emit(company.realId)
  await emit(company.id, 'transaction.declined')
  const id = await emit(company.id)
  await expect.poll(() => messages.length, SOON).toBe(1)

  expect(messages).toEqual([toNews(1, id)])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
})

test('a page that was on its way is told what came in meanwhile, each payment once', async () => {
  const { company, client } = await openMerchant()
  await emit(company.id)
  const page = await readPage(client, '/painel/transacoes')
  const [, after] = page.match(/data-live="([^"]+)"/)!
  await emit(company.id, 'transaction.expired')
  await emit(company.id)
  const second = await emit(company.id)

  const { messages } = await openPageStream(`${baseUrl}${PATH}?depois=${after}`, client.cookie)
  await expect.poll(() => messages.length, SOON).toBe(1)
  const third = await emit(company.id)
  await expect.poll(() => messages.length, SOON).toBe(2)

  expect(page).toContain(`data-live-key="${company.id}"`)
  expect(messages).toEqual([toNews(2, second), toNews(1, third)])
})

test('whoever cannot hold a stream asks how many there are', async () => {
  const { company, client } = await openMerchant()
  const before = await emit(company.id)
  const ask = async (query: string) => (await client.get(`${PATH}/contagem${query}`)).json()

  expect(await ask(`?depois=${before}`)).toEqual({ payments: 0, last: before })
  const last = await emit(company.id)
  expect(await ask(`?depois=${before}`)).toEqual({ payments: 1, last })
  expect(await ask('')).toEqual({ payments: 0, last })
  expect(await ask('?depois=nada')).toEqual({ payments: 0, last })
  expect(await ask(`?depois=${await emit((await newCompany()).id)}`)).toEqual({ payments: 0, last })
})

test('a stranger gets neither, and who opens the address by hand is led home', async () => {
  const { client } = await openMerchant()

  const stranger = await openPageStream(baseUrl + PATH, '')
  const byHand = await client.get(PATH)
  const count = await app.inject({ url: `${PATH}/contagem` })

  expect([stranger.answer.status, stranger.answer.headers.get('location')]).toEqual([
    303,
    expect.stringContaining('/painel/entrar'),
  ])
  expect([byHand.statusCode, byHand.headers.location]).toEqual([303, '/painel'])
  expect(count.statusCode).toBe(303)
})

test('a page of the one environment is told nothing of the other, and that it need not ask again', async () => {
  const { company, client } = await openMerchant()
  const other = `?ambiente=${company.realId}`

  const stream = await openPageStream(baseUrl + PATH + other, client.cookie)
  const own = await openPageStream(`${baseUrl}${PATH}?ambiente=${company.id}`, client.cookie)
  const count = await client.get(`${PATH}/contagem${other}`)

  expect([stream.answer.status, own.answer.status, count.statusCode]).toEqual([204, 200, 204])
})

test('a page that asks by itself keeps no session alive', async () => {
  const { client } = await openMerchant()
  const idleSince = new Date(clock.now().getTime() - 3_600_000).toISOString()
  const readLastSeen = async () =>
    (await db.select().from(sessions).where(eq(sessions.id, client.sessionId)))[0]?.lastSeenAt
  await db.update(sessions).set({ lastSeenAt: idleSince }).where(eq(sessions.id, client.sessionId))

  const { answer } = await openPageStream(baseUrl + PATH, client.cookie)
  await client.get(`${PATH}/contagem`)
  const afterAsking = await readLastSeen()
  await client.get('/painel')

  expect(answer.status).toBe(200)
  expect(afterAsking).toBe(idleSince)
  expect(await readLastSeen()).not.toBe(idleSince)
})

test('of one session so many streams are held and no more; one that ends makes room', async () => {
  const { client } = await openMerchant()
  const held = []
  for (let n = 0; n < 6; n++) held.push(await openPageStream(baseUrl + PATH, client.cookie))

  const tooMany = await openPageStream(baseUrl + PATH, client.cookie)
  await held[0]!.close()

  expect(new Set(held.map(({ answer }) => answer.status))).toEqual(new Set([200]))
  expect([tooMany.answer.status, tooMany.answer.headers.get('retry-after')]).toEqual([429, '30'])
  await expect
    .poll(async () => (await openPageStream(baseUrl + PATH, client.cookie)).answer.status, SOON)
    .toBe(200)
})

test('a process that stops ends all streams at once', async () => {
  const { client } = await openMerchant()
  const other = await anotherProcess()
  const { seen } = await openPageStream((await listen(other)) + PATH, client.cookie)

  const startedAt = performance.now()
  await stopAnswering(other)

  await expect.poll(() => seen.isOver, SOON).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

/** Whose streams only beat when they are told to. `delay` holds up the start of whoever follows a company. */
function openHub(delay?: Promise<void>) {
  const feed = openEventFeed({ ...needs })
  const follow: EventFeed['follow'] = async (...args) => {
    await delay
    return feed.follow(...args)
  }
  const hub = openLiveHub({ ...needs, eventFeed: { ...feed, follow }, heartbeatMs: 3_600_000 })
  onTestFinished(() => {
    hub.close()
    feed.close()
  })
  return hub
}

type JoinSteps = {
  /** Before it joins. */
  onAsk?: (response: ServerResponse) => Promise<unknown>
  /** Sees what became of it at once. */
  onJoin?: (response: ServerResponse) => void
}

/** A stream for each session that is asked for by its id. */
async function serveHub(
  hub: ReturnType<typeof openHub>,
  companyId: string,
  { onAsk, onJoin }: JoinSteps = {},
) {
  const server = createServer(async (request, response) => {
    const sessionId = request.url!.slice(1)
    await onAsk?.(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    void hub.joinStream({ sessionId, companyId, testMode: true, response }, undefined)
    onJoin?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('who has been answered is told all that comes in from then on', async () => {
  const { company, client } = await openMerchant()
  const start = Promise.withResolvers<void>()
  const sentBefore: number[] = []
  const at = await serveHub(openHub(start.promise), company.id, {
    onJoin({ socket }) {
      sentBefore.push(socket!.bytesWritten)
      start.resolve()
    },
  })

  const { messages } = await openStream(`${at}/${client.sessionId}`, '')
  const id = await emit(company.id)
  await expect.poll(() => messages.length, SOON).toBe(1)

  expect(sentBefore).toEqual([0])
  expect(messages).toEqual([toNews(1, id)])
})

test('of many that ask at once no more than six have a place, also those that missed something', async () => {
  const { company, client } = await openMerchant()
  const id = await emit(company.id)

  const open = () => openPageStream(`${baseUrl}${PATH}?depois=${id}`, client.cookie)
  const asked = await Promise.all(Array.from({ length: 12 }, open))

  expect(asked.filter(({ answer }) => answer.status === 200)).toHaveLength(6)
})

test('whoever left before they were answered holds no place', async () => {
  const { company, client } = await openMerchant()
  const hub = openHub()
  let gone = 0
  const at = await serveHub(hub, company.id, {
    onAsk: (response) => once(response, 'close'),
    onJoin: () => gone++,
  })

  for (let n = 0; n < 6; n++) await askAndLeave(`${at}/${client.sessionId}`, {})
  await expect.poll(() => gone, SOON).toBe(6)

  expect(hub.hasRoom(client.sessionId)).toBe(true)
})

test.each([
  ['is signed out', (id: string) => db.delete(sessions).where(eq(sessions.id, id))],
  ['goes to the real environment', (id: string) => switchEnvironment(db, id, false)],
])(
  'with the next heartbeat the stream of whoever %s is over, and the others go on',
  async (_, act) => {
    const { company, client } = await openMerchant()
    const colleague = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
    const hub = openHub()
    const at = await serveHub(hub, company.id)
    const [own, theirs] = [
      await openStream(`${at}/${client.sessionId}`, ''),
      await openStream(`${at}/${colleague.sessionId}`, ''),
    ]

    await hub.beatStreams()
    await expect.poll(() => [own.seen.heartbeats, theirs.seen.heartbeats], SOON).toEqual([1, 1])
    await act(client.sessionId)
    await hub.beatStreams()

    await expect.poll(() => own.seen.isOver, SOON).toBe(true)
    await expect.poll(() => theirs.seen.heartbeats, SOON).toBe(2)
    expect(own.messages).toEqual([{ event: 'over', data: '{}' }])
    expect(theirs.seen.isOver).toBe(false)
  },
)
