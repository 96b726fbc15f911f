// No card number and no security code reaches us: refused on every route, never stored, logged or
// repeated.
import type { InjectPayload } from 'light-my-request'
import { afterAll, expect, test } from 'vitest'
import { findCardNumbers, maskCardNumbers } from '../../src/card-numbers.ts'
import { containsCardData } from '../../src/http/card-data.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { app, logged, newCompany, stored } = await openTestApp()

const LINKS = '/api/payment-links'
const MESSAGE =
  'Dados de cartão não são aceitos aqui. O pagador os informa apenas na página de pagamento.'

/** Test numbers of every brand, as their issuers publish them. */
const CARDS = {
  Visa: '4111111111111111',
  'Visa of 13 digits': '4222222222222',
  'Visa of 19 digits': '4000000000000000006',
  Mastercard: '5555555555554444',
  'Mastercard of the 2 series': '2223003122003222',
  'American Express': '378282246310005',
  Elo: '6362970000457013',
  Hipercard: '6062826786276634',
  Diners: '30569309025904',
  Discover: '6011111111111117',
  JCB: '3530111333300000',
}
const { Visa } = CARDS
const refusalOf = (field: string) => ({
  status: 'error',
  code: 'card_data_refused',
  message: MESSAGE,
  errors: [{ field, code: 'card_data', message: MESSAGE }],
})
const FOURS = '4111 1111 1111 1111'

const company = await newCompany()
const { slug } = (
  await company.post(LINKS, { ...MINIMAL_LINK, methods: ['pix', 'credit_card'] })
).json()

const send = (
  url: string,
  payload: InjectPayload,
  type: string,
  method: 'POST' | 'PATCH' = 'POST',
) =>
  app.inject({
    method,
    url,
    payload,
    headers: { authorization: `Bearer ${company.key}`, 'content-type': type },
  })
const sendJson = async (body: object) => {
  const asking = await newCompany()
  return asking.post(LINKS, { ...MINIMAL_LINK, ...body })
}
const sendForm = (url: string, fields: Record<string, string>) =>
  send(url, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded')

afterAll(async () => {
  const everything = `${await stored()} ${logged.join()}`.replace(/[\s.+-]|%20/g, '')
  expect(Object.values(CARDS).filter((number) => everything.includes(number))).toEqual([])
})

test.each(Object.entries(CARDS))(
  'a number of %s is refused, and never repeated',
  async (_, pan) => {
    const response = await sendJson({ title: `Cartão ${pan}` })

    expect(response.statusCode).toBe(422)
    expect(response.json()).toEqual(refusalOf('title'))
  },
)

test.each([
  ['a title', { title: Visa }],
  ['a title, with underscores', { title: '4111_1111_1111_1111' }],
  ['a title, with slashes', { title: '4111/1111/1111/1111' }],
  ['a title, with marks that would be taken out', { title: '4111\u200e1111\u00011111\u202c1111' }],
  ['a title, with commas', { title: '4111,1111, 1111,1111' }],
  ['a title, with stars', { title: '4111*1111 * 1111*1111' }],
  ['a title, with dots in the middle', { title: '4111·1111·1111·1111' }],
  ['a title, with two blanks', { title: '4111  1111  1111  1111' }],
  ['a title, with what nobody sees', { title: '4111\u200b1111\u200b1111\u200b1111' }],
  ['a title, in full width', { title: '４１１１ １１１１ １１１１ １１１１' }],
  ['a title, in full width and one', { title: 'Cartão ４１１１１１１１１１１１１１１１，' }],
  ['a title, before its date', { title: '4111 1111 1111 1111/12/27' }],
  ['a description, in fours', { description: `O cartão é ${FOURS}, obrigada` }],
  ['a description, with its date and code', { description: `${FOURS} 12 27 737` }],
  ['a description, after another number', { description: `Pedido 1 ${FOURS}` }],
  ['a description, with dashes', { description: '4111-1111-1111-1111' }],
  ['a description, with dots', { description: '4111.1111.1111.1111' }],
  ['a description, over two lines', { description: '4111 1111\n1111 1111' }],
  [
    'a description, with blanks that do not break',
    { description: FOURS.replaceAll(' ', '\u00a0') },
  ],
  ['a description, within a word', { description: `cartao${Visa}x` }],
  ['a tag', { tags: ['ok', Visa] }],
  ['metadata', { metadata: { nota: Visa } }],
  ['a key of metadata', { metadata: { [Visa]: 'nota' } }],
  ['a reference', { externalReference: Visa }],
  ['an address', { redirectUrl: `https://loja.com.br/${Visa}` }],
  ['a number', { amountCents: Number(Visa) }],
  ['an unknown field', { whatever: { deep: [{ er: Visa }] } }],
  ['the name of an unknown field', { [Visa]: 1 }],
  ['a field that is ignored', { id: Visa }],
])('a card number in %s is refused', async (_where, fields) => {
  const response = await sendJson(fields)

  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({ status: 'error', code: 'card_data_refused' })
})

test('the answer names the field, and repeats nothing of it', async () => {
  const answers = await Promise.all([
    sendJson({ tags: ['ok', Visa] }),
    sendJson({ metadata: { nota: Visa } }),
    sendJson({ metadata: { cid: FOURS } }),
    sendJson({ metadata: { [`nota ${Visa}`]: 1 } }),
    company.get(`${LINKS}?titulo=${Visa}`),
  ])

  expect(answers.map((answer) => answer.json())).toEqual(
    ['tags.1', 'metadata.nota', 'metadata.cid', 'metadata.nota ****', 'titulo'].map(refusalOf),
  )
})

test.each(['cid', 'CID', 'pan', 'number', 'csc'])(
  'a pair of metadata may be called %s, unless it holds a card number',
  async (name) => {
    const kept = await sendJson({ metadata: { [name]: '737' } })
    const refused = await sendJson({ metadata: { [name]: Visa } })

    expect(kept.json()).toMatchObject({ metadata: { [name]: '737' } })
    expect(refused.json()).toEqual(refusalOf(`metadata.${name}`))
  },
)

test.each([
  [31, true],
  [32, false],
  [288, false],
])('in %i hexadecimal digits on end the digits of a card are one: %s', (length, isCard) => {
  const fingerprint = `a${Visa}`.padEnd(length, 'b')

  expect(containsCardData({ deviceId: `armor.${fingerprint}.7e4922` })).toBe(isCard)
  expect(containsCardData(`${fingerprint} ${FOURS}`)).toBe(true)
})

test.each(['number', 'pan', 'cid'])(
  'a field named %s is refused, whatever is in it',
  async (name) => {
    for (const fields of [{ [name]: '737' }, { card: { [name]: 737 } }]) {
      expect((await sendJson(fields)).json().code).toBe('card_data_refused')
    }
  },
)

test.each(['cardNumber', 'card_number', 'cvv', 'CVV2', 'cvc', 'securityCode', 'security_code'])(
  'a field named %s is refused, whatever is in it and in metadata too',
  async (name) => {
    for (const fields of [
      { [name]: '737' },
      { card: { [name]: 737 } },
      { metadata: { [name]: '' } },
    ]) {
      expect((await sendJson(fields)).json().code).toBe('card_data_refused')
    }
  },
)

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
      return send(url, { card: { number: Visa, cvv: '737' } }, 'application/json', method)
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
    expect(page.body).toContain('Dados de cartão não são aceitos aqui.')
    expect(page.body.replace(/\s/g, '')).not.toContain(Visa)
  },
)

