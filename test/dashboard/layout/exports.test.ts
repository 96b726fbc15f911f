// Tables of the dashboard to take away, in both formats, as a reader of another hand opens them.
import readWorkbook from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { newLink, pay } = openCheckout(testApp)

async function openCompany() {
  const company = await testApp.newCompany()
  const { row } = await pay(await newLink({ title: '=1+1', amountCents: 123_456 }, company))
  await testApp.db.$client.query(
    `update transactions set status = 'approved', approved_at = created_at where id = $1`,
    [row.id],
  )
  return { company, client: await openDashboardClient(testApp, { companyId: company.id }) }
}

test.each([
  ['/painel/transacoes', 'Valor', 1234.56],
  ['/painel/links', 'Valor (R$)', 1234.56],
  ['/painel/clientes', 'CPF ou CNPJ', '529.982.247-25'],
])('the table at %s is one list of columns in both formats: %s is %j', async (path, name, cell) => {
  const { company, client } = await openCompany()
  const page = await readPage(client, path)

  const csv = await client.get(`${path}.csv`)
  const xlsx = await client.get(`${path}.xlsx`)

  for (const format of ['csv', 'xlsx']) expect(page).toContain(`href="${path}.${format}"`)
  const [sheet] = await readWorkbook(xlsx.rawPayload)
  const [headings = [], row = []] = sheet!.data
  expect(row[headings.indexOf(name)]).toBe(cell)
  expect(csv.body.slice(1).split('\r\n')[0]).toBe(headings.join(';'))
  const audited = await listAudit(testApp.db, company.id, { action: 'csv_exported', limit: 9 })
  expect(audited).toHaveLength(2)
})

test('documents are in full only for who may see them so', async () => {
  const { company } = await openCompany()
  const member = await openDashboardClient(testApp, { companyId: company.id, role: 'member' })

  const { body } = await member.get('/painel/clientes.csv')

  expect(body).toContain('***.982.247-**')
  expect(body).not.toContain('529.982')
})
