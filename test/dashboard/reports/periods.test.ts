// Which days a report is of, and the period before that it is held against.
import { expect, test } from 'vitest'
import { findLinkHref, readTableRows } from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { IN, openReports, REPORTS, readPeriod } from '../../support/dashboard/reports.ts'

const { addPayment, openClient } = await openReports()

test.each([
  ['hoje', '2027-02-28', '2027-02-28', '27/02/2027'],
  ['7-dias', '2027-02-22', '2027-02-28', '15/02/2027 a 21/02/2027'],
  ['30-dias', '2027-01-30', '2027-02-28', '31/12/2026 a 29/01/2027'],
  ['este-mes', '2027-02-01', '2027-02-28', '01/01/2027 a 31/01/2027'],
  ['mes-passado', '2027-01-01', '2027-01-31', '01/12/2026 a 31/12/2026'],
  ['este-ano', '2027-01-01', '2027-02-28', '01/01/2026 a 28/02/2026'],
  ['12-meses', '2026-03-01', '2027-02-28', '01/03/2025 a 28/02/2026'],
])(
  'the period %s goes by the calendar of São Paulo, and so does that before it',
  async (...row) => {
    const [period, first, last, before] = row
    const { testMerchant, dashboardClient } = await openClient('2027-03-01T02:59:00.000Z')

    await addPayment(testMerchant, '2027-02-28T15:00:00.000Z')
    await addPayment(testMerchant, '2027-01-15T15:00:00.000Z')

    const html = await readPage(dashboardClient, `${REPORTS}?por=dia&periodo=${period}`)

    expect(readPeriod(html)).toEqual([first, last])
    expect(html).toContain(`Período anterior, ${before}</li>`)
    expect(html).toMatch(new RegExp(`periodo=${period}[^"]*" aria-current="page"`))
  },
)

test('twelve months that hold a 29th of February are 366 days, and not too many', async () => {
  const { dashboardClient } = await openClient('2029-01-31T15:00:00.000Z')

  const html = await readPage(dashboardClient, REPORTS)

  expect(readPeriod(html)).toEqual(['2028-02-01', '2029-01-31'])
})

test('a period is held against the one before: its value, and by how much it changed', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, '2026-11-03T15:00:00.000Z', { totalCents: 15_000 })
  await addPayment(testMerchant, '2026-11-04T15:00:00.000Z', { totalCents: 500 })
  await addPayment(testMerchant, '2026-10-03T15:00:00.000Z', { totalCents: 10_000 })
  await addPayment(testMerchant, '2026-10-22T15:00:00.000Z', { totalCents: 99_900 })

  const html = await readPage(dashboardClient, `${REPORTS}?por=dia&periodo=este-mes`)

  const compared = readTableRows(html).map(([name, ...cells]) => [name, cells.at(-1)])
  expect(compared.slice(2, 4)).toEqual([
    ['03/11/2026', 'R$ 100,00 ▲ 50%'],
    ['04/11/2026', 'R$ 0,00'],
  ])
  expect(compared.at(-1)).toEqual(['Total', 'R$ 100,00 ▲ 55%'])
  expect(html).toContain('antes R$\u00a0100,00')
  expect(html).toContain('O dia de hoje ainda não terminou')
  expect([...html.matchAll(/class="chart-before"/g)]).toHaveLength(21)
})

test('a preset keeps by what is summed; without it, days are summed by day and a year by month', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, IN)

  const byTag = await readPage(dashboardClient, `${REPORTS}?por=etiqueta&periodo=este-mes`)
  const week = await readPage(dashboardClient, `${REPORTS}?periodo=7-dias`)
  const year = await readPage(dashboardClient, REPORTS)

  const currentIn = (html: string) =>
    [...html.matchAll(/aria-current="page">([^<]*)</g)].map(([, text]) => text)
  expect(findLinkHref(byTag, 'Hoje')).toBe('/painel/relatorios?por=etiqueta&periodo=hoje')
  expect(currentIn(byTag).slice(-2)).toEqual(['Etiqueta', 'Este mês'])
  expect(currentIn(week).slice(-2)).toEqual(['Dia', '7 dias'])
  expect(currentIn(year).slice(-2)).toEqual(['Mês', '12 meses'])
})
