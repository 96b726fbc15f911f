// The list of payments: filtered, searched, paged, taken away as a table.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { addDays, toDay } from '../../../src/reports/days.ts'
import { buildTxid } from '../../../src/transactions/txid.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { openPaymentDashboard } from '../../support/dashboard/payments.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient } = openLinkDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)
const { openMerchant } = openPaymentDashboard(testApp)

const LIST = '/painel/transacoes'

test('the list shows who paid what, and how it stands, the newest first', async () => {
  const { dashboardClient } = await openMerchant()

  const html = await readPage(dashboardClient, LIST)

  expect(readRowTitles(html)).toEqual(['Pedro Souza', 'Joana Silva', 'Maria Silva'])
  const text = readPageText(html)
  expect(text).toMatch(/Maria Silva Aprovado Bolo Cartão (hoje|ontem) \d\d:\d\d R\$ 100,00/)
  expect(text).toMatch(/Joana Silva Recusado Curso Cartão/)
  expect(text).toMatch(/Pedro Souza Aguardando pagamento Curso Pix/)
})

test('each filter narrows the list, and the form keeps what was asked', async () => {
  const { dashboardClient, bolo, maria } = await openMerchant()
  const listed = async (query: string) =>
    readRowTitles(await readPage(dashboardClient, `${LIST}?${query}`))

  expect(await listed('status=declined')).toEqual(['Joana Silva'])
  expect(await listed('method=pix')).toEqual(['Pedro Souza'])
  expect(await listed('tag=festa')).toEqual(['Maria Silva'])
  expect(await listed(`link=${bolo.id}`)).toEqual(['Maria Silva'])
  expect(await listed(`link=${bolo.slug}`)).toEqual(['Maria Silva'])
  expect(await listed(`cliente=${maria.customerId}`)).toEqual(['Maria Silva'])
  expect(await listed('status=declined&method=pix')).toEqual([])
  const html = await readPage(
    dashboardClient,
    `${LIST}?status=declined&link=${bolo.id}&de=2020-01-31`,
  )
  expect(html).toContain('<option value="declined" selected>')
  expect(html).toContain(`<input type="hidden" name="link" value="${bolo.id}">`)
  expect(html).toContain('value="2020-01-31"')
  expect(html).toContain('href="/painel/transacoes?status=declined&amp;de=2020-01-31"')
  expect(html).toMatch(/href="\/painel\/transacoes">Limpar filtros/)
})

test('a Pix is found by the whole txid that a bank has of it', async () => {
  const { dashboardClient, pedro } = await openMerchant()
  const pixTxid = buildTxid(pedro.id, 'pix-api')
  await db.update(transactions).set({ pixTxid }).where(eq(transactions.id, pedro.id))

  const html = await readPage(dashboardClient, `${LIST}?q=${pixTxid}`)

  expect(pixTxid).toHaveLength(34)
  expect(readRowTitles(html)).toEqual(['Pedro Souza'])
})

test('a day that is searched for and the days of the filter narrow together, the CSV too', async () => {
  const { dashboardClient } = await openMerchant()
  const today = toDay(new Date())
  const count = async (days: string) => {
    const rows = readRowTitles(await readPage(dashboardClient, `${LIST}?${days}`)).length
    const csv = (await dashboardClient.get(`${LIST}.csv?${days}`)).body.trim().split('\r\n')
    return [rows, csv.length - 1]
  }

  for (const q of ['hoje', 'silva+hoje']) {
    const all = q === 'hoje' ? 3 : 2
    expect(await count(`q=${q}&de=${addDays(today, 1)}`)).toEqual([0, 0])
    expect(await count(`q=${q}&ate=${addDays(today, -1)}`)).toEqual([0, 0])
    expect(await count(`q=${q}&de=${addDays(today, -7)}&ate=${today}`)).toEqual([all, all])
  }
})

test('a list is told what comes in only where that is one of its payments', async () => {
  const { dashboardClient, bolo } = await openMerchant()
  const today = toDay(new Date())
  const isTold = async (query: string) =>
    (await readPage(dashboardClient, `${LIST}?${query}`)).includes('data-news=')

  for (const query of ['', 'status=approved', `de=${today}&ate=${today}`, 'q=hoje']) {
    expect([query, await isTold(query)]).toEqual([query, true])
  }
  for (const query of [
    ...['status=declined', 'status=refunded', 'method=pix', 'tag=festa', 'verificar=sim'],
    ...[`link=${bolo.id}`, 'q=silva', 'q=P-1', 'q=ontem', `de=${addDays(today, 1)}`],
    ...[`ate=${addDays(today, -1)}`, 'status=approved&q=silva+hoje'],
  ]) {
    expect([query, await isTold(query)]).toEqual([query, false])
  }
})

test('a period is made of whole days of São Paulo', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await newLink({}, company)
  const { row } = await pay(link, { ...buildTestCard('ok') })
  // Five to midnight in São Paulo is the next day in UTC.
  const createdAt = '2025-06-21T02:55:00.000Z'
  const at = Date.parse(createdAt).toString(16).padStart(12, '0')
  const ofThen = `${at.slice(0, 8)}-${at.slice(8)}${row.id.slice(13)}`
  await db.insert(transactions).values({
    ...row,
    ...{ id: ofThen, createdAt, approvedAt: createdAt, providerReference: null },
    ...{ attemptToken: 'other', token: 'other' },
  })
  const count = async (query: string) =>
    readRowTitles(await readPage(dashboardClient, `${LIST}?${query}`)).length

  expect(await count('de=2025-06-20&ate=2025-06-20')).toBe(1)
  expect(await count('de=20/06/2025&ate=20/06/2025')).toBe(1)
  expect(await count('ate=2025-06-19')).toBe(0)
  expect(await count('de=2025-06-21&ate=2025-06-21')).toBe(0)
  expect(await count('de=2025-06-21')).toBe(1)
})
