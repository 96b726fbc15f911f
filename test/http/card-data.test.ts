// No card number and no security code reaches us: refused on every route, never stored, logged or repeated. Which
// digits are a card's is tried in test/card-numbers.test.ts.
import type { InjectPayload } from 'light-my-request'
import { afterAll, expect, test } from 'vitest'
import { findCardNumbers } from '../../src/card-numbers.ts'
import { containsCardData, findCardDataError } from '../../src/http/card-data.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { app, logged, newCompany, stored } = await openTestApp()

const LINKS = '/api/payment-links'
const MESSAGE =
  'Dados de cartão não são aceitos aqui. O pagador os informa apenas na página de pagamento.'
const VISA = '4111111111111111'
const FOURS = '4111 1111 1111 1111'

const refusalOf = (field: string) => ({
  status: 'error',
  code: 'card_data_refused',
  message: MESSAGE,
  errors: [{ field, code: 'card_data', message: MESSAGE }],
})
const findField = (value: unknown) => findCardDataError(value)?.errors?.[0]?.field

const company = await newCompany()
const { id, slug } = (
  await company.post(LINKS, { ...MINIMAL_LINK, methods: ['pix', 'credit_card'] })
).json()

function send(url: string, payload: InjectPayload, type: string, method: 'POST' | 'PATCH') {
  const headers = { authorization: `Bearer ${company.key}`, 'content-type': type }
  return app.inject({ method, url, payload, headers })
}

const sendForm = (url: string, fields: Record<string, string>) =>
  send(url, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', 'POST')

afterAll(async () => {
  const everything = `${await stored()} ${logged.join()}`.replace(/[\s.+-]|%20/g, '')
  expect(everything).not.toContain(VISA)
})

test('a card number is refused by the name of its field, and not repeated', async () => {
  const asking = await newCompany()

  const answers = [
    await asking.post(LINKS, { ...MINIMAL_LINK, title: `Cartão ${VISA}` }),
    await asking.post(LINKS, { ...MINIMAL_LINK, metadata: { [`nota ${VISA}`]: 1 } }),
    await asking.get(`${LINKS}?titulo=${VISA}`),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422])
  expect(answers.map((answer) => answer.json())).toMatchObject(
    ['title', 'metadata.nota ****', 'titulo'].map(refusalOf),
  )
})

test.each([
  ['tags.1', { tags: ['ok', VISA] }],
  ['metadata.nota', { metadata: { nota: VISA } }],
  ['metadata.cid', { metadata: { cid: FOURS } }],
  ['metadata.****', { metadata: { [VISA]: 'nota' } }],
  ['redirectUrl', { redirectUrl: `https://loja.com.br/${VISA}` }],
  ['amountCents', { amountCents: Number(VISA) }],
  ['whatever.deep.0.er', { whatever: { deep: [{ er: VISA }] } }],
  ['****', { [VISA]: 1 }],
  ['id', { id: VISA }],
])('a card number is found in %s', (field, body) => {
  expect(findField(body)).toBe(field)
})

const ALWAYS = 'cardNumber card_number cvv CVV2 cvc securityCode security_code'.split(' ')
const NEVER_IN_METADATA = 'cid CID pan number csc'.split(' ')

test.each([...ALWAYS, ...NEVER_IN_METADATA])(
  'a field named %s is refused, whatever is in it',
  (name) => {
    expect(findField({ [name]: '737' })).toBe(name)
    expect(findField({ card: { [name]: 737 } })).toBe(`card.${name}`)
  },
)

test.each(ALWAYS)('a pair of metadata may not be called %s', (name) => {
  expect(findField({ metadata: { [name]: '' } })).toBe(`metadata.${name}`)
})

test.each(NEVER_IN_METADATA)(
  'a pair of metadata may be called %s, unless it holds a card number',
  (name) => {
    expect(findField({ metadata: { [name]: '737' } })).toBeUndefined()
    expect(findField({ metadata: { [name]: VISA } })).toBe(`metadata.${name}`)
  },
)

