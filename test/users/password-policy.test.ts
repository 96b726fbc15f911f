// What a password may be: long enough, and not what guessers try first.
import { expect, test } from 'vitest'
import { BREACHED_PASSWORDS, findPasswordFault } from '../../src/users/password.ts'

const OWNER = { email: 'ana.lima@exemplo.com.br', companyName: 'Confeitaria Açúcar & Mel Ltda' }

/** 128 characters that nothing repeats in. */
const LONGEST = Array.from({ length: 64 }, (_, i) =>
  String.fromCharCode(0x4e00 + i * 7, 0x5e00 + i * 3),
).join('')

test.each([
  ['11 caractere', null],
  ['11 caracter', 'de 12 a 128'],
  [`${LONGEST}x`, 'de 12 a 128'],
  ['🔒'.repeat(11), 'de 12 a 128'],
  [LONGEST, null],
])('%s as a password: %s', (password, fault) => {
  expect(findFault(password)).toEqual(fault && expect.stringContaining(fault))
})

test.each([
  ...[
    'qwerty123456',
    'q1w2e3r4t5y6',
    '1qaz2wsx3edc',
    'Password123!',
    'password-1234',
    'iloveyou123!',
  ],
  ...[
    '123456789012',
    '111222333444',
    'aaaaaaaaaaaa',
    'x1'.repeat(20),
    'abababababab',
    '!!!!!!!!!!!!',
  ],
  ...[
    'Senha@12345678',
    '2026-flamengo!',
    'corinthians1',
    'Brasil202620',
    'deusefiel1010',
    'mudar@1234567',
  ],
  ...['Vintém202612', 'u-n-d-e-r-t-a-k-e-r', 'Sonyericsson1', 'gfhjkmgfhjkm', 'M-otherlode-2026'],
])('%s is easy to guess', (password) => {
  expect(findFault(password)).toContain('fácil de adivinhar')
})

test.each([
  ['Ana.Lima@Exemplo.com.br', 'o seu e-mail'],
  ['ANALIMA202612', 'o seu e-mail'],
  ['12-ana.lima-2026', 'o seu e-mail'],
  ['Confeitaria Açúcar & Mel Ltda', 'o nome da empresa'],
  ['confeitariaacucarmelltda2026', 'o nome da empresa'],
])('%s is what is known of the person', (password, fault) => {
  expect(findFault(password)).toContain(fault)
})

test.each([
  ...['flamengo até morrer', 'pão de queijo quente', 'goiabada com queijo', 'pão de queijo 10'],
  ...['cavalo bateria grampo correto', 'banana sol bateria gato', 'maria7kq9zwx', 'aB3$kLm9QzT!'],
  ...['xK-7fQ2_vT9wLp0aRzN4', '529982247259', '我喜欢吃橘子和苹果梨桃李'],
])('%s is not', (password) => {
  expect(findFault(password)).toBeNull()
})

test('the list is written as passwords are compared', () => {
  expect(BREACHED_PASSWORDS.size).toBeGreaterThan(1_400)
  expect([...BREACHED_PASSWORDS].filter((word) => !/^[a-z0-9]{8,}$/.test(word))).toEqual([])
})

function findFault(password: string) {
  return findPasswordFault(password, OWNER) ?? null
}
