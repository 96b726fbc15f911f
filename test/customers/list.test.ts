// A company's customers, as they are found.
import { expect, test } from 'vitest'
import type { Customer } from '../../src/customers/schema.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const { app, clock, newCompany } = await openTestApp()

const CUSTOMERS = '/api/customers'
const HOUR_MS = 3600 * 1000

async function create(company: TestCompany, fields: object = {}): Promise<Customer> {
  const response = await company.post(CUSTOMERS, { name: 'Maria da Silva', ...fields })
  expect(response.statusCode).toBe(201)
  return response.json()
}

async function found(company: TestCompany, query: Record<string, string> = {}): Promise<string> {
  const response = await company.get(`${CUSTOMERS}?${new URLSearchParams(query)}`)
  expect(response.statusCode).toBe(200)
  return response
    .json()
    .data.map(({ name }: Customer) => name)
    .join()
}

test('customers are found by document, e-mail, words of the name and time', async () => {
  const company = await newCompany()
  const begun = clock.now().getTime()
  await create(company, { name: 'Conceição D’Ávila', email: 'Ana@Exemplo.com.br' })
  await create(company, { name: 'Maria da Silva', taxId: '529.982.247-25' })
  await create(company, { name: 'João Silva e Silva', taxId: '12.ABC.345/01DE-35' })
  clock.offsetMs += 2 * HOUR_MS
  await create(company, { name: '李 小龍 100%' })
  clock.offsetMs -= 2 * HOUR_MS
  const between = new Date(begun + HOUR_MS).toISOString()

  expect(await found(company)).toBe(
    '李 小龍 100%,João Silva e Silva,Maria da Silva,Conceição D’Ávila',
  )
  expect(await found(company, { taxId: '52998224725' })).toBe('Maria da Silva')
  expect(await found(company, { taxId: '529.982.247-25' })).toBe('Maria da Silva')
  expect(await found(company, { taxId: '12abc34501de35' })).toBe('João Silva e Silva')
  expect(await found(company, { taxId: '111.444.777-35' })).toBe('')
  expect(await found(company, { email: 'aNA@exemplo.com.BR' })).toBe('Conceição D’Ávila')
  expect(await found(company, { email: 'ana@exemplo.com' })).toBe('')
  expect(await found(company, { name: 'SILVA' })).toBe('João Silva e Silva,Maria da Silva')
  expect(await found(company, { name: 'silva maria' })).toBe('Maria da Silva')
  expect(await found(company, { name: 'silva souza' })).toBe('')
  expect(await found(company, { name: 'avila conceicao' })).toBe('Conceição D’Ávila')
  expect(await found(company, { name: 'CONCEIÇÃO' })).toBe('Conceição D’Ávila')
  expect(await found(company, { name: '小龍' })).toBe('李 小龍 100%')
  expect(await found(company, { name: 'sil' })).toBe('')
  expect(await found(company, { createdFrom: between })).toBe('李 小龍 100%')
  expect(await found(company, { createdTo: between, name: 'silva', limit: '1' })).toBe(
    'João Silva e Silva',
  )
  expect(await found(company, { createdFrom: between, createdTo: between })).toBe('')
  expect(await found(company, { createdFrom: '0001-01-01T00:00:00Z' })).toContain('Maria')
  expect(await found(company, { createdTo: '9999-12-31T00:00:00Z' })).toContain('Maria')
})

test('a customer is found by the name that it has now', async () => {
  const company = await newCompany()
  const { id } = await create(company, { name: 'Maria da Silva' })
  const headers = { authorization: `Bearer ${company.key}` }

  await app.inject({
    method: 'PATCH',
    url: `${CUSTOMERS}/${id}`,
    headers,
    payload: { name: 'Maria Souza' },
  })

  expect(await found(company, { name: 'silva' })).toBe('')
  expect(await found(company, { name: 'souza' })).toBe('Maria Souza')
  expect(await found(company, { name: 'maria' })).toBe('Maria Souza')
})

const company = await newCompany()

test.each([
  ['taxId', '123', 'Informe um CPF ou CNPJ válido.'],
  ['taxId', '', 'Informe um CPF ou CNPJ válido.'],
  ['name', '!?', 'Informe ao menos uma palavra do nome.'],
  ['name', '\0', 'Remova os caracteres de controle ou invisíveis deste texto.'],
  ['email', '', 'Informe ao menos 1 caractere.'],
  ['createdFrom', '2026-01-01', /^Informe uma data ISO 8601 com fuso/],
  ['createdTo', '9999-12-31T23:59:59-12:00', /^Informe uma data ISO 8601 com fuso/],
  ['cursor', 'x', /^Cursor inválido/],
  ['phone', '11987654321', 'Campo desconhecido.'],
])('a list asked for with %s=%j is refused', async (field, value, message) => {
  const response = await company.get(`${CUSTOMERS}?${new URLSearchParams({ [field]: value })}`)

  expect(response.statusCode).toBe(422)
  const text = typeof message === 'string' ? message : expect.stringMatching(message)
  expect(response.json().errors).toMatchObject([{ field, message: text }])
})
