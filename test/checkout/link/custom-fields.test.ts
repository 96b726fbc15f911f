// What a company asks of its payers besides: shown, judged, kept with the payment, told of it.
import { expect, test } from 'vitest'
import { readAnswers } from '../../../src/checkout/answers.ts'
import { pt } from '../../../src/checkout/texts/pt.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { type CustomField, events, transactions } from '../../../src/database/tables.ts'
import {
  AGAIN,
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, newCompany } = testApp
const { newLink, pay, paymentsOf, editLink, read } = openCheckout(testApp)

const ALL = [
  { key: 'aluno', label: 'Nome do aluno', type: 'text', required: true },
  { key: 'peso', label: 'Peso', type: 'number' },
  { key: 'nascimento', label: 'Nascimento', type: 'date' },
  { key: 'tamanho', label: 'Tamanho', type: 'choice', required: true, options: ['P', 'M & G'] },
]
const ANSWERED = {
  custom_aluno: ' Ana Souza ',
  custom_peso: '1.234,50',
  custom_nascimento: '2015-02-28',
  custom_tamanho: 'M & G',
}
const KEPT = [
  { key: 'aluno', label: 'Nome do aluno', value: 'Ana Souza' },
  { key: 'peso', label: 'Peso', value: '1234.50' },
  { key: 'nascimento', label: 'Nascimento', value: '2015-02-28' },
  { key: 'tamanho', label: 'Tamanho', value: 'M & G' },
]

const FIELDS = ALL.map((field) => ({ required: false, ...field })) as CustomField[]
const newAskingLink = (more: object = {}) => newLink({ customFields: ALL, ...more })
const findTag = (html: string, id: string) =>
  new RegExp(`<(?:input|select)\\s[^>]*id="${id}"[^>]*>`).exec(html)?.[0] ?? ''

test('each is asked for by a field of its kind, for either method', async () => {
  const link = await newAskingLink()

  const { body } = await openPayerBrowser(app).get(`/pagar/${link.slug}`)

  expect(findTag(body, 'custom_aluno')).toMatch(/type="text".*\srequired/s)
  expect(findTag(body, 'custom_peso')).toMatch(/type="text" inputmode="decimal"/)
  expect(findTag(body, 'custom_peso')).not.toMatch(/\srequired/)
  expect(findTag(body, 'custom_nascimento')).toMatch(/type="date"/)
  expect(findTag(body, 'custom_tamanho')).toMatch(/<select.* required/s)
  expect([...body.matchAll(/<option value="([^"]*)">/g)].map(([, value]) => value)).toEqual([
    ...['', 'P', 'M &amp; G'],
  ])
  expect(readPageText(body)).toContain('Peso (opcional)')
  expect(body.indexOf('custom_aluno')).toBeLessThan(body.indexOf('id="card"'))
})

test.each([
  ['Pix', PIX],
  ['a card', buildTestCard('ok')],
])('what is answered is kept with the payment by %s, and told', async (_what, filled) => {
  const company = await newCompany()
  const link = await newLink({ customFields: ALL }, company)

  const { row, browser, url } = await pay(link, { ...filled, ...ANSWERED })
  if (filled === PIX) await browser.post(`${url}/simulate`, {})

  const shown = (await company.get(`/api/transactions/${row.id}`)).json()
  const listed = (await company.get('/api/transactions')).json().data
  const table = (await company.get('/api/transactions.csv')).body
  expect(shown.customFields).toEqual(KEPT)
  expect(listed[0].customFields).toEqual(KEPT)
  expect(table).toContain(
    '"Nome do aluno: Ana Souza; Peso: 1234,50; Nascimento: 28/02/2015; Tamanho: M & G"',
  )
  const [told] = await db.select().from(events).where(eq(events.companyId, link.companyId))
  expect(JSON.parse(told!.body).data.transaction.customFields).toEqual(KEPT)
})

