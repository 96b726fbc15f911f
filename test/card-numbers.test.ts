// Which digits are a card's: whatever people write cards like, and nothing that is another number.
import { cnpj, cpf } from 'cpf-cnpj-validator'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { containsCardNumber } from '../src/card-numbers.ts'

const RUNS = { numRuns: 2_000 }

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
const oneOf = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))

/** `digits` in groups of these lengths, with what stands between. */
function group(text: string, lengths: number[], separator: string) {
  const ends = lengths.map((_, i) => lengths.slice(0, i + 1).reduce((sum, one) => sum + one, 0))
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end)).join(separator)
}

/** The numbers that begin so, of this length, right by Luhn. */
function cards(prefixes: string[], length: number) {
  return fc.constantFrom(...prefixes).chain((prefix) =>
    digits(length - 1 - prefix.length).map((rest) => {
      const body = `${prefix}${rest}`
      return [...'0123456789'].map((last) => body + last).find(passesLuhn)!
    }),
  )
}

function passesLuhn(number: string) {
  const values = [...number].reverse().map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 2))
  return values.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0
}

const FOURS = [4, 4, 4, 4]
test.each<[string, string[], number, number[][]]>([
  ['Visa', ['4'], 16, [[16], FOURS, [8, 8]]],
  ['Visa of 19 digits', ['4'], 19, [[19], [...FOURS, 3]]],
  ['Visa of 13 digits', ['4'], 13, [[4, 3, 3, 3]]],
  ['Mastercard', ['51', '55', '2221', '2720'], 16, [[16], FOURS]],
  ['American Express', ['34', '37'], 15, [[15], [4, 6, 5]]],
  ['Diners', ['300', '305', '3095', '36', '38', '39'], 14, [[4, 6, 4]]],
  ['Elo', ['401178', '438935', '504175', '5067', '509', '636297', '6500'], 16, [[16], FOURS]],
  ['Hipercard', ['606282', '637095'], 16, [[16], FOURS]],
  ['Discover', ['6011', '644', '65'], 16, [[16], FOURS]],
  ['JCB', ['3528', '3589'], 16, [[16], FOURS]],
  ['UnionPay', ['62'], 19, [[19], [...FOURS, 3]]],
])('a number of %s is found however people write it', (_brand, prefixes, length, spellings) => {
  const before = fc.constantFrom('', 'Pedido 1 ', 'Pedido 2026 ', 'cartao', '737 ')
  const between = fc.constantFrom(' ', '.', '-', ' - ', '\n', '\u00a0', '_', '/', ', ', '\u2013')
  const after = fc.constantFrom('', ' 12/27', '/12/27', ' 1227 737', 'x')
  const parts = [cards(prefixes, length), fc.constantFrom(...spellings), between, fc.boolean()]
  const property = fc.property(
    ...(parts as [
      fc.Arbitrary<string>,
      fc.Arbitrary<number[]>,
      fc.Arbitrary<string>,
      fc.Arbitrary<boolean>,
    ]),
    before,
    after,
    (number, lengths, separator, isWide, begin, end) => {
      const written = group(number, lengths, separator)
      const shown = isWide
        ? written.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
        : written
      return containsCardNumber(begin + shown + end)
    },
  )

  fc.assert(property, RUNS)
})

const phone = fc
  .tuple(fc.integer({ min: 11, max: 99 }), digits(8))
  .chain(([area, rest]) =>
    fc.constantFrom(
      `(${area}) 9${rest.slice(0, 4)}-${rest.slice(4)}`,
      `${area}9${rest}`,
      `${area} 9${rest.slice(0, 4)}-${rest.slice(4)}`,
      `+55 ${area} 9 ${rest.slice(0, 4)}-${rest.slice(4)}`,
      `${area}4${rest.slice(1)}`,
    ),
  )
const person = digits(9).chain((base) => {
  const first = cpf.verifierDigit(base)
  const whole = `${base}${first}${cpf.verifierDigit(`${base}${first}`)}`
  return fc.constantFrom(whole, cpf.format(whole))
})
const company = fc
  .tuple(fc.constantFrom('', '30', '36', '38', '39'), digits(12))
  .chain(([begin, rest]) => {
    const base = (begin + rest).slice(0, 12)
    const first = cnpj.verifierDigit(base)
    const whole = `${base}${first}${cnpj.verifierDigit(`${base}${first}`)}`
    return fc.constantFrom(whole, cnpj.format(whole))
  })
const space = fc.constantFrom(' ', ', ', ' / ', ' - ', '\n')
const ALL_BANKS = ['001', '033', '104', '237', '341', '756']
/** Its fields are written with a dot, with a blank, or on end. */
const boleto = fc.tuple(fc.constantFrom(...ALL_BANKS), digits(44)).chain(([bank, rest]) => {
  const line = bank + rest
  const tail = [33, 34].map((at, i) => (i === 0 ? line[32]! : line.slice(at - 1)))
  const halves = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)]
  const dotted = halves.map((half) => `${half.slice(0, 5)}.${half.slice(5)}`)
  return fc.constantFrom(
    line,
    [...dotted, ...tail].join(' '),
    [...halves, ...tail].join(' '),
    [...dotted, ...tail].join(' ').replaceAll('.', ' '),
  )
})

test.each<[string, fc.Arbitrary<string>]>([
  ['a CNPJ, whatever it begins with', company],
  ['a CPF with a phone after it', oneOf(person, space, phone)],
  ['two phones', oneOf(phone, space, phone)],
  [
    'two phones without an area',
    digits(12).map(
      (rest) => `4${group(rest.slice(0, 7), [3, 4], '-')} / 4${group(rest.slice(5), [3, 4], '-')}`,
    ),
  ],
  ['the line of a boleto, of any bank', boleto],
  [
    'the line of a bill',
    digits(47).chain((rest) =>
      fc.constantFrom(
        group(`8${rest}`, [12, 12, 12, 12], ' '),
        group(`8${rest}`, [11, 1, 11, 1, 11, 1, 11, 1], '-'),
        `8${rest}`,
      ),
    ),
  ],
  [
    'the key of an NF-e',
    digits(44).chain((key) => fc.constantFrom(key, group(key, Array(11).fill(4), ' '))),
  ],
  ['an order of 13 digits, or a barcode', digits(12).map((rest) => `Pedido 4${rest}`)],
  [
    'the id of a Pix from end to end',
    digits(12).map((rest) => `E60701190202611${rest.slice(0, 6)}s${rest.slice(6)}`),
  ],
  [
    'an access token',
    digits(15).map((rest) => `APP_USR-4${rest}-112926-0a1b2c3d4e5f0a1b2c3d4e5f0a1b2c3d-41`),
  ],
])('%s is no card', (_what, numbers) => {
  fc.assert(
    fc.property(numbers, (number) => !containsCardNumber(number)),
    RUNS,
  )
})

test('thirteen digits are a Visa where the word before them says so', () => {
  expect(containsCardNumber('Cartão: 4222222222222')).toBe(true)
  expect(containsCardNumber('Pedido 4222222222222')).toBe(false)
})
