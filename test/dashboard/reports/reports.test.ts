import { expect, test } from 'vitest'
import { findLinkHref, readTableRows, readTextsByClass } from '../../support/dashboard/html.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { IN, openReports, REPORTS, readPeriod } from '../../support/dashboard/reports.ts'

const { clock, newMerchant, addLink, addPayment, changePayment, openClient } = await openReports()

/** The rows without what they are compared with, which their last column says. */
/** Without what the period before brought, which is there when it brought anything. */
function readSums(html: string) {
  const rows = readTableRows(html)
  return html.includes('Recebido antes') ? rows.map((row) => row.slice(0, -1)) : rows
}

function linesIn(csv: string) {
  return csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(';'))
}

test('by month, every month has its row and its column, and the total stands below', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, '2026-09-10T15:00:00.000Z', { totalCents: 150_000 })
  const fee = { feeCents: 99, feeSource: 'company' as const }
  const refund = { status: 'partially_refunded' as const, refundedCents: 2_500 }
  await addPayment(testMerchant, IN, { ...refund, ...fee })

  const html = await readPage(dashboardClient, `${REPORTS}?de=2026-09-01&ate=2026-11-30`)

  expect(readSums(html)).toEqual([
    ['setembro de 2026', '1', 'R$ 1.500,00', 'R$ 0,00', '—', '—'],
    ['outubro de 2026', '0', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00'],
    ['novembro de 2026', '1', 'R$ 100,00', 'R$ 25,00', 'R$ 0,99', 'R$ 74,01'],
    ['Total', '2', 'R$ 1.600,00', 'R$ 25,00', '—', '—'],
  ])
  expect([...html.matchAll(/class="chart-bar"/g)]).toHaveLength(3)
  expect(readTextsByClass(html, 'chart-label(?: chart-minor)?')).toEqual([
    ...['set/26', 'out/26', 'nov/26'],
  ])
})

test('by tag, a payment with two stands in two rows, and the page says so', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, IN, { tags: ['festa', 'doce & salgado'] })
  await addPayment(testMerchant, IN, { totalCents: 500 })

  const html = await readPage(dashboardClient, `${REPORTS}?por=etiqueta`)
  const byLink = await readPage(dashboardClient, `${REPORTS}?por=link`)

  expect(readTableRows(html).map(([name, count, gross]) => [name, count, gross])).toEqual([
    ['doce &amp; salgado', '1', 'R$ 100,00'],
    ['festa', '1', 'R$ 100,00'],
    ['Sem etiqueta', '1', 'R$ 5,00'],
    ['Total', '2', 'R$ 105,00'],
  ])
  expect(html).toContain('href="/painel/links?tag=doce+%26+salgado"')
  expect(html).toContain('O total conta cada pagamento uma vez só.')
  expect(byLink).not.toContain('O total conta cada pagamento uma vez só.')
})

test('two dates are whole days of São Paulo, the first and the last among them', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, '2026-11-10T02:59:59.999Z', { totalCents: 1 })
  await addPayment(testMerchant, '2026-11-10T03:00:00.000Z', { totalCents: 10 })
  await addPayment(testMerchant, '2026-11-12T02:59:59.999Z', { totalCents: 100 })
  await addPayment(testMerchant, '2026-11-12T03:00:00.000Z', { totalCents: 1_000 })

  const html = await readPage(dashboardClient, `${REPORTS}?por=meio&de=2026-11-10&ate=2026-11-11`)
  const typed = await readPage(dashboardClient, `${REPORTS}?por=meio&de=10/11/2026&ate=11/11/2026`)

  expect(readSums(html).at(-1)).toEqual(['Total', '2', 'R$ 1,10', '—', '—'])
  expect(readTableRows(typed)).toEqual(readTableRows(html))
  expect(readPeriod(typed)).toEqual(['2026-11-10', '2026-11-11'])
  expect(html).not.toMatch(/periodo=[^"]*" aria-current/)
})

test.each([
  ['de=2026-11-02&ate=2026-11-01', 'ate', 'A data final deve ser igual ou posterior à inicial.'],
  ['de=2025-11-01&ate=2026-11-02', 'ate', 'Escolha um período de no máximo 366 dias.'],
  ['de=2026-02-30&ate=2026-11-01', 'de', 'Informe uma data (ex.: 31/12/2026).'],
  ['de=2026-11-01&ate=', 'ate', 'Informe uma data (ex.: 31/12/2026).'],
])('?%s is told at its field, and the file is refused', async (query, field, sentence) => {
  const { testMerchant, dashboardClient } = await openClient()
  await addPayment(testMerchant, IN)

  const page = await dashboardClient.get(`${REPORTS}?por=link&${query}`)
  const file = await dashboardClient.get(`${REPORTS}.csv?por=link&${query}`)

  expect([page.statusCode, file.statusCode]).toEqual([422, 422])
  expect(readFormErrors(page.body)).toEqual([[field, sentence]])
  expect(page.body).toContain(`id="${field}-error"`)
  expect(readPeriod(page.body)).toEqual(
    Object.values(Object.fromEntries(new URLSearchParams(query))),
  )
  expect(page.body).toContain('<input type="hidden" name="por" value="link">')
  expect(page.body).not.toContain('<table')
})

test.each(['dia', 'semana', 'mes', 'meio', 'link', 'etiqueta'])(
  'the CSV by %s holds exactly what is shown',
  async (by) => {
    const { testMerchant, dashboardClient } = await openClient('2026-11-22T02:00:00.000Z')
    const cake = await addLink(testMerchant, 'Bolo de festa')
    await addPayment(testMerchant, IN, { status: 'partially_refunded', refundedCents: 2_500 })
    await addPayment(testMerchant, IN, {
      method: 'credit_card',
      tags: ['festa'],
      paymentLinkId: cake,
      ...{ feeCents: 358, feeSource: 'company' },
    })
    await addPayment(testMerchant, '2026-10-31T15:00:00.000Z', { totalCents: 1_000_000 })
    const html = await readPage(dashboardClient, `${REPORTS}?por=${by}&periodo=este-mes`)

    // It stays what it was on the day that it was looked at.
    clock.offsetMs += 2 * 3_600_000
    const { headers, body } = await dashboardClient.get(findLinkHref(html, 'CSV')!)

    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toContain('-2026-11-01-a-2026-11-21.csv')
    const shown = readSums(html).map((row) => row.map((cell) => cell.replace(/^R\$ |—/, '')))
    // What is left before the fees is for whoever reckons on.
    expect(linesIn(body).map((line) => line.toSpliced(4, 1))).toEqual(shown)
  },
)

test('another company has no part in it, and nothing received is said in words', async () => {
  const other = await newMerchant()
  await addPayment(other, IN, { tags: ['deles'] })
  const { dashboardClient } = await openClient()

  const html = await readPage(dashboardClient, `${REPORTS}?por=etiqueta`)

  expect(html).toContain('Nada recebido neste período')
  expect(html).toContain('De 01/12/2025 a 21/11/2026 nada entrou nem voltou.')
  expect(html).not.toContain('deles')
  expect(html).not.toContain('relatorios.csv')
})

test('what goes back in a period without a sale is shown, and not called nothing', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  const id = await addPayment(testMerchant, '2026-10-05T15:00:00.000Z')
  await changePayment(id, '2026-11-05T15:00:00.000Z', { refundedCents: 2_500 })

  const html = await readPage(dashboardClient, `${REPORTS}?de=2026-11-01&ate=2026-11-10`)

  expect(readTextsByClass(html, 'stat-value')).toContain('R$ 25,00')
  expect(html).not.toContain('Nada recebido neste período')
})
