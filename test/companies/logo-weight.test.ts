// What a logo weighs on each payer's phone.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeLogo } from '../../src/companies/logo.ts'

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
