// A report beside the period before it: which day is held against which, and who had a row before.
import { expect, test } from 'vitest'
import { buildComparedReport } from '../../src/reports/comparison.ts'
import { shiftDayBack } from '../../src/reports/days.ts'
import { buildReport, REPORT_KINDS, type ReportKind } from '../../src/reports/reports.ts'
import { loadSummary } from '../../src/reports/summary.ts'
import { openPayments, type TestMerchant } from '../support/payments.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addLink, addLinks, addPayment, addPayments } = openPayments(testApp)

const MONTH = { months: 1, days: 0 }
const LATER = new Date('2027-01-01T00:00:00.000Z')
const NOVEMBER = { from: '2026-11-01', to: '2026-12-01' }

async function compare(
  { companyId }: TestMerchant,
  kind: ReportKind,
  range = NOVEMBER,
  shift = MONTH,
  now = LATER,
) {
  const { rows, total } = await buildComparedReport(db, companyId, kind, range, { shift, now })
  const lines = rows
    .filter(({ grossCents, previous }) => grossCents > 0 || previous?.grossCents)
    .map(({ label, grossCents, previous }) => [label, grossCents, previous?.grossCents ?? null])
  return [...lines, ['Total', total.grossCents, total.previous.grossCents]]
}

test.each([
  ['2026-11-21', 0, 7, '2026-11-14'],
  ['2026-11-21', 1, 0, '2026-10-21'],
  ['2026-01-31', 1, 0, '2025-12-31'],
  ['2026-03-31', 1, 0, '2026-03-01'],
  ['2026-03-01', 1, 0, '2026-02-01'],
  ['2028-02-29', 12, 0, '2027-03-01'],
  ['2026-12-01', 12, 0, '2025-12-01'],
])('%s is held against %i months and %i days before', (day, months, days, before) => {
  expect(shiftDayBack(day, { months, days })).toBe(before)
})

test.each(REPORT_KINDS)('by %s, the rows before add up to the total before', async (kind) => {
  const testMerchant = await newMerchant()
  for (const day of ['09-30', '10-01', '10-15', '10-31', '11-01']) {
    await addPayment(testMerchant, `2026-${day}T15:00:00.000Z`, { totalCents: 1_000 })
  }
  const { companyId } = testMerchant

  const { rows, total } = await buildComparedReport(db, companyId, kind, NOVEMBER, {
    shift: MONTH,
    now: LATER,
  })
  const october = { from: '2026-10-01', to: '2026-11-01' }
  const { total: before } = await buildReport(db, companyId, kind, october)

  expect(total).toMatchObject({ grossCents: 1_000, previous: before })
  expect(before.grossCents).toBe(3_000)
  expect(rows.reduce((sum, { previous }) => sum + (previous?.grossCents ?? 0), 0)).toBe(3_000)
})

test('a day is held against the same of the month before, and the 31st against the last', async () => {
  const testMerchant = await newMerchant()
  await addPayment(testMerchant, '2026-11-15T15:00:00.000Z', { totalCents: 10 })
  await addPayment(testMerchant, '2026-10-15T15:00:00.000Z', { totalCents: 20 })
  await addPayment(testMerchant, '2026-10-30T15:00:00.000Z', { totalCents: 300 })
  await addPayment(testMerchant, '2026-11-01T02:59:59.999Z', { totalCents: 4_000 })

  expect(await compare(testMerchant, 'day')).toEqual([
    ['15/11/2026', 10, 20],
    ['30/11/2026', 0, 4_300],
    ['Total', 10, 4_320],
  ])
})

test('in a longer month the days that have no counterpart are held against nothing', async () => {
  const testMerchant = await newMerchant()
  for (const day of ['02-28', '03-28', '03-29']) {
    await addPayment(testMerchant, `2026-${day}T15:00:00.000Z`, { totalCents: 100 })
  }

  expect(await compare(testMerchant, 'day', { from: '2026-03-01', to: '2026-03-31' })).toEqual([
    ['28/03/2026', 100, 100],
    ['29/03/2026', 100, 0],
    ['Total', 200, 100],
  ])
})

test('a link that brought nothing before was nothing, and one that brings nothing now has no row', async () => {
  const testMerchant = await newMerchant()
  const cake = await addLink(testMerchant, 'Bolo de festa')
  await addPayment(testMerchant, '2026-11-15T15:00:00.000Z', {
    paymentLinkId: cake,
    totalCents: 10,
  })
  await addPayment(testMerchant, '2026-10-15T15:00:00.000Z', { totalCents: 20 })

  expect(await compare(testMerchant, 'link')).toEqual([
    ['Bolo de festa', 10, 0],
    ['Total', 10, 20],
  ])
})

test('what brought too little then to have a row of its own is held against that all the same', async () => {
  const testMerchant = await newMerchant()
  const tags = Array.from({ length: 202 }, (_, n) => `etiqueta ${String(n).padStart(3, '0')}`)
  const [first, , ...others] = tags
  const before = [...others, 'outra'].map((tag) => ({ totalCents: 50, tags: [tag] }))
  await addPayments(testMerchant, '2026-10-15T15:00:00.000Z', before)
  await addPayment(testMerchant, '2026-11-15T15:00:00.000Z', { totalCents: 20, tags: [first!] })
  await addPayment(testMerchant, '2026-11-15T15:00:00.000Z', { totalCents: 10, tags: [tags[9]!] })

  expect(await compare(testMerchant, 'tag')).toEqual([
    ['etiqueta 000', 20, 0],
    ['etiqueta 009', 10, 50],
    ['Total', 30, 10_050],
  ])
})

test('all that have no row of their own are held against nothing, by link and by tag', async () => {
  const testMerchant = await newMerchant()
  const titles = Array.from({ length: 202 }, (_, i) => `Link ${i + 1}`)
  const payments = (await addLinks(testMerchant, titles)).map((paymentLinkId, i) => {
    return { paymentLinkId, tags: [`etiqueta ${i + 1}`], totalCents: 1_001 + i }
  })
  for (const month of ['11', '10'])
    await addPayments(testMerchant, `2026-${month}-15T15:00:00.000Z`, payments)

  for (const kind of ['link', 'tag'] as const) {
    const lines = await compare(testMerchant, kind)

    expect(lines[0]).toEqual([expect.stringMatching(/ 202$/), 1_202, 1_202])
    expect(lines.slice(-2)).toEqual([
      ['Outros 2', 2_003, null],
      ['Total', 222_503, 222_503],
    ])
  }
})

test('while a day is not over, the period before ends at the same time of day, as on the first page', async () => {
  const testMerchant = await newMerchant()
  const now = new Date('2026-11-21T15:00:00.000Z')
  await addPayment(testMerchant, '2026-11-21T14:00:00.000Z', { totalCents: 1 })
  await addPayment(testMerchant, '2026-11-14T15:00:00.000Z', { totalCents: 10 })
  await addPayment(testMerchant, '2026-11-14T15:00:01.000Z', { totalCents: 100 })
  await addPayment(testMerchant, '2026-11-13T23:00:00.000Z', { totalCents: 1_000 })
  const week = { from: '2026-11-15', to: '2026-11-22' }
  const { last7 } = await loadSummary(db, testMerchant.companyId, now)

  for (const kind of REPORT_KINDS) {
    const lines = await compare(testMerchant, kind, week, { months: 0, days: 7 }, now)
    expect(lines.at(-1)).toEqual(['Total', 1, 1_010])
  }
  expect([last7.grossCents, last7.previous.grossCents]).toEqual([1, 1_010])
})
