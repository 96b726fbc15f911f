import { expect, test } from 'vitest'
import {
  formatFullInstant,
  formatInstant,
  formatTaxId,
  maskTaxId,
  serializeDocument,
} from '../src/format.ts'

test('a document reads as people write it', () => {
  expect(formatTaxId('52998224725')).toBe('529.982.247-25')
  expect(formatTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
  expect(formatTaxId('+AB123456')).toBe('AB123456 (outro país)')
})

test('what leaves us of a document is not enough to know it', () => {
  expect(maskTaxId('12345678909')).toBe('***.456.789-**')
  expect(maskTaxId('12ABC34501DE35')).toBe('**.ABC.345/****-**')
  expect(maskTaxId('+AB123456')).toBe('*****456 (outro país)')
  expect(serializeDocument('+AB123456')).toEqual({ taxId: null, foreignDocument: '*****456' })
})

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
  expect(formatInstant(iso, NOW)).toBe(words)
})

test('outside a list an instant has its day, and in full its second', () => {
  const iso = '2026-11-21T02:59:59.999Z'

  expect(formatInstant(iso)).toBe('20/11/2026 23:59')
  expect(formatFullInstant(iso)).toBe('20/11/2026 23:59:59 (Brasília)')
})
