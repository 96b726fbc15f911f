// What can be an address, and what cannot.
import { expect, test } from 'vitest'
import { EMAIL_PATTERN, parsePhone } from '../../src/customers/contact.ts'

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
  ['tel:+55-48-99999-1234', '48999991234'],
  ['TEL: (48) 99999-1234', '48999991234'],
  ['(48) 99999–1234', '48999991234'],
  ['48 99999\u20111234', '48999991234'],
  ['\u202a+55 48 99999−1234\u202c', '48999991234'],
  ['048999991234', '48999991234'],
  ['(048) 3333-4444', '4833334444'],
  ['+55 (0)48 99999-1234', '48999991234'],
  ['４８９９９９９１２３４', '48999991234'],
  ['tel:+54 9 11 2345‐6789', '+5491123456789'],
])('%s is the phone %s', (typed, phone) => {
  expect(parsePhone(typed)).toBe(phone)
})

test.each(['99999-1234', '0048999991234', '08001234567', 'fax:48999991234'])(
  '%s is none',
  (typed) => {
    expect(parsePhone(typed)).toBeUndefined()
  },
)
