// Whether a payer gives an e-mail: as the company says, and as the provider of its cards needs it.
import { expect, test } from 'vitest'
import { resolveAskedFields } from '../../../src/checkout/form-fields.ts'
import { listAudit } from '../../../src/companies/audit.ts'
import { createCompany } from '../../../src/companies/company.ts'
import type { PayerEmailMode } from '../../../src/database/enums.ts'
import { openCompanyClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import {
  buildTestCard,
  openCheckout,
  openPayerBrowser,
  PIX,
  readPageText,
} from '../../support/payer.ts'
import {
  buildMercadoPagoCard,
  openMercadoPagoMerchant,
} from '../../support/providers/mercadopago/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { app, db, cipher } = testApp
const { newLink, pay, editCompany, listEventTypes } = openCheckout(testApp)

const MAILS = '/painel/ajustes/emails'
const NO_EMAIL = { email: '' }
const REFUSED = 'Informe um e-mail válido, como nome@exemplo.com.br.'

test.each<[PayerEmailMode, 'pix-api' | 'mercadopago', boolean, string, string]>([
  ['auto', 'pix-api', true, 'required', 'required'],
  ['auto', 'pix-api', false, 'optional', 'optional'],
  ['required', 'pix-api', false, 'required', 'required'],
  ['optional', 'pix-api', true, 'optional', 'optional'],
  ['none', 'pix-api', true, 'none', 'none'],
  ['auto', 'mercadopago', false, 'optional', 'cards'],
  ['none', 'mercadopago', true, 'none', 'cards'],
  ['required', 'mercadopago', true, 'required', 'required'],
])(
  'where the company says %s, cards are at %s and mail is sent: %s, Pix alone asks for it as %s, Pix and cards as %s',
  async (payerEmail, cardProvider, sendsMail, byPix, byBoth) => {
    const { test: row } = await createCompany(db, cipher, { name: 'Padaria Sol' })
    const company = { ...row, payerEmail, cardProvider }
    const ask = (methods: ('pix' | 'credit_card')[]) =>
      resolveAskedFields(company, methods, sendsMail).askEmail

    expect(ask(['pix'])).toBe(byPix)
    expect(ask(['pix', 'credit_card'])).toBe(byBoth)
    expect(ask(['credit_card'])).toBe(byBoth === 'cards' ? 'required' : byBoth)
  },
)

test('without an e-mail a payment is made, told and shown like any other', async () => {
  const { company, dashboardClient } = await openCompanyClient(testApp, 'owner')
  const link = await newLink({}, company)

  const { row, url, browser } = await pay(link, { ...buildTestCard('ok'), ...NO_EMAIL })

  expect(row).toMatchObject({ status: 'approved', payerEmail: null })
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
  const told = (await company.get(`/api/transactions/${row.id}`)).json()
  expect(told.customer).toMatchObject({ name: row.payerName, email: null })
  expect((await company.get(`/api/customers/${row.customerId}`)).json()).toMatchObject({
    email: null,
  })
  expect((await company.get('/api/transactions.csv')).body).toContain(row.payerName)
  for (const page of [
    (await browser.get(url)).body,
    await readPage(dashboardClient, `/painel/transacoes/${row.id}`),
    await readPage(dashboardClient, `/painel/clientes/${row.customerId}`),
  ]) {
    expect(readPageText(page)).toContain(row.payerName)
    expect(page).not.toMatch(/\bnull\b|undefined/)
  }
})

test('the company chooses in Ajustes, for both environments, and its forms follow at once', async () => {
  const { company, dashboardClient } = await openCompanyClient(testApp, 'owner')
  const link = await newLink({}, company)
  const show = async () => (await openPayerBrowser(app).get(`/pagar/${link.slug}`)).body
  const choose = async (payerEmail: PayerEmailMode) => {
    const { statusCode } = await dashboardClient.post(MAILS, { payerEmail })
    expect(statusCode).toBe(303)
  }
  expect(readPageText(await show())).toContain('E-mail (opcional)')

  await choose('none')
  expect(await show()).not.toContain('id="email"')
  const unasked = await pay(link, { ...PIX, email: 'maria@exemplo.com.br' })
  await choose('required')
  expect(await show()).toContain('id="email"')
  const refused = await pay(link, { ...PIX, ...NO_EMAIL })

  expect(unasked.row).toMatchObject({ payerEmail: null })
  expect(refused.response.statusCode).toBe(422)
  expect(readPageText(refused.response.body)).toContain(REFUSED)
  expect(await readPage(dashboardClient, MAILS)).toContain('<option value="required" selected>')
  const [entry] = await listAudit(db, company.id, { limit: 1 })
  expect(entry).toMatchObject({ action: 'settings_changed' })
  expect(JSON.stringify(entry)).toContain('Obrigatório')
})

test('where the provider charges no card without one, cards alone need it', async () => {
  const { newCardLink, pay: payThere } = await openMercadoPagoMerchant(testApp)
  const link = await newCardLink()
  await editCompany(link.companyId, { payerEmail: 'none' })
  const show = async () => (await openPayerBrowser(app).get(`/pagar/${link.slug}`)).body
  expect(await show()).toContain('Obrigatório para pagar com cartão.')

  const byCard = await payThere(link, { ...buildMercadoPagoCard('ok'), ...NO_EMAIL })
  const byPix = await payThere(link, { ...PIX, ...NO_EMAIL })

  expect(readPageText(byCard.response.body)).toContain(REFUSED)
  expect(byPix.row).toMatchObject({ status: 'pending', payerEmail: null })
})