test('a card number in an address is neither repeated nor logged', async () => {
  for (const number of [Visa, encodeURIComponent(FOURS), FOURS.replaceAll(' ', '-')]) {
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

test('whoever an address names is not logged', async () => {
  const people = ['52998224725', '529.982.247-25', '11222333000181', '11.222.333%2F0001-81']
  for (const who of [...people, 'ana@padaria.com', 'ana%40padaria.com'])
    await company.get(`/api/customers/${who}`)
  const { id } = (await sendJson({})).json()
  await company.get(`${LINKS}/${id}`)

  expect(logged.join()).not.toMatch(/529.?982|222.?333|padaria/)
  expect(logged.join()).toContain('"path":"/api/customers/…"')
  expect(logged.join()).toContain(`"path":"${LINKS}/${id}"`)
})

test.each([
  '1234567890123456',
  '4111111111111112',
  '98765432109876543210',
  '9999999999999999',
  '0000000000000000',
  '55510029-1111-4444-8888-000000000000',
])('the reference %s is no card number', async (externalReference) => {
  const response = await sendJson({ externalReference })

  expect(response.json()).toMatchObject({ externalReference })
})

test.each([
  { description: 'De 01/02/2026 a 03/04/2026, das 08:00 às 18:00' },
  { description: 'Ligue (11) 98765-4321 ou (21) 91234-5678' },
  { description: 'CNPJ 11.222.333/0001-81, CPF 529.982.247-25' },
  { metadata: { pedido: '20261121093015001', ean: '7891234567895' } },
  { description: 'Tamanhos 36,37,38,39,40,41,42,43,44 e 34/36/38/40/42/44/46' },
  { description: '1. ovo, 2. leite, 3. farinha: 4 x 500 g, 5 x 1 kg, 6 x 250 g' },
])('%j holds no card number', async (fields) => {
  expect((await sendJson(fields)).json()).toMatchObject(fields)
})

test('a text that is logged keeps all but the card number', () => {
  expect(maskCardNumbers(`a ${FOURS} b ${Visa}, c 1234`)).toBe('a **** b ****, c 1234')
  expect(maskCardNumbers('/x/4111%201111%201111%201111/y')).toBe('/x/****/y')
})

test.each(['4+', '4 ', '0 ', '3,', '411,', '4111 1111 ', '4%20', '4', '４＊'])(
  'to search 64 kB of "%s" takes twice the steps of 32 kB, and no more than 4 for each character',
  (part) => {
    const countSteps = (length: number) => {
      let steps = 0
      findCardNumbers(part.repeat(length / part.length), () => steps++)
      return steps
    }
    const [half, whole] = [countSteps(32_768), countSteps(65_536)]

    expect(whole).toBeLessThanOrEqual(2.01 * half)
    expect(whole).toBeLessThanOrEqual(4 * 65_536)
  },
)
