// The reports of a company: the days that each is of, the period before, its rows, and the same as a table.
import { expect, test } from 'vitest'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref, readTableRows, readTextsByClass } from '../../support/dashboard/html.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const REPORTS = '/painel/relatorios'
/** Within the period that reports begin with at the instant that `openClient` goes to by itself. */
const IN = '2026-11-10T15:00:00.000Z'

const testApp = await openTestApp()
const { clock } = testApp
const { newMerchant, addLink, addPayment, changePayment } = openPayments(testApp)

/** A company with somebody at its desk, at that instant. */
async function openClient(at = '2026-11-21T15:00:00.000Z') {
  clock.offsetMs = Date.parse(at) - Date.now()
  const testMerchant = await newMerchant()
  const { companyId } = testMerchant
  const dashboardClient = await openDashboardClient(testApp, { companyId, role: 'member' })
  return { testMerchant, dashboardClient }
}

/** The first day and the last, as the form of the period has them. */
function readPeriod(html: string) {
  return ['de', 'ate'].map((id) => html.match(`<input id="${id}"[^>]*? value="([^"]*)"`)?.[1])
}

/** The rows without the column of the period before, which is there when that brought anything. */
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

test('without a last day a period goes up to today', async () => {
  const { dashboardClient } = await openClient()

  const html = await readPage(dashboardClient, `${REPORTS}?de=01/11/2026&ate=`)

  expect(readPeriod(html)).toEqual(['2026-11-01', '2026-11-21'])
})

test.each([
  ['de=2026-11-02&ate=2026-11-01', 'ate', 'A data final deve ser igual ou posterior à inicial.'],
  ['de=2025-11-01&ate=2026-11-02', 'ate', 'Escolha um período de no máximo 366 dias.'],
  ['de=2026-02-30&ate=2026-11-01', 'de', 'Informe uma data (ex.: 31/12/2026).'],
  ['de=2026-11-01&ate=2026-11-31', 'ate', 'Informe uma data (ex.: 31/12/2026).'],
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
    // What is left before the fees is for those who calculate on.
    expect(linesIn(body).map((line) => line.toSpliced(4, 1))).toEqual(shown)
  },
)

test('a period without a sale says so, unless something went back, and shows nothing of another company', async () => {
  await addPayment(await newMerchant(), IN, { tags: ['deles'] })
  const { testMerchant, dashboardClient } = await openClient()

  const nothing = await readPage(dashboardClient, `${REPORTS}?por=etiqueta`)
  const id = await addPayment(testMerchant, '2026-10-05T15:00:00.000Z')
  await changePayment(id, '2026-11-05T15:00:00.000Z', { refundedCents: 2_500 })
  const back = await readPage(dashboardClient, `${REPORTS}?de=2026-11-01&ate=2026-11-10`)

  expect(nothing).toContain('Nada recebido neste período')
  expect(nothing).toContain('De 01/12/2025 a 21/11/2026 nada entrou nem voltou.')
  expect(nothing).not.toContain('deles')
  expect(nothing).not.toContain('relatorios.csv')
  expect(readTextsByClass(back, 'stat-value')).toContain('R$ 25,00')
  expect(back).not.toContain('Nada recebido neste período')
})

test('what went back and came again within a period is shown on its days, though the sum is zero', async () => {
  const { testMerchant, dashboardClient } = await openClient()
  const id = await addPayment(testMerchant, '2026-10-05T15:00:00.000Z', fee(300))
  await changePayment(id, '2026-11-05T15:00:00.000Z', { chargedBackCents: 10_000, ...fee(200) })
  await changePayment(id, '2026-11-07T15:00:00.000Z', { chargedBackCents: 0, ...fee(300) })

  const html = await readPage(dashboardClient, `${REPORTS}?de=2026-11-05&ate=2026-11-07`)

  expect(html).not.toContain('Nada recebido neste período')
  expect(readSums(html)).toEqual([
    ['05/11/2026', '0', 'R$ 0,00', 'R$ 100,00', '− R$ 1,00', '− R$ 99,00'],
    ['06/11/2026', '0', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00'],
    ['07/11/2026', '0', 'R$ 0,00', '− R$ 100,00', 'R$ 1,00', 'R$ 99,00'],
    ['Total', '0', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00'],
  ])
})

function fee(feeCents: number) {
  return { feeCents, feeSource: 'provider' as const }
}

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