test.each([
  [31, true],
  [32, false],
  [288, false],
])('in %i hexadecimal digits on end the digits of a card are one: %s', (length, isCard) => {
  const fingerprint = `a${VISA}`.padEnd(length, 'b')

  expect(containsCardData({ deviceId: `armor.${fingerprint}.7e4922` })).toBe(isCard)
  expect(containsCardData(`${fingerprint} ${FOURS}`)).toBe(true)
})

test('every route that takes a form or a document refuses card data', async () => {
  const { paths } = (await app.inject('/api/openapi.json')).json()
  const documents = Object.keys(paths).filter((path) => paths[path].post ?? paths[path].patch)
  const token = 'a'.repeat(24)
  const forms = [
    `/pagar/${slug}/payments`,
    `/pagar/${slug}/payments/${token}/renew`,
    `/pagar/${slug}/payments/${token}/simulate`,
    `/pagar/${slug}/report`,
    `/pagar/sandbox/3ds/${token}`,
    '/configurar',
  ]

  const answers = await Promise.all([
    ...documents.map((path) => {
      const method = paths[path].post ? 'POST' : 'PATCH'
      const url = path.replace(/\{\w+\}/g, slug)
      return send(url, { card: { number: VISA, cvv: '737' } }, 'application/json', method)
    }),
    ...forms.map((path) => sendForm(path, { name: FOURS, cvv: '737' })),
  ])

  expect(documents.length).toBeGreaterThan(10)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 422))
  for (const { body } of answers) expect(body).not.toMatch(/4111.?1111|[">]737["<]/)
})

test.each(['name', 'email', 'taxId', 'cardHolder', 'cardToken', 'deviceId', 'attempt', 'anything'])(
  'the checkout refuses a card number in its field %s, and does not show it again',
  async (field) => {
    const page = await sendForm(`/pagar/${slug}/payments`, { method: 'pix', [field]: FOURS })

    expect(page.statusCode).toBe(422)
    expect(page.body).toMatch(
      /Não digite dados de cartão aqui|Dados de cartão não são aceitos aqui/,
    )
    expect(page.body.replace(/\s/g, '')).not.toContain(VISA)
  },
)

test('a card number in an address is neither repeated nor logged', async () => {
  for (const number of [VISA, encodeURIComponent(FOURS), FOURS.replaceAll(' ', '-')]) {
    const answers = [
      await company.get(`${LINKS}/${number}`),
      await company.get(`${LINKS}?q=${number}`),
      await company.get(`${LINKS}?${number}=1`),
      await app.inject(`/pagar/${number}`),
      await app.inject(`/pagar/${slug}?method=${number}`),
      await app.inject(`/pagar/%ff/${number}`),
    ]
    for (const { body } of answers) expect(body).not.toMatch(/4111.{0,3}1111/)
  }
})

test('a person whom an address names is not logged', async () => {
  const people = ['52998224725', '529.982.247-25', '11222333000181', '11.222.333%2F0001-81']
  for (const who of [...people, 'ana@padaria.com', 'ana%40padaria.com'])
    await company.get(`/api/customers/${who}`)
  await company.get(`${LINKS}/${id}`)

  expect(logged.join()).not.toMatch(/529.?982|222.?333|padaria/)
  expect(logged.join()).toContain('"path":"/api/customers/…"')
  expect(logged.join()).toContain(`"path":"${LINKS}/${id}"`)
})

test.each(['4+', '4 ', '0 ', '3,', '411,', '4111 1111 ', '4%20', '4', '４＊'])(
  'to search 32 kB of "%s" takes twice the steps of 16 kB, and no more than 4 for each character',
  (part) => {
    const countSteps = (length: number) => {
      let steps = 0
      findCardNumbers(part.repeat(length / part.length), () => steps++)
      return steps
    }
    const [half, whole] = [countSteps(16_384), countSteps(32_768)]

    expect(whole).toBeLessThanOrEqual(2.01 * half)
    expect(whole).toBeLessThanOrEqual(4 * 32_768)
  },
)
