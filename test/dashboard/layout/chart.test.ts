import { expect, test } from 'vitest'
import { buildColumnChart, computeShares } from '../../../src/dashboard/layout/chart.ts'

const amount = (cents: number) => ({ cents, label: 'novembro de 2026', short: 'nov/26' })

const linesOf = (...cents: number[]) =>
  buildColumnChart(cents.map(amount)).lines.map(({ text }) => text.replaceAll('\u00a0', ' '))

test('a column is as high as its amount, and stands on the ground', () => {
  const { bars, height } = buildColumnChart([amount(0), amount(20_000), amount(40_000)])

  expect(bars.map((bar) => bar.height)).toEqual([0, height / 2, height])
  expect(bars.every((bar) => bar.y + bar.height === height)).toBe(true)
})

test('columns stand side by side within the picture', () => {
  const { bars, width } = buildColumnChart(Array.from({ length: 30 }, (_, i) => amount(i)))

  for (const [i, bar] of bars.entries()) {
    expect(bar.x).toBeGreaterThan(i === 0 ? 0 : bars[i - 1]!.x + bars[i - 1]!.width)
  }
  expect(bars.at(-1)!.x + bars.at(-1)!.width).toBeLessThan(width)
})

test('the lines are at amounts that read well, the highest on top', () => {
  expect(linesOf(737_000)).toEqual(['R$ 8 mil', 'R$ 6 mil', 'R$ 4 mil', 'R$ 2 mil', 'R$ 0'])
  expect(linesOf(6_200_000, 1)).toEqual([
    ...['R$ 80 mil', 'R$ 60 mil', 'R$ 40 mil', 'R$ 20 mil', 'R$ 0'],
  ])
  expect(linesOf(1_000)).toEqual(['R$ 10', 'R$ 7,5', 'R$ 5', 'R$ 2,5', 'R$ 0'])
})

test.each([1, 99, 400, 401, 99_999, 100_000, 100_001, 123_456_789_00, 10 ** 15])(
  'no column of %i cents is higher than the picture, nor lost at its foot',
  (cents) => {
    const { bars, lines, height } = buildColumnChart([amount(cents)])

    expect(bars[0]!.height).toBeLessThanOrEqual(height)
    if (cents > 400) expect(bars[0]!.height).toBeGreaterThanOrEqual(height / 2.5)
    expect(new Set(lines.map(({ text }) => text)).size).toBe(lines.length)
  },
)

test('where nothing came in, the picture is empty and not broken', () => {
  expect(buildColumnChart([amount(0), amount(0)]).bars.map((bar) => bar.height)).toEqual([0, 0])
  expect(buildColumnChart([]).bars).toEqual([])
  expect(linesOf(0)).toEqual(['R$ 4', 'R$ 3', 'R$ 2', 'R$ 1', 'R$ 0'])
})

test('what a column stands for is said in full', () => {
  const { bars } = buildColumnChart([amount(150_000)])

  expect(bars[0]!.title).toBe('novembro de 2026: R$\u00a01.500,00')
})

test('of many columns some are named, every other of those only where there is room', () => {
  const { labels } = buildColumnChart(Array.from({ length: 30 }, () => amount(1)))

  const named = labels.flatMap(({ text, isMinor }, i) => (text ? [[i, isMinor]] : []))
  expect(labels).toHaveLength(30)
  expect(named).toEqual([
    ...[
      [0, false],
      [5, true],
      [10, false],
      [15, true],
      [20, false],
      [25, true],
    ],
  ])
})

test('few columns are all named', () => {
  const { labels } = buildColumnChart(Array.from({ length: 7 }, () => amount(1)))

  expect(labels.every(({ text }) => text === 'nov/26')).toBe(true)
})

test('shares are parts of the greatest amount, and of nothing they are nothing', () => {
  expect(computeShares([300, 100, 0, 150])).toEqual([100, 33.33, 0, 50])
  expect(computeShares([0, 0])).toEqual([0, 0])
  expect(computeShares([])).toEqual([])
})
