import { expect, test } from 'vitest'
import { findCompany, updateCompany } from '../../../src/companies/company.ts'
import {
  BRAND_PATH,
  buildBrandForm,
  createImage,
  openBrandDashboard,
  PNG,
  REMOVE_LOGO_PATH,
} from '../../support/dashboard/brand.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openCheckout } from '../../support/payer.ts'
import { BASE_URL, openTestApp } from '../../support/test-app.ts'

const PREVIEW_PATH = `${BRAND_PATH}/previa`

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
    .toContain(`<img class="merchant-logo" src="${logoUrl}" alt="Padaria Sol"`)
  const after = await app.inject(`/pagar/${slug}`)
  expect(after.body).toContain('--brand:#b4531f;--on-brand:#fff')
  expect(await actionsOf(company)).toEqual(['logo_changed', 'settings_changed'])
})

test.each(['laranja', '#12345', '#1234567', 'rgb(1,2,3)', '#fff;}body{'])(
  'the colour %s is refused, and the logo beside it not taken',
  async (color) => {
    const { company, dashboardClient } = await openClient()

    const response = await dashboardClient.upload(BRAND_PATH, buildBrandForm(color, PNG))

    expect(response.statusCode).toBe(422)
    expect(readFormErrors(response.body)).toEqual([['color', 'Informe uma cor como #0F6B50.']])
    expect(response.body).toContain(`value="${color}"`)
    expect(await findCompany(db, company.id)).toMatchObject({ color: null, logoUrl: null })
  },
)

test.each([
  [' b4531f ', '#b4531f'],
  ['#0A7', '#00aa77'],
  ['', null],
])('the colour "%s" is kept as %s', async (typed, kept) => {
  const { company, dashboardClient } = await openClient()
  await updateCompany(db, company.id, { color: '#123456' }, new Date())

  const response = await dashboardClient.upload(BRAND_PATH, buildBrandForm(typed))

  expect(response.statusCode).toBe(303)
  expect(await findCompany(db, company.id)).toMatchObject({ color: kept })
})

test('the preview is the checkout in the colour, in both schemes, and says what is hard to read', async () => {
  const { dashboardClient } = await openClient()
  const preview = async (color: string) =>
    (await dashboardClient.upload(PREVIEW_PATH, buildBrandForm(color))).body

  const yellow = await preview('#ffd400')
  const navy = await preview('#001f5b')
  const nonsense = await preview('"><script>')
  const none = await preview('')

  expect(yellow).not.toMatch(/^<!DOCTYPE/)
  expect(yellow).toContain('O texto sobre a cor fica preto.')
  expect(stylesIn(yellow)).toEqual(['%23ffd400 light', '%23ffd400 dark'])
  expect(framesIn(yellow)).toHaveLength(2)
  for (const frame of framesIn(yellow)) {
    expect(frame).toContain('Pagar R$\u00a0199,00 com Pix')
    expect(frame).not.toContain('<script')
  }
  expect(ratiosIn(yellow)).toEqual(['14,6:1', '1,4:1', '12,0:1'])
  expect(yellow).toMatch(/Difícil de ler como texto: em\s+links e detalhes .* mais escuro/)
  expect(ratiosIn(navy)).toEqual(['15,5:1', '15,5:1', '1,1:1'])
  expect(navy).toContain('O texto sobre a cor fica branco.')
  expect(navy).toMatch(/Difícil de ler como texto: em\s+links e detalhes .* mais claro/)
  expect(nonsense).not.toContain('<script>')
  for (const body of [nonsense, none])
    expect(stylesIn(body)).toEqual(['%230f6b50 light', '%230f6b50 dark'])
})

