// Links that are meant for one customer: masked for every visitor, unlocked by the document.
import { expect, test } from 'vitest'
import { buildNetworkLimits, countHits } from '../../../src/http/limiter.ts'
import {
  AGAIN,
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, needs, newCompany } = testApp
const { newLink, paymentsOf, editCompany } = openCheckout(testApp)

const MARINA = {
  name: 'Marina Souza Quaresma',
  email: 'marina@quaresma.com.br',
  phone: '(21) 99876-1234',
  taxId: '529.982.247-25',
}
const OTHER = '111.444.777-35'
const REFUSED = 'Não foi possível confirmar o documento. Confira o CPF ou CNPJ informado.'

const HERE = '203.0.113.7'

async function newLinkFor(fields: object = MARINA) {
  const company = await newCompany()
  const customer = (await company.post('/api/customers', fields)).json()
  const link = await newLink({ linkedCustomerId: customer.id }, company)
  return { company, customer, link }
}

async function show({ slug }: TestLink) {
  return (await app.inject(`/pagar/${slug}`)).body
}

function send(link: TestLink, filled: object) {
  return openPayerBrowser(app, HERE).pay(link, { ...PIX, ...filled })
}

/** So many guesses of this link before. */
async function guessBefore({ id }: TestLink, count: number) {
  const limits = buildNetworkLimits(`document:${id}`, HERE, { max: 10, windowMs: 10 * 60_000 })
  for (let i = 0; i < count; i++) await countHits(needs.limiter, limits, `before ${i}`)
}

test('the page says whom it is for, masked, and asks for the document alone', async () => {
  const { link } = await newLinkFor()

  const body = await show(link)

  expect(readPageText(body)).toContain('Cobrança para M••••• Q•••• m•••@q••••.com.br')
  expect(body).not.toMatch(/marina|souza|quaresma|529(982|[.•*])|99876/i)
  expect(Object.keys(readFormFields(body))).toEqual(
    expect.arrayContaining(['taxId', 'attempt', 'quote']),
  )
  expect(readFormFields(body)).not.toHaveProperty('name')
  expect(readFormFields(body)).not.toHaveProperty('email')
})

test.each([
  ['Ana  de   Sá', 'a@gmail.com', 'A••••• S•••• a•••@g••••.com'],
  ['🎂 Bolos', 'x@exemplo.io', '🎂••••• B•••• x•••@e••••.io'],
])('%s, %s is shown as %s', async (name, email, masked) => {
  const { link } = await newLinkFor({ name, email, taxId: MARINA.taxId })

  expect(readPageText(await show(link))).toContain(`Cobrança para ${masked} CPF ou CNPJ`)
})

test('the customer’s document pays, and whatever else was sent is not looked at', async () => {
  const { link, customer, company } = await newLinkFor()
  const forged = { name: 'Outra', email: 'outra@exemplo.com', phone: '21912345678' }

  const responses = [
    await send(link, { taxId: '52998224725', ...forged }),
    await send(link, { ...buildTestCard('ok'), taxId: '529.982.247-25' }),
  ]

  expect(responses.map(({ statusCode }) => statusCode)).toEqual([303, 303])
  const payments = await paymentsOf(link)
  expect(payments).toHaveLength(2)
  for (const payment of payments) {
    expect(payment).toMatchObject({
      customerId: customer.id,
      payerName: MARINA.name,
      payerEmail: MARINA.email,
      payerPhone: '21998761234',
      payerTaxId: '52998224725',
    })
  }
  expect((await company.get('/api/customers')).json().data).toEqual([customer])
})

test('another document is refused in words that tell nothing, and nothing is made', async () => {
  const { link, company, customer } = await newLinkFor()

  const response = await send(link, { taxId: '111.444.777-35' })

  expect(response.statusCode).toBe(422)
  expect(readPageText(response.body)).toContain(REFUSED)
  expect(response.body).not.toMatch(/marina|souza|quaresma|529(982|[.•*])|99876/i)
  expect(readFormFields(response.body)).toMatchObject({ taxId: '111.444.777-35' })
  expect(await paymentsOf(link)).toEqual([])
  expect((await company.get('/api/customers')).json().data).toEqual([customer])
})

