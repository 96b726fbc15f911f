// The programs that are loaded when somebody first asks for them: the dashboard and the documentation.
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { handOver } from '../../../src/http/lifecycle/hand-over.ts'
import { createMetrics } from '../../../src/http/metrics/metrics.ts'
import { createServer } from '../../../src/http/server.ts'
import { openTestApp } from '../../support/test-app.ts'

const { app, needs, logged, anotherProcess } = await openTestApp()

const BUILD_MS = 50

/** What its paths are answered with, and how often it was built. */
function openPrograms(...failures: string[]) {
  const front = createServer(needs)
  onTestFinished(() => front.close())
  const built: string[] = []
  handOver(front, /^\/theirs(?=[/?]|$)/, async () => {
    const failure = failures.shift()
    await sleep(BUILD_MS)
    if (failure) throw new Error(failure)
    const other = createServer(needs)
    other.route({
      method: ['GET', 'POST'],
      url: '/theirs/*',
      handler: async ({ id, body }) => ({ id, body }),
    })
    other.addHook('onClose', async () => void built.push('closed'))
    await other.ready()
    built.push('built')
    return other
  })
  front.get('/ours', () => 'ours')
  return { front, built }
}

test('another program is built once its paths are asked for, and by nothing else', async () => {
  const { front, built } = openPrograms()

  const ours = [await front.inject('/ours'), await front.inject('/theirsandmore')]
  const before = [...built]
  const [first, second] = await Promise.all([
    front.inject({ method: 'POST', url: '/theirs/form?a=1', payload: { a: 1 } }),
    front.inject('/theirs/page'),
  ])
  const unknown = await front.inject({ method: 'DELETE', url: '/theirs/page' })
  await front.close()

  expect(ours.map(({ statusCode }) => statusCode)).toEqual([200, 404])
  expect(before).toEqual([])
  expect(first.json().body).toEqual({ a: 1 })
  expect(second.statusCode).toBe(200)
  expect(unknown.statusCode).toBe(404)
  expect(built).toEqual(['built', 'closed'])
})

test('a program that is loaded before the process is ready is not built at its first request', async () => {
  const { front, built } = openPrograms()

  await front.loadPrograms()
  const before = [...built]
  const answer = await front.inject('/theirs/page')

  expect(before).toEqual(['built'])
  expect(answer.statusCode).toBe(200)
  expect(built).toEqual(['built'])
})

test('one that could not be built is tried again', async () => {
  const { front } = openPrograms('no memory')

  const failed = await front.inject('/theirs/page')
  const built = await front.inject('/theirs/page')

  expect([failed.statusCode, built.statusCode]).toEqual([500, 200])
})

test('a process that closes while one cannot be built is closed all the same', async () => {
  const { front } = openPrograms('no memory')
  const asked = front.inject('/theirs/page')
  await sleep(BUILD_MS / 2)

  const closed = front.close()

  await expect(closed).resolves.toBeUndefined()
  expect((await asked).statusCode).toBe(500)
})

test.each(['/painel/entrar', '/configurar', '/api/docs', '/llms.txt', '/painel/nao-existe'])(
  '%s is told of once, under the id that its answer names',
  async (url) => {
    const { headers } = await app.inject(url)

    const told = logged.filter((line) => line.includes(`"path":"${url}"`))
    expect(told).toEqual([expect.stringContaining(`"reqId":"${headers['x-request-id']}"`)])
  },
)

test.each([
  ['/painel/entrar?x=%zz', 303],
  ['http://localhost/painel/entrar', 303],
  ['/p%61inel/entrar?x=%zz', 308],
  ['/%61pi/docs', 308],
  ['/api/openapi%2Ejson', 200],
  ['HTTP://localhost/llms.txt', 200],
  ['/painel%2Fentrar', 404],
  ['/api/%zz/docs', 400],
])('%s is understood as the router does', async (path, status) => {
  const other = await anotherProcess()
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo

  const [answer] = await once(request({ port, path, agent: false }).end(), 'response')

  expect(answer.resume().statusCode).toBe(status)
})

test('with the checkout at the root of a host, each is counted once, under the pattern of its route', async () => {
  const metricsToken = 'um-token-para-as-metricas'
  const counting = { metrics: await createMetrics(), metricsToken }
  const other = await anotherProcess({ ...counting, checkoutUrl: 'https://pay.example.com' })
  for (const url of ['/painel/entrar', '/llms.txt', '/um-link']) await other.inject(url)

  const headers = { authorization: `Bearer ${metricsToken}` }
  const { body } = await other.inject({ url: '/metrics', headers })

  const counts = [...body.matchAll(/^vintem_http_\w+_count\{.*route="(.*?)".*\} ([1-9]\d*)$/gm)]
  expect(counts.map(([, route, count]) => `${route} ${count}`).toSorted()).toEqual([
    '/:slug 1',
    '/llms.txt 1',
    '/painel/entrar 1',
  ])
})

test('an address below one of the documentation is an unknown one of the API, which wants a key', async () => {
  const paths = ['/api/openapi.json/x', '/api/openapi.yaml/x', '/api/postman.json/x']

  const answers = await Promise.all(paths.map((url) => app.inject(url)))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
})

test('who asks for the dashboard while the process closes is answered, and the connection ends', async () => {
  const lifecycle = { phase: 'ready' as 'ready' | 'closing' }
  const other = await anotherProcess({ lifecycle })
  await other.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((other.server.address() as AddressInfo).port, '127.0.0.1')
  lifecycle.phase = 'closing'

  socket.write('GET /painel/entrar HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(socket, 'data')
  await once(socket, 'close')

  expect(String(answer)).toMatch(/^HTTP\/1\.1 303[\s\S]*connection: close/i)
})
