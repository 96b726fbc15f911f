// What becomes of a link that is meant for a customer when the customer, the link or time moves on.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { customers } from '../../../src/database/tables.ts'
import {
  AGAIN,
  openCheckout,
  openPayerBrowser,
  PIX,
  readFormFields,
  readPageText,
  type TestLink,
} from '../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, clock, newCompany } = testApp
const { newLink, paymentsOf, readLink, editLink } = openCheckout(testApp)

const MARINA = { name: 'Marina Quaresma', taxId: '529.982.247-25' }

async function newLinkFor(fields: object = MARINA) {
  const company = await newCompany()
  const customer = (await company.post('/api/customers', fields)).json()
  const link = await newLink({ linkedCustomerId: customer.id }, company)
  return { company, customer, link }
}

function change({ key }: TestCompany, path: string, payload: object) {
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ method: 'PATCH', url: path, headers, payload })
}

async function show({ slug }: TestLink) {
  return (await app.inject(`/pagar/${slug}`)).body
}

async function tryWith(link: TestLink, taxId: string) {
  return openPayerBrowser(app).pay(link, { ...PIX, taxId })
}

test('an expired Pix is renewed for the same customer', async () => {
  const { link, customer } = await newLinkFor({ name: 'Marina', taxId: MARINA.taxId })
  const browser = openPayerBrowser(app)
  const paid = await browser.pay(link, { ...PIX, taxId: MARINA.taxId })
  const url = paid.headers.location!
  clock.offsetMs += 31 * 60_000

  const { attempt } = readFormFields((await browser.get(url)).body)
  const renewed = await browser.post(`${url}/renew`, { attempt: attempt! })

  expect(renewed.headers.location).toMatch(/\/payments\//)
  const payments = await paymentsOf(link)
  expect(payments.map(({ customerId, payerName }) => [customerId, payerName])).toEqual([
    [customer.id, 'Marina'],
    [customer.id, 'Marina'],
  ])
})

test('an expired Pix of somebody else is not renewed', async () => {
  const { link, company, customer } = await newLinkFor()
  await editLink(link.id, { linkedCustomerId: null })
  const browser = openPayerBrowser(app)
  const paid = await browser.pay(link, { ...PIX, taxId: '111.444.777-35' })
  const url = paid.headers.location!
  await editLink(link.id, { linkedCustomerId: customer.id })
  clock.offsetMs += 31 * 60_000

  const { attempt } = readFormFields((await browser.get(url)).body)
  const renewed = await browser.post(`${url}/renew`, { attempt: attempt! })

  expect(renewed.statusCode).toBe(409)
  expect(readPageText(renewed.body)).toContain('Cobrança para')
  expect(readFormFields(renewed.body)).toMatchObject({ taxId: '' })
  expect(await paymentsOf(link)).toHaveLength(1)
  expect((await company.get('/api/customers')).json().data).toHaveLength(2)
})

test('a link that is for anyone now does not show its former customer to a person with the document', async () => {
  const { link, company } = await newLinkFor({ ...MARINA, email: 'marina@quaresma.com.br' })
  const browser = openPayerBrowser(app)
  const { headers } = await browser.pay(link, { ...PIX, taxId: MARINA.taxId })
  clock.offsetMs += 31 * 60_000
  await change(company, `/api/payment-links/${link.id}`, { linkedCustomerId: null })

  const form = await browser.get(`/pagar/${link.slug}${AGAIN}`)
  const renewed = await browser.post(`${headers.location}/renew`, {})
  const afterwards = await browser.get(`/pagar/${link.slug}${AGAIN}`)

  expect(renewed.headers.location).toMatch(/\/payments\//)
  const known = { name: '', email: '', taxId: MARINA.taxId }
  expect(readFormFields(form.body)).toMatchObject(known)
  expect(readFormFields(afterwards.body)).toMatchObject(known)
})

test('what changes about the customer is seen at the next look', async () => {
  const { link, company, customer } = await newLinkFor({ name: 'Marina' })
  const path = `/api/customers/${customer.id}`
  expect(readPageText(await show(link))).toContain('Nome completo')

  await change(company, path, { taxId: MARINA.taxId })
  expect(readPageText(await show(link))).toContain('Cobrança para M•••••')

  await change(company, path, { name: 'Zoraide Lima', taxId: '111.444.777-35' })
  expect(readPageText(await show(link))).toContain('Cobrança para Z••••• L••••')
  expect((await tryWith(link, MARINA.taxId)).statusCode).toBe(422)
  expect((await tryWith(link, '111.444.777-35')).statusCode).toBe(303)

  await change(company, path, { taxId: null })
  expect(readPageText(await show(link))).toContain('Nome completo')
})

test('a customer who was forgotten beside the link leaves it to anyone', async () => {
  const { link, customer } = await newLinkFor()
  const anonymizedAt = clock.now().toISOString()
  await db.update(customers).set({ anonymizedAt }).where(eq(customers.id, customer.id))

  const body = await show(link)
  const response = await openPayerBrowser(app).pay(link, PIX)

  expect(readPageText(body)).toContain('Nome completo')
  expect(response.statusCode).toBe(303)
  expect(await readLink(link.id)).toMatchObject({ linkedCustomerId: customer.id })
})
