// The list of payments as its page sorts, counts and offers it; its links keep what else was asked for.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { encodePosition } from '../../../src/http/pagination.ts'
import { buildReport } from '../../../src/reports/reports.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock } = testApp
const { newMerchant, addPayment } = openPayments(testApp)

const LIST = '/painel/transacoes'
const NOON = Date.parse('2026-11-20T15:00:00.000Z')

async function openList(payments: Parameters<typeof addPayment>[2][]) {
  const merchant = await newMerchant()
  for (const [n, payment] of payments.entries()) {
    await addPayment(merchant, new Date(NOON + n).toISOString(), payment)
  }
  const { companyId } = merchant
  const dashboardClient = await openDashboardClient(testApp, { companyId, role: 'member' })
  return { merchant, read: (query = '') => readPage(dashboardClient, LIST + query) }
}

function hrefOf(html: string, text: string) {
  return html.match(new RegExp(`href="([^"]+)"[^>]*>${text}`))?.[1]?.replaceAll('&amp;', '&')
}

test('the list says how many payments there are and what was approved, and what went back', async () => {
  const { read } = await openList([
    { totalCents: 123_400 },
    { totalCents: 1_000, status: 'declined', approvedAt: null },
    { totalCents: 5_000, refundedCents: 2_000, status: 'partially_refunded' },
  ])

  const all = readPageText(await read())
  const declined = readPageText(await read('?status=declined'))

  expect(all).toMatch(/3 pagamentos · R\$\s1\.284,00 aprovados · R\$\s20,00 devolvidos/)
  expect(declined).toMatch(/1 pagamento · R\$\s0,00 aprovados/)
  expect(declined).not.toContain('devolvidos')
})

test('the head of a column sorts by it, the other way when it did already, and keeps the filters', async () => {
  const { read } = await openList([
    { payerName: 'Ana', totalCents: 2_000 },
    { payerName: 'Bia', totalCents: 3_000 },
    { payerName: 'Caio', totalCents: 1_000 },
  ])

  const first = await read('?method=pix&cursor=x&feito=devolvido')
  const largest = await read(hrefOf(first, 'Valor')?.replace(LIST, ''))
  const smallest = await read(hrefOf(largest, 'Valor')?.replace(LIST, ''))

  expect(hrefOf(first, 'Valor')).toBe(`${LIST}?method=pix&ordem=maior-valor`)
  expect(hrefOf(first, 'Quando')).toBe(`${LIST}?method=pix&ordem=antigos`)
  expect(first).toMatch(/aria-sort="descending"><a[^>]*>Quando/)
  expect(readRowTitles(largest)).toEqual(['Bia', 'Ana', 'Caio'])
  expect(largest).toMatch(/aria-sort="descending"><a[^>]*>Valor/)
  expect(hrefOf(largest, 'Valor')).toBe(`${LIST}?method=pix&ordem=menor-valor`)
  expect(readRowTitles(smallest)).toEqual(['Caio', 'Ana', 'Bia'])
  expect(smallest).toMatch(/aria-sort="ascending"><a[^>]*>Valor/)
  expect(hrefOf(smallest, 'Quando')).toBe(`${LIST}?method=pix`)
  expect(readRowTitles(await read('?ordem=antigos'))).toEqual(['Ana', 'Bia', 'Caio'])
  expect(readRowTitles(await read('?ordem=nada'))).toEqual(['Caio', 'Bia', 'Ana'])
})

test.each(['2026-02-30T10:00:00.000Z', '2026-13-45T99:99:99.999Z', '0000-01-01T00:00:00.000Z'])(
  'a page after %s, an instant that is none, is the first one',
  async (instant) => {
    const { read } = await openList([{ payerName: 'Ana' }])
    const cursor = encodePosition(`${instant}~${newId()}`)

    expect(readRowTitles(await read(`?cursor=${cursor}`))).toEqual(['Ana'])
  },
)

test('pages of a sorted list go on where the one before ended', async () => {
  const { read } = await openList(
    Array.from({ length: 25 }, (_, n) => ({ payerName: `P${n}`, totalCents: 1_000 + (n % 5) })),
  )

  const first = await read('?ordem=maior-valor')
  const next = first.match(/rel="next" href="([^"]+)"/)![1]!.replaceAll('&amp;', '&')
  const second = await read(next.replace(LIST, ''))

  const names = [...readRowTitles(first), ...readRowTitles(second)]
  expect(new Set(names).size).toBe(25)
  expect(names.slice(0, 5)).toEqual(['P24', 'P19', 'P14', 'P9', 'P4'])
  expect(names.at(-1)).toBe('P0')
})

test('a period is one click away, marked while it is on, and keeps the other filters', async () => {
  const { merchant, read } = await openList([{ payerName: 'Ana' }])
  await addPayment(merchant, clock.now().toISOString(), { payerName: 'Hoje' })

  const all = await read('?status=approved')
  const today = await read(hrefOf(all, 'hoje')?.replace(LIST, ''))

  expect(hrefOf(all, 'hoje')).toBe(`${LIST}?status=approved&periodo=hoje`)
  expect(today).toMatch(/\.csv\?status=approved&amp;de=\d{4}-\d\d-\d\d&amp;ate=\d{4}-/)
  expect(readRowTitles(today)).toEqual(['Hoje'])
  expect(today).toMatch(/aria-current="true">hoje/)
  expect(hrefOf(today, 'hoje')).toBe(`${LIST}?status=approved`)
  expect(readPageText(today)).toContain('1 em uso')
  expect(today).toContain('<details open>')
  expect(await read(hrefOf(await read(), 'hoje')?.replace(LIST, ''))).not.toContain(
    '<details open>',
  )
})

test('a day is that of payment: the list, its sum, its table and what came in agree', async () => {
  const { merchant, read } = await openList([])
  const add = (created: string, payerName: string, totalCents: number, approvedAt: string | null) =>
    addPayment(merchant, created, {
      ...{ payerName, totalCents, approvedAt },
      ...(approvedAt === null && { status: 'declined' }),
    })
  await add('2026-10-31T23:50:00-03:00', 'Paga em novembro', 5_005, '2026-11-01T00:05:00-03:00')
  await add('2026-09-30T23:50:00-03:00', 'Paga em outubro', 7_907, '2026-10-01T00:05:00-03:00')
  await add('2026-10-31T23:59:59-03:00', 'Nunca paga', 1_000, null)
  const october = '?de=2026-10-01&ate=2026-10-31'
  const names = async (query: string) => readRowTitles(await read(query))

  const page = await read(october)
  const table = await read(october.replace('?', '.csv?'))
  const { total } = await buildReport(testApp.db, merchant.companyId, 'month', {
    ...{ from: '2026-10-01', to: '2026-11-01' },
  })

  expect(readRowTitles(page)).toEqual(['Nunca paga', 'Paga em outubro'])
  expect(readPageText(page)).toMatch(/2 pagamentos · R\$\s79,07 aprovados/)
  expect(readPageText(page)).toContain('Pix 01/10 00:05')
  expect(table.trim().split('\r\n')).toHaveLength(3)
  expect(total.grossCents).toBe(7_907)
  expect(await names(`${october}&dia=criacao`)).toEqual(['Nunca paga', 'Paga em novembro'])
  expect(await names(`${october}&status=approved`)).toEqual(['Paga em outubro'])
  expect(await names(`${october}&status=declined`)).toEqual(['Nunca paga'])
  expect(await names('?q=31/10/2026')).toEqual(['Nunca paga'])
  expect(await names('')).toEqual(['Paga em novembro', 'Nunca paga', 'Paga em outubro'])
})
