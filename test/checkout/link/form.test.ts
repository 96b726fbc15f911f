// The form that a link opens: what it asks, what it refuses, what it keeps.
import { expect, test } from 'vitest'
import { parsePaymentForm } from '../../../src/checkout/form.ts'
import { pt } from '../../../src/checkout/texts/pt.ts'
import {
  buildTestCard,
  MARIA,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app } = testApp
const { newLink, pay, paymentsOf, editLink, editCompany } = openCheckout(testApp)

async function show(link: { slug: string }) {
  return (await openPayerBrowser(app).get(`/pagar/${link.slug}`)).body
}

/** Sends the link's own form with these values in it. */
const send = (link: { slug: string }, filled: object) =>
  openPayerBrowser(app).pay(link, { ...PIX, ...filled })

test('a payer sees who asks, for what and how much, and the amount again in the button', async () => {
  const link = await newLink({
    amountCents: 123_456,
    description: 'Retirada no balcão.\nTraga troco.',
  })

  const page = await show(link)

  const read = readPageText(page)
  expect(read).toContain('MODO DE TESTE — nenhuma cobrança real')
  expect(page).toContain('<span class="merchant-name" dir="auto" translate="no">Padaria Sol</span>')
  expect(read).toContain('Bolo de cenoura Valor: R$ 1.234,56')
  expect(read).toContain('Retirada no balcão. Traga troco.')
  expect(read).toContain('Pagar R$ 1.234,56 com Pix')
  expect(page).toContain('<html lang="pt-BR">')
  expect(page).toMatch(/value="pix" checked/)
})

test('a CPF without its leading zero is refused with the one that was meant, and no other is', async () => {
  const link = await newLink()

  const [meant, other] = [
    await send(link, { taxId: '1234567890' }),
    await send(link, { taxId: '1234567891' }),
  ]

  const said = 'Informe um CPF ou CNPJ válido.'
  expect([meant, other].map(({ statusCode }) => statusCode)).toEqual([422, 422])
  expect(readPageText(meant.body)).toContain(`${said} Você quis dizer 012.345.678-90?`)
  expect(readPageText(other.body)).not.toContain('Você quis dizer')
})

test('each count of installments is one row, with its total, its rate and its button', async () => {
  const passed = await newLink({ maxInstallments: 3, interestMode: 'pass_to_customer' })
  const absorbed = await newLink({ maxInstallments: 4, interestMode: 'absorb' })

  expect(optionsOf(await show(passed))).toEqual([
    ['1', '1x de R$ 100,00 R$ 100,00 à vista', '', 'Pagar R$ 100,00'],
    [
      '2',
      '2x de R$ 52,25 R$ 104,50 2,99% a.m.',
      'Taxa de 2,99% a.m. Total a prazo R$ 104,50; à vista R$ 100,00.',
      'Pagar R$ 104,50 em 2x',
    ],
    [
      '3',
      '3x de R$ 35,35 R$ 106,05 2,99% a.m.',
      'Taxa de 2,99% a.m. Total a prazo R$ 106,05; à vista R$ 100,00.',
      'Pagar R$ 106,05 em 3x',
    ],
  ])
  expect(optionsOf(await show(absorbed)).map(([, text]) => text)).toEqual([
    '1x de R$ 100,00 R$ 100,00 à vista',
    '2x de R$ 50,00 R$ 100,00 sem juros',
    '3x de R$ 33,33 primeira de R$ 33,34 R$ 100,00 sem juros',
    '4x de R$ 25,00 R$ 100,00 sem juros',
  ])
})

function optionsOf(page: string) {
  const options = page.matchAll(
    /name="installments" value="(\d+)" data-note="([^"]*)"\s+data-button="([^"]*)"[^>]*>(.*?)<\/label>/gs,
  )
  return [...options].map(([, count, note, button, text]) =>
    [count, text, note, button].map((part) => readPageText(part!)),
  )
}

test('what a payer types about the card has no name, so that it can never be sent', async () => {
  const page = await show(await newLink())

  for (const id of ['card-number', 'card-holder', 'card-expiry', 'card-code']) {
    const input = new RegExp(`<input\\s[^>]*id="${id}"[^>]*>`).exec(page)?.[0]
    expect(input).toMatch(/autocomplete="cc-(number|name|exp|csc)"/)
    expect(input).not.toMatch(/\sname=/)
  }
})

test('a link for one method asks nothing about the other', async () => {
  const pix = await show(await newLink({ methods: ['pix'] }))
  const cards = await show(await newLink({ methods: ['credit_card'] }))

  expect(pix).not.toMatch(/cc-number|checkout-sandbox\.js/)
  expect(readFormFields(pix)).toMatchObject({ method: 'pix' })
  expect(readPageText(cards)).not.toContain('com Pix')
  expect(readFormFields(cards)).toMatchObject({ method: 'credit_card', installments: '1' })
})

