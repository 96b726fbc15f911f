import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { LOGO_MAX_BYTES } from '../../../src/companies/logo.ts'
import {
  BRAND_PATH,
  buildBrandForm,
  createImage,
  openBrandDashboard,
  PNG,
  REMOVE_LOGO_PATH,
} from '../../support/dashboard/brand.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openCheckout } from '../../support/payer.ts'
import { BASE_URL, openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink } = openCheckout(testApp)
const { openClient, logoOf, actionsOf } = openBrandDashboard(testApp)

test('the logo is served to everybody, for ever, and as nothing but an image; an older address leads to it', async () => {
  const { company, dashboardClient } = await openClient()
  const jpeg = await createImage('#0a7').jpeg().toBuffer()
  const upload = async (logo: Buffer) => {
    await dashboardClient.upload(BRAND_PATH, buildBrandForm('', logo))
    return new URL((await logoOf(company))!).pathname
  }
  const file = '0123456789abcdef.webp'
  const none = await app.inject(`/logos/${company.id}/${file}`)
  const older = await upload(jpeg)
  const pathname = await upload(PNG)

  const response = await app.inject(pathname)
  const moved = await app.inject(older)
  const paths = [`x/${file}`, `${company.id}/x`, `${company.id}/..%2f`, `${company.id}`]
  const answers = await Promise.all(paths.map((path) => app.inject(`/logos/${path}`)))

  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  const ofPages = ['set-cookie', 'content-security-policy', 'permissions-policy']
  expect(ofPages.filter((name) => response.headers[name])).toEqual([])
  expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 60 })
  expect(older).not.toBe(pathname)
  expect([moved.statusCode, moved.headers['cache-control']]).toEqual([302, 'no-store'])
  expect(new URL(moved.headers.location!, `${BASE_URL}${older}`).pathname).toBe(pathname)
  expect([none, ...answers].map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
})

test.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'PNG, JPEG ou WebP'],
  ['a byte too many', padded(LOGO_MAX_BYTES + 1), 'até 512 KB'],
  ['far too many bytes', padded(LOGO_MAX_BYTES * 6), 'até 512 KB'],
])('%s is refused at the field, and nothing changes', async (_, bytes, sentence) => {
  const { company, dashboardClient } = await openClient()

  const response = await dashboardClient.upload(BRAND_PATH, buildBrandForm('#b4531f', bytes))

  expect(response.statusCode).toBe(422)
  expect(readFormErrors(response.body)).toEqual([['logo', expect.stringContaining(sentence)]])
  expect(response.body).toContain('id="logo-error"')
  expect(response.body).toContain('value="#b4531f"')
  expect(await findCompany(db, company.id)).toMatchObject({ color: null, logoUrl: null })
  expect(await actionsOf(company)).toEqual([])
})

/** A PNG of exactly so many bytes: what follows its end is left unread. */
function padded(length: number) {
  return Buffer.concat([PNG, randomBytes(length - PNG.length)])
}

test.each([
  ['no end', '--b\r\nContent-Disposition: form-data; name="logo"; filename="a.png"\r\n\r\nxxx'],
  ['no parts', 'olá'],
  [
    'a name that is no name',
    '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--',
  ],
  [
    'too many parts',
    `${'--b\r\nContent-Disposition: form-data; name="c"\r\n\r\nx\r\n'.repeat(40)}--b--`,
  ],
])("a form with %s is refused, and only its sender's failure", async (_, payload) => {
  const { dashboardClient } = await openClient()

  const { statusCode, body } = await dashboardClient.postRaw(
    BRAND_PATH,
    payload,
    'multipart/form-data; boundary=b',
  )

  expect(statusCode).toBe(400)
  expect(body).toContain('não chegou inteiro')
  expect(testApp.logged.join()).not.toContain('a request failed')
})

test('a logo is removed after a question, and the checkout shows initials again', async () => {
  const { company, dashboardClient } = await openClient()
  const { slug } = await newLink({}, company)
  await dashboardClient.upload(BRAND_PATH, buildBrandForm('', PNG))
  const { pathname } = new URL((await logoOf(company))!)

  const question = await readPage(dashboardClient, REMOVE_LOGO_PATH)
  const kept = await logoOf(company)
  const response = await dashboardClient.post(REMOVE_LOGO_PATH)

  expect(question).toContain('Remover o logotipo')
  expect(kept).not.toBeNull()
  expect(response.headers.location).toBe(`${BRAND_PATH}?feito=logo-removido`)
  expect(await logoOf(company)).toBeNull()
  expect((await app.inject(pathname)).statusCode).toBe(404)
  await expect
    .poll(async () => (await app.inject(`/pagar/${slug}`)).body)
    .toContain('merchant-initials')
  expect(await actionsOf(company)).toEqual(['logo_removed', 'logo_changed'])
})
