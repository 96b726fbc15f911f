import { expect, test } from 'vitest'
import { formatTaxId, maskTaxId } from '../src/format.ts'

test('a document reads as people write it', () => {
  expect(formatTaxId('52998224725')).toBe('529.982.247-25')
  expect(formatTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
})

test('what leaves us of a document is not enough to know it', () => {
  expect(maskTaxId('12345678909')).toBe('***.456.789-**')
  expect(maskTaxId('12ABC34501DE35')).toBe('**.ABC.345/****-**')
})
