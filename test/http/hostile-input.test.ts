// What a client should never send: it is refused with a sentence, never with a 500, or kept exactly.
import { beforeEach, expect, test } from 'vitest'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { findLinkHref } from '../support/dashboard/html.ts'
import { newPayerAddress, readPageText } from '../support/payer.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, logged, newCompany, stored } = testApp

const LINKS = '/api/payment-links'
const FAMILIES = '👨‍👩‍👧'.repeat(25)

/** A link with JSON written by hand: the minimal one with this in place of a field's value. */
const withField = (field: string, json: string) =>
  JSON.stringify({ ...MINIMAL_LINK, [field]: '§' }).replace('"§"', () => json)

const company = await newCompany()
const owner = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
/** The requests are many: each test begins with an unused limit. */
beforeEach(() => {
  clock.offsetMs += 60_000
})

async function sendRaw(body: string) {
  const response = await company.raw(LINKS, body)
  return { status: response.statusCode, body: response.json() }
}

const NO_AMOUNTS = '19.9 1990.5 1e21 1e400 9007199254740993 -1 null true [1990] {}'

test.each(NO_AMOUNTS.split(' '))('amountCents %s is refused', async (json) => {
  const { status, body } = await sendRaw(withField('amountCents', json))

  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field: 'amountCents' }])
})

test.each([
  ['1e3', 1_000],
  ['1.99e3', 1_990],
  ['1990.0', 1_990],
])('amountCents %s is a whole number', async (json, amountCents) => {
  expect((await sendRaw(withField('amountCents', json))).body).toMatchObject({ amountCents })
})

test('lengths count code points', async () => {
  const cakes = (n: number) => ({ ...MINIMAL_LINK, title: '🎂'.repeat(n) })

  expect((await company.post(LINKS, cakes(128))).json()).toMatchObject(cakes(128))
  expect((await company.post(LINKS, cakes(129))).statusCode).toBe(422)
  const family = { ...MINIMAL_LINK, title: FAMILIES }
  expect((await company.post(LINKS, family)).json()).toMatchObject(family)
})

const BAD_TEXT = {
  'a NUL': 'bolo\0',
  'an escape sequence': '\u001b[31mbolo',
  'a C1 control': 'bolo\u0085',
  'a tab': 'bolo\tde cenoura',
  'a lone high surrogate': 'bolo\ud83c',
  'a lone low surrogate': '\udf82bolo',
  'a bidi override': '\u202egpj.olob',
  'a bidi isolate': '\u2066bolo\u2069',
  'a line separator': 'bolo\u2028de',
  'a byte order mark': 'bo\ufefflo',
  'no character': 'bolo\uffff',
}

test.each(Object.entries(BAD_TEXT))(
  '%s is refused in every text, and in keys',
  async (_what, bad) => {
    const link = {
      ...MINIMAL_LINK,
      description: bad,
      tags: [bad],
      externalReference: bad,
      inactiveMessage: bad,
      metadata: { chave: bad },
    }

    const { errors } = (await company.post(LINKS, link)).json()
    const keyed = await company.post(LINKS, { ...MINIMAL_LINK, metadata: { [bad]: 'valor' } })

    expect(keyed.json().errors).toMatchObject([{ code: 'invalid_characters' }])
    expect(errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      Object.keys(link)
        .filter((field) => !(field in MINIMAL_LINK))
        .map((field) => ({ tags: 'tags.0', metadata: 'metadata.chave' })[field] ?? field)
        .sort(),
    )
    for (const { code } of errors) expect(code).toBe('invalid_characters')
  },
)

