// What may be a payer's e-mail, telephone and document, and what may not.
import { generateCnpj, generateCpf } from '@brazilian-utils/brazilian-utils'
import { expect, test } from 'vitest'
import {
  EMAIL_PATTERN,
  parsePhone,
  parseTaxId,
  readForeignDocument,
  readTaxId,
  restoreZeros,
  trimEmail,
} from '../src/payer-rules.js'

test.each([
  'a@b.co',
  'maria.silva+loja@exemplo.com.br',
  "o'neil_{x}@mail-1.exemplo.com",
  '-a@b.com',
  'joão@pão-de-açúcar.com.br',
  'josé@xn--po-de-acar-z7a4d.com.br',
  '用户@例子.公司',
  'a@1.b--c.3com.br',
])('%s may be an address', (address) => {
  expect(EMAIL_PATTERN.test(address)).toBe(true)
})

test.each([
  'a@b..com',
  'a@.b.com',
  'a@b.com.',
  '.a@b.com',
  'a.@b.com',
  'a..b@c.com',
  '-a@-b.com',
  'a@b-.com',
  'a@b.-com',
  'a@b.com-',
  'a@exa_mple.com',
  'a@b!.com',
  'a@b.c',
  'a@com',
  'a@b@c.com',
  'a b@c.com',
])('%s is none', (address) => {
  expect(EMAIL_PATTERN.test(address)).toBe(false)
})

test.each(['a.', '-a', 'a-', 'a', '-', '.'])('many a "%s" are refused at once', (part) => {
  const many = part.repeat(50_000)

  expect(EMAIL_PATTERN.test(`${many}@b.com!`)).toBe(false)
  expect(EMAIL_PATTERN.test(`a@b${many}.c!`)).toBe(false)
  expect(EMAIL_PATTERN.test(`a@b.c${many}!`)).toBe(false)
})

test.each([
  ['maria＠exemplo．com．br', 'maria@exemplo.com.br'],
  ['Ｍａｒｉａ＠ｅｘｅｍｐｌｏ．ｃｏｍ．ｂｒ', 'Maria@exemplo.com.br'],
  ['joão´s@exemplo.com.br', 'joão´s@exemplo.com.br'],
])('%s is the address %s', (typed, address) => {
  expect(trimEmail(typed)).toBe(address)
})

test.each([
  ['tel:+55-48-99999-1234', '48999991234'],
  ['TEL: (48) 99999-1234', '48999991234'],
  ['(48) 99999–1234', '48999991234'],
  ['48 99999\u20111234', '48999991234'],
  ['\u202a+55 48 99999−1234\u202c', '48999991234'],
  ['048999991234', '48999991234'],
  ['(048) 3333-4444', '4833334444'],
  ['+55 (0)48 99999-1234', '48999991234'],
  ['0 15 48 99999-1234', '48999991234'],
  ['0XX48 3333-4444', '4833334444'],
  ['0 48 99999-1234', '48999991234'],
  ['４８９９９９９１２３４', '48999991234'],
  ['tel:+54 9 11 2345‐6789', '+5491123456789'],
  ['"+55 48 99999.1234";', '48999991234'],
  ['48_99999_1234,', '48999991234'],
  ['0055 48 99999-1234', '48999991234'],
])('%s is the phone %s', (typed, phone) => {
  expect(parsePhone(typed)).toBe(phone)
})

test.each(['99999-1234', '0048999991234', '08001234567', 'fax:48999991234', '10 98765-4321'])(
  '%s is none',
  (typed) => {
    expect(parsePhone(typed)).toBeUndefined()
  },
)

test.each([
  ['529.982.247-25', '52998224725'],
  ['52998224725', '52998224725'],
  // Mercado Pago names it for its test cards, and Banco Central in its examples.
  ['123.456.789-09', '12345678909'],
  [' 529 982 247 25 ', '52998224725'],
  ['11.222.333/0001-81', '11222333000181'],
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12abc34501de35', '12ABC34501DE35'],
  ['\u200b529\u00ad.982\u2060.247\u201125\ufeff', '52998224725'],
  ['529.982.247–25', '52998224725'],
  ['529.982.247−25', '52998224725'],
  ['529\u00a0982\u2009247\u202f25', '52998224725'],
  ['１２３．４５６．７８９－０９', '12345678909'],
  ['CPF: 529.982.247-25', '52998224725'],
  ['cnpj：11.222.333/0001-81', '11222333000181'],
  ['\u200eCNPJ 12.ABC.345/01DE-35', '12ABC34501DE35'],
])('%j is the document %s', (typed, taxId) => {
  expect(parseTaxId(typed)).toBe(taxId)
})

