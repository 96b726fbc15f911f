import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { companies } from '../../../src/database/tables.ts'
import {
  FILLED_LINK_FORM,
  openLinkDashboard,
  readFormErrors,
} from '../../support/dashboard/links.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, create, linksOf } = openLinkDashboard(testApp)

const NEW = '/painel/links/novo'

test('the preview says what the payer will choose from, on the terms of the company', async () => {
  const { company, dashboardClient } = await openClient()
  await db
    .update(companies)
    .set({ interestRateBps: 299, minInstallmentCents: 3_000 })
    .where(eq(companies.id, company.id))
  const query = 'amount=100,00&methods=pix&methods=credit_card&maxInstallments=12'

  const charged = await dashboardClient.get(
    `/painel/links/previa?${query}&interestMode=pass_to_customer`,
  )
  const free = await dashboardClient.get(`/painel/links/previa?${query}&interestMode=absorb`)
  const some = await dashboardClient.get(
    `/painel/links/previa?${query}&interestMode=pass_to_customer&interestFreeInstallments=2&pixDiscount=7,5`,
  )

  expect(charged.statusCode).toBe(200)
  expect(charged.body).not.toContain('<html')
  expect(charged.body).toMatch(/R\$\s100,00 no Pix</)
  expect(charged.body).toMatch(/3x de R\$\s35,35 com juros \(total R\$\s106,05\)/)
  expect(charged.body).not.toContain('4x de')
  expect(charged.body).toMatch(/Parcelas abaixo de R\$\s30,00/)
  expect(charged.body).toContain('2,99% ao mês')
  expect(free.body).toMatch(/3x de R\$\s33,33 sem juros \(primeira de R\$\s33,34\)/)
  expect(some.body).toMatch(/R\$\s92,50 no Pix \(7,5% de desconto\)/)
  expect(some.body).toMatch(/2x de R\$\s50,00 sem juros/)
  expect(some.body).toMatch(/3x de R\$\s35,35 com juros/)
})

test.each([
  ['amount=<script>', 'Informe o valor'],
  ['amount=20', 'Escolha ao menos uma forma'],
  ['amount=20&methods=credit_card&maxInstallments=1e9', '12x de'],
])('the preview of ?%s still says something', async (query, sentence) => {
  const { company, dashboardClient } = await openClient()
  await db.update(companies).set({ minInstallmentCents: 1 }).where(eq(companies.id, company.id))

  const { statusCode, body } = await dashboardClient.get(`/painel/links/previa?${query}`)

  expect(statusCode).toBe(200)
  expect(body).toContain(sentence)
})

test('without JavaScript a button shows the preview, and nothing is saved', async () => {
  const { company, dashboardClient } = await openClient()
  const { id } = await create(company)
  const typed = { ...FILLED_LINK_FORM, title: '', amount: '50', preview: 'sim' }

  const fresh = await dashboardClient.post(NEW, typed)
  const edited = await dashboardClient.post(`/painel/links/${id}/editar`, typed)

  for (const { statusCode, body } of [fresh, edited]) {
    expect(statusCode).toBe(200)
    expect(body).toMatch(/R\$\s50,00 no Pix</)
    expect(readFormErrors(body)).toEqual([])
  }
  expect(await linksOf(company)).toMatchObject([{ title: 'Bolo de cenoura', amountCents: 1990 }])
})
