// The rules of each field of a new link, on both sides of every boundary.
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { findExpiryErrors } from '../../src/payment-links/field-errors.ts'
import { openLinkApi } from '../support/link-api.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { newCompany } = testApp
const { patch } = openLinkApi(testApp)

const LINKS = '/api/payment-links'

const card = { methods: ['credit_card'] }
const chars = (n: number) => 'x'.repeat(n)
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
/** @param ms after this day and time of the next year */
const fromNextYear = (ms: number) => {
  const at = new Date(Date.now() + ms)
  at.setUTCFullYear(at.getUTCFullYear() + 1)
  return at.toISOString()
}
/** To the minute. */
const TOMORROW = fromNow(86_400_000).slice(0, 16)
const labels = (n: number) => Array.from({ length: n }, (_, i) => `etiqueta ${i}`)
const pairs = (n: number, value?: string) =>
  Object.fromEntries(labels(n).map((label) => [label, value ?? label]))

const company = await newCompany()
const create = (fields: object) => company.post(LINKS, { ...MINIMAL_LINK, ...fields })
/** Of each link what it would be answered alone (batch/routes.test.ts). */
async function createAll(all: object[]) {
  const paymentLinks = all.map((fields) => ({ ...MINIMAL_LINK, ...fields }))
  return (await company.post(`${LINKS}/batch`, { paymentLinks })).json().data
}

const accepted: [field: string, what: string, sent: object, kept?: object][] = [
  ['title', 'of one character', { title: 'x' }],
  ['title', 'of 128 characters', { title: chars(128) }],
  ['title', 'of letters and accents apart', { title: 'Pa\u0303o' }, { title: 'P\u00e3o' }],
  ['title', 'of a table', { title: 'Bolo\tde\u2028cenoura\t' }, { title: 'Bolo de cenoura' }],
  ['title', 'with marks', { title: '\ufeff\u202eBolo\u0085\u2069\u0007!' }, { title: 'Bolo !' }],
  ['title', 'with what is hidden', { title: 'Bo\u200blo\u00ad\u2060 ❤️' }, { title: 'Bolo ❤️' }],
  ['tags', 'with what is hidden, once', { tags: ['A\u200b', 'A'] }, { tags: ['A'] }],
  ['description', 'of 2048 characters', { description: chars(2048) }],
  [
    'description',
    'of lines',
    { description: 'um\r\ndois\rtr\u00eas' },
    { description: 'um\ndois\ntr\u00eas' },
  ],
  ['amountCents', 'of R$ 10,00', { amountCents: 1_000 }],
  ['amountCents', 'of R$ 200.000,00', { amountCents: 20_000_000 }],
  ['methods', 'in any order', { methods: ['credit_card', 'pix'] }],
  ['maxInstallments', 'of 1 on a Pix-only link', { maxInstallments: 1 }],
  ['maxInstallments', 'of 12 on a card link', { ...card, maxInstallments: 12 }],
  ['interestMode', 'charged to the payer', { interestMode: 'pass_to_customer' }],
  [
    'interestFreeInstallments',
    'of all installments',
    { ...card, maxInstallments: 6, interestFreeInstallments: 6 },
  ],
  ['pixDiscountBps', 'of nothing', { pixDiscountBps: 0 }],
  ['pixDiscountBps', 'of half the price', { pixDiscountBps: 5_000 }],
  ['pixDiscountBps', 'null', { pixDiscountBps: null }],
  ['interestFreeInstallments', 'null', { interestFreeInstallments: null }],
  ['status', 'inactive', { status: 'inactive' }],
  ['threeDsMode', 'always', { threeDsMode: 'always' }],
  ['tags', 'at most twenty', { tags: labels(20) }],
  ['tags', 'of 50 characters', { tags: [chars(50)] }],
  [
    'tags',
    'at most twenty, each counted once',
    { tags: [...labels(20), ...labels(20)] },
    { tags: labels(20) },
  ],
  ['tags', 'trimmed and told once', { tags: [' b ', 'a', 'b'] }, { tags: ['b', 'a'] }],
  ['redirectUrl', 'by http', { redirectUrl: 'http://loja.com.br:8080/volta' }],
  ['redirectUrl', 'of an app', { redirectUrl: 'br.com.loja://pago?pedido=1' }],
  ['redirectUrl', 'of an app with a path alone', { redirectUrl: 'br.com.loja:/pago' }],
  ['redirectUrl', 'of 2048 characters', { redirectUrl: `https://loja.com.br/${chars(2028)}` }],
  ['expiresAt', 'a minute ahead', { expiresAt: fromNow(60_000) }],
  ['expiresAt', 'a year ahead', { expiresAt: fromNextYear(0) }],
  [
    'expiresAt',
    'without seconds, as Java writes it',
    { expiresAt: `${TOMORROW}Z` },
    { expiresAt: `${TOMORROW}:00.000Z` },
  ],
  [
    'expiresAt',
    'with a zone without a colon, as PHP writes it',
    { expiresAt: `${TOMORROW}:59+0000` },
    { expiresAt: `${TOMORROW}:59.000Z` },
  ],
  ['maxPayments', 'of one', { maxPayments: 1 }],
  ['maxPayments', 'of 100000', { maxPayments: 100_000 }],
  ['externalReference', 'of 64 characters', { externalReference: chars(64) }],
  ['metadata', 'of twenty pairs', { metadata: pairs(20) }],
  ['metadata', 'of the longest pair', { metadata: { [chars(40)]: chars(500) } }],
  ['inactiveMessage', 'of 500 characters', { inactiveMessage: chars(500) }],
  ['successMessage', 'of 500 characters', { successMessage: chars(500) }],
  ['successMessage', 'of lines', { successMessage: 'um\r\ndois' }, { successMessage: 'um\ndois' }],
  ['successMessage', 'empty', { successMessage: '' }, { successMessage: null }],
  ['statementDescriptor', 'of 22 characters', { statementDescriptor: 'A'.repeat(22) }],
  ['statementDescriptor', 'of signs', { statementDescriptor: 'LOJA 7 - S.A.' }],
  [
    'statementDescriptor',
    'in capitals, without accents',
    { statementDescriptor: ' Pão de Açúcar ' },
    { statementDescriptor: 'PAO DE ACUCAR' },
  ],
  ['statementDescriptor', 'empty', { statementDescriptor: '' }, { statementDescriptor: null }],
]

