// Customers at the dashboard: found, made, changed, forgotten.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { customers, transactions } from '../../../src/database/tables.ts'
import { signedIn } from '../../support/desk.ts'
import { openHouse, type TestCompany } from '../../support/house.ts'
import { errorsIn, openLinkDesk, read, titlesIn } from '../../support/link-desk.ts'
import { card, openCheckout, PIX, textOf } from '../../support/payer.ts'
import { openRefunds } from '../../support/refunds.ts'

const house = await openHouse()
const { db, newCompany } = house
const { openDesk, newCustomer, create } = openLinkDesk(house)
const { newLink, pay } = openCheckout(house)
const { order } = openRefunds(house)

const LIST = '/painel/clientes'
const ANA = { name: 'Ana Lima', taxId: '52998224725', email: 'ana@exemplo.com.br' }
const RUI = { name: 'Rui Lima', taxId: '11144477735', email: 'rui@exemplo.com.br' }

async function customersOf({ id }: TestCompany) {
  return db.select().from(customers).where(eq(customers.companyId, id))
}

async function actionsOf({ id }: TestCompany) {
  return (await listAudit(db, id, { limit: 9 })).map(({ action }) => action)
}

test('a company without customers is told where they come from', async () => {
  const { desk } = await openDesk()

  const html = await read(desk, LIST)

  expect(html).toContain('Nenhum cliente ainda')
  expect(html).toContain('href="/painel/clientes/novo"')
  expect(html).not.toContain('class="filters"')
})

test('a customer is found by words of the name, document or e-mail, and masked in the list', async () => {
  const { company, desk } = await openDesk()
  await newCustomer(company, ANA)
  await newCustomer(company, RUI)
  const found = async (q: string) =>
    titlesIn(await read(desk, `${LIST}?${new URLSearchParams({ q })}`))

  const all = await read(desk, LIST)

  expect(titlesIn(all)).toEqual(['Rui Lima', 'Ana Lima'])
  expect(all).toContain('***.982.247-**')
  expect(all).not.toContain('529.982')
  expect(await found('lima')).toEqual(['Rui Lima', 'Ana Lima'])
  expect(await found('LIMA ana')).toEqual(['Ana Lima'])
  expect(await found('529.982.247-25')).toEqual(['Ana Lima'])
  expect(await found('Rui@exemplo.com.br')).toEqual(['Rui Lima'])
  for (const q of ['maria', '---', '\0', 'x'.repeat(300)]) expect(await found(q)).toEqual([])
  expect(await read(desk, `${LIST}?q=maria`)).toContain('Nenhum cliente encontrado')
})

test('the list goes on from page to page with what was searched for', async () => {
  const { company, desk } = await openDesk()
  for (let n = 0; n < 21; n++) await newCustomer(company, { name: `Ana ${n}`, taxId: null })

  const first = await read(desk, `${LIST}?q=ana`)
  const next = first.match(/rel="next" href="([^"]+)"/)![1]!.replaceAll('&amp;', '&')
  const second = await read(desk, next)

  expect(titlesIn(first)).toHaveLength(20)
  expect(titlesIn(second)).toEqual(['Ana 0'])
  expect(second).toContain('href="/painel/clientes?q=ana"')
})

test('a member makes a customer; only the name must be', async () => {
  const { company, desk } = await openDesk()
  const filled = { name: ' Ana Lima ', taxId: '529.982.247-25', email: '', phone: '11 98765-4321' }

  const response = await desk.post(`${LIST}/novo`, filled)
  const page = await read(desk, response.headers.location!)
  await desk.post(`${LIST}/novo`, { name: 'Rui' })

  expect(response.statusCode).toBe(303)
  expect(page).toContain('Cliente cadastrado.')
  expect(textOf(page)).toContain('CPF/CNPJ 529.982.247-25 E-mail Não informado')
  expect(textOf(page)).toContain('(11) 98765-4321')
  expect(await customersOf(company)).toMatchObject([
    { name: 'Ana Lima', taxId: '52998224725', email: null, phone: '11987654321' },
    { name: 'Rui', taxId: null, email: null, phone: null },
  ])
  expect(await actionsOf(company)).toEqual(['customer_created', 'customer_created'])
})

test('what is wrong is said at its field, and what was typed stays', async () => {
  const { company, desk } = await openDesk()
  const filled = { name: ' ', taxId: '123', email: 'ana@', phone: '99' }

  const { statusCode, body } = await desk.post(`${LIST}/novo`, filled)

  expect(statusCode).toBe(422)
  expect(errorsIn(body)).toEqual([
    ['name', 'Informe o nome.'],
    ['taxId', 'Informe um CPF ou CNPJ válido.'],
    ['email', 'Informe um e-mail válido, como nome@exemplo.com.br.'],
    ['phone', 'Informe um telefone com DDD, como (11) 98765-4321.'],
  ])
  for (const typed of ['123', 'ana@', '99']) expect(body).toContain(`value="${typed}"`)
  expect(await customersOf(company)).toEqual([])
})

test('a document is of one customer, who is a click away', async () => {
  const { company, desk } = await openDesk()
  const id = await newCustomer(company, ANA)

  const { statusCode, body } = await desk.post(`${LIST}/novo`, {
    ...{ name: 'Outra Ana', taxId: '529.982.247-25', email: '', phone: '' },
  })

  expect(statusCode).toBe(422)
  expect(errorsIn(body)).toEqual([['taxId', 'Já existe um cliente com este CPF ou CNPJ.']])
  expect(body).toContain(`<a href="${LIST}/${id}">Ana Lima</a>`)
  expect(await customersOf(company)).toHaveLength(1)
})

