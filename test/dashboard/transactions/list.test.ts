// The list of payments: filtered, searched, sorted, counted, paged, taken away as a table; its links keep what else was
// asked for.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { encodePosition } from '../../../src/http/pagination.ts'
import { addDays, toDay } from '../../../src/reports/days.ts'
import { buildReport } from '../../../src/reports/reports.ts'
import { buildTxid } from '../../../src/transactions/txid.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref } from '../../support/dashboard/html.ts'
import { readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { clock } = testApp
const { newMerchant, addPayment, addLink } = openPayments(testApp)

type Payment = Parameters<typeof addPayment>[2] & { at?: string }

const LIST = '/painel/transacoes'
const NOON = Date.parse('2026-11-20T15:00:00.000Z')
const DECLINED = { status: 'declined', approvedAt: null } as const

/** A company with these payments, the last one the newest, and somebody who looks. */
async function openList(payments: Payment[]) {
  const merchant = await newMerchant()
  for (const [n, { at, ...payment }] of payments.entries())
    await addPayment(merchant, at ?? new Date(NOON + n).toISOString(), payment)
  const { companyId } = merchant
  const client = await openDashboardClient(testApp, { companyId, role: 'member' })
  const read = (query = '') => readPage(client, LIST + query)
  return { merchant, read, list: async (query: string) => readRowTitles(await read(query)) }
}

test('the list shows who paid what, how it stands, how many there are and what was approved and went back', async () => {
  const { read } = await openList([
    { payerName: 'Maria', totalCents: 123_400, method: 'credit_card', installments: 3 },
    { payerName: 'Joana', totalCents: 1_000, ...DECLINED },
    { payerName: 'Pedro', totalCents: 5_000, refundedCents: 2_000, status: 'partially_refunded' },
  ])

  const html = await read()
  const all = readPageText(html)
  const declined = readPageText(await read('?status=declined'))

  expect(readRowTitles(html)).toEqual(['Pedro', 'Joana', 'Maria'])
  expect(all).toMatch(/Maria Aprovado Bolo de cenoura Cartão 3x 20\/11 12:00 R\$ 1\.234,00/)
  expect(all).toMatch(/Joana Recusado Bolo de cenoura Pix/)
  expect(all).toMatch(/3 pagamentos · R\$\s1\.284,00 aprovados ?, dos quais R\$\s20,00 devolvidos/)
  expect(declined).toMatch(/1 pagamento · R\$\s0,00 aprovados/)
  expect(declined).not.toContain('devolvidos')
})

test('each filter narrows the list, and the form keeps what was asked', async () => {
  const id = newId()
  const pixTxid = buildTxid(id, 'pix-api')
  const { merchant, list, read } = await openList([
    { payerName: 'Joana', ...DECLINED },
    { payerName: 'Pedro', method: 'credit_card', id, pixTxid },
  ])
  const link = await addLink(merchant, 'Curso')
  await addPayment(merchant, new Date(NOON).toISOString(), {
    ...{ payerName: 'Maria', paymentLinkId: link, tags: ['festa'] },
  })

  expect(await list('?status=declined')).toEqual(['Joana'])
  expect(await list('?method=credit_card')).toEqual(['Pedro'])
  expect(await list('?tag=festa')).toEqual(['Maria'])
  expect(await list(`?link=${link}`)).toEqual(['Maria'])
  expect(await list(`?cliente=${merchant.customerId}`)).toHaveLength(3)
  expect(await list(`?cliente=${newId()}`)).toEqual([])
  expect(await list(`?link=${newId()}`)).toEqual([])
  expect(await list('?status=declined&method=credit_card')).toEqual([])
  // As a bank has it.
  expect(pixTxid).toHaveLength(34)
  expect(await list(`?q=${pixTxid}`)).toEqual(['Pedro'])
  const html = await read(`?status=declined&link=${link}&de=2020-01-31`)
  expect(html).toContain('<option value="declined" selected>')
  expect(html).toContain(`<input type="hidden" name="link" value="${link}">`)
  expect(html).toContain('value="2020-01-31"')
  expect(html).toContain('href="/painel/transacoes?status=declined&amp;de=2020-01-31"')
  expect(html).toMatch(/href="\/painel\/transacoes">Limpar filtros/)
})

test('a list is told what comes in only where that is one of its payments', async () => {
  const { merchant, read } = await openList([{}])
  const today = toDay(clock.now())
  const isTold = async (query: string) => (await read(`?${query}`)).includes('data-payments-since=')

  for (const query of ['', 'status=approved', `de=${today}&ate=${today}`, 'q=hoje'])
    expect([query, await isTold(query)]).toEqual([query, true])
  for (const query of [
    ...['status=declined', 'status=refunded', 'method=pix', 'tag=festa', 'verificar=sim'],
    ...[`link=${merchant.linkId}`, 'q=silva', 'q=P-1', 'q=ontem', `de=${addDays(today, 1)}`],
    ...[`ate=${addDays(today, -1)}`, 'status=approved&q=silva+hoje'],
  ])
    expect([query, await isTold(query)]).toEqual([query, false])
})

test('the head of a column sorts by it, the other way when it did already, and keeps the filters', async () => {
  const { read, list } = await openList([
    { payerName: 'Ana', totalCents: 2_000 },
    { payerName: 'Bia', totalCents: 3_000 },
    { payerName: 'Caio', totalCents: 1_000 },
  ])
  const follow = async (html: string) => read(findLinkHref(html, 'Valor')!.replace(LIST, ''))

  const first = await read('?method=pix&cursor=x&feito=devolvido')
  const largest = await follow(first)
  const smallest = await follow(largest)

  expect(findLinkHref(first, 'Valor')).toBe(`${LIST}?method=pix&ordem=maior-valor`)
  expect(findLinkHref(first, 'Quando')).toBe(`${LIST}?method=pix&ordem=antigos`)
  expect(first).toMatch(/aria-sort="descending"><a[^>]*>Quando/)
  expect(readRowTitles(largest)).toEqual(['Bia', 'Ana', 'Caio'])
  expect(largest).toMatch(/aria-sort="descending"><a[^>]*>Valor/)
  expect(readRowTitles(smallest)).toEqual(['Caio', 'Ana', 'Bia'])
  expect(smallest).toMatch(/aria-sort="ascending"><a[^>]*>Valor/)
  expect(findLinkHref(smallest, 'Quando')).toBe(`${LIST}?method=pix`)
  expect(await list('?ordem=antigos')).toEqual(['Ana', 'Bia', 'Caio'])
  expect(await list('?ordem=nada')).toEqual(['Caio', 'Bia', 'Ana'])
})

test('pages of a sorted list go on where the one before ended, and one after an instant that is none is the first', async () => {
  const { read, list } = await openList(
    Array.from({ length: 25 }, (_, n) => ({ payerName: `P${n}`, totalCents: 1_000 + (n % 5) })),
  )

  const first = await read('?ordem=maior-valor')
  const next = first.match(/rel="next" href="([^"]+)"/)![1]!.replaceAll('&amp;', '&')
  const names = [...readRowTitles(first), ...(await list(next.replace(LIST, '')))]

  expect(new Set(names).size).toBe(25)
  expect(names.slice(0, 5)).toEqual(['P24', 'P19', 'P14', 'P9', 'P4'])
  expect(names.at(-1)).toBe('P0')
  for (const instant of [
    '2026-02-30T10:00:00.000Z',
    '2026-13-45T99:99:99.999Z',
    '0000-01-01T00:00Z',
  ])
    expect((await list(`?cursor=${encodePosition(`${instant}~${newId()}`)}`))[0]).toBe('P24')
})

