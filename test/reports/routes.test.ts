// What came in, as a program asks for it: the numbers of the dashboard, to the cent.
import { expect, test } from 'vitest'
import { issueApiKey } from '../../src/api/api-key.ts'
import type { Scope } from '../../src/database/enums.ts'
import { formatCsvCell } from '../../src/http/tables/csv.ts'
import { getEntries } from '../../src/record.ts'
import type { ReportKind } from '../../src/reports/reports.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { openPayments } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newMerchant, addLink, addPayment } = openPayments(testApp)

const REVENUE = '/api/reports/revenue'
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' }

type Row = { key: string | null; label: string; paymentsCount: number; grossCents: number }

async function ask(companyId: string, query: object, scopes: Scope[] | null = null) {
  const { key } = await issueApiKey(db, companyId, 'Relatórios', scopes)
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ url: `${REVENUE}?${new URLSearchParams({ ...query })}`, headers })
}

/** A month in which there was everything. */
const month = await newMerchant()
const cake = await addLink(month, 'Bolo de festa')
await addPayment(month, '2026-11-01T02:59:59.999Z', { totalCents: 1 })
await addPayment(month, '2026-11-01T03:00:00.000Z', { tags: ['bolo', 'festa'] })
await addPayment(month, '2026-11-09T02:59:59.999Z', { method: 'credit_card' })
await addPayment(month, '2026-11-09T03:00:00.000Z', { paymentLinkId: cake, tags: ['bolo'] })
const returned = { status: 'partially_refunded', refundedCents: 2_500 } as const
await addPayment(month, '2026-11-10T12:00:00.000Z', returned)
await addPayment(month, '2026-11-10T12:00:00.000Z', { status: 'charged_back' })
await addPayment(month, '2026-12-01T02:59:59.999Z', { totalCents: 30 })
await addPayment(month, '2026-12-01T03:00:00.000Z', { totalCents: 700 })
const { companyId } = month
const dashboardClient = await openDashboardClient(testApp, { companyId, role: 'member' })

const FILES: Record<ReportKind, string | null> = {
  ...{ day: null, week: null, month: 'mes', method: 'meio', tag: 'etiqueta', link: 'link' },
}

test.each(getEntries(FILES))(
  'by %s it comes to the same total, and says what the file of the dashboard says',
  async (groupBy, por) => {
    const response = await ask(companyId, { ...NOVEMBER, groupBy })
    const report = response.json()

    expect(response.statusCode).toBe(200)
    expect(report).toMatchObject({ ...NOVEMBER, groupBy, testMode: true })
    expect(report.total).toEqual({
      paymentsCount: 6,
      grossCents: 50_030,
      refundedCents: 12_500,
      afterRefundsCents: 37_530,
      ...{ feeCents: null, netCents: null, withoutFeeCount: 6 },
    })
    if (por === null) return
    const path = `/painel/relatorios.csv?por=${por}&de=2026-11-01&ate=2026-11-30`
    const { body: csv } = await dashboardClient.get(path)
    const toCell = (value: number | null) => formatCsvCell({ kind: 'cents', value })
    const rows = [...report.data, { label: 'Total', ...report.total }]
    const lines = rows.map(({ label, paymentsCount, ...sums }) =>
      [
        ...[label, paymentsCount],
        ...[sums.grossCents, sums.refundedCents, sums.afterRefundsCents].map(toCell),
        ...[sums.feeCents, sums.netCents].map(toCell),
      ].join(';'),
    )
    expect(lines).toEqual(csv.trim().split('\r\n').slice(1))
  },
)

test('every day has a row, and weeks begin on Monday, of São Paulo both', async () => {
  const days: Row[] = (await ask(companyId, NOVEMBER)).json().data
  const weeks: Row[] = (await ask(companyId, { ...NOVEMBER, groupBy: 'week' })).json().data

  expect(days).toHaveLength(30)
  expect(days.filter(({ paymentsCount }) => paymentsCount > 0)).toMatchObject([
    { key: '2026-11-01', label: '01/11/2026', paymentsCount: 1 },
    { key: '2026-11-08', label: '08/11/2026', paymentsCount: 1 },
    { key: '2026-11-09', label: '09/11/2026', paymentsCount: 1 },
    { key: '2026-11-10', paymentsCount: 2, grossCents: 20_000 },
    { key: '2026-11-30', paymentsCount: 1, grossCents: 30 },
  ])
  expect(weeks.map(({ key, paymentsCount }) => [key, paymentsCount])).toEqual([
    ['2026-10-26', 1],
    ['2026-11-02', 1],
    ['2026-11-09', 3],
    ['2026-11-16', 0],
    ['2026-11-23', 0],
    ['2026-11-30', 1],
  ])
})

test('a row is known by its link, and what has no tag by none', async () => {
  const links: Row[] = (await ask(companyId, { ...NOVEMBER, groupBy: 'link' })).json().data
  const tags: Row[] = (await ask(companyId, { ...NOVEMBER, groupBy: 'tag' })).json().data

  expect(links.find(({ key }) => key === cake)).toMatchObject({ label: 'Bolo de festa' })
  expect(tags.find(({ key }) => key === null)).toMatchObject({ label: 'Sem etiqueta' })
  expect(tags.find(({ key }) => key === 'bolo')).toMatchObject({ paymentsCount: 2 })
})

test('a year and a day is the longest time, and a day the shortest', async () => {
  const longest = await ask(companyId, { from: '2026-01-01', to: '2027-01-01' })
  const shortest = await ask(companyId, { from: '2026-01-01', to: '2026-01-01' })

  expect(longest.json().data).toHaveLength(366)
  expect(shortest.json().data).toHaveLength(1)
})

test.each([
  [{}, ['from', 'to']],
  [{ ...NOVEMBER, from: '2026-02-30' }, ['from']],
  [{ ...NOVEMBER, to: '2026-11-30T00:00:00Z' }, ['to']],
  [{ from: '0000-01-01', to: '9999-12-31' }, ['from', 'to']],
  [{ from: '2026-11-02', to: '2026-11-01' }, ['to']],
  [{ from: '2026-01-01', to: '2027-01-02' }, ['to']],
  [{ ...NOVEMBER, groupBy: 'year' }, ['groupBy']],
  [{ ...NOVEMBER, por: 'mes' }, ['por']],
])('%j is refused at its field', async (query, fields) => {
  const response = await ask(companyId, query)

  expect(response.statusCode).toBe(422)
  const { errors } = response.json()
  expect(errors.map(({ field }: { field: string }) => field)).toEqual(fields)
})

test('a key that may read transactions may read their sum', async () => {
  const answers = [
    await ask(companyId, NOVEMBER, ['transactions:read']),
    await ask(companyId, NOVEMBER, ['read']),
    await ask(companyId, NOVEMBER, ['payment-links']),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 403])
})

test('another company’s money is in no report', async () => {
  const stranger = await newMerchant()

  expect((await ask(stranger.companyId, NOVEMBER)).json().total).toMatchObject({ paymentsCount: 0 })
})