const created = await createAll(accepted.map(([, , sent]) => sent))

test.each(accepted.map(([field, what, sent, kept = sent], i) => ({ field, what, kept, i })))(
  '$field $what is accepted',
  ({ kept, i }) => {
    expect(created[i]).toMatchObject({ status: 201, paymentLink: kept })
  },
)

const CENTS = 'Informe um número inteiro em centavos (ex.: 1990 para R$ 19,90).'
const oneOf = (...values: string[]) => `Use um destes valores: ${values.join(', ')}.`
const atMost = (n: number) => `Use no máximo ${n} caracteres.`
const PARTS = 'Informe de 1 a 12 parcelas.'
const DISCOUNT = 'Informe de 0 a 5000 centésimos de por cento (ex.: 500 para 5%).'
const URL_RULE = /^Informe uma URL completa/
const REPEATED_KEY = 'A chave pedido está repetida.'
const FUTURE = 'Informe uma data futura, em no máximo um ano.'

const refused: [field: string, value: unknown, code: string, message: string | RegExp][] = [
  ['title', undefined, 'required', 'Campo obrigatório.'],
  ['title', '', 'too_small', 'Informe ao menos 1 caractere.'],
  ['title', '   ', 'too_small', 'Informe ao menos 1 caractere.'],
  ['title', chars(129), 'too_big', atMost(128)],
  ['title', 'dois\nlados', 'invalid_characters', /caracteres de controle/],
  ['title', 'a\0', 'invalid_characters', /caracteres de controle/],
  ['title', '\ud83c', 'invalid_characters', /caracteres de controle/],
  ['title', '\u202e\ufeff', 'too_small', 'Informe ao menos 1 caractere.'],
  ['title', 7, 'invalid_type', 'Informe um texto.'],
  ['description', chars(2049), 'too_big', atMost(2048)],
  ['priceMode', 'open', 'invalid_value', oneOf('fixed')],
  ['amountCents', 999, 'too_small', 'O valor mínimo é R$ 10,00 (1000 centavos).'],
  ['amountCents', 20_000_001, 'too_big', 'O valor máximo é R$ 200.000,00 (20000000 centavos).'],
  ['amountCents', 1e16, 'too_big', 'O valor máximo é R$ 200.000,00 (20000000 centavos).'],
  ['amountCents', '1990', 'invalid_type', CENTS],
  ['methods', [], 'too_small', 'Informe ao menos 1 item.'],
  ['methods', ['pix', 'pix'], 'repeated', 'Não repita valores.'],
  ['methods', 'pix', 'invalid_type', 'Informe uma lista.'],
  ['methods.0', ['boleto'], 'invalid_value', oneOf('pix', 'credit_card')],
  ['maxInstallments', 0, 'too_small', PARTS],
  ['maxInstallments', 13, 'too_big', PARTS],
  ['maxInstallments', 1.5, 'invalid_type', PARTS],
  ['maxInstallments', 2, 'invalid_installments', /somente Pix, maxInstallments deve ser 1/],
  ['interestFreeInstallments', 0, 'too_small', PARTS],
  ['interestFreeInstallments', 13, 'too_big', PARTS],
  ['interestFreeInstallments', 2, 'invalid_installments', /^Este link vai até 1x/],
  ['pixDiscountBps', -1, 'too_small', DISCOUNT],
  ['pixDiscountBps', 5_001, 'too_big', DISCOUNT],
  ['pixDiscountBps', 7.5, 'invalid_type', DISCOUNT],
  ['interestMode', 'none', 'invalid_value', oneOf('absorb', 'pass_to_customer')],
  ['status', 'expired', 'invalid_value', oneOf('active', 'inactive')],
  ['threeDsMode', 'never', 'invalid_value', oneOf('always')],
  ['tags', labels(21), 'too_big', 'Informe no máximo 20 itens.'],
  ['tags.0', [''], 'too_small', 'Informe ao menos 1 caractere.'],
  ['tags.1', ['a', chars(51)], 'too_big', atMost(50)],
  ['redirectUrl', 'loja://pago', 'invalid_url', URL_RULE],
  ['redirectUrl', 'br.com.loja:pago', 'invalid_url', URL_RULE],
  ['redirectUrl', 'br.com.loja://ana@pago', 'invalid_url', URL_RULE],
  ['redirectUrl', 'https://ana:senha@loja.com.br', 'invalid_url', URL_RULE],
  ['redirectUrl', 'https://loja.com.br:0/', 'invalid_url', URL_RULE],
  ['redirectUrl', 'https://loja..com.br/', 'invalid_url', URL_RULE],
  ['redirectUrl', 'javascript:alert(1)', 'invalid_url', URL_RULE],
  ['redirectUrl', '//loja.com.br', 'invalid_url', URL_RULE],
  ['redirectUrl', 'https:\\\\loja.com.br', 'invalid_url', URL_RULE],
  ['redirectUrl', 'https:///loja.com.br', 'invalid_url', URL_RULE],
  ['redirectUrl', 'https://loja.com.br/\u202emp3', 'invalid_url', URL_RULE],
  ['redirectUrl', `https://loja.com.br/${chars(2029)}`, 'too_big', atMost(2048)],
  ['linkedCustomerId', 'maria', 'invalid_format', 'Informe um UUID válido.'],
  ['linkedCustomerId', newId(), 'not_found', 'Cliente não encontrado.'],
  ['expiresAt', fromNow(-1_000), 'invalid_date', FUTURE],
  ['expiresAt', fromNextYear(60_000), 'invalid_date', FUTURE],
  ['expiresAt', '2030-02-30T00:00:00Z', 'invalid_format', /^Informe uma data ISO 8601/],
  ['expiresAt', '2030-01-01', 'invalid_format', /^Informe uma data ISO 8601/],
  ['maxPayments', 0, 'too_small', 'O valor mínimo é 1.'],
  ['maxPayments', 100_001, 'too_big', 'O valor máximo é 100000.'],
  ['maxPayments', 1e16, 'too_big', 'O valor máximo é 100000.'],
  ['externalReference', chars(65), 'too_big', atMost(64)],
  ['metadata', pairs(21), 'too_big', 'Informe no máximo 20 pares.'],
  [
    'metadata',
    pairs(20, 'ã'.repeat(320)),
    'too_big',
    'Os pares passam de 12 kB ao todo. Envie menos ou mais curtos.',
  ],
  ['metadata', ['a'], 'invalid_type', 'Informe um objeto.'],
  ['metadata.pedido', { pedido: true }, 'invalid_type', 'Informe um texto.'],
  // Not read to its last digit.
  ['metadata.pedido', { pedido: 1e21 }, 'invalid_type', 'Informe um texto.'],
  ['metadata.pedido', { pedido: chars(501) }, 'too_big', atMost(500)],
  ['metadata.pedido', { pedido: '1', ' pedido ': '2' }, 'repeated', REPEATED_KEY],
  ['metadata.pão', { 'pa\u0303o': '1', pão: '1' }, 'repeated', 'A chave pão está repetida.'],
  ['inactiveMessage', chars(501), 'too_big', atMost(500)],
  ['successMessage', chars(501), 'too_big', atMost(500)],
  ['successMessage', 'a\u0000', 'invalid_characters', /caracteres de controle/],
  ['statementDescriptor', 'A'.repeat(23), 'too_big', atMost(22)],
  ['statementDescriptor', 'LOJA*1', 'invalid_characters', /^Use só letras/],
  ['statementDescriptor', 'LOJA 😀', 'invalid_characters', /^Use só letras/],
  [
    'customFields.0.required',
    [{ label: 'Turma', type: 'text', required: 'sim' }],
    'invalid_type',
    'Informe true ou false.',
  ],
  ['maxInstalments', 3, 'unknown_field', 'Campo desconhecido.'],
]