test('what is wrong is refused at its field, and what was typed is kept', async () => {
  const link = await newAskingLink()

  const { response } = await pay(link, {
    ...{ ...PIX, ...ANSWERED, custom_peso: 'dez', custom_nascimento: '2015-02-29' },
  })

  const { body, statusCode } = response
  expect(statusCode).toBe(422)
  for (const [key, sentence] of [
    ['peso', 'Informe um número'],
    ['nascimento', 'Informe uma data'],
  ]) {
    const id = `custom_${key}`
    expect(body).toContain(`<li><a href="#${id}">`)
    expect(body).toMatch(new RegExp(`id="${id}-error"><span[^>]*>Erro: </span>${sentence}`))
    expect(findTag(body, id)).toMatch(/aria-invalid="true"/)
    expect(findTag(body, id)).toContain(`aria-describedby="${id}-error"`)
  }
  expect(readFormFields(body)).toMatchObject({ custom_aluno: 'Ana Souza' })
  expect(body).toContain('<option value="M &amp; G" selected>')
  expect(await paymentsOf(link)).toEqual([])
})

const readAll = (typed: object) => readAnswers({ ...ANSWERED, ...typed }, FIELDS, pt.answers)

test.each([
  [{ custom_aluno: ' ' }, 'Preencha o campo'],
  [{ custom_tamanho: '' }, 'Preencha o campo'],
  [{ custom_aluno: 'x'.repeat(201) }, 'Use até 200 caracteres'],
  [{ custom_aluno: 'a\u0000b' }, 'Use até 200 caracteres'],
  [{ custom_peso: '1.23.456' }, 'Informe um número'],
  [{ custom_peso: '1111111111111111' }, 'Informe um número'],
  [{ custom_peso: '1,1234567' }, 'Informe um número'],
  [{ custom_nascimento: 'ontem' }, 'Informe uma data'],
  [{ custom_nascimento: '1899-12-31' }, 'Informe uma data'],
  [{ custom_nascimento: '2101-01-01' }, 'Informe uma data'],
  [{ custom_tamanho: 'GG' }, 'Escolha uma das opções'],
])('%j is no answer', (typed, sentence) => {
  expect(readAll(typed).errors).toEqual([
    { field: Object.keys(typed)[0], message: expect.stringContaining(sentence) },
  ])
})

test.each([
  [{ custom_aluno: 'x'.repeat(200) }, 'x'.repeat(200)],
  [{ custom_aluno: 'Ana\t3º B' }, 'Ana 3º B'],
  [{ custom_aluno: '\u202eAna\n3º B\u202c' }, 'Ana 3º B'],
  [{ custom_peso: '-0,5' }, '-0.5'],
  [{ custom_peso: '12.5' }, '12.5'],
  [{ custom_peso: '1.234' }, '1234'],
  [{ custom_peso: '0.500' }, '0.500'],
  [{ custom_peso: '1234.567' }, '1234.567'],
  [{ custom_peso: '000123' }, '000123'],
  [{ custom_peso: '999999999999999,123456' }, '999999999999999.123456'],
  [{ custom_nascimento: '1900-01-01' }, '1900-01-01'],
  [{ custom_nascimento: '2100-12-31' }, '2100-12-31'],
  [{ custom_nascimento: '1/2/2016' }, '2016-02-01'],
  [{ custom_peso: '' }, undefined],
])('%j is taken as %j', (typed, value) => {
  const { answers, errors } = readAll(typed)

  expect(errors).toEqual([])
  const [name] = Object.keys(typed)
  expect(answers.find(({ key }) => name === `custom_${key}`)?.value).toBe(value)
})

test.each(['P\u200b', 'Tamanho\u00adG', 'M\u2060', '☎\ufe0e'])(
  'an option with a character that shows nothing, as %j, is chosen',
  (option) => {
    const field = { ...FIELDS[3]!, options: [option, 'GG'] }

    const { answers, errors } = readAnswers({ custom_tamanho: option }, [field], pt.answers)

    expect([answers, errors]).toMatchObject([[{ value: option }], []])
  },
)

