import { expect, test } from 'vitest'
import {
  buildColumnChart,
  computeShares,
  formatShare,
} from '../../../src/dashboard/layout/chart.ts'

const amount = (cents: number) => ({ cents, label: 'novembro de 2026', short: 'nov/26' })

const linesOf = (...cents: number[]) =>
  buildColumnChart(cents.map(amount)).lines.map(({ text }) => text.replaceAll('\u00a0', ' '))

const barsOf = (...cents: number[]) =>
  buildColumnChart(cents.map(amount)).columns.map(({ bar }) => bar)

test('a column is as high as its amount, and stands on the ground', () => {
  const bars = barsOf(0, 20_000, 40_000)

  expect(bars.map(({ height }) => height)).toEqual([0, 100, 200])
  expect(bars.every(({ y, height }) => y + height === 200)).toBe(true)
})

test('beside a column stands that of the period before, on the left and as high as its amount', () => {
  const { columns, width, lines } = buildColumnChart([
    { ...amount(20_000), previousCents: 40_000 },
    { ...amount(10_000), previousCents: 0 },
  ])

  expect(lines[0]?.text.replaceAll('\u00a0', ' ')).toBe('R$ 400')
  expect(columns.map(({ bar, before }) => [before?.height, bar.height])).toEqual([
    [200, 100],
    [0, 50],
  ])
  for (const { bar, before } of columns) {
    expect(before!.x).toBeGreaterThan(0)
    expect(bar.x).toBeGreaterThan(before!.x + before!.width)
    expect(bar.x + bar.width).toBeLessThan(width)
  }
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
    const { columns, lines, height } = buildColumnChart([amount(cents)])
    const { bar } = columns[0]!

    expect(bar.height).toBeLessThanOrEqual(height)
    if (cents > 400) expect(bar.height).toBeGreaterThanOrEqual(height / 2.5)
    expect(new Set(lines.map(({ text }) => text)).size).toBe(lines.length)
  },
)

test('the tooltip of a column has its amount and that of the period before', () => {
  const { columns } = buildColumnChart([{ ...amount(150_000), previousCents: 0 }, amount(1)])

  expect(columns.map(({ tip }) => Object.values(tip))).toEqual([
    ['novembro de 2026', 'R$\u00a01.500,00', 'Período anterior: R$\u00a00,00'],
    ['novembro de 2026', 'R$\u00a00,01', null],
  ])
})

test('the tooltip of a column stays within the picture', () => {
  const sides = (count: number) =>
    buildColumnChart(Array.from({ length: count }, () => amount(1))).columns.map(({ side }) => side)

  expect(sides(1)).toEqual(['middle'])
  expect(sides(3)).toEqual(['start', 'middle', 'end'])
  expect(Object.groupBy(sides(30), (side) => side)).toMatchObject({
    start: { length: 10 },
    middle: { length: 10 },
    end: { length: 10 },
  })
})

test('of many columns some are named, every other of those only where there is room', () => {
  const { columns } = buildColumnChart(Array.from({ length: 30 }, () => amount(1)))

  const named = columns.flatMap(({ short, isMinor }, i) => (short ? [[i, isMinor]] : []))
  expect(columns).toHaveLength(30)
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

test('shares are parts of the greatest amount, and of nothing they are nothing', () => {
  expect(computeShares([300, 100, 0, 150])).toEqual([100, 33.33, 0, 50])
  expect(computeShares([0, 0])).toEqual([0, 0])
  expect(computeShares([])).toEqual([])
})

test('a share reads as one, however small', () => {
  expect(
    [
      [1, 3],
      [1, 1_000],
      [0, 5],
      [5, 0],
    ].map(([part, whole]) => formatShare(part!, whole!)),
  ).toEqual(['33%', 'menos de 1%', '0%', '0%'])
})
