// The image of a link: sent by API, shown to payers and in previews.
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import { eq } from '../../src/database/drizzle.ts'
import { paymentLinkImages } from '../../src/database/tables.ts'
import { LINK_IMAGE_MAX_BYTES } from '../../src/payment-links/image.ts'
import { createImage, PNG } from '../support/dashboard/brand.ts'
import { LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, newCompany } = testApp
const { create, archive, duplicateLink } = openLinkApi(testApp)

type SendImage = { field?: string; key?: string }

async function put(
  company: TestCompany,
  { id }: { id: string },
  bytes: Buffer,
  { field = 'image', key = company.key }: SendImage = {},
) {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)]), 'foto.png')
  const request = new Request('http://x', { method: 'PUT', body: form })
  return app.inject({
    method: 'PUT',
    url: `${LINKS_PATH}/${id}/image`,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

function remove({ key }: TestCompany, { id }: { id: string }) {
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ method: 'DELETE', url: `${LINKS_PATH}/${id}/image`, headers })
}

async function load(imageUrl: string) {
  return app.inject(new URL(imageUrl).pathname)
}

test('an image is sent, shown to payers and in previews, and taken off again', async () => {
  const company = await newCompany()
  const link = await create(company)

  const sent = await put(company, link, PNG)
  const { imageUrl } = sent.json()
  const served = await load(imageUrl)
  const page = await app.inject(`/pagar/${link.slug}`)
  const removed = await remove(company, link)

  expect(link.imageUrl).toBeNull()
  expect(sent.statusCode).toBe(200)
  expect(imageUrl).toMatch(new RegExp(`/pagar/${link.slug}/image/[0-9a-f]{16}\\.webp$`))
  expect(page.body).toContain(`<img class="link-image" src="${imageUrl}" alt=""`)
  expect(page.body).toContain(`<meta property="og:image" content="${imageUrl}">`)
  expect(served.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(served.headers['set-cookie']).toBeUndefined()
  expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 60 })
  expect([removed.statusCode, (await remove(company, link)).statusCode]).toEqual([204, 204])
  expect((await company.get(`${LINKS_PATH}/${link.id}`)).json().imageUrl).toBeNull()
  expect((await load(imageUrl)).statusCode).toBe(404)
  const left = db.select().from(paymentLinkImages).where(eq(paymentLinkImages.linkId, link.id))
  expect(await left).toEqual([])
})

test('under the address of an older image there is the one of today', async () => {
  const company = await newCompany()
  const link = await create(company)
  const older = (await put(company, link, PNG)).json().imageUrl
  const { imageUrl } = (await put(company, link, await createImage('#0a7').png().toBuffer())).json()

  const { statusCode, headers } = await load(older)

  expect([statusCode, older === imageUrl]).toEqual([302, false])
  expect(new URL(headers.location!, older).href).toBe(imageUrl)
})

test('a large one is kept as wide as chats show it', async () => {
  const company = await newCompany()
  const wide = sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#fff' } })

  const { imageUrl } = (
    await put(company, await create(company), await wide.jpeg().toBuffer())
  ).json()

  expect(await sharp((await load(imageUrl)).rawPayload).metadata()).toMatchObject({
    ...{ width: 1200, height: 600 },
  })
})

test('one of exactly the size that is allowed is taken', async () => {
  const company = await newCompany()

  const response = await put(company, await create(company), padded(LINK_IMAGE_MAX_BYTES))

  expect(response.statusCode).toBe(200)
})

test.each([
  ['a byte too many', () => padded(LINK_IMAGE_MAX_BYTES + 1), 'too_big', 'até 5 MB'],
  ['an SVG', () => Buffer.from('<svg/>'), 'wrong_format', 'PNG, JPEG ou WebP'],
  ['half an image', () => PNG.subarray(0, 40), 'unreadable', 'Não foi possível ler'],
])('%s is refused, and nothing changes', async (_what, make, code, sentence) => {
  const company = await newCompany()
  const link = await create(company)

  const response = await put(company, link, make())

  expect(response.statusCode).toBe(422)
  const message = expect.stringContaining(sentence)
  expect(response.json().errors).toEqual([{ field: 'image', code, message }])
  expect((await company.get(`${LINKS_PATH}/${link.id}`)).json().imageUrl).toBeNull()
})