const refusals = await createAll(
  refused.map(([field, value]) => ({ [field.split('.')[0]!]: value })),
)

test.each(refused.map((row, i) => [...row, i] as const))(
  '%s refuses %j as %s',
  (field, _value, code, message, i) => {
    const text = typeof message === 'string' ? message : expect.stringMatching(message)

    expect(refusals[i]).toMatchObject({
      status: 422,
      code: 'validation_error',
      message: expect.stringMatching(/^[\w.ã]+: \p{Ll}.+\.$|: URL |: ISO /u),
      errors: [{ field, code, message: text }],
    })
  },
)

test('all that is wrong with a request is told at once', async () => {
  const response = await create({
    title: chars(129),
    amountCents: 999,
    maxInstallments: 2,
    tags: ['ok', ''],
    redirectUrl: 'ftp://loja.com.br',
    colour: 'blue',
  })

  expect(response.json().message).toBe(
    'title: use no máximo 128 caracteres. Mais 5 campos em errors.',
  )
  expect(response.json().errors.map(({ field }: { field: string }) => field)).toEqual([
    'title',
    'amountCents',
    'tags.1',
    'redirectUrl',
    'colour',
    'maxInstallments',
  ])
})

const JUDGED = { expiresAt: '2020-01-01T00:00:00Z', linkedCustomerId: newId() }
const MISSHAPEN = {
  ...{ title: '', redirectUrl: 'ftp://loja.com.br', metadata: { ['k'.repeat(41)]: 'x', b: true } },
  ...{ methods: ['pix'], maxInstallments: 3 },
}
const WRONG = [
  ...['title', 'redirectUrl', `metadata.${'k'.repeat(41)}`, 'metadata.b', 'maxInstallments'],
  ...['linkedCustomerId', 'expiresAt'],
]
const namesOf = (errors: { field: string }[]) => errors.map(({ field }) => field).toSorted()

