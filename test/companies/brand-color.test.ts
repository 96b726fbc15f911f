import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  buildBrandStyle,
  buildShades,
  computeContrast,
  DEFAULT_COLOR,
  getTextColor,
} from '../../src/companies/brand-color.ts'

/** Every corner of the cube of colours, and much between. */
const STEPS = [0, 36, 73, 110, 146, 183, 219, 255]
const COLORS = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue) => hex([red, green, blue]))),
)

function hex(channels: number[]) {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

test('contrast is what WCAG says it is', () => {
  expect(computeContrast('#000000', '#ffffff')).toBe(21)
  expect(computeContrast('#ffffff', '#ffffff')).toBe(1)
  expect(computeContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(computeContrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
})

test.each([
  ['#0f6b50', '#fff'],
  ['#ffd75e', '#000'],
  ['#b4531f', '#fff'],
] as const)('on %s text is %s', (color, text) => {
  expect(getTextColor(color)).toBe(text)
})

test.each([
  ['#ffff00', { light: '#665f00', dark: '#fafc91' }],
  ['#b4531f', { light: '#973900', dark: '#fc9b6f' }],
  ['#000000', { light: '#000000', dark: '#b7b7b7' }],
  ['#0f6b50', { light: '#0f6b50', dark: '#7acaab' }],
] as const)(
  'the accent of %s keeps its hue, and is as dark or light as its ground needs',
  (color, accents) => {
    const { light, dark } = buildShades(color)

    expect({ light: light.accent, dark: dark.accent }).toEqual(accents)
  },
)

test('a page without a colour of its company shows the shades of our own colour', () => {
  const colors = readFileSync('views/assets/base/colors.css', 'utf8')
  const { light, dark } = buildShades(DEFAULT_COLOR)

  expect(colors).toContain(`--brand: ${DEFAULT_COLOR};`)
  expect(colors).toContain(`--accent: ${light.accent};`)
  expect(colors).toContain(`--accent: light-dark(${light.accent}, ${dark.accent});`)
})

/** What stands behind things that are written in the company's colour, by scheme, as in colors.css. */
const GROUNDS = {
  light: ['#ffffff', '#f3f4f6', '#f6f7f9'],
  dark: ['#171b1f', '#0e1114', '#1f2429'],
} as const
const SCHEMES = ['light', 'dark'] as const

test('whatever colour a company has, all that the checkout writes in it or on it is readable', () => {
  const ratios = COLORS.flatMap((color) => {
    const shades = buildShades(color)
    return SCHEMES.flatMap((scheme) => {
      const { fill, accent } = shades[scheme]
      const text = shades[scheme].text.replace(/[^#]/g, '$&$&')
      const away = text === '#ffffff' ? '#000000' : '#ffffff'
      return [
        ...GROUNDS[scheme].map((ground) => computeContrast(accent, ground)),
        // The numbers of steps stand on a tint of their own colour.
        computeContrast(accent, mix(accent, GROUNDS[scheme][0], 0.12)),
        computeContrast(text, fill),
        computeContrast(text, mix(away, fill, 0.1)),
      ]
    })
  })

  expect(ratios.length).toBe(6144)
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5)
})

/** As color-mix() in sRGB does. */
function mix(color: string, other: string, part: number) {
  const channel = (of: string, at: number) => Number.parseInt(of.slice(at, at + 2), 16)
  return hex(
    [1, 3, 5].map((at) => Math.round(channel(color, at) * part + channel(other, at) * (1 - part))),
  )
}

test('the style of a page says the colour for browsers with and without light-dark()', () => {
  const style = buildBrandStyle('#b4531f')

  expect(style).toMatch(
    /^:root\{--brand:#b4531f;--on-brand:#fff;--off-brand:#000;--accent:#973900\}@supports/,
  )
  expect(style).toContain('--accent:light-dark(#973900,#fc9b6f)')
  expect(buildBrandStyle('#ffd75e')).toContain('--on-brand:#000;--off-brand:#fff')
})
