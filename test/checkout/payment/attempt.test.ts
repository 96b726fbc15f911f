// One form is one attempt, however often it is sent; a form of another service is none.
import { expect, test } from 'vitest'
import { newToken } from '../../../src/database/id.ts'
import {
  buildTestCard,
  MARIA,
  openCheckout,
  openPayerBrowser,
  PIX,
  readAttemptToken,
  readFormFields,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, logged } = testApp
const { newLink, paymentsOf, editLink, listEventTypes } = openCheckout(testApp)

const CARD_NUMBER = '4111 1111 1111 1111'

/** A browser with the link's form filled in, ready to be sent. */
const fillIn = (link: { slug: string }, filled: object = PIX) =>
  openPayerBrowser(app).fill(link, filled)

test('a form that is sent twice makes one payment, and both lead to it', async () => {
  const link = await newLink()
  const submit = await fillIn(link, buildTestCard('ok'))

  const [first, second] = [await submit(), await submit()]

  expect([first.statusCode, second.statusCode]).toEqual([303, 303])
  expect(second.headers.location).toBe(first.headers.location)
  expect(await paymentsOf(link)).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})

test('sent again with other data it still is the first payment', async () => {
  const link = await newLink()
  const submit = await fillIn(link)

  const first = await submit()
  const second = await submit({ name: 'Outra Pessoa' })

  expect(second.headers.location).toBe(first.headers.location)
  expect(await paymentsOf(link)).toMatchObject([{ method: 'pix', payerName: MARIA.name }])
})

test.each([
  ['the price has changed', { amountCents: 20_000 }, {}],
  ['the link was switched off', { status: 'inactive' as const }, {}],
  ['the data is no longer valid', {}, { taxId: '' }],
])('sent again when %s it leads to the payment it made', async (_why, changes, more) => {
  const link = await newLink()
  const submit = await fillIn(link)
  const first = await submit()
  if (Object.keys(changes).length > 0) await editLink(link.id, changes)

  const second = await submit(more)

  expect([second.statusCode, second.headers.location]).toEqual([303, first.headers.location])
  expect(await paymentsOf(link)).toHaveLength(1)
})

test('a form without an attempt of ours is shown again with one, and charges nothing', async () => {
  const link = await newLink()
  const submit = await fillIn(link)

  for (const attempt of ['', 'short', `${newToken()}'--`]) {
    const answer = await submit({ attempt })

    expect(answer.statusCode).toBe(409)
    expect(readPageText(answer.body)).toContain('Este formulário expirou.')
    expect(readAttemptToken(answer.body)).toMatch(/^[0-9A-Za-z]{24}$/)
    expect(readFormFields(answer.body)).toMatchObject({ name: MARIA.name, email: MARIA.email })
  }
  expect(await paymentsOf(link)).toEqual([])
})

test('the same attempt at two links is two payments', async () => {
  const [one, other] = [await newLink(), await newLink()]
  const attempt = newToken()

  await (await fillIn(one))({ attempt })
  await (await fillIn(other))({ attempt })

  expect(await paymentsOf(one)).toHaveLength(1)
  expect(await paymentsOf(other)).toHaveLength(1)
})

test('a form that comes from another origin is refused', async () => {
  const link = await newLink()
  const submit = await fillIn(link)

  const refused = await submit({}, { origin: 'https://mal.example' })

  expect(refused.statusCode).toBe(403)
  expect(readPageText(refused.body)).toContain('Este envio veio de outro site e foi recusado.')
  expect(await paymentsOf(link)).toEqual([])
})

test('a form of our own page is taken, of the host of another of our pages too', async () => {
  for (const headers of [{ 'sec-fetch-site': 'same-site' }, { origin: 'null' }]) {
    const submit = await fillIn(await newLink())

    expect((await submit({}, headers)).statusCode).toBe(303)
  }
})

test.each([
  ['as the name', { name: `Maria ${CARD_NUMBER}` }],
  ['as the e-mail', { email: `${CARD_NUMBER.replaceAll(' ', '')}@exemplo.com` }],
  [
    'as a token',
    { ...buildTestCard('ok'), cardToken: `sbx_ok_${CARD_NUMBER.replaceAll(' ', '')}` },
  ],
  ['in a field of its own', { observacao: CARD_NUMBER }],
  ['as a field’s name', { [CARD_NUMBER]: 'x' }],
])('a card number sent %s is refused, and nowhere to be found again', async (_where, filled) => {
  const link = await newLink()
  const submit = await fillIn(link)
  const digits = /4111 ?1111 ?1111 ?1111/

  const answer = await submit(filled)

  expect(answer.statusCode).toBe(422)
  expect(answer.body + JSON.stringify(answer.headers)).not.toMatch(digits)
  expect(logged.join('')).not.toMatch(digits)
  expect(await paymentsOf(link)).toEqual([])
  const { rows } = await db.$client.query(
    "select 1 from customers where name ~ '4111' or email ~ '4111'",
  )
  expect(rows).toEqual([])
})

test('a field that is called like one of a card is refused whatever is in it', async () => {
  const submit = await fillIn(await newLink())

  for (const name of ['cvv', 'cardNumber', 'card_number', 'cc-csc', 'securityCode']) {
    const answer = await submit({ [name]: '123' })

    expect(answer.statusCode).toBe(422)
    expect(readPageText(answer.body)).toContain('Dados de cartão não são aceitos aqui.')
  }
})

test('the answer to a wrong form keeps no trace of the card', async () => {
  const submit = await fillIn(await newLink())

  const { body } = await submit({ ...buildTestCard('ok', { cardLast4: '4242' }), name: '' })

  expect(readFormFields(body)).toMatchObject({
    cardToken: '',
    cardBrand: '',
    cardLast4: '',
    cardHolder: '',
  })
  expect(body).not.toMatch(/sbx_ok_|value="4242"|MARIA SILVA/i)
})
