// What a password may be: long enough, and not what guessers try first.
import { expect, test } from 'vitest'
import { BREACHED_PASSWORDS } from '../../src/users/breached-passwords.ts'
import { COMMON_WORDS } from '../../src/users/common-words.ts'
import { findPasswordFault } from '../../src/users/password-policy.ts'

const OWNER = { email: 'ana.lima@exemplo.com.br', companyName: 'Confeitaria Açúcar & Mel Ltda' }

/** 128 characters that nothing repeats in. */
const LONGEST = Array.from({ length: 64 }, (_, i) =>
  String.fromCharCode(0x4e00 + i * 7, 0x5e00 + i * 3),
).join('')

test.each([
  ['9 caract.', 'de 10 a 128'],
  [`${LONGEST}x`, 'de 10 a 128'],
  ['🔒'.repeat(9), 'de 10 a 128'],
  ['10 carac. ', null],
  [LONGEST, null],
])('%s as a password: %s', (password, fault) => {
  expect(findFault(password)).toEqual(fault && expect.stringContaining(fault))
})

test.each([
  ...['qwerty12345', 'qwertyuiop', '1q2w3e4r5t', '1qaz2wsx3edc', 'asdfghjkl;', 'poiuytrewq'],
  ...['1234567890', '0987654321', '123123123123', '1122334455', 'abcdefghij', 'aaaaaaaaaa'],
  ...['abcabcabcabc', 'senhasenha', 'adminadmin1', 'x1'.repeat(20), '11111111111', '2020202020'],
  ...['Password123', 'P@ssw0rd2024!', 's3nh4s3nh4', 'Senha@12345', 'M1nh4S3nh4!', 'password-1234'],
  ...['Flamengo1981', 'corinthians', 'Brasil2026!', 'deusefiel10', 'jesuscristo', 'euteamo123'],
  ...[
    'mariaclara1',
    'Gabriela1998',
    'pokemon12345',
    'mudar@1234',
    'iloveyou!!!',
    'trustno1trustno1',
  ],
  ...['4815162342', 'undertaker', 'Sonyericsson1', 'gfhjkmgfhjkm', 'fuck_inside', 'M0therlode!'],
  ...['vintem12345', 'Vintém2026', 'vintemvintem', 'pagamentos1', 'banana_banana'],
])('%s is easy to guess', (password) => {
  expect(findFault(password)).toContain('fácil de adivinhar')
})

test.each([
  ['Ana.Lima@Exemplo.com.br', 'o seu e-mail'],
  [' ana.limaana', 'o seu e-mail'],
  ['ANALIMA2026', 'o seu e-mail'],
  ['@n4l1m4-123', 'o seu e-mail'],
  ['Confeitaria Açúcar & Mel Ltda', 'o nome da empresa'],
  ['confeitariaacucarmelltda2026', 'o nome da empresa'],
  ['confeitaria1', 'fácil'],
  ['acucaremel123', 'fácil'],
])('%s is what is known of the person', (password, fault) => {
  expect(findFault(password)).toContain(fault)
})

test.each([
  ...['flamengo até morrer', 'pão de queijo quente', 'goiabada com queijo', 'pão de queijo 10'],
  ...['cavalo bateria grampo correto', 'banana sol bateria gato', 'maria7kq9zw', 'aB3$kLm9Qz'],
  ...['xK-7fQ2_vT9wLp0aRzN4', '52998224725abc', 'o rato roeu a roupa'],
])('%s is not', (password) => {
  expect(findFault(password)).toBeNull()
})

test('two common words with a year between are still what is tried; three at random are not', () => {
  expect(findFault('gabriel2019flamengo')).toContain('fácil')
  expect(findFault('gabriel flamengo chocolate')).toBeNull()
})

test('the lists stay small, and are written as passwords are compared', () => {
  expect(COMMON_WORDS.size).toBeGreaterThan(900)
  expect([...COMMON_WORDS].filter((word) => !/^[a-z0-9]{2,}$/.test(word))).toEqual([])
  expect(BREACHED_PASSWORDS.size).toBeGreaterThan(1_400)
  expect([...BREACHED_PASSWORDS].filter((word) => !/^[a-z0-9]{8,}$/.test(word))).toEqual([])
  expect([...BREACHED_PASSWORDS].join(' ').length).toBeLessThan(20_000)
})

test('the longest password is judged at once, whatever it is made of', () => {
  const before = process.cpuUsage()
  for (const piece of ['a', '1', 'maria', 'qwe', '1a', '@4']) {
    findFault(piece.repeat(128).slice(0, 128))
  }
  const { user, system } = process.cpuUsage(before)

  expect((user + system) / 1000).toBeLessThan(2_000)
})

function findFault(password: string) {
  return findPasswordFault(password, OWNER) ?? null
}