test('what was answered stays as it was asked, whatever becomes of the link', async () => {
  const company = await newCompany()
  const link = await newLink({ customFields: ALL }, company)
  const { row } = await pay(link, { ...PIX, ...ANSWERED })

  await editLink(link.id, { customFields: [{ ...ALL[0]!, label: 'Aluna' } as never] })

  expect((await company.get(`/api/transactions/${row.id}`)).json().customFields).toEqual(KEPT)
})

test('a form that was shown before the price or the fields changed comes back with its answers', async () => {
  const link = await newAskingLink()
  const browser = openPayerBrowser(app)
  const send = await browser.fill(link, { ...PIX, ...ANSWERED })
  const updatedAt = new Date(clock.now().getTime() + 1000).toISOString()
  await editLink(link.id, { amountCents: 12_000, updatedAt })

  const again = await send()
  const agreed = await browser.post(`/pagar/${link.slug}/payments`, {
    ...{ ...readFormFields(again.body), ...PIX, custom_tamanho: 'P' },
  })

  expect(again.statusCode).toBe(409)
  expect(readFormFields(again.body)).toMatchObject({
    ...{ custom_aluno: 'Ana Souza', custom_peso: '1.234,50', custom_nascimento: '2015-02-28' },
  })
  expect(again.body).toContain('<option value="M &amp; G" selected>')
  expect(agreed.statusCode).toBe(303)
})

test('a new Pix code asks nothing again, and its payment has the same answers and origin', async () => {
  const link = await newAskingLink()
  const { browser, url, row } = await pay(link, { ...PIX, ...ANSWERED, ref: 'natal' })
  await db.update(transactions).set({ expiresAt: EXPIRED }).where(eq(transactions.id, row.id))

  const page = await browser.get(url)
  const renewed = await browser.post(`${url}/renew`, readFormFields(page.body))

  expect(renewed.statusCode).toBe(303)
  expect(renewed.headers.location).not.toBe(url)
  const rows = await paymentsOf(link)
  expect(rows).toHaveLength(2)
  for (const one of rows) {
    expect(one).toMatchObject({ customFields: row.customFields, ref: 'natal' })
  }
})

const EXPIRED = '2026-01-01T00:00:00.000Z'

test('after a decline the form has the answers, as they are typed', async () => {
  const link = await newAskingLink()
  const { browser } = await pay(link, { ...buildTestCard('funds'), ...ANSWERED, ref: 'natal' })

  const { body } = await browser.get(`/pagar/${link.slug}${AGAIN}`)

  expect(readFormFields(body)).toMatchObject({
    ...{ custom_aluno: 'Ana Souza', custom_peso: '1234,50', custom_nascimento: '2015-02-28' },
    ref: 'natal',
  })
  expect(body).toContain('<option value="M &amp; G" selected>')
})

test('the answers of a customer who is forgotten are forgotten too', async () => {
  const company = await newCompany()
  const link = await newLink({ customFields: ALL }, company)
  const { row } = await pay(link, { ...PIX, ...ANSWERED })

  const headers = { authorization: `Bearer ${company.key}` }
  await app.inject({ method: 'DELETE', url: `/api/customers/${row.customerId}`, headers })

  expect((await read(row.id)).customFields).toBeNull()
  expect((await company.get(`/api/transactions/${row.id}`)).json().customFields).toEqual([])
})

test('what is wrong is told in the order of the page: who pays, what is asked, the card', async () => {
  const link = await newAskingLink()

  const { response } = await pay(link, { method: 'credit_card', name: '', custom_tamanho: '' })

  const fields = [...response.body.matchAll(/<li><a href="#([\w-]+)">/g)].map(([, id]) => id)
  expect(fields).toEqual(['name', 'custom_aluno', 'custom_tamanho', 'card'])
})
