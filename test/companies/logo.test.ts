// A company's logo: which images are taken, and what is made of them.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findCompany } from '../../src/companies/company.ts'
import {
  encodeLogo,
  findLogo,
  LOGO_MAX_BYTES,
  removeLogo,
  saveLogo,
} from '../../src/companies/logo.ts'
import { hashImage } from '../../src/http/image.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const NOW = new Date('2026-03-01T12:00:00.000Z')
const NEEDS = { baseUrl: 'https://vintem.exemplo.com.br', now: NOW }

function image(width: number, height: number, background = '#0a7') {
  return sharp({ create: { width, height, channels: 4, background } })
}

async function save(bytes: Buffer) {
  const { id: companyId } = await newCompany()
  return { companyId, saved: await saveFor(companyId, bytes) }
}

async function saveFor(companyId: string, bytes: Buffer) {
  const logo = await encodeLogo(bytes, 'padaria')
  if (logo.kind === 'refused') return logo
  return { kind: 'saved' as const, url: await saveLogo(db, { companyId, logo }, NEEDS) }
}

test.each(['png', 'jpeg', 'webp'] as const)(
  'a %s is taken, made smaller, and served as WebP',
  async (format) => {
    const { companyId, saved } = await save(await image(1200, 600).toFormat(format).toBuffer())

    const logo = (await findLogo(db, companyId))!
    expect(saved).toEqual({
      kind: 'saved',
      url: `https://vintem.exemplo.com.br/logos/${companyId}/${hashImage(logo.content)}.webp`,
    })
    expect(logo.contentType).toBe('image/webp')
    expect(await sharp(logo.content).metadata()).toMatchObject({
      format: 'webp',
      width: 400,
      height: 200,
    })
    expect(await findCompany(db, companyId)).toMatchObject({
      logoUrl: saved.kind === 'saved' && saved.url,
      updatedAt: NOW.toISOString(),
    })
  },
)

test.each([
  ['a wide one', 1600, 320, [480, 96]],
  ['a square one', 900, 900, [200, 200]],
])('%s is kept as large as pages and chats show it', async (_what, width, height, kept) => {
  const { companyId } = await save(await image(width, height).png().toBuffer())

  const { content } = (await findLogo(db, companyId))!

  const { width: keptWidth, height: keptHeight } = await sharp(content).metadata()
  expect([keptWidth, keptHeight]).toEqual(kept)
})

test('a small image is not blown up, and what is transparent stays so', async () => {
  const { companyId } = await save(await image(40, 20, '#0000').png().toBuffer())

  const { content } = (await findLogo(db, companyId))!

  expect(await sharp(content).metadata()).toMatchObject({ width: 40, height: 20, hasAlpha: true })
})

test('a photo stands upright, and says no longer where it was taken', async () => {
  const exif = {
    IFD0: { Copyright: 'segredo da foto' },
    IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '23/1 33/1 0/1' },
  }
  const photo = await image(60, 30)
    .withExif(exif)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(photo.includes('segredo da foto')).toBe(true)

  const { companyId } = await save(photo)

  const { content } = (await findLogo(db, companyId))!
  const { width, height, exif: left, orientation } = await sharp(content).metadata()
  expect([width, height, left, orientation]).toEqual([30, 60, undefined, undefined])
  expect(content.includes('segredo da foto')).toBe(false)
})

test('the address changes with the image, and only with it', async () => {
  const { companyId, saved: first } = await save(await image(50, 50).png().toBuffer())
  const again = await image(50, 50).png().toBuffer()
  const other = await image(50, 50, '#a07').png().toBuffer()

  const same = await saveFor(companyId, again)
  const changed = await saveFor(companyId, other)

  expect(same).toEqual(first)
  expect(changed).not.toEqual(first)
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test.each<[string, string, () => Promise<Buffer>]>([
  ['an SVG', 'wrong_format', async () => Buffer.from(SVG)],
  ['a GIF', 'wrong_format', () => image(10, 10).gif().toBuffer()],
  ['an AVIF', 'wrong_format', () => image(10, 10).avif().toBuffer()],
  ['a TIFF', 'wrong_format', () => image(10, 10).tiff().toBuffer()],
  ['a page', 'wrong_format', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['nothing', 'wrong_format', async () => Buffer.alloc(0)],
  ['a PNG by its first bytes alone', 'unreadable', async () => startOf('png', 8)],
  ['a JPEG by its first bytes alone', 'unreadable', async () => startOf('jpeg', 3)],
  [
    'an SVG behind the first bytes of a PNG',
    'unreadable',
    async () => Buffer.concat([await startOf('png', 8), Buffer.from(SVG)]),
  ],
  [
    'half a PNG',
    'unreadable',
    async () => {
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
      const whole = await sharp({
        create: { width: 90, height: 90, channels: 3, background: '#fff', noise },
      })
        .png()
        .toBuffer()
      return whole.subarray(0, whole.length / 2)
    },
  ],
  ['one pixel too wide', 'too_wide', () => image(4097, 1).png().toBuffer()],
  ['one pixel too high', 'too_wide', () => image(1, 4097).webp().toBuffer()],
  [
    'one byte too many',
    'too_big',
    async () => Buffer.alloc(LOGO_MAX_BYTES + 1, await startOf('png', 64)),
  ],
])('%s is refused: %s', async (_what, reason, make) => {
  const { companyId, saved } = await save(await make())

  expect(saved).toEqual({ kind: 'refused', reason })
  expect(await findLogo(db, companyId)).toBeUndefined()
  expect((await findCompany(db, companyId))!.logoUrl).toBeNull()
})

test('a refused image leaves the one that was there, and a removed one is gone', async () => {
  const { companyId } = await save(await image(50, 50).png().toBuffer())
  const before = (await findLogo(db, companyId))!.content

  await saveFor(companyId, Buffer.from(SVG))
  const kept = (await findLogo(db, companyId))!.content
  await removeLogo(db, companyId, NOW)

  expect(kept).toEqual(before)
  expect(await findLogo(db, companyId)).toBeUndefined()
  expect((await findCompany(db, companyId))!.logoUrl).toBeNull()
})

async function startOf(format: 'png' | 'jpeg', bytes: number) {
  return (await image(10, 10).toFormat(format).toBuffer()).subarray(0, bytes)
}

test('letters on nothing weigh a few kilobytes', async () => {
  const written = await sharp(drawLogo('#7a2048')).png().toBuffer()

  const logo = await encodeLogo(written, 'padaria')

  if (logo.kind === 'refused') throw new Error(logo.reason)
  expect(logo.content.length).toBeLessThan(7_000)
  expect(await sharp(logo.content).metadata()).toMatchObject({ width: 480, hasAlpha: true })
})

/** Bars as wide and as slanted as letters are; no machine needs a font for it. */
function drawLogo(fill: string) {
  const bars = Array.from({ length: 14 }, (_, i) => {
    const x = 40 + i * 70
    return `<path d="M${x} 220 L${x + 20} 60 L${x + 45} 60 L${x + 25} 220 Z"/><circle cx="${x}" cy="140" r="22"/>`
  })
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1100" height="300">
    <g fill="${fill}"><rect width="1100" height="30"/>${bars.join('')}</g></svg>`)
}