test.each([
  ['', 'nothing'],
  ['529.982.247-26', 'a wrong check digit'],
  ['11.222.333/0001-82', 'a wrong check digit'],
  ['12.ABC.345/01DE-36', 'a wrong check digit'],
  ['111.111.111-11', 'one digit eleven times'],
  ['00000000000', 'one digit eleven times'],
  ['00000000000000', 'one digit fourteen times'],
  ['5299822472', 'too short'],
  ['529982247255', 'of no length'],
  ['112223330001810', 'too long'],
  ['12ABC34501DEAB', 'letters for check digits'],
  ['12.ÁBC.345/01DE-35', 'a letter outside A–Z'],
  ['１２３４５６７８９００', 'a wrong check digit, of another width'],
  ['١٢٣٤٥٦٧٨٩٠٩', 'digits of another script'],
  ['RG: 529.982.247-25', 'of another name'],
  ['529982247-25; drop', 'something else'],
])('%j is no document: %s', (typed) => {
  expect(parseTaxId(typed)).toBeUndefined()
})

test.each([
  ['CPF nº 529.982.247-25', '52998224725'],
  ['meu CPF é 529 982 247 25', '52998224725'],
  ['"529.982.247-25"', '52998224725'],
  ['(529.982.247-25)', '52998224725'],
  ['529.982.247-25;', '52998224725'],
  ['529.982.247-25, CPF', '52998224725'],
  ['529,982,247-25', '52998224725'],
  ['529_982_247_25', '52998224725'],
  ['CPF529.982.247-25', '52998224725'],
  ['CPF=52998224725', '52998224725'],
  ['cnpj12.abc.345/01de-35', '12ABC34501DE35'],
  ['C.N.P.J. 11.222.333\\0001-81', '11222333000181'],
  ['529.982.247-26;', undefined],
  ['CPF 5299822472', undefined],
  ['12.ÁBC.345/01DE-35', undefined],
])('a person who types %j means the document %s', (typed, taxId) => {
  expect(readTaxId(typed)).toBe(taxId)
})

test('documents that other people’s code makes are accepted, and none of them with one character changed', () => {
  for (let i = 0; i < 50; i++) {
    for (const taxId of [generateCpf(), generateCnpj(1), generateCnpj(2)]) {
      expect(parseTaxId(taxId)).toBe(taxId)
      const [last, at] = [Number(taxId.at(-1)), taxId.length - 1]
      expect(parseTaxId(taxId.slice(0, at) + ((last + 1) % 10))).toBeUndefined()
    }
  }
})

test.each([
  ['AB123456', '+AB123456'],
  ['ab 123.456-7', '+AB1234567'],
  ['Passaporte: AB123456', '+AB123456'],
  ['Passaporte nº AB 123.456', '+AB123456'],
  ['passport no. AB123456', '+AB123456'],
  ['Passport NO123456', '+NO123456'],
  ['ＡＢ１２３４５６', '+AB123456'],
  ['12345', '+12345'],
  ['CPF 529.982.247-25', '52998224725'],
  ['11.222.333/0001-81', '11222333000181'],
  ['1234', undefined],
  ['ABCDEF', undefined],
  ['A12345678901234567890', undefined],
  ['AB_12345', undefined],
  ['+AB12345', undefined],
  ['', undefined],
])('%s is the document %s of who has no CPF', (typed, document) => {
  expect(readForeignDocument(typed)).toBe(document)
})

test.each([
  ['1234567890', '01234567890'],
  ['123.456.789-0', '01234567890'],
  ['1234567891', undefined],
  ['01234567890', undefined],
  ['', undefined],
])('of %s the document with its leading zeros is %s', (typed, taxId) => {
  expect(restoreZeros(typed)).toBe(taxId)
})
