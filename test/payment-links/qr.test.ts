// A link's QR code by API: what a phone reads in it is the address that is shared.
import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, newCompany } = testApp
const { create } = openLinkApi(testApp)

async function readPicture(picture: Buffer) {
  const { data, info } = await sharp(picture)
    .resize({ width: 360, kernel: 'nearest' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  // Its types are those of a module that it is not.
  const read = jsQR as unknown as typeof jsQR.default
  return read(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test.each([
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
])('as %s it leads to the checkout, by the id and by the slug', async (ending, type) => {
  const company = await newCompany()
  const link = await create(company, { title: 'Bolo de maçã' })

  for (const name of [link.id, link.slug]) {
    const response = await company.get(`${LINKS_PATH}/${name}/qr.${ending}`)

    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(type)
    expect(response.headers['content-disposition']).toBe(
      `inline; filename="qr-bolo-de-maca.${ending}"`,
    )
    if (name === link.id) expect(await readPicture(response.rawPayload)).toBe(link.url)
  }
})

test('a link of another company has none, nor for a key that may not read links', async () => {
  const [company, stranger] = [await newCompany(), await newCompany()]
  const link = await create(company)
  const { key } = await issueApiKey(db, company.id, 'Clientes', ['customers'])
  const path = `${LINKS_PATH}/${link.id}/qr.svg`

  const foreign = await stranger.get(path)
  const narrow = await app.inject({ url: path, headers: { authorization: `Bearer ${key}` } })

  expect([foreign.statusCode, narrow.statusCode]).toEqual([404, 403])
  expect(foreign.json()).toMatchObject({ code: 'not_found' })
})
