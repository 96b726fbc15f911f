// A person's CPF in full is one right, on every page and in every table of the dashboard.
import { expect, test } from 'vitest'
import { listAudit } from '../../src/companies/audit.ts'
import { eq } from '../../src/database/drizzle.ts'
import { ROLES } from '../../src/database/enums.ts'
import { customers } from '../../src/database/tables.ts'
import { hasRight } from '../../src/users/roles.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { readFormFields } from '../support/dashboard/html.ts'
import { openLinkDashboard, readFormErrors, readPage } from '../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { create, newCustomer } = openLinkDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)

const FULL = /529\.?982\.?247-?25/
const MASKED = '***.982.247-**'
const ANA = { name: 'Ana Lima', taxId: '52998224725', email: 'ana@exemplo.com.br' }

const company = await newCompany()
const { row } = await pay(await newLink({}, company), buildTestCard('ok'))
const own = await create(company, { linkedCustomerId: row.customerId })
const customerPath = `/painel/clientes/${row.customerId}`
const customersTable = '/painel/clientes.csv'
const paymentsTable = '/painel/transacoes.csv'

async function openForm(taxId = ANA.taxId) {
  const company = await newCompany()
  const id = await newCustomer(company, { ...ANA, taxId })
  const path = `/painel/clientes/${id}/editar`
  const [owner, member] = [
    await openDashboardClient(testApp, { companyId: company.id }),
    await openDashboardClient(testApp, { companyId: company.id, role: 'member' }),
  ]
  const readCustomer = async () =>
    (await db.select().from(customers).where(eq(customers.id, id)))[0]
  const readForm = async (client = member) => readFormFields(await readPage(client, path), path)
  return { company, path, owner, member, readCustomer, readForm }
}

test.each(ROLES)('who is %s reads a CPF by one right, on pages and in tables', async (role) => {
  const client = await openDashboardClient(testApp, { companyId: company.id, role })
  const isShown = async (path: string) => FULL.test(await readPage(client, path))
  const byRight = [`/painel/transacoes/${row.id}`, customerPath, customersTable, paymentsTable]
  if (hasRight(role, 'editCustomers')) byRight.push(`${customerPath}/editar`)
  const links = [`/painel/links/${own.id}`, '/painel/links.csv']

  const shown = await Promise.all(byRight.map(isShown))
  const onLists = await Promise.all(
    [...links, '/painel/clientes', '/painel/transacoes', '/painel/busca?q=maria'].map(isShown),
  )
  const found = await readPage(client, '/painel/clientes?q=529.982.247-25')

  expect(shown).toEqual(byRight.map(() => hasRight(role, 'fullDocuments')))
  expect(onLists).toEqual(onLists.map(() => false))
  expect(found).toContain(row.payerName)
})

test('a member leaves the masked document as it is, and it stays', async () => {
  const { path, member, readCustomer, readForm } = await openForm()
  const form = await readForm()

  const saved = await member.post(path, { ...form, name: 'Ana Maria Lima' })

  expect(form.taxId).toEqual([MASKED])
  expect(saved.statusCode).toBe(303)
  expect(await readCustomer()).toMatchObject({ name: 'Ana Maria Lima', taxId: ANA.taxId })
})

test('a member types another document, and Registro has both in full', async () => {
  const { company, path, member, readCustomer, readForm } = await openForm()

  const saved = await member.post(path, { ...(await readForm()), taxId: '111.444.777-35' })

  expect(saved.statusCode).toBe(303)
  expect(await readCustomer()).toMatchObject({ taxId: '11144477735' })
  const [entry] = await listAudit(db, company.id, { limit: 1 })
  expect(entry?.details).toEqual({ taxId: 'CPF ou CNPJ: 529.982.247-25 → 111.444.777-35' })
})

test('no masked text is saved', async () => {
  const { path, member, readCustomer, readForm } = await openForm()

  const edited = await member.post(path, { ...(await readForm()), taxId: '***.982.247-25' })
  const made = await member.post('/painel/clientes/novo', { name: 'Rui', taxId: MASKED })

  for (const { body } of [edited, made])
    expect(readFormErrors(body)).toEqual([['taxId', 'Informe um CPF ou CNPJ válido.']])
  expect(await readCustomer()).toMatchObject(ANA)
})

test('a form that became stale says who changed the document, masked for a member', async () => {
  const { path, owner, member, readCustomer, readForm } = await openForm()
  const form = await readForm()
  await owner.post(path, { ...(await readForm(owner)), taxId: '111.444.777-35' })

  const stale = await member.post(path, { ...form, phone: '11 98765-4321' })
  const shown = readFormFields(stale.body, path)
  const again = await member.post(path, shown)

  expect(readPageText(stale.body)).toMatch(
    /@\S+ mudou “CPF ou CNPJ” para \*{3}\.444\.777-\*{2} às \d\d:\d\d; você enviou \*{3}\.982/,
  )
  expect(stale.body).not.toMatch(/111\.?444\.?777/)
  expect(shown).toMatchObject({ taxId: ['***.444.777-**'], phone: ['11 98765-4321'] })
  expect(again.statusCode).toBe(303)
  expect(await readCustomer()).toMatchObject({ taxId: '11144477735', phone: '11987654321' })
})

test("the hashes in a member's form tell no digit that the mask hides", async () => {
  const [one, other] = [await openForm('52998224725'), await openForm('00098224777')]

  const [form, ofOther] = [await one.readForm(), await other.readForm()]

  expect(form.taxId).toEqual(ofOther.taxId)
  expect(form._version).toEqual(ofOther._version)
})
