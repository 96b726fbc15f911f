// What a logo weighs on each payer's phone, and what of it is seen.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeLogo } from '../../src/companies/logo.ts'

test('letters on nothing are kept in a few colours, smaller than a photo and sharper', async () => {
  const written = await sharp(drawLogo('#7a2048')).png().toBuffer()

  const content = await encode(written)

  expect(content.length).toBeLessThan(3_000)
  expect(await sharp(content).metadata()).toMatchObject({ width: 480, hasAlpha: true })
  expect(await countColors(content)).toBeLessThanOrEqual(16)
})

test.each([
  ['letters in a gradient', drawLogo('url(#sunset)')],
  [
    'a small emblem beside letters',
    drawLogo('#7a2048', '<circle cx="60" cy="260" r="36" fill="url(#sunset)"/>'),
  ],
  ['white that fades into blue, for the dark scheme', drawLogo('url(#sky)')],
])('%s: a gradient is not cut into bands', async (_what, drawing) => {
  const content = await encode(await sharp(drawing).png().toBuffer())

  expect(await countColors(content)).toBeGreaterThan(100)
})

async function encode(bytes: Buffer) {
  const logo = await encodeLogo(bytes, 'padaria')
  if (logo.kind === 'refused') throw new Error(logo.reason)
  return logo.content
}

/** Bars as wide and as slanted as letters are; no machine needs a font for it. */
function drawLogo(fill: string, emblem = '') {
  const bars = Array.from({ length: 14 }, (_, i) => {
    const x = 40 + i * 70
    return `<path d="M${x} 220 L${x + 20} 60 L${x + 45} 60 L${x + 25} 220 Z"/><circle cx="${x}" cy="140" r="22"/>`
  })
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1100" height="300">
    <linearGradient id="sunset"><stop offset="0" stop-color="#ff6000"/><stop offset="1" stop-color="#600090"/></linearGradient>
    <linearGradient id="sky"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#9cf"/></linearGradient>
    <g fill="${fill}"><rect width="1100" height="30"/>${bars.join('')}</g>${emblem}</svg>`)
}

async function countColors(content: Buffer) {
  const { data, info } = await sharp(content)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const colors = new Set<number>()
  for (let i = 0; i < data.length; i += info.channels) colors.add(data.readUInt32BE(i))
  return colors.size
}
