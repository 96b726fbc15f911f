// The one form into which the answers of providers are brought: what leaves no doubt is read, nothing is guessed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  parseAmountCents,
  parseAnswer,
  parseInstant,
  readAnswer,
} from '../../src/providers/answers.ts'

test.each([
  ['19.90', 1_990],
  ['19,90', 1_990],
  ['19.900', 1_990],
  ['19.9', 1_990],
  ['19', 1_900],
  [19.9, 1_990],
  [19.900000000000002, 1_990],
  ['1,234.50', 123_450],
  ['1.234,50', 123_450],
  ['1.234.567', 123_456_700],
  ['R$ 19,90', 1_990],
  ['BRL 19.90', 1_990],
  ['1.99E+1', 1_990],
  [{ original: '19.90' }, 1_990],
  [{ valor: { original: 19.9 } }, 1_990],
  [[{ original: '19.90' }], 1_990],
  ['0.00', 0],
])('%j is %d cents', (written, cents) => {
  expect(parseAmountCents(written)).toBe(cents)
})

test.each([
  ...[
    '1.234',
    '1,234',
    '19,900',
    '19.905',
    '1,23,4',
    '1.234.50',
    '-1.00',
    '+1.00',
    '',
    'dez',
    '1.2.3',
  ],
  ...['12345678901.00', 19.905, -1, Number.NaN, 1e12, null, undefined, true, [], ['1', '2'], {}],
])('%j is no amount that leaves no doubt', (written) => {
  expect(parseAmountCents(written)).toBeUndefined()
})

test('an amount is read as what it was, or not at all, however a bank writes it', () => {
  const write = (cents: number, locale: string, decimals: number, useGrouping: boolean) =>
    (cents / 100).toLocaleString(locale, {
      ...{ minimumFractionDigits: decimals, maximumFractionDigits: 4, useGrouping },
    })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999_999 }),
      fc.constantFrom('pt-BR', 'en-US'),
      fc.constantFrom(2, 4),
      fc.boolean(),
      (cents, locale, decimals, useGrouping) => {
        expect(parseAmountCents(write(cents, locale, decimals, useGrouping))).toBe(cents)
      },
    ),
  )
})

test.each([
  '2026-11-29T13:05:09.123Z',
  '2026-11-29T13:05:09.123456789Z',
  '2026-11-29T10:05:09.123-03:00',
  '2026-11-29T10:05:09.123-0300',
  '2026-11-29T10:05:09.123-03',
  '2026-11-29 10:05:09.123',
  '2026-11-29T10:05:09,123',
  '2026-11-29T10:05:09.123-03:00[America/Sao_Paulo]',
  '2026/11/29 13:05:09.123 UTC',
  '29/11/2026 10:05:09.123',
  '29/11/2026, 10:05:09.123',
  '29-11-2026T13:05:09.123Z',
  Date.parse('2026-11-29T13:05:09.123Z'),
  String(Date.parse('2026-11-29T13:05:09.123Z')),
])('%s is the same instant', (written) => {
  expect(parseInstant(written)).toBe('2026-11-29T13:05:09.123Z')
})

test.each([
  ['2026-11-29T10:05', '2026-11-29T13:05:00.000Z'],
  ['29/11/2026 9:05', '2026-11-29T12:05:00.000Z'],
  ['2026-11-29', '2026-11-29T03:00:00.000Z'],
  ['29/11/2026', '2026-11-29T03:00:00.000Z'],
  [1_764_421_509, '2025-11-29T13:05:09.000Z'],
])('%s, with a part left out, is %s', (written, at) => {
  expect(parseInstant(written)).toBe(at)
})

test.each([
  '',
  'ontem',
  '2026-13-01T00:00:00Z',
  '11/29/2026 10:00',
  '2026-11-29T25:00',
  null,
  {},
  7,
])('%j is no instant', (written) => {
  expect(parseInstant(written)).toBeUndefined()
})

test('names are read however they are written, and blanks are nothing', () => {
  const text =
    '\uFEFF{"TXID":" a ","end_to_end_id":"b","Horário":null,"other_name":"","list":[null,""]}'

  const answer = readAnswer(text, ['txid', 'endToEndId', 'horario'])

  expect(answer).toEqual({ txid: 'a', endToEndId: 'b', list: [] })
})

test.each([
  { txid: 'a' },
  [{ txid: 'a' }],
  { data: { txid: 'a' } },
  { status: 200, data: [{ txid: 'a' }] },
  { result: { data: { txid: 'a' } } },
])('what is wrapped is found: %j', (value) => {
  const shape = z.object({ txid: z.string() })

  expect(parseAnswer(shape, { value, from: 'a bank' })).toEqual({ txid: 'a' })
})

test.each([[[{ txid: 'a' }, { txid: 'b' }]], [{ one: { txid: 'a' }, other: { txid: 'b' } }]])(
  'of two that could be meant none is taken: %j',
  (value) => {
    const shape = z.object({ txid: z.string() })

    expect(() => parseAnswer(shape, { value, from: 'a bank' })).toThrow('could not be read')
  },
)

test('JSON that is nested without end is no answer', () => {
  const text = `${'{"data":'.repeat(2_000)}1${'}'.repeat(2_000)}`
  const shape = z.object({ txid: z.string() })

  expect(() => parseAnswer(shape, { value: readAnswer(text, []), from: 'a bank' })).toThrow()
})