test('all that is wrong is said at once, each fault at its field and above, and what was typed is kept', async () => {
  const link = await newLink()

  const answer = await send(link, { name: 'M', taxId: '529.982.247-26', email: 'maria@' })

  const { body, statusCode } = answer
  expect(statusCode).toBe(422)
  expect(body).toMatch(/<title>Erro: /)
  expect(readPageText(body)).toContain('Confira 3 campos')
  for (const [id, sentence] of [
    ['name', 'Informe seu nome completo.'],
    ['taxId', 'Informe um CPF ou CNPJ válido.'],
    ['email', 'Informe um e-mail válido, como nome@exemplo.com.br.'],
  ]) {
    expect(body).toContain(`<a href="#${id}">${sentence}</a>`)
    expect(body).toMatch(
      new RegExp(`id="${id}-error"><span class="visually-hidden">Erro: </span>${sentence}`),
    )
    const input = new RegExp(`<input\\s[^>]*id="${id}"[^>]*>`).exec(body)?.[0]
    expect(input).toMatch(/aria-invalid="true"/)
    expect(input).toContain(`aria-describedby="${id}-error"`)
  }
  expect(readFormFields(body)).toMatchObject({
    name: 'M',
    taxId: '529.982.247-26',
    email: 'maria@',
  })
  expect(await paymentsOf(link)).toEqual([])
})

const ASKED = {
  methods: ['pix', 'credit_card'],
  asksAddress: false,
  payer: { askPhone: false, askEmail: 'required' },
  isCardElsewhere: false,
  takesForeignDocuments: false,
  customFields: null,
  t: pt,
} as const
const parse = (filled: object) =>
  parsePaymentForm({ ...MARIA, ...PIX, installments: '1', ...filled }, ASKED)

type Wrong = [filled: object, field: string]

test.each([
  ['Maria', 'one word'],
  ['Bo Li', 'two short words'],
  ['李明', 'a whole name of two signs'],
  ['김구', 'a whole name of two syllables'],
  ['نور', 'another script'],
  ["Ana D'Ávila 🎂", 'an apostrophe, accents and an emoji'],
  [`Maria ${'a'.repeat(114)}`, 'as many letters as there may be'],
])('%s may be a name: %s', (name) => {
  expect(parse({ name })).toMatchObject({ kind: 'valid', values: { payer: { name } } })
})

test('a name that is too long is said to be so, and not to be incomplete', () => {
  const message = 'O nome pode ter até 120 caracteres. Abrevie-o.'

  expect(parse({ name: `Maria ${'a'.repeat(115)}` })).toEqual({
    kind: 'invalid',
    errors: [{ field: 'name', message }],
  })
})

test.each<Wrong>([
  [{ name: '' }, 'name'],
  [{ name: '12345' }, 'name'],
  [{ name: 'Ma' }, 'name'],
  [{ name: 'M\u200b\u200b' }, 'name'],
  [{ name: '李' }, 'name'],
  [{ name: '1李' }, 'name'],
  [{ name: 'Maria \u0000 Silva' }, 'name'],
  [{ name: 'Maria \0 Silva' }, 'name'],
  [{ taxId: '' }, 'taxId'],
  [{ taxId: '1'.repeat(100) }, 'taxId'],
  [{ email: 'maria' }, 'email'],
  [{ email: 'maria@exemplo,com.br' }, 'email'],
  [{ email: 'maria@exemplo.com;ana@exemplo.com' }, 'email'],
  [{ email: `${'a'.repeat(250)}@exemplo.com` }, 'email'],
  [{ method: 'boleto' }, 'method'],
  [{ method: '' }, 'method'],
  ...['0', '13', '1.5', 'x', '', '0x3', '3e0', '+3', ' 3', '３'].map(
    (installments): Wrong => [{ installments }, 'installments'],
  ),
  [{ ...buildTestCard('ok'), cardToken: '' }, 'card'],
  [{ ...buildTestCard('ok'), cardLast4: '42' }, 'card'],
  [{ ...buildTestCard('ok'), cardBrand: '<b>' }, 'card'],
])('%j is refused at its field', (filled, field) => {
  expect(parse(filled)).toMatchObject({ kind: 'invalid', errors: [{ field }] })
})

test('a card in more parts than the link allows is refused, and makes no payment', async () => {
  const link = await newLink()

  const { statusCode, body } = await send(link, { ...buildTestCard('ok'), installments: '2' })

  expect(statusCode).toBe(422)
  expect(body).toContain('<li><a href="#installments">')
  expect(await paymentsOf(link)).toEqual([])
})

