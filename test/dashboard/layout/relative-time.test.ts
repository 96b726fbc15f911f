import { expect, test } from 'vitest'
import { toRelativeTimeView } from '../../../src/dashboard/layout/relative-time.ts'

const HOUR_MS = 3_600_000

test.each([
  [0, 'há menos de 1 minuto'],
  [59_999, 'há menos de 1 minuto'],
  [60_000, 'há 1 minuto'],
  [HOUR_MS - 1, 'há 59 minutos'],
  [HOUR_MS, 'há 1 hora'],
  [24 * HOUR_MS - 1, 'há 23 horas'],
  [24 * HOUR_MS, 'há 1 dia'],
  [30 * 24 * HOUR_MS - 1, 'há 29 dias'],
  [30 * 24 * HOUR_MS, '01/01/2026 09:00'],
])('%i ms ago is %s', (ms, words) => {
  const at = new Date('2026-01-01T12:00:00.000Z')

  expect(toRelativeTimeView(at.toISOString(), new Date(at.getTime() + ms)).text).toBe(words)
})
