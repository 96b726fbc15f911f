import { expect, test } from 'vitest'
import { buildShades, computeContrast, getTextColor } from '../../src/companies/brand-color.ts'

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

// What Chromium makes of base.css in these colours.
test.each([
  ['#ffff00', { light: '#6f6800', dark: '#fafc91' }],
  ['#b4531f', { light: '#a14203', dark: '#fc9b6f' }],
  ['#000000', { light: '#000000', dark: '#b7b7b7' }],
] as const)('the accent of %s is what the checkout shows', (color, accents) => {
  const { light, dark } = buildShades(color)

  expect({ light: light.accent, dark: dark.accent }).toEqual(accents)
})

test('whatever colour a company has, all that the checkout writes in it or on it is readable', () => {
  const ratios = COLORS.flatMap((color) =>
    Object.values(buildShades(color)).flatMap(({ surface, fill, text, accent }) => [
      computeContrast(accent, surface),
      computeContrast(fill, text.replace(/[^#]/g, '$&$&')),
    ]),
  )

  expect(ratios.length).toBe(2048)
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5)
})
