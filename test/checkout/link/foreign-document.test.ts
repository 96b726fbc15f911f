// Cards of payers without a CPF: where the company allows it, they name a document of another country.
import { expect, test } from 'vitest'
import { takesForeignDocuments } from '../../../src/checkout/form-fields.ts'
import type { Company } from '../../../src/companies/company.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { PROVIDER_NAMES } from '../../../src/database/enums.ts'
import { transactions } from '../../../src/database/tables.ts'
import { getProfile } from '../../../src/providers/registry.ts'
import { openCompanyClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import {
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
} from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink, pay, paymentsOf, editCompany } = openCheckout(testApp)

const ANNA = {
  name: 'Anna Schmidt',
  email: 'anna@example.com',
  noTaxId: '1',
  taxId: 'Passport: ab-123.456',
}

async function newAllowingLink(more: object = {}, company?: Parameters<typeof newLink>[1]) {
  const link = await newLink(more, company)
  await editCompany(link.companyId, { acceptsForeignDocuments: true })
  return link
}

test.each([
  [
    'pt-BR',
    'Não tenho CPF',
    'Passaporte ou documento do seu país',
    /de 5 a 20 letras e números/,
    /^(?!.*marque)/,
  ],
  [
    'en',
    "I don't have a CPF",
    'Passport or ID number',
    /5 to 20 letters and digits/,
    /No CPF \(Brazilian tax ID\)\? Pay by credit card and tick/,
  ],
])(
  'in %s a payer ticks "%s", is told what is wrong, and pays',
  async (lang, box, label, wrong, advice) => {
    const link = await newAllowingLink()
    const headers = { 'accept-language': lang }
    const page = (await app.inject({ url: `/pagar/${link.slug}`, headers })).body
    const send = await openPayerBrowser(app).fill(link, { ...ANNA, ...buildTestCard('ok') })

    const refused = await send({ taxId: 'none' }, headers)
    const paid = await send({}, headers)

    expect(readPageText(page)).toContain(box)
    expect(readPageText(page)).toContain(label)
    expect(readPageText(page)).toMatch(advice)
    expect(refused.statusCode).toBe(422)
    expect(readPageText(refused.body)).toMatch(wrong)
    expect(refused.body).toMatch(/id="noTaxId"[^>]* checked/)
    expect(paid.statusCode).toBe(303)
    expect(await paymentsOf(link)).toMatchObject([{ payerTaxId: '+AB123456', status: 'approved' }])
  },
)

test('it is neither offered nor accepted unless the company allows it and the card is chosen', async () => {
  const link = await newLink()
  const card = { ...ANNA, ...buildTestCard('ok') }

  const page = await app.inject(`/pagar/${link.slug}`)
  const notAllowed = await openPayerBrowser(app).pay(link, card)
  await editCompany(link.companyId, { acceptsForeignDocuments: true })
  const byPix = await openPayerBrowser(app).pay(link, { ...ANNA, ...PIX })
  const unticked = await openPayerBrowser(app).pay(link, { ...card, noTaxId: '' })
  const ofCard = await openPayerBrowser(app).pay(link, { ...card, taxId: '30569309025904' })

  expect(page.body).not.toContain('noTaxId')
  for (const { statusCode, body } of [notAllowed, byPix, unticked]) {
    expect(statusCode).toBe(422)
    expect(readPageText(body)).toContain('Informe um CPF ou CNPJ válido.')
  }
  expect(ofCard.statusCode).toBe(422)
  expect(await paymentsOf(link)).toEqual([])
})

test.each(PROVIDER_NAMES)('%s takes such a card only as its profile says', (cardProvider) => {
  const takes = (acceptsForeignDocuments: boolean) =>
    takesForeignDocuments({ cardProvider, acceptsForeignDocuments } as Company)

  expect(takes(false)).toBe(false)
  expect(takes(true)).toBe(getProfile(cardProvider).cardTakesForeignDocuments)
})

test('a CPF that is typed all the same is one', async () => {
  const link = await newAllowingLink()

  const { row } = await pay(link, { ...ANNA, ...buildTestCard('ok'), taxId: '529.982.247-25' })

  expect(row.payerTaxId).toBe('52998224725')
})

