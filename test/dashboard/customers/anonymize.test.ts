// Customers who are forgotten from the dashboard.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { auditEntries, customers } from '../../../src/database/tables.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, newCustomer, create } = openLinkDashboard(testApp)
const { newLink, pay, readLink } = openCheckout(testApp)

const LIST = '/painel/clientes'
const ANA = { name: 'Ana Lima', taxId: '52998224725', email: 'ana@exemplo.com.br' }

test('an owner has somebody forgotten, after reading what stays', async () => {
  const { company, dashboardClient } = await openClient('owner')
  const link = await newLink({}, company)
  const { row } = await pay(link, { ...buildTestCard('ok'), name: 'Ana Lima' })
  const own = await create(company, { linkedCustomerId: row.customerId })
  const path = `${LIST}/${row.customerId}`
  await dashboardClient.post(`${path}/editar`, { name: 'Ana Maria Lima' })

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
  const told = await db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.companyId, company.realId))
  expect(told.map(({ action }) => action)).toContain('customer_anonymized')
  expect(JSON.stringify(told)).not.toMatch(/Ana|Lima/)
})

test('a member may not, and sees no way to', async () => {
  const { company, dashboardClient } = await openClient('member')
  const id = await newCustomer(company, ANA)

  const page = await dashboardClient.get(`${LIST}/${id}/anonimizar`)
  const response = await dashboardClient.post(`${LIST}/${id}/anonimizar`)

  expect([page.statusCode, response.statusCode]).toEqual([403, 403])
  const known = await db.select().from(customers).where(eq(customers.id, id))
  expect(known).toMatchObject([ANA])
})
