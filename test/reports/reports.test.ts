// What a company received in a time of its choice, by month, method, tag and link.
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendTable } from '../../src/http/tables/send.ts'
import { streamRows } from '../../src/lists/page.ts'
import { buildReportColumns, buildReportFileName, listReportRows } from '../../src/reports/csv.ts'
import { buildReport, REPORT_KINDS, type ReportKind } from '../../src/reports/reports.ts'
import { openPayments, type TestMerchant } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addLinks, addPayment, addPayments } = openPayments(testApp)

const RANGE = { from: '2026-11-01', to: '2026-12-01' }
const IN = '2026-11-21T14:00:00.000Z'

async function linesOf(
  { companyId }: Pick<TestMerchant, 'companyId'>,
  kind: ReportKind,
  range = RANGE,
) {
  const { rows } = await buildReport(db, companyId, kind, range)
  return rows.map(({ label, count, grossCents }) => `${label}: ${count} = ${grossCents}`)
}

test.each(REPORT_KINDS)(
  'the total by %s is of the days from midnight to midnight in São Paulo',
  async (kind) => {
    const testMerchant = await newMerchant()
    await addPayment(testMerchant, '2026-11-01T02:59:59.999Z', { totalCents: 1 })
    await addPayment(testMerchant, '2026-11-01T03:00:00.000Z', { totalCents: 10, tags: ['bolo'] })
    await addPayment(testMerchant, '2026-12-01T02:59:59.999Z', { totalCents: 100 })
    await addPayment(testMerchant, '2026-12-01T03:00:00.000Z', { totalCents: 1_000 })

    const { total } = await buildReport(db, testMerchant.companyId, kind, RANGE)

    expect(total).toMatchObject({
      count: 2,
      grossCents: 110,
      refundedCents: 0,
      afterRefundsCents: 110,
    })
  },
)

test('every month that the days touch has a row, by the calendar of São Paulo', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, '2026-11-01T02:00:00.000Z', { totalCents: 1_000 })
  await addPayment(testMerchant, '2027-01-15T12:00:00.000Z', { totalCents: 2_000 })

  const lines = await linesOf(testMerchant, 'month', {
    ...RANGE,
    from: '2026-10-31',
    to: '2027-02-01',
  })

  expect(lines).toEqual([
    'outubro de 2026: 1 = 1000',
    'novembro de 2026: 0 = 0',
    'dezembro de 2026: 0 = 0',
    'janeiro de 2027: 1 = 2000',
  ])
})

test('both methods have a row, also an unused one', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, IN, { method: 'credit_card' })

  expect(await linesOf(testMerchant, 'method')).toEqual([
    'Pix: 0 = 0',
    'Cartão de crédito: 1 = 10000',
  ])
})

test('a payment stands in the row of each of its tags, and once in the total', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, IN, { tags: ['bolo', 'festa'], totalCents: 3_000 })
  await addPayment(testMerchant, IN, { tags: ['bolo'], totalCents: 2_000 })
  await addPayment(testMerchant, IN, { tags: [], totalCents: 4_000 })

  const { total } = await buildReport(db, testMerchant.companyId, 'tag', RANGE)

  expect(await linesOf(testMerchant, 'tag')).toEqual([
    'bolo: 2 = 5000',
    'Sem etiqueta: 1 = 4000',
    'festa: 1 = 3000',
  ])
  expect(total).toMatchObject({ count: 3, grossCents: 9_000 })
})

test('links stand in the order of what they brought; after 200 the rest is one row', async () => {
  const testMerchant = await newMerchant()
  const titles = Array.from({ length: 203 }, (_, i) => `Link ${i + 1}`)
  const links = await addLinks(testMerchant, titles)
  const payments = links.map((paymentLinkId, i) => ({ paymentLinkId, totalCents: 10 * (i + 1) }))
  await addPayments(testMerchant, IN, payments)
  const refunded = { status: 'refunded' as const, totalCents: 9_000, refundedCents: 9_000 }
  await addPayment(testMerchant, IN, refunded)

  const { rows, total } = await buildReport(db, testMerchant.companyId, 'link', RANGE)

  expect(rows).toHaveLength(201)
  expect(rows[0]).toMatchObject({ label: 'Link 203', grossCents: 2_030 })
  expect(rows[199]).toMatchObject({
    label: 'Link 4',
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(rows[200]).toMatchObject({ label: 'Outros 4', key: null, count: 4, grossCents: 9_060 })
  expect(total).toMatchObject({ count: 204, grossCents: 9_000 + (10 * 203 * 204) / 2 })
})

test.each([
  [{ from: '2026-11-31', to: '2026-12-01' }, 'from'],
  [{ from: '2026-11-01', to: 'ontem' }, 'to'],
  [{ from: '2026-11-02', to: '2026-11-02' }, 'to'],
  [{ from: '2026-11-02', to: '2026-11-01' }, 'to'],
  [{ from: '2026-01-01', to: '2027-01-03' }, 'to'],
])('days that make no period are refused (%o)', async (days, field) => {
  const { companyId } = await newMerchant()

  const refused = buildReport(db, companyId, 'month', days)

  await expect(refused).rejects.toMatchObject({
    statusCode: 422,
    errors: [{ field, message: expect.stringMatching(/\.$/) }],
  })
})

test('a whole leap year is not too much', async () => {
  const { companyId } = await newMerchant()
  const year = { from: '2028-01-01', to: '2029-01-01' }

  expect((await buildReport(db, companyId, 'month', year)).rows).toHaveLength(12)
})

test('as CSV it has its rows, its total and a name that says what it is', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, IN, { tags: ['=1+1'], totalCents: 123_456, refundedCents: 1_000 })
  const report = await buildReport(db, testMerchant.companyId, 'tag', RANGE)
  const app = fastify()
  app.get('/', (_request, reply) =>
    sendTable(reply, buildReportColumns('tag'), streamRows(listReportRows(report)), {
      companyId: testMerchant.companyId,
      name: buildReportFileName('tag', RANGE),
      format: 'csv',
    }),
  )

  const response = await app.inject('/')

  expect(response.headers['content-disposition']).toBe(
    'attachment; filename="recebido-por-etiqueta-2026-11-01-a-2026-11-30.csv"',
  )
  expect(response.body.replace('\uFEFF', '').trim().split('\r\n')).toEqual([
    'Etiqueta;Pagamentos;Recebido (R$);Devolvido (R$);Recebido menos devolvido (R$);Tarifas (R$);Líquido (R$)',
    "'=1+1;1;1234,56;10,00;1224,56;;",
    'Total;1;1234,56;10,00;1224,56;;',
  ])
})
