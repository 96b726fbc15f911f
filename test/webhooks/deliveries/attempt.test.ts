// A zoo of receivers: whatever they do, an attempt ends in time, reads little and has an outcome.
import { afterAll, expect, test } from 'vitest'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { postWebhook } from '../../../src/webhooks/deliveries/attempt.ts'
import {
  answerWith,
  dripBytes,
  findRefusingUrl,
  floodBytes,
  neverAnswer,
  openHangUpServer,
  openReceiver,
  openSelfSignedReceiver,
  resetConnection,
} from '../../support/receiver.ts'

const agent = createGuardedAgent({ allowPrivate: true })
afterAll(() => agent.destroy())

/** An answer comes earlier, however busy the machine is. */
const DEADLINE_MS = 5_000
/** For receivers that never end their answer. */
const SHORT_MS = 150

function send(url: string, deadlineMs = DEADLINE_MS, signal?: AbortSignal) {
  return postWebhook({ url, headers: {}, body: '{}' }, { agent, deadlineMs, signal })
}

test.each([
  ...[200, 299].map((status) => [status, 'delivered'] as const),
  ...[301, 304, 308, 400, 429, 503].map((status) => [status, 'http_error'] as const),
  [410, 'gone'] as const,
])('%i is %s, and is not followed', async (status, outcome) => {
  const target = await openReceiver()
  const receiver = await openReceiver(answerWith(status, { location: target.url }))

  expect(await send(receiver.url)).toMatchObject({ outcome, statusCode: status })
  expect(receiver.hits).toHaveLength(1)
  expect(target.hits).toHaveLength(0)
})

test.each([
  ['never answers', neverAnswer],
  ['answers one byte at a time', dripBytes],
])('a receiver that %s times out at the deadline', async (_what, answer) => {
  const receiver = await openReceiver(answer)
  const start = performance.now()

  expect(await send(receiver.url, SHORT_MS)).toMatchObject({ outcome: 'timeout' })
  expect(performance.now() - start).toBeLessThan(SHORT_MS + 5_000)
})

test('an answer without an end is cut off, and memory stays flat', async () => {
  const sent = { bytes: 0 }
  const receiver = await openReceiver(floodBytes(sent))
  const before = process.memoryUsage().rss

  const all = await Promise.all(Array.from({ length: 20 }, () => send(receiver.url)))

  for (const answer of all) {
    const read = 'x'.repeat(2_000)
    expect(answer).toMatchObject({ outcome: 'response_too_large', statusCode: 200, answer: read })
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  expect(sent.bytes / 20).toBeLessThan(20_000_000)
})

test('of an answer no card number is kept, not even one that the end of it would cut', async () => {
  const atTheEdge = `${'x'.repeat(1_990)} 4111 1111 1111 1111 ok`
  const receivers = [
    await openReceiver(answerWith(200, {}, '{"card":"4111_1111_1111_1111","id":1}')),
    await openReceiver(answerWith(500, {}, atTheEdge)),
  ]

  const [inside, cut] = await Promise.all(receivers.map(({ url }) => send(url)))

  expect(inside).toMatchObject({ answer: '{"card":"****","id":1}' })
  expect(cut).toMatchObject({ answer: `${'x'.repeat(1_990)} **** ok` })
})

test.each([
  ['20 kB', answerWith(200, {}, 'x'.repeat(20_000)), 'delivered'],
  ['one byte more', answerWith(200, {}, 'x'.repeat(20_001)), 'response_too_large'],
  ['a long page of an error', answerWith(500, {}, 'x'.repeat(100_000)), 'http_error'],
  [
    'headers without an end',
    answerWith(200, { 'x-long': 'x'.repeat(100_000) }),
    'response_too_large',
  ],
])('an answer of %s', async (_what, answer, outcome) => {
  const receiver = await openReceiver(answer)

  expect(await send(receiver.url)).toMatchObject({ outcome })
})

test('what is kept of an answer is cut between characters and has no NUL', async () => {
  const receiver = await openReceiver(answerWith(200, {}, `\0${'ã'.repeat(1_500)}`))

  const answer = await send(receiver.url)

  expect(answer).toMatchObject({ answer: 'ã'.repeat(999) })
})

test('a connection that is refused or reset is told apart from an answer', async () => {
  const receiver = await openReceiver(resetConnection)

  const refused = await send(await findRefusingUrl())
  const reset = await send(receiver.url)

  expect(refused).toMatchObject({ outcome: 'connection_refused', statusCode: null })
  expect(reset).toMatchObject({ outcome: 'connection_refused', statusCode: null })
})

test('a certificate without a known authority is refused before anything is sent', async () => {
  const receiver = await openSelfSignedReceiver()

  expect(await send(receiver.url)).toMatchObject({ outcome: 'tls_failure', statusCode: null })
  expect(receiver.hits).toEqual([])
})

test('https to a receiver that speaks http or hangs up is a failure of TLS', async () => {
  const plain = await openReceiver()
  const rude = await openHangUpServer()

  const spoken = await send(`https://127.0.0.1:${plain.port}/`)
  const hungUp = await send(`https://127.0.0.1:${rude.port}/`)

  expect(spoken).toMatchObject({ outcome: 'tls_failure' })
  expect(hungUp).toMatchObject({ outcome: 'tls_failure' })
})

test('a name that does not resolve is a failure of DNS', async () => {
  const error = Object.assign(new Error(), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
  const lost = createGuardedAgent({
    allowPrivate: true,
    lookup: (_h, _o, callback) => callback(error, []),
  })
  const message = { url: 'http://nowhere.example/', headers: {}, body: '{}' }

  expect(await postWebhook(message, { agent: lost })).toMatchObject({ outcome: 'dns_failure' })
})

test('an answer that is not HTTP is an error of HTTP', async () => {
  const receiver = await openReceiver((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'))

  expect(await send(receiver.url)).toMatchObject({ outcome: 'http_error', statusCode: null })
})

test('an attempt that we ended ourselves says nothing about the receiver', async () => {
  const receiver = await openReceiver(neverAnswer)
  const stopping = new AbortController()

  const attempt = send(receiver.url, DEADLINE_MS, stopping.signal)
  stopping.abort()

  expect(await attempt).toEqual({ kind: 'interrupted' })
})
