// Customers at the dashboard: found, made, changed, forgotten.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { auditEntries, customers } from '../../../src/database/tables.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import {
  openLinkDashboard,
  readFormErrors,
  readPage,
  readRowTitles,
} from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, newCustomer, create } = openLinkDashboard(testApp)
const { newLink, pay, readLink } = openCheckout(testApp)
const { requestRefund } = openRefunds(testApp)

const LIST = '/painel/clientes'
const ANA = { name: 'Ana Lima', taxId: '52998224725', email: 'ana@exemplo.com.br' }
const JUAN = { name: 'Juan Gómez', taxId: '+AB123456', email: null, phone: '+5491123456789' }
const RUI = { name: 'Rui Lima', taxId: '11144477735', email: 'rui@exemplo.com.br' }

async function customersOf({ id }: TestCompany) {
  return db.select().from(customers).where(eq(customers.companyId, id)).orderBy(customers.id)
}

async function actionsOf({ id }: TestCompany) {
  return (await listAudit(db, id, { limit: 9 })).map(({ action }) => action)
}

test('a customer is found by words of the name, document, e-mail or day, and masked in the list', async () => {
  const { company, dashboardClient } = await openClient()
  await newCustomer(company, { ...ANA, phone: '48999991234' })
  await newCustomer(company, RUI)
  await newCustomer(company, JUAN)
  const found = async (q: string) =>
    readRowTitles(await readPage(dashboardClient, `${LIST}?${new URLSearchParams({ q })}`))

  const all = await readPage(dashboardClient, LIST)

  expect(readRowTitles(all)).toEqual(['Juan Gómez', 'Rui Lima', 'Ana Lima'])
  expect(all).toContain('***.982.247-**')
  expect(all).not.toContain('529.982')
  expect(await found('lima hoje')).toEqual(['Rui Lima', 'Ana Lima'])
  expect(await found('lima ontem')).toEqual([])
  for (const q of ['LIMA ana', 'CPF nº 529 982 247 25', '48 99999 1234', '99999 1234'])
    expect(await found(q)).toEqual(['Ana Lima'])
  for (const q of ['+54 9 11 2345-6789', 'AB 123 456'])
    expect(await found(q)).toEqual(['Juan Gómez'])
  expect(await found('Rui@exemplo.com.br')).toEqual(['Rui Lima'])
  for (const q of ['maria', '---']) expect(await found(q)).toEqual([])
  // Invisible characters count as nothing typed.
  expect(await found('\0')).toEqual(await found(''))
  expect(await readPage(dashboardClient, `${LIST}?q=maria`)).toContain('Nenhum cliente encontrado')
})

test('an e-mail one slip away from a common domain is kept, with the one that was meant beside it', async () => {
  const { dashboardClient } = await openClient()
  const readContact = async (email: string) => {
    const made = await dashboardClient.post(`${LIST}/novo`, { name: 'Ana', email })
    return readPageText(await readPage(dashboardClient, made.headers.location!))
  }

  expect(await readContact('ana@gmial.com')).toContain('Seria ana@gmail.com?')
  expect(await readContact('ana@empresa.com.br')).not.toContain('Seria')
})

test('a member makes a customer; only the name must be', async () => {
  const { company, dashboardClient } = await openClient()
  const filled = {
    name: ' Ana Lima ',
    taxId: 'CPF nº 529.982.247-25',
    email: '',
    phone: '11 98765-4321',
  }

  const response = await dashboardClient.post(`${LIST}/novo`, filled)
  const page = await readPage(dashboardClient, response.headers.location!)
  await dashboardClient.post(`${LIST}/novo`, { name: 'Rui' })

  expect(response.statusCode).toBe(303)
  expect(page).toContain('Cliente cadastrado.')
  expect(readPageText(page)).toContain('CPF/CNPJ ***.982.247-** E-mail Não informado')
  expect(readPageText(page)).toContain('(11) 98765-4321')
  expect(await customersOf(company)).toMatchObject([
    { name: 'Ana Lima', taxId: '52998224725', email: null, phone: '11987654321' },
    { name: 'Rui', taxId: null, email: null, phone: null },
  ])
  expect(await actionsOf(company)).toEqual(['customer_created', 'customer_created'])
})

test('what is wrong is said at its field, and what was typed stays', async () => {
  const { company, dashboardClient } = await openClient()
  const filled = { name: ' ', taxId: '123', email: 'ana@', phone: '99' }

  const { statusCode, body } = await dashboardClient.post(`${LIST}/novo`, filled)

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([
    ['name', 'Informe o nome.'],
    ['taxId', 'Informe um CPF ou CNPJ válido.'],
    ['email', 'Informe um e-mail válido, como nome@exemplo.com.br.'],
    ['phone', expect.stringContaining('Informe um telefone com DDD')],
  ])
  for (const typed of ['123', 'ana@', '99']) expect(body).toContain(`value="${typed}"`)
  const zeroless = await dashboardClient.post(`${LIST}/novo`, { name: 'Ana', taxId: '1234567890' })
  expect(readFormErrors(zeroless.body)).toEqual([
    ['taxId', 'Informe um CPF ou CNPJ válido. Você quis dizer 012.345.678-90?'],
  ])
  expect(await customersOf(company)).toEqual([])
})

test('a document is of one customer, who is a click away', async () => {
  const { company, dashboardClient } = await openClient()
  const id = await newCustomer(company, ANA)

  const { statusCode, body } = await dashboardClient.post(`${LIST}/novo`, {
    ...{ name: 'Outra Ana', taxId: '529.982.247-25', email: '', phone: '' },
  })

  expect(statusCode).toBe(422)
  expect(readFormErrors(body)).toEqual([['taxId', 'Já existe um cliente com este CPF ou CNPJ.']])
  expect(body).toContain(`<a href="${LIST}/${id}">Ana Lima</a>`)
  expect(await customersOf(company)).toHaveLength(1)
})