test('what the moment and other rows say is told along with what is wrong by itself', async () => {
  const company = await newCompany()
  const link = (await company.post(LINKS, MINIMAL_LINK)).json()
  const wrong = { ...JUDGED, ...MISSHAPEN }

  const made = await company.post(LINKS, { ...MINIMAL_LINK, ...wrong })
  const changed = await patch(company, link, wrong)
  const batch = await company.post(`${LINKS}/batch`, {
    paymentLinks: [{ ...MINIMAL_LINK, ...wrong }, MINIMAL_LINK],
  })

  for (const response of [made, changed]) {
    expect(response.statusCode).toBe(422)
    expect(namesOf(response.json().errors)).toEqual(WRONG.toSorted())
  }
  const [refused, created] = batch.json().data
  expect([refused.status, created.status]).toEqual([422, 201])
  expect(namesOf(refused.errors)).toEqual(WRONG.toSorted())
})

test('changes of wrong shape are told what does not fit the link as it is', async () => {
  const company = await newCompany()
  const link = (await company.post(LINKS, MINIMAL_LINK)).json()

  const changed = await patch(company, link, { title: '', maxInstallments: 3 })
  const nowhere = await patch(company, { id: newId() }, { title: '', ...JUDGED })

  expect(namesOf(changed.json().errors)).toEqual(['maxInstallments', 'title'])
  expect([nowhere.statusCode, namesOf(nowhere.json().errors)]).toEqual([422, ['title']])
})

test.each([
  ['2026-11-24T12:00:00.000Z', '2027-11-24T12:00:00.000Z'],
  ['2027-06-01T00:00:00.000Z', '2028-06-01T00:00:00.000Z'],
  ['2028-02-28T12:00:00.000Z', '2029-02-28T12:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2029-03-01T12:00:00.000Z'],
])('at %s a link may expire until %s, and not a moment later', (from, until) => {
  const now = new Date(from)
  const after = new Date(Date.parse(until) + 1).toISOString()

  expect(findExpiryErrors(until, now)).toEqual([])
  expect(findExpiryErrors(after, now)).toMatchObject([{ code: 'invalid_date' }])
})