test('one customer is told whole: what was paid, each payment, the links that are for them', async () => {
  const { company, desk } = await openDesk()
  const link = await newLink({ title: 'Curso' }, company)
  const { row } = await pay(link, { ...card('ok'), name: 'Ana Lima' })
  await pay(link, { ...PIX, name: 'Ana Lima' })
  await order(company, row.id, { amountCents: 2_500 })
  const own = await create(company, { title: 'Só da Ana', linkedCustomerId: row.customerId })

  const html = await read(desk, `${LIST}/${row.customerId}`)

  const text = textOf(html)
  expect(text).toContain('Pago R$ 75,00 R$ 100,00 menos R$ 25,00 devolvidos')
  expect(text).toContain('Pagamentos aprovados 1')
  expect(text).toMatch(/Curso Aguardando pagamento .* Curso Reembolsada em parte/)
  expect(html).toContain(`href="/painel/transacoes/${row.id}"`)
  expect(html).toContain(`href="/painel/links/${own.id}"`)
  expect(html).toContain(`href="/painel/links/novo?cliente=${row.customerId}"`)
  expect(html).not.toContain('anonimizar')
})

test('the payments of a customer are paged', async () => {
  const { company, desk } = await openDesk()
  const { row } = await pay(await newLink({}, company), card('ok'))
  for (let n = 0; n < 20; n++) {
    const own = { id: newId(), attemptToken: `a${n}`, token: `${row.id}-${n}` }
    await db.insert(transactions).values({ ...row, ...own, providerReference: null })
  }

  const first = await read(desk, `${LIST}/${row.customerId}`)
  const second = await read(desk, first.match(/rel="next" href="([^"]+)"/)![1]!)

  expect(titlesIn(first)).toHaveLength(20)
  expect(second).toContain(`href="/painel/transacoes/${row.id}"`)
  expect(titlesIn(second)).toHaveLength(1)
})

test('a customer is changed; the document only while there is none', async () => {
  const { company, desk } = await openDesk()
  const id = await newCustomer(company, { name: 'Ana', taxId: null })
  const path = `${LIST}/${id}/editar`

  const response = await desk.post(path, { ...ANA, phone: '(11) 98765-4321' })
  const form = await read(desk, path)
  await desk.post(path, { name: 'Ana Lima', taxId: RUI.taxId, email: '', phone: '11987654321' })
  const [changed] = await customersOf(company)
  await desk.post(path, { name: 'Ana Lima', email: '', phone: '(11) 98765-4321' })

  expect(await read(desk, response.headers.location!)).toContain('Cliente alterado.')
  expect(form).toContain('value="(11) 98765-4321"')
  expect(form).toContain('529.982.247-25. O documento identifica o cliente e não muda.')
  expect(changed).toMatchObject({ name: 'Ana Lima', taxId: ANA.taxId, email: null })
  expect((await customersOf(company))[0]).toEqual(changed)
  expect(await actionsOf(company)).toEqual(['customer_changed', 'customer_changed'])
})

test('what is wrong with a change is said, and changes nothing', async () => {
  const { company, desk } = await openDesk()
  await newCustomer(company, RUI)
  const id = await newCustomer(company, { name: 'Ana', taxId: null })
  const path = `${LIST}/${id}/editar`

  const nameless = await desk.post(path, { name: '', email: 'nada' })
  const taken = await desk.post(path, { name: 'Ana', taxId: RUI.taxId })

  expect(errorsIn(nameless.body).map(([field]) => field)).toEqual(['name', 'email'])
  expect(errorsIn(taken.body)).toEqual([['taxId', 'Já existe um cliente com este CPF ou CNPJ.']])
  expect(await customersOf(company)).toContainEqual(
    expect.objectContaining({ id, name: 'Ana', taxId: null, email: null }),
  )
})

test("another company's customers do not exist here, nor what is no customer", async () => {
  const other = await newCompany()
  const theirs = await newCustomer(other, ANA)
  const desk = await signedIn(house, { companyId: (await newCompany()).id })

  for (const id of [theirs, 'nada', '%00']) {
    for (const path of ['', '/editar', '/anonimizar']) {
      expect((await desk.get(`${LIST}/${id}${path}`)).statusCode).toBe(404)
    }
    for (const path of ['/editar', '/anonimizar']) {
      const response = await desk.post(`${LIST}/${id}${path}`, { name: 'Outra' })
      expect(response.statusCode).toBe(404)
    }
  }
  expect(titlesIn(await read(desk, `${LIST}?q=ana`))).toEqual([])
  expect(await customersOf(other)).toMatchObject([ANA])
})

test('what people wrote is text on every page, never markup', async () => {
  const { company, desk } = await openDesk('owner')
  const evil = '<script>alert(1)</script>'
  const id = await newCustomer(company, { name: evil, email: evil })

  for (const path of [
    '',
    `?q=${encodeURIComponent(evil)}`,
    `/${id}`,
    `/${id}/editar`,
    `/${id}/anonimizar`,
  ]) {
    const html = await read(desk, LIST + path)

    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html).not.toContain('<script>alert')
  }
})
