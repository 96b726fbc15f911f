import { expect, test } from 'vitest'
import { describeAmountError, parseBrl } from '../../../src/dashboard/layout/form.ts'
import { parseDay, parseLocalTime } from '../../../src/dashboard/layout/local-time.ts'

const LIMITS = { min: 1_000, max: 20_000_000 }

test.each([
  ['150', 15_000],
  ['150,00', 15_000],
  ['150.00', 15_000],
  ['19,9', 1_990],
  ['1.500,00', 150_000],
  ['1,500.00', 150_000],
  ['1500.5', 150_050],
  ['R$ 150,00', 15_000],
  [' r$150.00 ', 15_000],
  ['R$\u00a01.234,56', 123_456],
  ['\u200b150\u2060,00\ufeff', 15_000],
  ['Ｒ＄ １．５００，００', 150_000],
  ['R$\u202f150,00', 15_000],
  ['200.000,00', 20_000_000],
  ['1 500,00', 150_000],
  ['R$ 1\u00a0500', 150_000],
  ['1\u202f500.5', 150_050],
])('%s is an amount', (typed, cents) => {
  expect(parseBrl(typed)).toBe(cents)
  expect(describeAmountError(typed, LIMITS)).toBeUndefined()
})

test.each([
  ['1.500', /^1\.500 pode ser R\$.1\.500,00 ou R\$.1,50\./],
  ['19,905', /19\.905,00 ou R\$.19,90/],
  ['0.500', /em reais/],
  ['12.34,56', /em reais/],
  ['15 00', /em reais/],
  ['1 500 00', /em reais/],
  ['19,9050', /em reais/],
  ['', /em reais/],
  ['150²', /em reais/],
  ['dez', /em reais/],
  ['-50', /em reais/],
  ['1e3', /em reais/],
  ['9,99', /mínimo/],
  ['1.234.567', /máximo/],
])('%s is no amount of a link', (typed, sentence) => {
  expect(describeAmountError(typed, LIMITS)).toMatch(sentence)
})

test.each([
  ['31/12/2026', '2026-12-31'],
  [' 2026-12-31 ', '2026-12-31'],
  ['1/5/26', '2026-05-01'],
  ['31-12-2026', '2026-12-31'],
  ['31.12.26', '2026-12-31'],
  ['31/12-2026', undefined],
  ['31/02/2026', undefined],
  ['12/31/2026', undefined],
  ['31/12', undefined],
])('%s is the day %s', (typed, day) => {
  expect(parseDay(typed)).toBe(day)
})

test.each([
  ['31/12/2026', '2027-01-01T02:59:00.000Z'],
  ['2026-12-31', '2027-01-01T02:59:00.000Z'],
  ['31/12/2026 18:00', '2026-12-31T21:00:00.000Z'],
  ['31-12-2026 18:00', '2026-12-31T21:00:00.000Z'],
  ['31.12.2026', '2027-01-01T02:59:00.000Z'],
  ['2026-12-31 18:00', '2026-12-31T21:00:00.000Z'],
  ['2026-12-31T9:05', '2026-12-31T12:05:00.000Z'],
  ['31/12/2026 às 23:59', '2027-01-01T02:59:00.000Z'],
  ['2018-12-31T23:59', '2019-01-01T01:59:00.000Z'],
  ['', undefined],
  ['31/12', undefined],
  ['2026-02-30T10:00', undefined],
  ['2026-12-31T24:01', undefined],
  ['99999-01-01T10:00', undefined],
  ['0001-01-01T10:00', undefined],
])('"%s" ends at %s', (typed, instant) => {
  expect(parseLocalTime(typed, '23:59')).toBe(instant)
})
