// What a body may be: nothing, or JSON in UTF-8 as it is. All else is refused in the contract's shape.
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'

const company = await newCompany()
const authorization = `Bearer ${company.key}`

/** With a body of these very bytes, or of pieces without their length. */
function send(method: 'POST' | 'DELETE', url: string, payload?: Buffer | Readable, headers = {}) {
  const json = { 'content-type': 'application/json' }
  return app.inject({
    method,
    url,
    headers: { authorization, ...json, ...headers },
    ...(payload && { payload }),
  })
}

async function newLinkPath() {
  return `${LINKS}/${(await company.post(LINKS, MINIMAL_LINK)).json().id}`
}

test('a request without a body may say that it is of any type', async () => {
  for (const type of [
    'application/json; charset=iso-8859-1',
    'text/plain',
    'multipart/form-data; boundary=x',
  ]) {
    const path = await newLinkPath()
    const headers = { 'content-type': type }
    const empty = { ...headers, 'content-length': '0' }
    const chunked = { ...headers, 'transfer-encoding': 'chunked' }

    const paid = await send('POST', `${path}/simulate-payment`, undefined, headers)
    const told = await send('POST', `${path}/simulate-payment`, undefined, empty)
    const streamed = await send('DELETE', path, Readable.from([]), chunked)

    expect([paid.statusCode, told.statusCode, streamed.statusCode]).toEqual([201, 201, 204])
  }
})

test.each([undefined, '[]', 'null', '"title"', '7'])(
  'where an object is needed, the body %s is told as any other fault',
  async (body) => {
    const response = await send('POST', LINKS, body === undefined ? body : Buffer.from(body))

    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({
      code: 'validation_error',
      errors: [{ field: '', message: 'Envie um objeto JSON no corpo da requisição.' }],
    })
  },
)

/** Lists and objects by turns, as many of them as `levels`. */
const nest = (levels: number, inside: unknown): unknown =>
  levels === 0 ? inside : nest(levels - 1, levels % 2 === 0 ? [inside] : { inner: inside })

test('what is nested too deeply to be searched is refused as that, and as no card', async () => {
  const [deepest, tooDeep, card] = [
    await company.post(LINKS, { strange: nest(31, 1) }),
    await company.post(LINKS, { strange: nest(32, '4111111111111111') }),
    await company.post(LINKS, { strange: nest(31, '4111111111111111') }),
  ]

  expect(deepest.json()).toMatchObject({ code: 'validation_error' })
  expect(tooDeep.statusCode).toBe(422)
  expect(tooDeep.json()).toMatchObject({
    status: 'error',
    code: 'nested_too_deeply',
    message: 'O corpo tem listas e objetos demais uns dentro dos outros. Use no máximo 32 níveis.',
  })
  expect(card.json()).toMatchObject({ code: 'card_data_refused' })
})

test.each(['iso-8859-1', '"windows-1252"', 'nada'])('a body in %s is not read', async (charset) => {
  const body = Buffer.from(JSON.stringify({ ...MINIMAL_LINK, title: 'Ação' }), 'latin1')

  const response = await send('POST', LINKS, body, {
    'content-type': `application/json; charset=${charset}`,
  })

  expect(response.statusCode).toBe(415)
  expect(response.json()).toMatchObject({
    status: 'error',
    code: 'unsupported_charset',
    message: 'Envie o corpo em UTF-8.',
  })
})

test.each([
  [
    'a letter of latin-1',
    Buffer.from(JSON.stringify({ ...MINIMAL_LINK, title: 'Ação' }), 'latin1'),
  ],
  ['half a letter', Buffer.from('{"title":"Aç').subarray(0, -1)],
  ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['an overlong letter', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
])('bytes that are not UTF-8, such as %s, are refused and not kept', async (_what, body) => {
  const response = await send('POST', LINKS, body)

  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    status: 'error',
    code: 'invalid_encoding',
    message: 'O corpo da requisição não está em UTF-8.',
  })
})

test.each(['UTF-8', '"utf-8"'])('a body in %s is read as it is', async (charset) => {
  const title = 'Ação de cenoura 🥕'

  const response = await send(
    'POST',
    LINKS,
    Buffer.from(JSON.stringify({ ...MINIMAL_LINK, title })),
    {
      'content-type': `application/json; charset=${charset}`,
    },
  )

  expect([response.statusCode, response.json().title]).toEqual([201, title])
})

test.each(['gzip', 'GZIP', 'nada', 'identity, gzip'])(
  'a body that is encoded as %s is not read',
  async (encoding) => {
    const body = gzipSync(JSON.stringify(MINIMAL_LINK))

    const response = await send('POST', LINKS, body, { 'content-encoding': encoding })

    expect(response.statusCode).toBe(415)
    expect(response.headers['accept-encoding']).toBe('identity')
    expect(response.json()).toMatchObject({
      status: 'error',
      code: 'unsupported_encoding',
      message: 'Envie o corpo sem compressão, sem o cabeçalho Content-Encoding.',
    })
  },
)

test('a body that says it is encoded as itself is read', async () => {
  const body = Buffer.from(JSON.stringify(MINIMAL_LINK))

  const response = await send('POST', LINKS, body, { 'content-encoding': 'identity' })

  expect(response.statusCode).toBe(201)
})

test.each(['\u200b', '\u200d\u2060', '\u00ad', '\u3164', '\u2800', ' \u180e\ufe0f ', '\u{e0020}'])(
  'a text of %j shows nothing, and counts as empty',
  async (nothing) => {
    const titled = await company.post(LINKS, { ...MINIMAL_LINK, title: nothing })
    const described = await company.post(LINKS, { ...MINIMAL_LINK, description: nothing })

    expect(titled.json().errors).toMatchObject([{ field: 'title', code: 'too_small' }])
    expect(described.json()).not.toHaveProperty('description')
  },
)

test.each(['👨‍👩‍👧', '❤️', 'नमस्ते', 'می\u200cخواهم'])(
  'in %s what joins letters stays',
  async (title) => {
    expect((await company.post(LINKS, { ...MINIMAL_LINK, title })).json()).toMatchObject({ title })
  },
)

test('a text that is sent as it was answered stays as it is', async () => {
  const sent = { ...MINIMAL_LINK, title: 'cafe\u0301\u200dK' }

  const first = (await company.post(LINKS, sent)).json()
  const again = (await company.post(LINKS, { ...sent, title: first.title })).json()

  expect([first.title, again.title]).toEqual(['caféK', 'caféK'])
})
