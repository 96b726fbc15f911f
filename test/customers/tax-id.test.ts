import { generateCnpj, generateCpf } from '@brazilian-utils/brazilian-utils'
import { expect, test } from 'vitest'
import { parseTaxId } from '../../src/customers/tax-id.ts'
import { formatTaxId, maskTaxId } from '../../src/format.ts'

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

test('documents that other people’s code makes are accepted, and none of them with one character changed', () => {
  for (let i = 0; i < 50; i++) {
    for (const taxId of [generateCpf(), generateCnpj(1), generateCnpj(2)]) {
      expect(parseTaxId(taxId)).toBe(taxId)
      const [last, at] = [Number(taxId.at(-1)), taxId.length - 1]
      expect(parseTaxId(taxId.slice(0, at) + ((last + 1) % 10))).toBeUndefined()
    }
  }
})

test('a document reads as people write it', () => {
  expect(formatTaxId('52998224725')).toBe('529.982.247-25')
  expect(formatTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
})

test('what leaves us of a document is not enough to know it', () => {
  expect(maskTaxId('12345678909')).toBe('***.456.789-**')
  expect(maskTaxId('12ABC34501DE35')).toBe('**.ABC.345/****-**')
})
