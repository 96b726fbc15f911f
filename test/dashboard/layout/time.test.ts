import { expect, test } from 'vitest'
import { formatDayTime, toTimeView } from '../../../src/dashboard/layout/values.ts'

/** Ten in the morning of a Saturday in São Paulo. */
const NOW = new Date('2026-11-21T13:00:00.000Z')

test.each([
  ['2026-11-21T13:00:00.000Z', 'hoje 10:00'],
  ['2026-11-21T03:00:00.000Z', 'hoje 00:00'],
  ['2026-11-21T02:59:59.999Z', 'ontem 23:59'],
  ['2026-11-20T03:00:00.000Z', 'ontem 00:00'],
  ['2026-11-20T02:59:59.999Z', '19/11 23:59'],
  ['2026-01-01T03:00:00.000Z', '01/01 00:00'],
  ['2026-01-01T02:59:59.999Z', '31/12/2025 23:59'],
  ['2026-11-22T02:59:59.999Z', 'hoje 23:59'],
  ['2026-11-22T03:00:00.000Z', '22/11 00:00'],
  ['2027-01-01T03:00:00.000Z', '01/01/2027 00:00'],
])('%s is shown as %s', (iso, words) => {
  expect(formatDayTime(iso, NOW)).toBe(words)
})

test('the full time has the second, whatever is shown', () => {
  const iso = '2026-11-21T02:59:59.999Z'

  expect(toTimeView(iso, NOW)).toEqual({
    iso,
    text: 'ontem 23:59',
    full: '20/11/2026 23:59:59 (Brasília)',
  })
  expect(toTimeView(iso).text).toBe('20/11/2026 23:59')
})
