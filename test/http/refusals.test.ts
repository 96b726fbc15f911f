// Requests byte by byte: what is refused before any route is found, by the parser or for its address, is in our
// shape too, and nothing is waited for that was never announced.
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const { app, newCompany, logged } = await startTestApp()
const { key } = await newCompany()
await app.listen({ port: 0, host: '127.0.0.1' })
const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/

function openSocket() {
  const { port } = app.addresses()[0] as AddressInfo
  return connect(port, '127.0.0.1')
}

/** What comes back for these very bytes. */
async function sendBytes(bytes: string) {
  const socket = openSocket()
  socket.write(bytes)
  return readResponse(await text(socket))
}

function readResponse(response: string) {
  const [head = '', body = ''] = response.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((one) => {
      const [name = '', value = ''] = one.split(': ')
      return [name.toLowerCase(), value]
    }),
  )
  return { status: Number(line.split(' ')[1]), headers, body }
}

const HOST = 'Host: localhost\r\n'
const KEY = `Authorization: Bearer ${key}\r\n`

test.each([
  ['what is no HTTP', 'nada\r\n\r\n', 400, 'invalid_request'],
  ['a method that is none', `NADA / HTTP/1.1\r\n${HOST}\r\n`, 400, 'invalid_request'],
  [
    'a header that is none',
    `GET /api/customers HTTP/1.1\r\n${HOST}a b\r\n\r\n`,
    400,
    'invalid_request',
  ],
  [
    'a letter in a length',
    `POST /api/customers HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`,
    400,
    'invalid_request',
  ],
  [
    'two lengths of one body',
    `POST /api/customers HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'invalid_request',
  ],
  [
    'no host',
    `GET /api/customers HTTP/1.1\r\n${KEY}Connection: close\r\n\r\n`,
    400,
    'invalid_request',
  ],
  ['CONNECT', `CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
  [
    'TRACE',
    `TRACE /api/customers HTTP/1.1\r\n${HOST}${KEY}Connection: close\r\n\r\n`,
    405,
    'method_not_allowed',
  ],
  [
    'PROPFIND',
    `PROPFIND /api/customers HTTP/1.1\r\n${HOST}${KEY}Connection: close\r\n\r\n`,
    405,
    'method_not_allowed',
  ],
  [
    'an expectation of another kind',
    `POST /api/customers HTTP/1.1\r\n${HOST}${KEY}Expect: nada\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    417,
    'expectation_failed',
  ],
  [
    'headers of 20 kB',
    `GET /api/customers HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'an address of 20 kB',
    `GET /api/customers?q=${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    431,
    'headers_too_large',
  ],
])('%s is refused in our words', async (_what, bytes, status, code) => {
  const answer = await sendBytes(bytes)

  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(answer.body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(UUID),
  })
  expect(JSON.parse(answer.body)).toMatchObject({
    status: 'error',
    code,
    message: expect.stringMatching(/^[A-Z].*\.$/),
  })
  const isItsLine = (line: string) => line.includes(`"${answer.headers['x-request-id']}"`)
  await expect.poll(() => logged.filter(isItsLine)).toHaveLength(1)
  expect(JSON.parse(logged.find(isItsLine) as string)).toMatchObject({ status, msg: 'answered' })
})

test('a browser that brings too many cookies is told so in plain words', async () => {
  const accept = 'Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\n'
  const cookies = `Cookie: a=${'x'.repeat(20_000)}\r\n`

  const answer = await sendBytes(`GET /painel HTTP/1.1\r\n${HOST}${accept}${cookies}\r\n`)

  expect(answer.status).toBe(431)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(answer.body)),
  })
  expect(answer.body).toMatch(/^O navegador .* Apague os cookies deste site/)
})

test.each([
  ['application/json', '/api/payment-links', 422],
  ['application/json', '/webhooks/openpix/nada', 404],
  ['text/plain', '/painel/entrar', 422],
  ['application/x-www-form-urlencoded', '/pagar/nada/payments', 404],
  ['multipart/form-data; boundary=x', '/painel/ajustes/marca', 303],
])('a body of %s that never comes is not waited for at %s', async (type, path, status) => {
  const head = `POST ${path} HTTP/1.1\r\n${HOST}${KEY}Content-Type: ${type}\r\n`

  const answer = await sendBytes(`${head}Connection: close\r\n\r\n`)

  expect(answer.status).toBe(status)
})

test('a request that takes too long is told so, and the connection ends', async () => {
  const socket = openSocket()
  const opened = new Promise<NodeJS.EventEmitter>((resolve) =>
    app.server.once('connection', resolve),
  )
  const answered = text(socket)
  const theirs = await opened
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

  app.server.emit('clientError', error, theirs)

  const { status, headers, body } = readResponse(await answered)
  expect(status).toBe(408)
  expect(headers).toMatchObject({ connection: 'close' })
  expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'request_timeout' })
})

test('a body that drips in has as long as headers that do', () => {
  // Node takes the shorter limit for that of the headers, whichever was meant so.
  const { headersTimeout, requestTimeout } = app.server

  expect(headersTimeout).toBeLessThanOrEqual(requestTimeout)
  expect(requestTimeout).toBeLessThan(app.server.timeout)
})

test.each(['/api', '/api/', '//api/customers?limit=1', '///api/customers', '/api//customers/'])(
  'the address %s is one of the API',
  async (path) => {
    const head = `GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n`

    const [stranger, ours] = [await sendBytes(`${head}\r\n`), await sendBytes(`${head}${KEY}\r\n`)]

    expect(stranger.status).toBe(401)
    expect(JSON.parse(stranger.body)).toEqual({ status: 'error', message: expect.any(String) })
    expect(ours.status).toBe(path.includes('customers') ? 200 : 404)
    expect(ours.headers['content-type']).toBe('application/json; charset=utf-8')
  },
)

test('none of this is a bug of ours', () => {
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
})