test('the colours of the preview are a style of their own, in one scheme each', async () => {
  const { dashboardClient } = await openClient()

  const dark = await dashboardClient.get(`${BRAND_PATH}/cores.css?cor=%23b4531f&tema=dark`)
  const nonsense = await dashboardClient.get(`${BRAND_PATH}/cores.css?cor=red}body{&tema=x`)

  expect(dark.headers['content-type']).toBe('text/css; charset=utf-8')
  expect(dark.body).toMatch(/^:root\{--brand:#b4531f;.*;color-scheme:dark\}/)
  expect(nonsense.body).toMatch(/^:root\{--brand:#0f6b50;.*;color-scheme:light\}/)
})

test('the preview shows logos before they are saved, each in its scheme', async () => {
  const { company, dashboardClient } = await openClient()
  const square = await createImage('#0a7', 30).png().toBuffer()

  const one = await dashboardClient.upload(PREVIEW_PATH, buildBrandForm('', PNG))
  const both = await dashboardClient.upload(PREVIEW_PATH, buildBrandForm('', PNG, square))

  const alone = framesIn(one.body).map(readMerchant)
  expect(alone[0]).toMatch(/<img class="merchant-logo" src="data:image\/webp;.* alt="Padaria Sol"/)
  expect(alone[0]).not.toContain('merchant-name')
  expect(alone[1]).toBe(alone[0])
  const [light, dark] = framesIn(both.body).map(readMerchant)
  expect(light).toMatch(/<img class="merchant-logo" src="data:image\/webp;.* alt=""/)
  expect(light).toContain('<span class="merchant-name" dir="auto">Padaria Sol</span>')
  expect(dark).not.toBe(light)
  expect(await findCompany(db, company.id)).toMatchObject({ logoUrl: null, logoDarkUrl: null })
})

function readMerchant(frame: string) {
  return /<div class="merchant[\s\S]*?<\/div>/.exec(frame)![0]
}

/** The documents that the preview holds. */
function framesIn(html: string) {
  return [...html.matchAll(/srcdoc="([^"]*)"/g)].map(([, frame]) => unescapeHtml(frame!))
}

function unescapeHtml(text: string) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function stylesIn(html: string) {
  return framesIn(html).map((frame) => {
    const [, color, scheme] = /cores\.css\?cor=([^&]*)&amp;tema=(\w+)/.exec(frame)!
    return `${color} ${scheme}`
  })
}

function ratiosIn(html: string) {
  return [...html.matchAll(/<strong>([\d,]+:1)</g)].map(([, ratio]) => ratio)
}

test('without JavaScript a button shows the preview, and nothing is saved', async () => {
  const { company, dashboardClient } = await openClient()
  const form = buildBrandForm('#ffd400', PNG)
  form.append('preview', 'sim')

  const response = await dashboardClient.upload(BRAND_PATH, form)

  expect(response.statusCode).toBe(200)
  expect(response.body).toContain('value="#ffd400"')
  expect(stylesIn(response.body)).toEqual(['%23ffd400 light', '%23ffd400 dark'])
  expect(framesIn(response.body)[0]).toContain('src="data:image/webp;base64,')
  expect(await findCompany(db, company.id)).toMatchObject({ color: null, logoUrl: null })
})

test.each([
  ['is refused', '#12345', 422],
  ['somebody else has changed', '#445566', 409],
])('where the colour %s, the page asks for the logo once more', async (_, color, status) => {
  const { company, dashboardClient } = await openClient()
  const form = buildBrandForm(color, undefined, PNG)
  const page = await readPage(dashboardClient, BRAND_PATH)
  form.append('_version', page.match(/name="_version" value="([^"]*)"/)![1]!)
  await dashboardClient.upload(BRAND_PATH, buildBrandForm('#112233', PNG))

  const { statusCode, body } = await dashboardClient.upload(BRAND_PATH, form)
  const saved = await readPage(dashboardClient, BRAND_PATH)

  expect([statusCode, body.match(/Escolha o arquivo de novo/g)]).toEqual([
    status,
    [expect.any(String)],
  ])
  expect(body).toContain('id="logoDark-again"')
  expect(saved).not.toContain('Escolha o arquivo de novo')
  expect(await findCompany(db, company.id)).toMatchObject({ logoDarkUrl: null })
})

test('the brand is not for members, nor for who shows no token of the form', async () => {
  const { company, dashboardClient: member } = await openClient('member')
  const owner = await openDashboardClient(testApp, { companyId: company.id })

  const seen = await member.get(BRAND_PATH)
  const preview = await member.upload(PREVIEW_PATH, buildBrandForm(''))
  const sent = await member.upload(BRAND_PATH, buildBrandForm('#b4531f', PNG))
  const removed = await member.post(REMOVE_LOGO_PATH)
  const bare = await owner.postBare(BRAND_PATH, { color: '#b4531f' })

  const all = [seen, preview, sent, removed, bare]
  expect(all.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
  expect(await findCompany(db, company.id)).toMatchObject({ color: null, logoUrl: null })
})

test('no other page takes a form with files, which nobody looks through for card numbers', async () => {
  const { company, dashboardClient } = await openClient()
  const form = new FormData()
  form.append('name', 'Padaria 4111 1111 1111 1111')
  form.append('city', 'Recife')

  const response = await dashboardClient.upload('/painel/ajustes', form)

  expect(response.statusCode).toBe(415)
  expect(await findCompany(db, company.id)).toMatchObject({ name: 'Padaria Sol' })
})
