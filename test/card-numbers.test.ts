// Which digits are a card's: whatever people write cards like, and nothing that is another number.
import { cnpj, cpf } from 'cpf-cnpj-validator'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { containsCardNumber, maskCardNumbers } from '../src/card-numbers.ts'
import { formatBrl } from '../src/format.ts'

const RUNS = { numRuns: 400 }

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
  const plain = fc.constantFrom(' ', '.', '-', ' - ', '\n', '\u00a0', '_', '/', ', ', '\u2013')
  const strange = fc.constantFrom('*', ' * ', '\u200b', '\u200e', '\u202c', '\u0001')
  const between = fc.oneof(plain, strange)
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

const BETWEEN = [
  '|',
  ' : ',
  ';',
  '~',
  '=',
  '\\\\',
  '"',
  "' '",
  '][',
  ') (',
  '&nbsp;',
  '&#160;',
  '</b> <b>',
]
BETWEEN.push('</td>\n<td class="number">', '%20', '%5C', '\u00b7', '\u{1f4b3}')

test.each<[string, string[], number, number[][]]>([
  ['a Visa', ['4'], 16, [FOURS, [4, 6, 6], [5, 5, 5, 1], [6, 6, 4]]],
  ['a Mastercard', ['51', '2720'], 16, [FOURS, [8, 8], [4, 12]]],
  [
    'an American Express',
    ['34', '37'],
    15,
    [
      [4, 6, 5],
      [6, 6, 3],
      [5, 5, 5],
    ],
  ],
  [
    'a Diners',
    ['36', '38'],
    14,
    [
      [4, 6, 4],
      [6, 6, 2],
      [5, 5, 4],
    ],
  ],
])('whatever stands between the groups of %s', (_brand, prefixes, length, spellings) => {
  fc.assert(
    fc.property(
      cards(prefixes, length),
      fc.constantFrom(...spellings),
      fc.constantFrom(...BETWEEN),
      (number, lengths, separator) => containsCardNumber(`[${group(number, lengths, separator)}]`),
    ),
    RUNS,
  )
})

/** Such a number looks like a list of sizes. */
const isOrdered = (groups: string[]) =>
  [groups.toSorted(), groups.toSorted().reverse()].some((one) => one.join() === groups.join())

test('a number in groups of three is found, unless it is a list', () => {
  const number = fc.oneof(cards(['4', '51'], 16), cards(['37'], 15), cards(['36'], 14))
  const end = fc.constantFrom('', ' 12/27', ' 12 27', ' 1227 737', ' x')
  const written = (digits: string, separator: string) => digits.match(/.{1,3}/g)!.join(separator)
  fc.assert(
    fc.property(number, fc.constantFrom(' ', '-', '.', ':', '  '), end, (pan, separator, after) => {
      fc.pre(!isOrdered(written(pan, ' ').split(' ')))
      return containsCardNumber(`Pedido 1 ${written(pan, separator)}${after}`)
    }),
    RUNS,
  )
})

/** Where the digits of a script begin. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x104a0, 0x116da, 0x1d7ce, 0x1d7ec, 0x1fbf0]
const inScript = (zero: number) => (digit: string) => String.fromCodePoint(zero + Number(digit))
test.each<[string, (digit: string) => string]>([
  ...ZEROS.map((zero): [string, (digit: string) => string] => [
    `the script of ${zero}`,
    inScript(zero),
  ]),
  ['circles', (digit) => (digit === '0' ? '\u24ea' : inScript(0x245f)(digit))],
  ['per cents', (digit) => `%3${digit}`],
  ['per cents of per cents', (digit) => `%253${digit}`],
  ['entities', (digit) => `&#${48 + Number(digit)};`],
])('a number in digits of %s is found, and masked', (_script, write) => {
  const written = '4539578763621486'.replace(/\d/g, write)
  expect(maskCardNumbers(`a é ${written}, b`)).toBe(`a é ****, b`)
})

test.each([
  '<b>4539</b>5787 6362 1486',
  '<a title="4539578763621486">x</a>',
  '(4539) 5787-63621486',
  '4539578763621486'.replace(/\d/g, '$&\ufe0f\u20e3'),
  '453957-8763621486',
  '453957 | 8763621486',
  '30.569.309/0259-04',
  '37.828.224/6310-005',
])('%s is a card', (text) => {
  expect(containsCardNumber(text)).toBe(true)
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
  ['a phone with a CPF after it', oneOf(phone, space, person)],
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
  [
    'a list of sizes or rooms',
    fc
      .tuple(
        fc.uniqueArray(fc.integer({ min: 30, max: 699 }), { minLength: 3, maxLength: 20 }),
        fc.boolean(),
      )
      .chain(([list, isPairs]) => {
        const kept = list.filter((one) => isPairs === one < 100).sort((a, b) => a - b)
        return fc.constantFrom(' ', '-', ' - ', ', ', '; ', ' | ').map((gap) => kept.join(gap))
      }),
  ],
  [
    'the numbers of a raffle',
    fc.array(digits(2), { minLength: 6, maxLength: 12 }).map((pairs) => pairs.join(' ')),
  ],
  [
    'hours, and days with their hours',
    fc
      .array(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true }),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .chain((days) => {
        const iso = days.map((day) => day.toISOString())
        const hours = iso.map((one) => one.slice(11, 16))
        const dates = iso.map((one) => one.slice(0, 10).split('-').reverse().join('/'))
        const both = dates.map((date, i) => `${date} ${hours[i]}:30`)
        return fc
          .constantFrom(' ', ' - ', ', ', '; ', ' | ', '\n')
          .chain((gap) => fc.constantFrom(...[hours, dates, both].map((list) => list.join(gap))))
      }),
  ],
  [
    'what was paid, and what it makes',
    fc
      .array(fc.integer({ min: 100, max: 999_999 }), { minLength: 2, maxLength: 6 })
      .chain((amounts) => {
        const shown = amounts.map((cents) => formatBrl(cents).replace(/^R\$\s/, ''))
        return fc.constantFrom(' + ', ' = ', ' | ', '; ', '\n').map((gap) => shown.join(gap))
      }),
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

test.each([
  '1234567890123456',
  '4111111111111112',
  '98765432109876543210',
  '9999999999999999',
  '0000000000000000',
  '55510029-1111-4444-8888-000000000000',
  '20261121093015001 7891234567895',
  'De 01/02/2026 a 03/04/2026, das 08:00 às 18:00',
  'Ligue (11) 98765-4321 ou (21) 91234-5678',
  'CNPJ 11.222.333/0001-81, CPF 529.982.247-25',
  'Tamanhos 36,37,38,39,40,41,42,43,44 e 34/36/38/40/42/44/46',
  '1. ovo, 2. leite, 3. farinha: 4 x 500 g, 5 x 1 kg, 6 x 250 g',
])('%s is no card', (text) => {
  expect(containsCardNumber(text)).toBe(false)
})

test('a text that is logged keeps all but the card number', () => {
  const masked = maskCardNumbers('a 4111 1111 1111 1111 b 4111111111111111, c 1234')

  expect(masked).toBe('a **** b ****, c 1234')
  expect(maskCardNumbers('/x/4111%201111%201111%201111/y')).toBe('/x/****/y')
})

test('thirteen digits are a Visa where the word before them says so', () => {
  expect(containsCardNumber('Cartão: 4222222222222')).toBe(true)
  expect(containsCardNumber('Pedido 4222222222222')).toBe(false)
})
