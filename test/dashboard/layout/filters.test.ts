// The periods that a list offers, as of different days.
import { expect, test } from 'vitest'
import {
  buildDayPresets,
  findPresetDays,
  isPresetPeriod,
} from '../../../src/dashboard/layout/list.ts'

const NONE = { de: '', ate: '' }

function listPeriods(at: string) {
  const now = new Date(at)
  return buildDayPresets(NONE, now, String).map(({ text, href }) => {
    const { de, ate } = findPresetDays(href, now)
    return `${text}: ${de} ${ate}`
  })
}

test('the periods are whole days of São Paulo', () => {
  expect(listPeriods('2026-11-22T02:59:59.999Z')).toEqual([
    'Hoje: 2026-11-21 2026-11-21',
    'Ontem: 2026-11-20 2026-11-20',
    '7 dias: 2026-11-15 2026-11-21',
    'Este mês: 2026-11-01 2026-11-21',
    'Mês passado: 2026-10-01 2026-10-31',
  ])
  expect(listPeriods('2026-11-22T03:00:00.000Z')[0]).toBe('Hoje: 2026-11-22 2026-11-22')
})

test('on the first of a year and of a March the month before is whole', () => {
  expect(listPeriods('2027-01-01T12:00:00.000Z')).toEqual([
    'Hoje: 2027-01-01 2027-01-01',
    'Ontem: 2026-12-31 2026-12-31',
    '7 dias: 2026-12-26 2027-01-01',
    'Este mês: 2027-01-01 2027-01-01',
    'Mês passado: 2026-12-01 2026-12-31',
  ])
  expect(listPeriods('2028-03-01T12:00:00.000Z').at(-1)).toBe('Mês passado: 2028-02-01 2028-02-29')
})

test('the period that is shown is marked, and taken away by itself', () => {
  const now = new Date('2026-11-21T15:00:00.000Z')
  const yesterday = { de: '2026-11-20', ate: '2026-11-20' }

  const presets = buildDayPresets(yesterday, now, (period) => period ?? 'none')

  expect(presets.map(({ isCurrent }) => isCurrent)).toEqual([false, true, false, false, false])
  expect(presets.map(({ href }) => href)).toEqual(['hoje', 'none', '7-dias', 'mes', 'mes-passado'])
  expect(isPresetPeriod(yesterday, now)).toBe(true)
  expect(isPresetPeriod({ ...yesterday, ate: '' }, now)).toBe(false)
  expect(isPresetPeriod(NONE, now)).toBe(false)
  expect(findPresetDays('nada', now)).toEqual({})
})
