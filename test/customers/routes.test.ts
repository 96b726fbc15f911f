// Customers as a company's own program makes, reads and changes them.
import { expect, test } from 'vitest'
import { createCustomer } from '../../src/customers/customer.ts'
import { newId } from '../../src/database/id.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const { app, db, clock, newCompany } = await openTestApp()

const CUSTOMERS = '/api/customers'
const MARIA = {
  name: 'Maria da Silva',
  email: 'maria@exemplo.com.br',
  phone: '+55 (11) 98765-4321',
  taxId: '529.982.247-25',
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Sent = { payload?: object; headers?: Record<string, string> }

function call({ key }: TestCompany, method: Method, path: string, sent: Sent = {}) {
  const headers = { authorization: `Bearer ${key}`, ...sent.headers }
  return app.inject({ method, url: `${CUSTOMERS}${path}`, ...sent, headers })
}

async function create(company: TestCompany, payload: object = MARIA) {
  const response = await call(company, 'POST', '', { payload })
  expect(response.statusCode).toBe(201)
  return response.json()
}

test('a customer is created and read again, the document masked', async () => {
  const company = await newCompany()

  const response = await call(company, 'POST', '', { payload: MARIA })

  expect(response.statusCode).toBe(201)
  const made = response.json()
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{14}7/),
    name: 'Maria da Silva',
    email: 'maria@exemplo.com.br',
    phone: '11987654321',
    taxId: '***.982.247-**',
    foreignDocument: null,
    testMode: true,
    createdAt: expect.any(String),
    updatedAt: made.createdAt,
  })
  expect(response.headers.location).toBe(`${CUSTOMERS}/${made.id}`)
  expect((await company.get(response.headers.location!)).json()).toEqual(made)
  expect((await company.get(`${CUSTOMERS}/${made.id.toUpperCase()}`)).json()).toEqual(made)
})

test('a name is enough, and a CNPJ may have letters', async () => {
  const company = await newCompany()

  const alone = await create(company, { name: '李' })
  const firm = await create(company, {
    name: 'Escola\u200b Vila',
    taxId: 'CNPJ: 12.abc.345/01de–35',
  })

  expect(alone).toMatchObject({ name: '李', email: null, phone: null, taxId: null })
  expect(firm).toMatchObject({ name: 'Escola Vila', taxId: '**.ABC.345/****-**' })
})

const known = await newCompany()
const { id: knownId } = await create(known)

test.each([
  [{}, 'name', 'Campo obrigatório.'],
  [{ name: null }, 'name', 'Informe um texto.'],
  [{ name: ' ' }, 'name', 'Informe ao menos 1 caractere.'],
  [{ name: '\u200b\u2060' }, 'name', 'Informe ao menos 1 caractere.'],
  [{ name: 'a'.repeat(121) }, 'name', 'Use no máximo 120 caracteres.'],
  [{ name: 'Maria\0' }, 'name', /^Remova os caracteres de controle/],
  [{ name: 'M', email: 'maria@' }, 'email', /^Informe um e-mail válido/],
  [{ name: 'M', email: 'a..b@c.com' }, 'email', /^Informe um e-mail válido/],
  [{ name: 'M', email: 'a@exa_mple.com' }, 'email', /^Informe um e-mail válido/],
  [{ name: 'M', email: `m@${'a'.repeat(250)}.com` }, 'email', 'Use no máximo 254 caracteres.'],
  [{ name: 'M', phone: '12345' }, 'phone', /^Informe um telefone com DDD/],
  [{ name: 'M', phone: 11987654321 }, 'phone', 'Informe um texto.'],
  [{ name: 'M', taxId: '529.982.247-26' }, 'taxId', 'Informe um CPF ou CNPJ válido.'],
  [{ name: 'M', taxId: '***.982.248-**' }, 'taxId', 'Informe um CPF ou CNPJ válido.'],
  [{ name: 'M', cpf: '52998224725' }, 'cpf', 'Campo desconhecido.'],
  [{ name: 'M', anonymizedAt: null }, 'anonymizedAt', 'Campo desconhecido.'],
])('%j is refused, to create and to change', async (payload, field, message) => {
  const answers = [await call(known, 'POST', '', { payload })]
  if ('name' in payload) answers.push(await call(known, 'PATCH', `/${knownId}`, { payload }))

  for (const answer of answers) {
    expect(answer.statusCode).toBe(422)
    const text = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(answer.json().errors).toEqual([{ field, code: expect.any(String), message: text }])
  }
})

