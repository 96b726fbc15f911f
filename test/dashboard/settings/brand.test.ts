import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import {
  BRAND_PATH,
  buildBrandForm,
  openBrandDashboard,
  PNG,
} from '../../support/dashboard/brand.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openCheckout } from '../../support/payer.ts'
import { BASE_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink } = openCheckout(testApp)
const { openClient, logoOf, actionsOf } = openBrandDashboard(testApp)

test('colour and logo are on the checkout at once', async () => {
  const { company, dashboardClient } = await openClient()
  const { slug } = await newLink({}, company)
  const before = await app.inject(`/pagar/${slug}`)

  const response = await dashboardClient.upload(BRAND_PATH, buildBrandForm('#B4531F', PNG))
  const page = await readPage(dashboardClient, response.headers.location!)

  expect(before.body).toContain('merchant-initials')
  expect(response.statusCode).toBe(303)
  const logoUrl = (await logoOf(company))!
  expect(logoUrl).toMatch(new RegExp(`^${BASE_URL}/logos/${company.realId}/[0-9a-f]{16}\\.webp$`))
  expect(page).toContain(`<img src="${logoUrl}" alt="Logotipo de hoje">`)
  expect(page).toContain('value="#B4531F"')
  await expect
    .poll(async () => (await app.inject(`/pagar/${slug}`)).body)
    .toContain(`<img class="merchant-logo" src="${logoUrl}" alt=""`)
  const after = await app.inject(`/pagar/${slug}`)
  expect(after.body).toContain('--brand:#b4531f;--on-brand:#fff')
  expect(await actionsOf(company)).toEqual(['logo_changed', 'settings_changed'])
})

test('a colour is kept however it is written, and what is none is refused with the logo beside it', async () => {
  const { company, dashboardClient } = await openClient()
  const send = (color: string, logo?: Buffer) =>
    dashboardClient.upload(BRAND_PATH, buildBrandForm(color, logo))

  for (const color of ['#12345', '#fff;}body{']) {
    const { statusCode, body } = await send(color, PNG)
    expect(statusCode).toBe(422)
    expect(readFormErrors(body)).toEqual([['color', 'Informe uma cor como #0F6B50.']])
    expect(body).toContain(`value="${color}"`)
    expect(await findCompany(db, company.id)).toMatchObject({ color: null, logoUrl: null })
  }
  for (const [typed, color, isShaded] of [
    [' 001F5B ', '#001f5b', true],
    ['#0A7', '#00aa77', true],
    ['#ffd400', '#ffd400', true],
    ['', null, false],
  ] as const) {
    expect((await send(typed)).statusCode).toBe(303)
    expect(await findCompany(db, company.id)).toMatchObject({ color })
    const page = await readPage(dashboardClient, BRAND_PATH)
    expect([typed, page.includes('Onde ela não se lê bem')]).toEqual([typed, isShaded])
  }
})

test.each([
  ['is refused', '#12345', 422],
  ['somebody else has changed', '#445566', 409],
])('where the colour %s, the page asks for the logo once more', async (_, color, status) => {
  const { company, dashboardClient } = await openClient()
  const form = buildBrandForm(color, PNG)
  const page = await readPage(dashboardClient, BRAND_PATH)
  form.append('_version', page.match(/name="_version" value="([^"]*)"/)![1]!)
  await dashboardClient.upload(BRAND_PATH, buildBrandForm('#112233'))

  const { statusCode, body } = await dashboardClient.upload(BRAND_PATH, form)
  const saved = await readPage(dashboardClient, BRAND_PATH)

  expect([statusCode, body.match(/Escolha o arquivo de novo/g)]).toEqual([
    status,
    [expect.any(String)],
  ])
  expect(body).toContain('id="logo-again"')
  expect(saved).not.toContain('Escolha o arquivo de novo')
  expect(await findCompany(db, company.id)).toMatchObject({ logoUrl: null })
})

test('no other page takes a form with files, which are not searched for card numbers', async () => {
  const { company, dashboardClient } = await openClient()
  const form = new FormData()
  form.append('name', 'Padaria 4111 1111 1111 1111')
  form.append('city', 'Recife')

  const response = await dashboardClient.upload('/painel/ajustes', form)

  expect(response.statusCode).toBe(415)
  expect(await findCompany(db, company.id)).toMatchObject({ name: 'Padaria Sol' })
})