test('a period is one click away, marked while it is on, and keeps the other filters', async () => {
  const at = clock.now().toISOString()
  const { read } = await openList([{ payerName: 'Ana' }, { payerName: 'Hoje', at }])
  const findToday = (html: string) => findLinkHref(html, 'Hoje')

  const all = await read('?status=approved')
  const today = await read(findToday(all)?.replace(LIST, ''))

  expect(findToday(all)).toBe(`${LIST}?status=approved&periodo=hoje`)
  expect(today).toMatch(/\.csv\?status=approved&amp;de=\d{4}-\d\d-\d\d&amp;ate=\d{4}-/)
  expect(readRowTitles(today)).toEqual(['Hoje'])
  expect(today).toMatch(/aria-current="true">Hoje/)
  expect(findToday(today)).toBe(`${LIST}?status=approved`)
  expect(readPageText(today)).toContain('1 em uso')
  expect(today).toContain('<details open>')
  expect(await read(findToday(await read())?.replace(LIST, ''))).not.toContain('<details open>')
})

test('a day is that of payment: the list, its sum, its table, a search and what came in agree', async () => {
  const pay = (at: string, payerName: string, totalCents: number, approvedAt: string | null) => {
    const payment = { at, payerName, totalCents, approvedAt }
    return approvedAt === null ? { ...payment, ...DECLINED } : payment
  }
  const { merchant, read, list } = await openList([
    pay('2026-10-31T23:50:00-03:00', 'Paga em novembro', 5_005, '2026-11-01T00:05:00-03:00'),
    pay('2026-09-30T23:50:00-03:00', 'Paga em outubro', 7_907, '2026-10-01T00:05:00-03:00'),
    pay('2026-10-31T23:59:59-03:00', 'Nunca paga', 1_000, null),
  ])
  const october = '?de=2026-10-01&ate=2026-10-31'

  const page = await read(october)
  const table = await read(october.replace('?', '.csv?'))
  const searched = await read('.csv?q=31/10/2026&de=2026-10-31')
  const { total } = await buildReport(testApp.db, merchant.companyId, 'month', {
    ...{ from: '2026-10-01', to: '2026-11-01' },
  })

  expect(readRowTitles(page)).toEqual(['Nunca paga', 'Paga em outubro'])
  expect(readPageText(page)).toMatch(/2 pagamentos · R\$\s79,07 aprovados/)
  expect(readPageText(page)).toContain('Pix 01/10 00:05')
  expect(table.trim().split('\r\n')).toHaveLength(3)
  expect(searched.trim().split('\r\n')).toHaveLength(2)
  expect(total.grossCents).toBe(7_907)
  expect(await list('?de=01/10/2026&ate=31/10/2026')).toEqual(readRowTitles(page))
  expect(await list(`${october}&dia=criacao`)).toEqual(['Nunca paga', 'Paga em novembro'])
  expect(await list(`${october}&status=approved`)).toEqual(['Paga em outubro'])
  expect(await list(`${october}&status=declined`)).toEqual(['Nunca paga'])
  expect(await list('?q=31/10/2026')).toEqual(['Nunca paga'])
  expect(await list('?q=31/10/2026&de=2026-11-01')).toEqual([])
  expect(await list('?q=31/10/2026&ate=2026-10-30')).toEqual([])
  expect(await list('')).toEqual(['Paga em novembro', 'Nunca paga', 'Paga em outubro'])
})