test('the page of a customer has all: what was paid, each payment, the links that are for them', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await newLink({ title: 'Curso' }, company)
  const { row } = await pay(link, { ...buildTestCard('ok'), name: 'Ana Lima' })
  await pay(link, { ...PIX, name: 'Ana Lima' })
  await requestRefund(company, row.id, { amountCents: 2_500 })
  const own = await create(company, { title: 'Só da Ana', linkedCustomerId: row.customerId })

  const html = await readPage(dashboardClient, `${LIST}/${row.customerId}`)

  const text = readPageText(html)
  expect(text).toContain('Pago R$ 75,00 R$ 100,00 menos R$ 25,00 devolvidos')
  expect(text).toContain('Pagamentos aprovados 1')
  expect(text).toMatch(/Curso Aguardando pagamento .* Curso Devolvido em parte/)
  expect(html).toContain(`href="/painel/transacoes/${row.id}"`)
  expect(html).toContain(`href="/painel/links/${own.id}"`)
  expect(html).toContain(`href="/painel/links/novo?cliente=${row.customerId}"`)
  expect(html).not.toContain('anonimizar')
})

test('a customer is changed, and no document is erased', async () => {
  const { company, dashboardClient } = await openClient('owner')
  const id = await newCustomer(company, { name: 'Ana', taxId: null })
  const path = `${LIST}/${id}/editar`

  const response = await dashboardClient.post(path, { ...ANA, phone: '(11) 98765-4321' })
  const form = await readPage(dashboardClient, path)
  await dashboardClient.post(path, { ...ANA, email: '', phone: '11987654321' })
  const [changed] = await customersOf(company)
  const shown = readFormFields(await readPage(dashboardClient, path), path)
  const erased = await dashboardClient.post(path, { ...shown, name: 'Outra', taxId: ' ' })

  expect(await readPage(dashboardClient, response.headers.location!)).toContain('Cliente alterado.')
  expect(form).toContain('value="(11) 98765-4321"')
  expect(form).toContain('value="529.982.247-25"')
  expect(changed).toMatchObject({ name: 'Ana Lima', taxId: ANA.taxId, email: null })
  expect(readFormErrors(erased.body)).toEqual([
    ['taxId', 'O documento não pode ser apagado; corrija-o ou deixe o que estava.'],
  ])
  expect((await customersOf(company))[0]).toEqual(changed)
  expect(await actionsOf(company)).toEqual(['customer_changed', 'customer_changed'])
})

test('a document that was typed wrong is corrected, which Registro tells, but not to that of another', async () => {
  const { company, dashboardClient } = await openClient()
  const rui = await newCustomer(company, RUI)
  const path = `${LIST}/${await newCustomer(company, { ...ANA, taxId: '98765432100' })}/editar`
  const form = readFormFields(await readPage(dashboardClient, path), path)

  const taken = await dashboardClient.post(path, { ...form, taxId: '111.444.777-35' })
  const wrong = await dashboardClient.post(path, { ...form, taxId: '111.111.111-11' })
  const done = await dashboardClient.post(path, { ...form, taxId: '529.982.247-25' })

  expect([taken, wrong].map(({ body }) => readFormErrors(body))).toEqual([
    [['taxId', 'Já existe um cliente com este CPF ou CNPJ.']],
    [['taxId', 'Informe um CPF ou CNPJ válido.']],
  ])
  expect(taken.body).toContain(`<a href="${LIST}/${rui}">Rui Lima</a>`)
  expect(done.statusCode).toBe(303)
  expect(await customersOf(company)).toContainEqual(expect.objectContaining(ANA))
  const [entry] = await listAudit(db, company.id, { limit: 1 })
  expect(entry?.details).toEqual({ taxId: 'CPF ou CNPJ: 987.654.321-00 → 529.982.247-25' })
})

test('an owner has somebody forgotten, after reading what stays', async () => {
  const { company, dashboardClient } = await openClient('owner')
  const link = await newLink({}, company)
  const { row } = await pay(link, { ...buildTestCard('ok'), name: 'Ana Lima' })
  const own = await create(company, { linkedCustomerId: row.customerId })
  const path = `${LIST}/${row.customerId}`
  const form = readFormFields(await readPage(dashboardClient, `${path}/editar`), `${path}/editar`)
  await dashboardClient.post(`${path}/editar`, { ...form, name: 'Ana Maria Lima' })

  const question = readPageText(await readPage(dashboardClient, `${path}/anonimizar`))
  const response = await dashboardClient.post(`${path}/anonimizar`)
  const list = await readPage(dashboardClient, response.headers.location!)
  const payment = readPageText(await readPage(dashboardClient, `/painel/transacoes/${row.id}`))

  expect(question).toContain('Anonimizar Ana Maria Lima?')
  expect(question).toContain('Os pagamentos ficam')
  expect(list).toContain('Cliente anonimizado.')
  expect(readRowTitles(list)).toEqual([])
  expect((await dashboardClient.get(path)).statusCode).toBe(404)
  expect((await dashboardClient.post(`${path}/anonimizar`)).statusCode).toBe(404)
  expect(payment).toContain('Nome Cliente removido')
  expect(await readLink(own.id)).toMatchObject({ linkedCustomerId: null })
  const entries = await db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.companyId, company.realId))
  expect(entries.map(({ action }) => action)).toContain('customer_anonymized')
  expect(JSON.stringify(entries)).not.toMatch(/Ana|Lima/)
})