test('a document that the company has already is a conflict that points to its customer', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  const { id } = await create(company)
  const second = await create(company, { name: 'João', taxId: '111.444.777-35' })

  const again = await call(company, 'POST', '', { payload: { ...MARIA, name: 'Outra' } })
  const changed = await call(company, 'PATCH', `/${second.id}`, { payload: MARIA })

  for (const answer of [again, changed]) {
    expect(answer.statusCode).toBe(409)
    expect(answer.headers.location).toBe(`${CUSTOMERS}/${id}`)
    expect(answer.json()).toMatchObject({
      status: 'error',
      code: 'customer_exists',
      message: 'Já existe um cliente com este CPF ou CNPJ. O cabeçalho Location aponta para ele.',
    })
  }
  expect((await company.get(`${CUSTOMERS}/${second.id}`)).json()).toEqual(second)
  expect((await create(other)).id).not.toBe(id)
})

test('of many who create the same customer at once one does, the others learn which', async () => {
  const company = await newCompany()

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(company, 'POST', '', { payload: MARIA })),
  )

  const made = answers.filter(({ statusCode }) => statusCode === 201)
  const refused = answers.filter(({ statusCode }) => statusCode === 409)
  expect([made.length, refused.length]).toEqual([1, 9])
  const { location } = made[0]!.headers
  expect(new Set(refused.map(({ headers }) => headers.location))).toEqual(new Set([location]))
})

test('a creation repeated under its key is answered again, without a second customer', async () => {
  const company = await newCompany()
  const sent = { payload: MARIA, headers: { 'idempotency-key': 'maria-1' } }

  const [first, second] = [
    await call(company, 'POST', '', sent),
    await call(company, 'POST', '', sent),
  ]

  expect(second.headers['idempotent-replayed']).toBe('true')
  expect(second.headers.location).toBe(first.headers.location)
  expect(second.json()).toEqual(first.json())
})

test('a creation that is taken over after a crash finds what the first one made', async () => {
  const { id: companyId } = await newCompany()
  const made = { id: newId(), now: clock.now() }
  const input = { name: 'Maria', taxId: '52998224725' }

  const first = await createCustomer(db, companyId, input, made)
  const second = await createCustomer(db, companyId, input, { ...made, now: new Date(0) })

  expect(first.isNew).toBe(true)
  expect(second).toMatchObject({ ...first, isNew: false })
})

test('a change touches what it names, and null clears', async () => {
  const company = await newCompany()
  const made = await create(company)
  clock.offsetMs += 1000

  const email = 'm.silva@exemplo.com.br'
  const renamed = await call(company, 'PATCH', `/${made.id}`, {
    payload: { name: ' Maria Souza ', email },
  })
  const cleared = await call(company, 'PATCH', `/${made.id}`, {
    payload: { email: null, phone: null, taxId: null },
  })

  expect(renamed.statusCode).toBe(200)
  const { updatedAt } = renamed.json()
  expect(renamed.json()).toEqual({ ...made, name: 'Maria Souza', email, updatedAt })
  expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt))
  expect(cleared.json()).toMatchObject({
    name: 'Maria Souza',
    email: null,
    phone: null,
    taxId: null,
  })
  expect((await company.get(`${CUSTOMERS}/${made.id}`)).json()).toEqual(cleared.json())
  expect((await create(company)).id).not.toBe(made.id)
})

test('a change of nothing changes nothing, and what answers say besides may be sent back', async () => {
  const company = await newCompany()
  const made = await create(company)
  clock.offsetMs += 1000
  const { id, createdAt, updatedAt } = made

  for (const payload of [{}, { id, createdAt, updatedAt }, MARIA, { name: made.name }]) {
    const response = await call(company, 'PATCH', `/${id}`, { payload })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(made)
  }
})
