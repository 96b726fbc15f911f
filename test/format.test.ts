import { expect, test } from 'vitest'
import { formatTaxId, maskTaxId, serializeDocument } from '../src/format.ts'

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
