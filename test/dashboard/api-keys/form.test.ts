import { expect, test } from 'vitest'
import { parseKeyForm, readKeyForm } from '../../../src/dashboard/api-keys/form.ts'

const MANY = Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`)
const read = (form: object) => parseKeyForm(readKeyForm({ name: 'Loja', access: 'all', ...form }))

test.each([
  [{ name: ' ' }, 'name', 'Dê um nome à chave'],
  [{ name: 'x'.repeat(65) }, 'name', 'Use no máximo 64 caracteres.'],
  [{ name: 'a\u202eb' }, 'name', 'Remova os caracteres'],
  [{ access: 'chosen' }, 'scopes', 'Escolha ao menos uma permissão.'],
  [{ access: 'chosen', scopes: 'everything' }, 'scopes', 'Escolha ao menos uma permissão.'],
  [{ networks: '203.0.113.0/33' }, 'networks', '"203.0.113.0/33"'],
  [{ networks: 'loja.com.br' }, 'networks', '"loja.com.br"'],
  [{ networks: MANY.join(',') }, 'networks', 'no máximo 20'],
])('%o makes no key and says why at its field', (wrong, field, sentence) => {
  const errors = [{ field, message: expect.stringContaining(sentence) }]

  expect(read(wrong)).toEqual({ kind: 'invalid', errors })
})

test.each([
  [{ name: ' Loja ' }, { name: 'Loja', scopes: null, allowedNetworks: null }],
  [{ scopes: ['customers'] }, { scopes: null }],
  [
    { access: 'chosen', scopes: ['transactions', 'transactions:read', 'customers:read'] },
    { scopes: ['transactions', 'customers:read'] },
  ],
  [
    { networks: '203.0.113.7\r\n 2001:DB8::/48, 203.0.113.7' },
    { allowedNetworks: ['203.0.113.7/32', '2001:db8::/48'] },
  ],
  [{ networks: MANY.slice(1).join('\n') }, { allowedNetworks: { length: 20 } }],
])('%o is a key of %o', (form, values) => {
  expect(read(form)).toMatchObject({ kind: 'valid', values })
})
