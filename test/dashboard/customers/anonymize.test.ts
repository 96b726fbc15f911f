// Customers who are forgotten from the dashboard.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { auditEntries } from '../../../src/database/tables.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, create } = openLinkDashboard(testApp)
const { newLink, pay, readLink } = openCheckout(testApp)

const LIST = '/painel/clientes'

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