test('such a payer is one customer, known to API and dashboard by a masked document, and forgotten', async () => {
  const { company, dashboardClient } = await openCompanyClient(testApp)
  const link = await newAllowingLink({}, company)
  const john = { ...ANNA, name: 'John Quaresma', email: 'quaresma@example.com' }
  const { row } = await pay(link, { ...john, ...buildTestCard('ok'), taxId: 'XY-987.456' })
  const again = await pay(link, { ...john, ...buildTestCard('ok'), taxId: 'xy987456' })
  const url = `/api/customers/${row.customerId}`
  const headers = { authorization: `Bearer ${company.key}` }

  const told = (await company.get(`/api/transactions/${row.id}`)).json()
  const customer = (await company.get(url)).json()
  const patched = await app.inject({ method: 'PATCH', url, headers, payload: customer })
  const page = await readPage(dashboardClient, `/painel/clientes/${row.customerId}`)
  const payment = await readPage(dashboardClient, `/painel/transacoes/${row.id}`)
  const table = (await dashboardClient.get('/painel/transacoes.csv')).body
  const found = await readPage(dashboardClient, '/painel/busca?q=xy987456')
  const guessed = await readPage(dashboardClient, '/painel/busca?q=xy9874')

  const masked = { taxId: null, foreignDocument: '*****456' }
  expect(again.row.customerId).toBe(row.customerId)
  expect(told.customer).toMatchObject({ name: john.name, ...masked })
  expect(customer).toMatchObject(masked)
  expect(patched.json()).toMatchObject(masked)
  for (const shown of [readPageText(page), readPageText(payment), table]) {
    expect(shown).toContain('XY987456 (outro país)')
  }
  expect(found).toContain(john.name)
  expect(guessed).not.toContain(john.name)

  await app.inject({ method: 'DELETE', url, headers })

  expect(await paymentsOf(link)).toMatchObject([
    { payerTaxId: null, payerName: 'Cliente removido' },
    { payerTaxId: null, payerName: 'Cliente removido' },
  ])
  await db.$client.query('delete from webhook_deliveries; delete from events')
  expect(await testApp.stored()).not.toMatch(/XY987456|quaresma/i)
})

test('a card that is refused for good is not tried again with the same document', async () => {
  const link = await newAllowingLink()
  const card = buildTestCard('stolen')
  const first = await pay(link, { ...ANNA, ...card })

  const second = await openPayerBrowser(app).pay(link, { ...ANNA, ...card })

  expect(first.row.status).toBe('declined')
  expect(second.statusCode).toBe(409)
  expect(await paymentsOf(link)).toHaveLength(1)
})

test('a link for such a customer asks for everything, and only their document makes a payment theirs', async () => {
  const company = await testApp.newCompany()
  const { row } = await pay(await newAllowingLink({}, company), { ...ANNA, ...buildTestCard('ok') })
  const link = await newLink({ linkedCustomerId: row.customerId }, company)

  const byPix = await pay(link, PIX)
  const byCard = await pay(link, { ...ANNA, ...buildTestCard('ok') })

  expect(byCard.row).toMatchObject({ customerId: row.customerId, payerTaxId: '+AB123456' })
  expect(byPix.row.payerTaxId).toBe('52998224725')
  expect(byPix.row.customerId).not.toBe(row.customerId)
})

test('who gave up at the page of the provider is led to the form, since a Pix needs a CPF', async () => {
  const link = await newAllowingLink()
  await editCompany(link.companyId, { cardProvider: 'sandbox-page' })
  const { browser, row } = await pay(link, { ...ANNA, method: 'credit_card' })
  await db.update(transactions).set({ status: 'expired' }).where(eq(transactions.id, row.id))
  const url = `/pagar/${link.slug}/payments/${row.token}`

  const page = await browser.get(url)
  const renewed = await browser.post(`${url}/renew?price=10000`, {})

  expect(row.payerTaxId).toBe('+AB123456')
  expect(page.body).not.toContain('/renew')
  expect(readPageText(page.body)).toContain('Escolher outra forma de pagamento')
  expect(renewed.statusCode).toBe(409)
  expect(await paymentsOf(link)).toHaveLength(1)
})
