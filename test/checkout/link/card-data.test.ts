// The number of a card in a field that is for something else: which field it is, and a way on.
import { expect, test } from 'vitest'
import { MARIA, openCheckout, openPayerBrowser, PIX, readFormFields } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const { app, ...testApp } = await openTestApp()
const { newLink, pay, paymentsOf, editLink } = openCheckout({ app, ...testApp })

const CARD = '4111 1111 1111 1111'
const ASKED = { customFields: [{ key: 'aluno', label: 'Nome do aluno', type: 'text' }] }

test.each([
  ['pt', 'name', 'Apague deste campo o número que parece ser de um cartão'],
  ['en', 'email', 'Remove the number that looks like a card number from this field'],
  ['es', 'custom_aluno', 'Quita de este campo el número que parece de una tarjeta'],
])(
  'in %s the form says that it is the field %s, and keeps all the rest',
  async (language, field, sentence) => {
    const link = await newLink(ASKED)

    const page = await openPayerBrowser(app).post(
      `/pagar/${link.slug}/payments`,
      { ...MARIA, ...PIX, [field]: CARD },
      { 'accept-language': language },
    )

    expect(page.statusCode).toBe(422)
    expect(page.body).toContain(`<a href="#${field}">`)
    expect(page.body).toContain(sentence)
    const { custom_aluno, ...shown } = readFormFields(page.body)
    expect({ custom_aluno, ...shown }).toMatchObject({ ...MARIA, custom_aluno: '', [field]: '' })
  },
)

test('a CNPJ that a card could begin with is a document, and with a wrong digit a wrong one', async () => {
  const link = await newLink()

  await pay(link, { ...PIX, taxId: '36000016000141' })
  for (const taxId of ['30569309025904', '30.569.309/0259-04']) {
    const { body } = await openPayerBrowser(app).post(`/pagar/${link.slug}/payments`, {
      ...MARIA,
      ...PIX,
      taxId,
    })
    expect(body).toContain('Informe um CPF ou CNPJ válido.')
  }
  expect(await paymentsOf(link)).toHaveLength(1)
})

test('an address that brings a card number along opens its link without it', async () => {
  const link = await newLink()

  const { statusCode, body } = await openPayerBrowser(app).get(
    `/pagar/${link.slug}?ref=4111111111111111&cvv=123`,
  )

  expect(statusCode).toBe(200)
  expect(body).not.toContain('4111111111111111')
})

test('what a payer tells of a link stays written, but for the number of the card', async () => {
  const link = await newLink()

  const { statusCode, body } = await openPayerBrowser(app).post(`/pagar/${link.slug}/report`, {
    reason: 'fraud',
    details: `Pediram meu cartão ${CARD} por telefone`,
  })

  expect(statusCode).toBe(422)
  expect(body).toContain('Pediram meu cartão **** por telefone</textarea>')
})

test('a link of before asks for no card data any more, and keeps none of it', async () => {
  const link = await newLink()
  await editLink(link.id, {
    customFields: [{ key: 'cvv', label: 'CVV', type: 'text', required: true }],
  })

  const { row } = await pay(link, { ...PIX, custom_cvv: '737' })

  expect((await openPayerBrowser(app).get(`/pagar/${link.slug}`)).body).not.toContain('custom_cvv')
  expect(row).toMatchObject({ status: 'pending', customFields: null })
})