/** A PNG of exactly so many bytes: what follows its end is left unread. */
function padded(length: number) {
  return Buffer.concat([PNG, randomBytes(length - PNG.length)])
}

test('what brings no image, or something else, is refused with a sentence', async () => {
  const company = await newCompany()
  const link = await create(company)
  const url = `${LINKS_PATH}/${link.id}/image`
  const authorization = `Bearer ${company.key}`
  const ask = (type?: string, payload?: object | string, method: 'PUT' | 'POST' = 'PUT') =>
    app.inject({
      ...{ method, url: method === 'PUT' ? url : LINKS_PATH },
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(payload && { payload }),
    })
  const bound = 'multipart/form-data; boundary=b'
  const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nx'

  const empty = await put(company, link, Buffer.alloc(0))
  const other = await put(company, link, PNG, { field: 'foto' })
  const json = await ask('application/json', { image: 'x' })
  const broken = await ask(bound, part)
  const nothing = await ask()
  const unbounded = await ask('multipart/form-data', 'x')
  const elsewhere = await ask(bound, '--b--', 'POST')
  const bare = await ask('image/png', padded(1_000_000))

  const missing = expect.stringContaining('multipart/form-data')
  for (const response of [empty, json]) {
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toMatchObject([{ field: 'image', message: missing }])
  }
  expect(other.json().errors).toMatchObject([
    { field: 'image' },
    { field: 'foto', code: 'unknown_field' },
  ])
  expect([broken.statusCode, elsewhere.statusCode, bare.statusCode]).toEqual([400, 415, 415])
  expect(broken.json()).toMatchObject({ status: 'error', code: 'invalid_form' })
  expect(nothing.json().errors).toMatchObject([{ field: '', message: missing }])
  expect([unbounded.statusCode, unbounded.json()]).toMatchObject([
    400,
    { code: 'invalid_form', message: expect.stringContaining('Falta o boundary') },
  ])
  expect(bare.json().message).toBe('Use Content-Type: multipart/form-data.')
  expect(testApp.logged.join()).not.toContain('a request failed')
})

test('only its company may, with a key that writes links, and while the link is not archived', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  const link = await create(company)
  const reader = await issueApiKey(db, company.id, 'Leitura', ['read'])

  const answers = [
    await put(other, link, PNG),
    await remove(other, link),
    await put(company, link, PNG, { key: reader.key }),
    await put(company, link, PNG, { key: 'sk_live_x' }),
  ]
  await put(company, link, PNG)
  await archive(company, link.id)
  const late = [await put(company, link, PNG), await remove(company, link)]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 403, 401])
  expect(late.map((one) => [one.statusCode, one.json().code])).toEqual([
    [409, 'link_archived'],
    [409, 'link_archived'],
  ])
})

test('a copy has the same image at an address of its own, and keeps it', async () => {
  const company = await newCompany()
  const link = await create(company)
  const { imageUrl } = (await put(company, link, PNG)).json()

  const copy = await duplicateLink(company, link.id)
  await remove(company, link)

  const shown = (await company.get(`${LINKS_PATH}/${copy.id}`)).json()
  expect(shown.imageUrl).toBe(imageUrl.replace(link.slug, copy.slug))
  expect((await load(shown.imageUrl)).statusCode).toBe(200)
})

test('there is no image of a link without one, nor of what is no link or no image', async () => {
  const link = await create(await newCompany())
  const file = '0123456789abcdef.webp'
  const paths = [`${link.slug}/image/${file}`, `nolinkhere/image/${file}`, `${link.slug}/image/x`]

  const answers = await Promise.all(paths.map((path) => app.inject(`/pagar/${path}`)))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
})