test('what is no document is said to be none, and does not count as a try', async () => {
  const { link } = await newLinkFor()
  await guessBefore(link, 9)

  for (let i = 0; i < 2; i++) {
    const response = await send(link, { taxId: '529.982.247-26' })
    expect(response.statusCode).toBe(422)
    expect(readPageText(response.body)).toContain('Informe um CPF ou CNPJ válido.')
  }

  expect((await send(link, { taxId: MARINA.taxId })).statusCode).toBe(303)
})

test('ten tries in ten minutes, for each link and address; then not even the right one', async () => {
  const { link, company, customer } = await newLinkFor()
  const another = await newLink({ linkedCustomerId: customer.id }, company)
  const guess = (taxId: string) => send(link, { taxId })

  await guessBefore(link, 9)
  expect((await guess('111.444.777-35')).statusCode).toBe(422)
  const refused = await guess(MARINA.taxId)

  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590)
  expect(readPageText(refused.body)).toContain('Aguarde dez minutos e tente novamente.')
  expect(readFormFields(refused.body)).toMatchObject({ taxId: MARINA.taxId })
  expect(await paymentsOf(link)).toEqual([])
  expect((await send(another, { taxId: MARINA.taxId })).statusCode).toBe(303)

  clock.offsetMs += 10 * 60_000 - 5_000
  expect((await guess(MARINA.taxId)).statusCode).toBe(429)
  clock.offsetMs += 5_000
  expect((await guess(MARINA.taxId)).statusCode).toBe(303)
})

test('the same form sent again with the same document is no further try, and with another it is', async () => {
  const { link } = await newLinkFor()
  const guess = await openPayerBrowser(app, HERE).fill(link, PIX)
  await guessBefore(link, 9)

  for (let i = 0; i < 2; i++) expect((await guess({ taxId: OTHER })).statusCode).toBe(422)

  expect((await guess({ taxId: MARINA.taxId })).statusCode).toBe(429)
})

test('a customer is not asked for a phone that the company knows, nor for one that it does not', async () => {
  const { link, company } = await newLinkFor({ name: 'Marina', taxId: MARINA.taxId })
  await editCompany(company.id, { askPhone: true })

  const response = await send(link, { taxId: MARINA.taxId })

  expect(response.statusCode).toBe(303)
  expect(await paymentsOf(link)).toMatchObject([
    { payerName: 'Marina', payerEmail: null, payerPhone: null },
  ])
})

test('a browser that paid before sees no document of that time', async () => {
  const { link } = await newLinkFor()
  const browser = openPayerBrowser(app)
  await browser.pay(link, { ...PIX, taxId: MARINA.taxId })

  const { body } = await browser.get(`/pagar/${link.slug}${AGAIN}`)

  expect(body).toContain('Cobrança para')
  expect(body).not.toMatch(/marina|souza|quaresma|529(982|[.•*])|99876/i)
})

test('of a customer without a document the form asks for everything, and the payment is theirs', async () => {
  const { link, company, customer } = await newLinkFor({ name: 'Marina', email: MARINA.email })

  const body = await show(link)
  const response = await openPayerBrowser(app).pay(link, { ...PIX, taxId: '111.444.777-35' })

  expect(body).not.toMatch(/marina/i)
  expect(readPageText(body)).toContain('Nome completo')
  expect(response.statusCode).toBe(303)
  expect(await paymentsOf(link)).toMatchObject([
    { customerId: customer.id, payerName: 'Maria da Silva', payerTaxId: '11144477735' },
  ])
  expect((await company.get('/api/customers')).json().data).toEqual([customer])
})

test('neither the payment’s own status nor the preview of the link names the customer', async () => {
  const { link } = await newLinkFor()
  const paid = await send(link, { taxId: MARINA.taxId })

  const status = await app.inject(`${paid.headers.location}/status`)
  const report = await app.inject(`/pagar/${link.slug}/report`)

  for (const { body } of [status, report]) expect(body).not.toMatch(/marina|quaresma/i)
})