test.each([
  `{"__proto__":{"admin":true},"title":"Bolo","amountCents":1990,"methods":["pix"]}`,
  `{"constructor":{"prototype":{"admin":true}},"title":"Bolo"}`,
  withField('metadata', '{"__proto__":"x"}'),
  withField('metadata', '{"\\u005f_proto__":{"admin":true}}'),
])('%.60s reaches no prototype', async (body) => {
  const { status } = await sendRaw(body)

  expect(status).toBe(400)
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('an instant that is an object is none, whatever it calls itself', async () => {
  const refused = await company.post('/api/payment-links', {
    ...MINIMAL_LINK,
    expiresAt: { toString: 'x', valueOf: 'y' },
  })

  expect(refused.statusCode).toBe(422)
  expect(refused.json()).toMatchObject({ errors: [{ field: 'expiresAt' }] })
})

test.each(['constructor', 'toString', 'hasOwnProperty', 'length'])(
  'the metadata key %s is a key like any other',
  async (name) => {
    const { body } = await sendRaw(withField('metadata', `{"${name}":"valor"}`))

    expect(Object.entries(body.metadata)).toEqual([[name, 'valor']])
  },
)

test.each(['[', '{"a":'])('%s ten thousand times over is refused', async (open) => {
  const close = open === '[' ? ']' : '}'
  const deep = open.repeat(10_000) + (open === '[' ? '' : '1') + close.repeat(10_000)

  for (const body of [deep, withField('metadata', deep), withField('title', deep)]) {
    expect((await sendRaw(body)).status).toBe(422)
  }
})

test('of a key given twice the last counts', async () => {
  const twice = `{"amountCents":1990,${JSON.stringify(MINIMAL_LINK).slice(1, -1)},"amountCents":1000}`

  expect((await sendRaw(twice)).body).toMatchObject({ amountCents: 1_000 })
})

test('five thousand unknown fields are refused in one answer', async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 1]))

  const { status, body } = await sendRaw(JSON.stringify({ ...MINIMAL_LINK, ...many }))

  expect(status).toBe(422)
  expect(body.errors).toHaveLength(5_000)
})

test('what looks like SQL, HTML or a template is kept as it is', async () => {
  const title = `'; drop table payment_links;-- <script>alert(1)</script> <%= 7*7 %> \${7*7} $1`
  const { body } = await sendRaw(JSON.stringify({ ...MINIMAL_LINK, title }))

  expect(body).toMatchObject({ title })
  const { data } = (await company.get(`${LINKS}?q=${encodeURIComponent(title)}`)).json()
  expect(data).toMatchObject([{ title }])
})

test.each([
  ['nothing like it', 'abcdefghij'],
  ['ten kilobytes', 'x'.repeat(10_000)],
  ['an id', '01900000-0000-7000-8000-000000000000'],
  ['a NUL', '%00'],
  ['SQL', `'%20or%20'1'='1`],
  ['a path', '..%2f..%2fetc%2fpasswd'],
  ['emoji', encodeURIComponent('🎂')],
  ['a percent sign', '%25'],
])('the name of a link that is %s is a 404, to a company and to a payer', async (_what, name) => {
  const [api, page] = [await company.get(`${LINKS}/${name}`), await app.inject(`/pagar/${name}`)]

  expect(api.statusCode).toBe(404)
  expect(api.json()).toMatchObject({ status: 'error', code: 'not_found' })
  expect(page.statusCode).toBe(404)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
})

const UNDECODABLE = ['%E0%A4%A', '%', '%zz', '%ff', '%41%zz']

test.each(UNDECODABLE)('the path %s is a 400 to a program', async (name) => {
  const response = await company.get(`${LINKS}/${name}`)

  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    status: 'error',
    code: 'invalid_url',
    message: 'O endereço da requisição não é válido.',
  })
  expect((await app.inject(`/webhooks/${name}`)).json()).toMatchObject({ code: 'invalid_url' })
})

test.each(UNDECODABLE)('to a person the path %s is unknown', async (name) => {
  const link = await app.inject({ url: `/pagar/${name}?lang=en`, remoteAddress: newPayerAddress() })
  const stranger = await app.inject(`/painel/${name}`)
  const menu = await owner.get(`/painel/links/${name}`)
  const guide = await app.inject(`/api/docs/${name}`)

  for (const { statusCode, headers } of [link, stranger, menu, guide]) {
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }
  expect(readPageText(link.body)).toContain('Link not found')
  expect(readPageText(stranger.body)).toContain('Página não encontrada')
  expect(findLinkHref(menu.body, 'Ir para o início')).toBe('/painel')
})

test('none of this was a bug of ours, and none of what was refused is kept', async () => {
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
  expect(await stored()).not.toContain('admin')
})