const LONG = `maria@${'padaria.'.repeat(30)}br`

test.each([
  [{ name: '  José da Conceição  ' }, { name: 'José da Conceição' }],
  [{ name: 'Joa\u0303o Souza' }, { name: 'João Souza' }],
  [{ name: 'Maria\tda Silva\t' }, { name: 'Maria da Silva' }],
  [{ name: '\u2066Maria\u200e da\r\nSilva\u2069' }, { name: 'Maria da Silva' }],
  [{ name: 'Ma\u200bria\u00ad Silva\u2060' }, { name: 'Maria Silva' }],
  [{ phone: '(11) 98765-4321' }, { phone: null }],
  [{ email: LONG }, { email: LONG }],
  [{ email: 'maria@exemplo.com.br,' }, { email: 'maria@exemplo.com.br' }],
  [{ email: ' <mailto:maria@exemplo.com.br>; ' }, { email: 'maria@exemplo.com.br' }],
  [{ email: '“maria@exemplo.com.br”…' }, { email: 'maria@exemplo.com.br' }],
  [{ email: '\u200bma\u2060ria@exemplo.com.br\u200b\ufeff' }, { email: 'maria@exemplo.com.br' }],
  [{ email: 'Maria "da" Silva <maria@exemplo.com.br>;' }, { email: 'maria@exemplo.com.br' }],
])('%j is taken as %j', (filled, payer) => {
  expect(parse(filled)).toMatchObject({ kind: 'valid', values: { payer } })
})

test('a document is kept bare, however it was typed', () => {
  expect(parse({ taxId: 'cnpj nº 12.abc.345/01de-35' })).toMatchObject({
    values: { taxId: '12ABC34501DE35' },
  })
})

test('a company that wants a phone gets one that can be called', async () => {
  const link = await newLink()
  await editCompany(link.companyId, { askPhone: true })

  const page = await show(link)
  const without = await send(link, { phone: '12345' })
  const { row } = await pay(link, { ...PIX, phone: '+55 (11) 98765-4321' })
  const abroad = await pay(link, { ...PIX, phone: '+54 9 11 2345-6789' })
  const unsaid = await send(link, { phone: '54 9 11 2345-6789' })

  expect(page).toContain('autocomplete="tel"')
  expect(without.statusCode).toBe(422)
  expect(readPageText(without.body)).toContain('Informe um telefone com DDD, como (11) 98765-4321.')
  expect(row).toMatchObject({ payerPhone: '11987654321' })
  expect(abroad.row).toMatchObject({ payerPhone: '+5491123456789' })
  expect(unsaid.statusCode).toBe(422)
})

test('without JavaScript a card says why it cannot be paid with, and points to Pix', async () => {
  const answer = await send(await newLink(), { method: 'credit_card' })

  expect(answer.statusCode).toBe(422)
  expect(readPageText(answer.body)).toContain(
    'Para pagar com cartão, recarregue a página com o JavaScript ativado, ou escolha Pix.',
  )
})

test('where there is no Pix it does not', async () => {
  const answer = await send(await newLink({ methods: ['credit_card'] }), { method: 'credit_card' })

  const page = readPageText(answer.body)
  expect(page).toContain('Para pagar com cartão, recarregue a página com o JavaScript ativado.')
  expect(page).not.toMatch(/Pix/)
})

test('a count that the company’s settings take away is not taken for its neighbour', async () => {
  const link = await newLink({ maxInstallments: 12, interestMode: 'pass_to_customer' })
  await editCompany(link.companyId, {
    interestRateBps: 2_000,
    interestFreeUpTo: 11,
    minInstallmentCents: 1_000,
  })
  const counts = optionsOf(await show(link)).map(([count]) => count)

  const eleven = await send(link, { ...buildTestCard('ok'), installments: '11' })
  const { row } = await pay(link, buildTestCard('ok', { installments: '12' }))

  expect([counts.at(-1), counts.includes('11')]).toEqual(['12', false])
  expect(eleven.statusCode).toBe(422)
  expect(row).toMatchObject({ installments: 12, status: 'approved' })
})

test('a price that changed between two forms is a new quote, an unchanged one is not', async () => {
  const link = await newLink()
  const before = readFormFields(await show(link)).quote

  await editLink(link.id, { title: 'Bolo de fubá' })
  const renamed = readFormFields(await show(link)).quote
  await editLink(link.id, { amountCents: 10_001 })

  expect(renamed).toBe(before)
  expect(readFormFields(await show(link)).quote).not.toBe(before)
})
