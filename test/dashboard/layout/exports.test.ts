// Tables of the dashboard to take away, in both formats, as a reader of another hand opens them.
import readWorkbook from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { customers, paymentLinks } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { newMerchant, addLinks, addPayment, addPayments } = openPayments(testApp)

const merchant = await newMerchant()
const { companyId } = merchant
await addPayment(merchant, clock.now().toISOString(), { totalCents: 123_456 })
await db
  .update(customers)
  .set({ taxId: '52998224725' })
  .where(eq(customers.id, merchant.customerId))
await db
  .update(paymentLinks)
  .set({ title: '=1+1', amountCents: 123_456 })
  .where(eq(paymentLinks.id, merchant.linkId))
const client = await openDashboardClient(testApp, { companyId })

test.each(['/painel/links', '/painel/transacoes'])(
  'a table of %s has the order of its page, over all pages',
  async (path) => {
    const merchant = await newMerchant()
    const client = await openDashboardClient(testApp, {
      companyId: merchant.companyId,
      role: 'member',
    })
    // More than the first page of a table has.
    const titles = Array.from({ length: 105 }, (_, n) => `Bolo ${n}`)
    const links = await addLinks(merchant, titles)
    const amounts = links.map((paymentLinkId, n) => ({
      paymentLinkId,
      totalCents: 1_000 + (n % 7),
    }))
    await addPayments(merchant, clock.now().toISOString(), amounts)
    for (const { paymentLinkId, totalCents: amountCents } of amounts)
      await db.update(paymentLinks).set({ amountCents }).where(eq(paymentLinks.id, paymentLinkId))

    for (const query of [
      '',
      '?ordem=antigos',
      '?ordem=maior-valor',
      '?ordem=menor-valor&method=pix',
    ]) {
      const page = await readPage(client, path + query)
      const table = await readPage(client, findTableHref(page))
      const taken = [...table.matchAll(/;(Bolo \d+);/g)].map(([, title]) => title)
      const shown = [...page.matchAll(/>(Bolo \d+)</g)].map(([, title]) => title)
      expect(new Set(taken)).toEqual(new Set(titles))
      expect([query, taken.slice(0, shown.length)]).toEqual([query, shown])
    }
  },
)

test.each([
  ['/painel/transacoes', 'Valor', 1234.56],
  ['/painel/links', 'Valor (R$)', 1234.56],
  ['/painel/clientes', 'CPF ou CNPJ', '529.982.247-25'],
])('the table at %s is one list of columns in both formats: %s is %j', async (path, name, cell) => {
  const page = await readPage(client, path)

  const csv = await client.get(`${path}.csv`)
  const xlsx = await client.get(`${path}.xlsx`)

  for (const format of ['csv', 'xlsx']) expect(page).toContain(`href="${path}.${format}"`)
  const [sheet] = await readWorkbook(xlsx.rawPayload)
  const [headings = [], row = []] = sheet!.data
  expect(row[headings.indexOf(name)]).toBe(cell)
  expect(csv.body.slice(1).split('\r\n')[0]).toBe(headings.join(';'))
  const audited = await listAudit(db, companyId, { action: 'csv_exported', limit: 2 })
  expect(new Set(audited.map(({ subject }) => subject)).size).toBe(1)
  expect(audited).toHaveLength(2)
})

test('documents are in full only for who may see them so', async () => {
  const member = await openDashboardClient(testApp, { companyId, role: 'member' })

  const { body } = await member.get('/painel/clientes.csv')

  expect(body).toContain('***.982.247-**')
  expect(body).not.toContain('529.982')
})

function findTableHref(page: string) {
  return page.match(/href="([^"]+\.csv[^"]*)"/)![1]!.replaceAll('&amp;', '&')
}
